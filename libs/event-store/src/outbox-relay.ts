import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { Alarm } from './alarm.js';
import { Database } from './database.js';
import { Outbox, type OutboxLag, type WaitingEvent } from './outbox.js';
import { OutboxListener, type OutboxNews } from './outbox-signal.js';
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
  /**
   * The pause between two looks while there is something to publish, by this relay or another one, and
   * for `awakeMs` after.
   */
  readonly pollMs: number;
  readonly awakeMs: number;
  /** The longest pause while nothing waits: unless a signal comes, and if signals are not heard. */
  readonly idlePollMs: number;
  readonly unsignalledPollMs: number;
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
  renewEveryMs: 2_500,
  batchMax: 500,
  // Several payments share a look, and nobody waits for it who does not signal.
  pollMs: 100,
  // Longer than from one signal of a busy store to the next, which comes a moment after its commit.
  awakeMs: 300,
  // With each renewal of the leases, so that a relay at rest wakes once for both.
  idlePollMs: 2_500,
  unsignalledPollMs: 100,
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

/** After a quiet time, a payment's events are published together. */
const FIRST_LOOK_MS = 20;

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
  readonly #alarm = new Alarm();
  readonly #listener: OutboxListener;
  #troubled = false;
  /** When something was found last, or heard to be recorded. */
  #stirredMs = -Infinity;
  /** Published; they leave the outbox with the next look. */
  #published: readonly WaitingEvent[] = [];
  #renewedMs = -Infinity;
  #slotsHeld = 0;

  /**
   * The caller keeps the pool and closes it; one connection is used at a time, another one listens
   * to signals, and a third one is for `lag`.
   */
  constructor(pool: Pool, options: OutboxRelayOptions) {
    const { schema } = options;
    if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
    this.#limits = { ...defaultRelayLimits, ...options };
    this.#options = options;
    const database = new Database(pool, this.#limits.answerTimeoutMs);
    this.#outbox = new Outbox(database, schema);
    this.#leases = new RelayLeases(database, schema, this.#relay, this.#limits.leaseMs);
    this.#listener = new OutboxListener(pool, schema, this.#limits.answerTimeoutMs, (news) =>
      this.#hear(news),
    );
  }

  /** Begins to publish; waits for a database or transport that cannot be reached. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes the batch under way, leaves its slots to others and resolves. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#alarm.ring(0);
    await this.#running;
    this.#listener.close();
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
    const { troublePauseMaxMs, unsignalledPollMs } = this.#limits;
    let troublePauseMs = unsignalledPollMs;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listener.listen();
        await this.#renewInTime();
        const relayed = await this.#relayBatch();
        this.#recovered();
        troublePauseMs = unsignalledPollMs;
        await this.#pause(this.#pauseAfterMs(relayed));
      } catch (error) {
        this.#trouble(error);
        troublePauseMs = Math.min(troublePauseMs * 2, troublePauseMaxMs);
        await this.#pause(troublePauseMs);
      }
    }
    await this.#deletePublished().catch(() => undefined);
    // Leases that cannot be given back now expire.
    await this.#leases.release().catch(() => undefined);
    this.#slotsHeld = 0;
  }

  /** What is recorded may all be for other relays, and the next for this one: so it stays awake, too. */
  #hear(news: OutboxNews | 'nothing more'): void {
    if (news !== 'recorded') return this.#alarm.ring(0);
    const isAwake = this.#isStirred;
    this.#stirredMs = performance.now();
    if (!isAwake) this.#alarm.ring(FIRST_LOOK_MS);
  }

  get #isStirred(): boolean {
    return performance.now() - this.#stirredMs < this.#limits.awakeMs;
  }

  #pauseAfterMs(relayed: number): number {
    const { batchMax, pollMs, idlePollMs, unsignalledPollMs } = this.#limits;
    if (relayed >= batchMax / 2) return 0;
    if (relayed > 0) this.#stirredMs = performance.now();
    if (this.#isStirred) return pollMs;
    return this.#listener.isListening ? idlePollMs : unsignalledPollMs;
  }

  /**
   * A relay in trouble lets its leases expire, so that another one, which may not be in trouble,
   * gets its slots; later it asks for some again.
   */
  async #renewInTime(): Promise<void> {
    const { leaseMs, renewEveryMs } = this.#limits;
    const nowMs = performance.now();
    if (nowMs - this.#renewedMs < (this.#troubled ? leaseMs : renewEveryMs)) return;
    // A slot that is given back has nothing in flight.
    await this.#deletePublished();
    this.#slotsHeld = await this.#leases.renew();
    this.#renewedMs = nowMs;
  }

  /** Returns how many events were handled. */
  async #relayBatch(): Promise<number> {
    const { batchMax } = this.#limits;
    const batch = await this.#outbox.next(this.#relay, batchMax, this.#published);
    this.#published = [];
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
    this.#published = events;
  }

  async #deletePublished(): Promise<void> {
    if (this.#published.length === 0) return;
    await this.#outbox.delete(this.#published);
    this.#published = [];
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
    await this.#alarm.pause(ms);
  }
}
