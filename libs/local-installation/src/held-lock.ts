import { DatabaseAccessError } from '@sluice/service';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/** Somebody else has the database; the message is a sentence. */
export class DatabaseInUse extends DatabaseAccessError {}

/** A start takes longer, so nobody sweeps beside us before we have noticed. */
const RETRY_INTERVAL_MS = 100;
/** A dead wire shows itself only when something is sent over it. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * A lock that a PostgreSQL session holds. A restart of the server ends the session and frees the
 * lock; it is taken again with the next session, and `onLost` is called when somebody else has it.
 */
export class HeldLock {
  #closed = false;
  #isLooking = false;
  readonly #timer: NodeJS.Timeout;

  /** `connect` gives a session that has the lock; it throws DatabaseInUse when another has it. */
  constructor(
    private client: Client,
    private readonly connect: () => Promise<Client>,
    private readonly onLost: (error: Error) => void,
  ) {
    this.#watch(client);
    this.#timer = setInterval(() => void this.#look(), LOOK_INTERVAL_MS).unref();
  }

  /** Gives the lock back. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.client.end();
  }

  /** It may have been closed while the session was made. */
  async #use(client: Client): Promise<void> {
    if (this.#closed) await client.end();
    else this.#watch(client);
  }

  #watch(client: Client): void {
    this.client = client;
    client.once('end', () => void this.#takeAgain());
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.client.query('SELECT').catch(() => undefined);
    this.#isLooking = false;
  }

  async #takeAgain(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#use(await this.connect());
        return;
      } catch (error) {
        if (error instanceof DatabaseInUse) {
          this.onLost(lost(error));
          return;
        }
      }
      await pause(RETRY_INTERVAL_MS, undefined, { ref: false });
    }
  }
}

function lost({ message }: DatabaseInUse): DatabaseAccessError {
  return new DatabaseAccessError(
    `${message} That one began while the connection to PostgreSQL was lost here. This one stops, ` +
      'because two must never settle the same payments.',
  );
}
