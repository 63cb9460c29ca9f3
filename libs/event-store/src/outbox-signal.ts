import type { Pool, PoolClient } from 'pg';
import type { Database } from './database.js';

/** Why relays are told: something was `recorded`, or somebody is `awaiting` what was recorded. */
export type OutboxNews = 'recorded' | 'awaiting';

/**
 * A store that said so lately that it has recorded something does not say it again: relays keep looking
 * for longer than this (`awakeMs` of their limits). But then it does, also in busy times: of several
 * relays one may have had nothing to publish, and would sleep.
 */
const RECORDED_EVERY_MS = 200;
/** All who begin to wait within this time are served by one look of the relay. */
const AWAITING_EVERY_MS = 20;
const LISTEN_AGAIN_MS = 1_000;

/**
 * Wakes the relays of a service, which are other processes, by a notification of the database. One
 * that gets lost costs seconds, because relays look by themselves as well.
 */
export class OutboxSignal {
  #recordedMs = -Infinity;
  #awaitingMs = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
  ) {}

  /** Something was committed. */
  recorded(): void {
    const nowMs = performance.now();
    if (nowMs - this.#recordedMs < RECORDED_EVERY_MS) return;
    this.#recordedMs = nowMs;
    this.#send('recorded');
  }

  /** Somebody waits until everything recorded is published. */
  awaiting(): void {
    const nowMs = performance.now();
    if (nowMs - this.#awaitingMs < AWAITING_EVERY_MS) return;
    this.#awaitingMs = nowMs;
    this.#send('awaiting');
  }

  #send(news: OutboxNews): void {
    const text = 'SELECT pg_notify($1, $2)';
    const values = [channelOf(this.schema), news];
    this.database.execute({ name: 'outbox signal', text, values }).catch(() => undefined);
  }
}

/** Hears the signals of a service's stores, on one connection of the pool. */
export class OutboxListener {
  readonly #listen: string;
  #client: PoolClient | undefined;
  #isListening = false;
  #triedMs = -Infinity;

  constructor(
    private readonly pool: Pool,
    schema: string,
    /** A server that does not answer for so long is not listened to. */
    private readonly answerTimeoutMs: number,
    /** Told of each signal, and when no more can be heard. */
    private readonly heard: (news: OutboxNews | 'nothing more') => void,
  ) {
    this.#listen = `LISTEN ${channelOf(schema)}`;
  }

  /** Whether signals are heard now. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Begins to listen, also again after the connection was lost; never rejects. */
  async listen(): Promise<void> {
    if (this.#client !== undefined || performance.now() - this.#triedMs < LISTEN_AGAIN_MS) return;
    this.#triedMs = performance.now();
    const client = await this.pool.connect().catch(() => undefined);
    if (client === undefined) return;
    this.#client = client;
    client.on('error', () => this.#lost());
    client.on('end', () => this.#lost());
    client.on('notification', ({ payload }) => {
      if (payload === 'recorded' || payload === 'awaiting') this.heard(payload);
    });
    const listen = { text: this.#listen, ...{ query_timeout: this.answerTimeoutMs } };
    await client.query(listen).then(
      () => (this.#isListening = this.#client === client),
      () => this.#lost(),
    );
  }

  /** Gives the connection back. */
  close(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#isListening = false;
    // It listens, so nobody else may have it.
    client?.release(true);
  }

  #lost(): void {
    if (this.#client === undefined) return;
    this.close();
    this.heard('nothing more');
  }
}

/** Where the news of a schema's outbox is told, to `LISTEN` and `pg_notify`. */
export function channelOf(schema: string): string {
  return `${schema}_outbox`;
}
