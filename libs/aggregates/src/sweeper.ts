import { Alarm, type EventStore } from '@sluice/event-store';
import {
  type Logger,
  noSetClocks,
  Outage,
  type RemoteClock,
  type SetClocks,
} from '@sluice/service';
import type { Stream, Streams } from './streams.js';

/** How often the sweeper looks, and how much it does at once. */
export interface SweepLimits {
  /** The least time from one look to the next, and the most while there is something to do. */
  readonly pollIntervalMs: number;
  /** Streams handled at the same time: one that hangs does not hold up the others. */
  readonly concurrencyMax: number;
  /**
   * Whether more is claimed as soon as half of a full hand is done. Otherwise the next interval is waited
   * for, so that no more than `concurrencyMax` are begun in one, which spares whoever is asked outside.
   */
  readonly refills?: boolean;
  /** How long a claimed stream belongs to this process. */
  readonly claimLeaseMs: number;
  /** How long the sweeper rests after the database's clock was set forward (D-25). */
  readonly restAfterClockStepMs: number;
}

/** The parts a sweeper is made of. */
export interface SweeperParts<State> {
  /** What the streams are called in its log lines: `payments`. */
  readonly what: string;
  readonly store: Pick<EventStore, 'claimDueStreams' | 'nextDueInMs' | 'watchDue'>;
  readonly streams: Streams<State>;
  readonly limits: SweepLimits;
  readonly clock: Pick<RemoteClock, 'now' | 'monotonicMs' | 'steppedForwardAtMs'>;
  readonly logger: Logger;
  /** Whose streams are due by clocks of their own, where streams have tenants; absent: nobody's. */
  readonly setClocks?: SetClocks;
  /** Does what is due for a stream, and sets when it is due next. */
  readonly sweep: (stream: Stream<State>) => Promise<void>;
}

/**
 * At rest so many intervals pass from one look to the next: what another process has set to be due
 * sooner than that, and did not live to see to, is found so late.
 */
const REST_INTERVALS = 5;

/**
 * Finds the streams that are due, whichever instance wrote them, and has what is due done. At rest it
 * looks when the next one is due, and otherwise rarely (page 0046).
 */
export class Sweeper<State> {
  readonly #underWay = new Set<Promise<void>>();
  readonly #alarm = new Alarm();
  #running: Promise<void> | undefined;
  #stopped = false;
  #lookedAtMs = -Infinity;
  /** Until what it claims is in hand. */
  #looking: Promise<unknown> | undefined;
  /** Since the last look: there may be more than it has got. */
  #isFull = false;
  readonly #outage: Outage;

  constructor(private readonly parts: SweeperParts<State>) {
    const { clock, logger, what } = parts;
    this.#outage = new Outage(clock, logger, {
      begins: `The sweeper cannot look for open ${what}.`,
      goesOn: `The sweeper still cannot look for open ${what}.`,
      ends: `The sweeper looks for open ${what} again.`,
    });
  }

  /** Begins to look: now, and then whenever there may be something to do. */
  start(): void {
    this.parts.store.watchDue((inMs) => this.#ring(inMs));
    this.#running ??= this.#run();
  }

  /** Claims nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm.ring(0);
    await this.#running;
    await Promise.all(this.#underWay);
  }

  /**
   * Does all that is due of a tenant by its clock, and waits for what is in hand; says how many streams that
   * were. Streams that could not be dealt with are due again when their lease ends.
   * @param untilMs by the monotonic clock: from then on nothing more is begun
   */
  async sweepTenant(tenant: string, untilMs = Infinity): Promise<number> {
    let swept = 0;
    for (;;) {
      const isOver = this.parts.clock.monotonicMs() >= untilMs;
      const streamIds = isOver ? [] : await this.#claimOf(tenant);
      swept += streamIds.length;
      for (const streamId of streamIds) this.#begin(streamId);
      // A look of its own that has just begun may have claimed what is not in hand yet.
      if (streamIds.length === 0) await this.#looking;
      if (streamIds.length === 0 && this.#underWay.size === 0) return swept;
      const leftMax = streamIds.length === 0 ? 0 : this.parts.limits.concurrencyMax / 2;
      while (this.#underWay.size > leftMax) await Promise.race(this.#underWay);
    }
  }

  /** Looks once and waits until all that was due is done; for tools and tests. */
  async sweepOnce(): Promise<number> {
    const streamIds = await this.#claim();
    await Promise.all(streamIds.map((streamId) => this.#sweepSafely(streamId)));
    return streamIds.length;
  }

  /** However many are due at once, the looks keep their distance. */
  #ring(inMs: number): void {
    const soonestMs = this.#lookedAtMs + this.parts.limits.pollIntervalMs - performance.now();
    this.#alarm.ring(Math.max(inMs, soonestMs));
  }

  async #run(): Promise<void> {
    while (!this.#hasStopped()) {
      this.#lookedAtMs = performance.now();
      const poll = this.#poll();
      this.#looking = poll;
      const pauseMs = await poll;
      if (pauseMs > 0 && !this.#hasStopped()) await this.#alarm.pause(pauseMs);
    }
  }

  /** Asked again after every wait. */
  #hasStopped(): boolean {
    return this.#stopped;
  }

  /** Looks once, and says how long nobody has to look, in milliseconds. */
  async #poll(): Promise<number> {
    const { concurrencyMax, pollIntervalMs } = this.parts.limits;
    try {
      const streamIds = await this.#claim();
      this.#outage.over();
      for (const streamId of streamIds) this.#begin(streamId);
      this.#isFull = streamIds.length > 0 && this.#underWay.size >= concurrencyMax;
      if (streamIds.length > 0 && this.#underWay.size < concurrencyMax) return 0;
      return this.#underWay.size > 0 || this.#isResting()
        ? pollIntervalMs
        : await this.#untilNextMs();
    } catch (error) {
      this.#outage.failed(error);
      return pollIntervalMs;
    }
  }

  async #untilNextMs(): Promise<number> {
    const { setClocks = noSetClocks } = this.parts;
    const { pollIntervalMs } = this.parts.limits;
    // What is due by another clock, the store does not foresee.
    if (setClocks.all().size > 0) return pollIntervalMs;
    const longestMs = REST_INTERVALS * pollIntervalMs;
    const nextMs = (await this.parts.store.nextDueInMs()) ?? longestMs;
    return Math.min(longestMs, Math.max(pollIntervalMs, nextMs));
  }

  async #claim(): Promise<readonly string[]> {
    const { store, limits, setClocks = noSetClocks } = this.parts;
    const limit = this.#isResting() ? 0 : limits.concurrencyMax - this.#underWay.size;
    if (limit <= 0) return [];
    const claimed = [...(await store.claimDueStreams({ limit, leaseMs: limits.claimLeaseMs }))];
    for (const tenant of setClocks.all().keys()) {
      claimed.push(...(await this.#claimOf(tenant, claimed.length)));
    }
    return claimed;
  }

  /** @param more are in hand already beside those that are under way */
  async #claimOf(tenant: string, more = 0): Promise<readonly string[]> {
    const { store, limits, setClocks = noSetClocks } = this.parts;
    const limit = limits.concurrencyMax - this.#underWay.size - more;
    if (limit <= 0) return [];
    const of = { tenant, aheadMs: setClocks.aheadMs(tenant) };
    return store.claimDueStreams({ limit, leaseMs: limits.claimLeaseMs, of });
  }

  /** After the database's clock was set forward, the age of a request is unknown. */
  #isResting(): boolean {
    const { clock, limits } = this.parts;
    return clock.monotonicMs() - clock.steppedForwardAtMs < limits.restAfterClockStepMs;
  }

  #begin(streamId: string): void {
    const sweep = this.#sweepSafely(streamId);
    this.#underWay.add(sweep);
    void sweep.finally(() => {
      this.#underWay.delete(sweep);
      this.#refill();
    });
  }

  #refill(): void {
    const { refills, concurrencyMax } = this.parts.limits;
    if (refills !== true || !this.#isFull || this.#underWay.size > concurrencyMax / 2) return;
    this.#isFull = false;
    this.#alarm.ring(0);
  }

  /** A stream that cannot be handled must not hold up the others (R-UNK-06). */
  async #sweepSafely(streamId: string): Promise<void> {
    const { streams, logger, sweep, what } = this.parts;
    const stream = streams.hold(streamId);
    try {
      await sweep(stream);
    } catch (error) {
      logger.error(
        { err: error, streamId },
        `One of the open ${what} could not be dealt with; tried again later.`,
      );
    } finally {
      streams.release(stream);
    }
  }
}
