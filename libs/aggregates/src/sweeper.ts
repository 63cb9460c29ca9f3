import type { EventStore } from '@sluice/event-store';
import { type Logger, Outage, type RemoteClock } from '@sluice/service';
import type { Stream, Streams } from './streams.js';

/** How often the sweeper looks, and how much it does at once. */
export interface SweepLimits {
  readonly pollIntervalMs: number;
  /** Streams handled at the same time: one that hangs does not hold up the others. */
  readonly concurrencyMax: number;
  /** How long a claimed stream belongs to this process. */
  readonly claimLeaseMs: number;
  /** How long the sweeper rests after the database's clock was set forward (D-25). */
  readonly restAfterClockStepMs: number;
}

/** The parts a sweeper is made of. */
export interface SweeperParts<State> {
  /** What the streams are called in its log lines: `payments`. */
  readonly what: string;
  readonly store: Pick<EventStore, 'claimDueStreams'>;
  readonly streams: Streams<State>;
  readonly limits: SweepLimits;
  readonly clock: Pick<RemoteClock, 'now' | 'monotonicMs' | 'steppedForwardAtMs'>;
  readonly logger: Logger;
  /** Does what is due for a stream, and sets when it is due next. */
  readonly sweep: (stream: Stream<State>) => Promise<void>;
}

/** Finds the streams that are due, whichever instance wrote them, and has what is due done. */
export class Sweeper<State> {
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #stopped = false;
  readonly #outage: Outage;

  constructor(private readonly parts: SweeperParts<State>) {
    const { clock, logger, what } = parts;
    this.#outage = new Outage(clock, logger, {
      begins: `The sweeper cannot look for open ${what}.`,
      goesOn: `The sweeper still cannot look for open ${what}.`,
      ends: `The sweeper looks for open ${what} again.`,
    });
  }

  /** Begins to look, now and then at every interval. */
  start(): void {
    this.#schedulePoll(0);
  }

  /** Claims nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await Promise.all(this.#underWay);
  }

  /** Looks once and waits until all that was due is done; for tools and tests. */
  async sweepOnce(): Promise<number> {
    const streamIds = await this.#claim();
    await Promise.all(streamIds.map((streamId) => this.#sweepSafely(streamId)));
    return streamIds.length;
  }

  #schedulePoll(afterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll();
    }, afterMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const { limits } = this.parts;
    let claimed = 0;
    try {
      const streamIds = await this.#claim();
      this.#outage.over();
      claimed = streamIds.length;
      for (const streamId of streamIds) this.#begin(streamId);
    } catch (error) {
      this.#outage.failed(error);
    }
    const more = claimed > 0 && this.#underWay.size < limits.concurrencyMax;
    this.#schedulePoll(more ? 0 : limits.pollIntervalMs);
  }

  async #claim(): Promise<readonly string[]> {
    const { store, limits } = this.parts;
    const limit = this.#isResting() ? 0 : limits.concurrencyMax - this.#underWay.size;
    return limit > 0 ? store.claimDueStreams({ limit, leaseMs: limits.claimLeaseMs }) : [];
  }

  /** After the database's clock was set forward, the age of a request is unknown. */
  #isResting(): boolean {
    const { clock, limits } = this.parts;
    return clock.monotonicMs() - clock.steppedForwardAtMs < limits.restAfterClockStepMs;
  }

  #begin(streamId: string): void {
    const sweep = this.#sweepSafely(streamId);
    this.#underWay.add(sweep);
    void sweep.finally(() => this.#underWay.delete(sweep));
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
