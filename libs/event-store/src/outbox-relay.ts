import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Database } from './database.js';
import { Outbox, type OutboxLag, type WaitingEvent } from './outbox.js';
import type { RecordedEvent } from './recorded-event.js';
import { RelayLeases } from './relay-leases.js';
import { SQL_IDENTIFIER } from './schema.js';

/** The times and sizes of a relay. */
export interface RelayLimits {
  /** How long a slot stays with a relay that does not renew its lease (D-21). */
  readonly leaseMs: number;
  /** How often leases are renewed; a relay that joins has its share after two rounds. */
  readonly renewEveryMs: number;
  /** Events in one batch; one batch is under way at a time. */
  readonly batchMax: number;
  /** The pause between two polls, and the longest one while nothing waits. */
  readonly pollMs: number;
  readonly idlePollMs: number;
  /** The longest pause after failures. */
  readonly troublePauseMaxMs: number;
  /**
   * How long a connection may take to answer; more than the server's own statement_timeout (D-10).
   */
  readonly answerTimeoutMs: number;
}

/** The limits unless told otherwise (D-21). */
export const defaultRelayLimits: RelayLimits = {
  leaseMs: 10_000,
  renewEveryMs: 1_000,
  batchMax: 500,
  pollMs: 20,
  idlePollMs: 100,
  troublePauseMaxMs: 1_000,
  answerTimeoutMs: 8_000,
};

/** What a relay needs besides its pool. */
export interface OutboxRelayOptions extends Partial<RelayLimits> {
  /** The service's schema. */
  readonly schema: string;
  /**
   * Resolves once all these events are safe with the transport. They are in the order of their
   * streams, and belong to the named incarnation of the store (D-23). @throws EventsRefused when
   * some can never be sent; any other error means that nothing can be sent now, and the same events
   * come again after a pause.
   */
  readonly publish: (events: readonly RecordedEvent[], incarnation: string) => Promise<void>;
  /** Told of each failed attempt, and of the first success after it. */
  readonly onTrouble?: (error: unknown) => void;
  readonly onRecovered?: () => void;
  /** Told of each event that was refused and is now parked with the rest of its stream. */
  readonly onParked?: (event: RecordedEvent, reason: string) => void;
}

/** Thrown by a publisher: the transport says that these events can never be sent. */
export class EventsRefused extends Error {
  override readonly name = 'EventsRefused';

  constructor(
    /** By event id, why. Nothing is known about the batch's other events. */
    readonly reasons: ReadonlyMap<string, string>,
    options?: ErrorOptions,
  ) {
    super(`The transport refuses ${String(reasons.size)} events for ever.`, options);
  }
}

/**
 * Publishes what an event store has recorded: at least once, and in the order of each stream. Any
 * number of relays share the work by leased slots; a relay that has lost its lease without noticing
 * can only publish again what another one publishes as well, which readers detect by the versions.
 */
export class OutboxRelay {
  readonly #outbox: Outbox;
  readonly #leases: RelayLeases;
  readonly #limits: RelayLimits;
  readonly #options: OutboxRelayOptions;
  readonly #relay = randomUUID();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #troubled = false;
  #renewedMs = -Infinity;
  #slotsHeld = 0;

  /**
   * The caller keeps the pool and closes it; one connection is used at a time, and another one by
   * `lag`.
   */
  constructor(pool: Pool, options: OutboxRelayOptions) {
    const { schema } = options;
    if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
    this.#limits = { ...defaultRelayLimits, ...options };
    this.#options = options;
    const database = new Database(pool, this.#limits.answerTimeoutMs);
    this.#outbox = new Outbox(database, schema);
    this.#leases = new RelayLeases(database, schema, this.#relay, this.#limits.leaseMs);
  }

  /** Begins to publish; waits for a database or transport that cannot be reached. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes the batch under way, leaves its slots to others and resolves. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Slots that were this relay's when it last renewed its leases. */
  get slotsHeld(): number {
    return this.#slotsHeld;
  }

  /** How far publishing is behind, over all relays. @throws DatabaseFailure */
  lag(): Promise<OutboxLag> {
    return this.#outbox.lag();
  }

  async #run(): Promise<void> {
    const { pollMs, idlePollMs, batchMax, troublePauseMaxMs } = this.#limits;
    let pauseMs = pollMs;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#renewInTime();
        const relayed = await this.#relayBatch();
        this.#recovered();
        if (relayed === 0) pauseMs = Math.min(pauseMs * 2, idlePollMs);
        else pauseMs = relayed >= batchMax / 2 ? 0 : pollMs;
      } catch (error) {
        this.#trouble(error);
        pauseMs = Math.min(Math.max(pauseMs * 2, idlePollMs), troublePauseMaxMs);
      }
      await this.#pause(pauseMs);
      pauseMs = Math.max(pauseMs, pollMs);
    }
    // Leases that cannot be given back now expire.
    await this.#leases.release().catch(() => undefined);
    this.#slotsHeld = 0;
  }

  /**
   * A relay in trouble lets its leases expire, so that another one, which may not be in trouble,
   * gets its slots; later it asks for some again.
   */
  async #renewInTime(): Promise<void> {
    const { leaseMs, renewEveryMs } = this.#limits;
    const nowMs = performance.now();
    if (nowMs - this.#renewedMs < (this.#troubled ? leaseMs : renewEveryMs)) return;
    this.#slotsHeld = await this.#leases.renew();
    this.#renewedMs = nowMs;
  }

  /** Returns how many events were handled. */
  async #relayBatch(): Promise<number> {
    const batch = await this.#outbox.next(this.#relay, this.#limits.batchMax);
    if (batch.length === 0) return 0;
    const stopped = batch.filter(({ streamParked }) => streamParked);
    if (stopped.length > 0) await this.#outbox.park(stopped);
    const events = batch.filter(({ streamParked }) => !streamParked);
    if (events.length > 0) await this.#publish(events);
    return batch.length;
  }

  async #publish(events: readonly WaitingEvent[]): Promise<void> {
    try {
      await this.#options.publish(events, events[0]?.incarnation ?? '');
    } catch (error) {
      if (!(error instanceof EventsRefused)) throw error;
      // The other events stay in the outbox and come again, unless they follow a parked one.
      return this.#park(events, error);
    }
    await this.#outbox.delete(events);
  }

  async #park(events: readonly WaitingEvent[], refusal: EventsRefused): Promise<void> {
    const refused = events.flatMap((event) => {
      const reason = refusal.reasons.get(event.id);
      return reason === undefined ? [] : [{ ...event, reason }];
    });
    if (refused.length === 0) throw refusal;
    await this.#outbox.park(refused);
    for (const event of refused) this.#options.onParked?.(event, event.reason);
  }

  #trouble(error: unknown): void {
    this.#options.onTrouble?.(error);
    this.#troubled = true;
  }

  #recovered(): void {
    if (this.#troubled) this.#options.onRecovered?.();
    this.#troubled = false;
  }

  async #pause(ms: number): Promise<void> {
    if (ms === 0 || this.#closing.signal.aborted) return;
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}
