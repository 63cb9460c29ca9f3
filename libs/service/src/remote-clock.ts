import type { Clock } from './clock.js';
import type { Logger } from './logger.js';

/**
 * By how much the clocks of two processes may differ. A process that compares an instant recorded
 * by another one with its own time waits that much longer.
 */
export const CLOCK_MARGIN_MS = 500;
/** A slower answer is too imprecise: the errors of two processes together are the margin. */
const ASKING_MAX_MS = CLOCK_MARGIN_MS / 2;
/**
 * Between two looks a monotonic clock drifts by microseconds; more often costs, and finds steps
 * sooner.
 */
const INTERVAL_MS = 1_000;
/** A machine that is busy starting answers in time after a few attempts. */
const FIRST_LOOKS_MAX = 10;

/** What another machine said its time is, between two readings of the monotonic clock here. */
export interface Heard {
  readonly askedMs: number;
  /** Milliseconds since the epoch, by that machine. */
  readonly saidMs: number;
  readonly answeredMs: number;
}

/** What the clock of another machine is made of. */
export interface RemoteClockParts {
  /** Its name in the log, e.g. "the database". */
  readonly whose: string;
  /** What it says, milliseconds since the epoch. */
  readonly ask: () => Promise<number>;
  /** Only its monotonic part is used, for the time between two readings. */
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'warn'> | undefined;
  /** Default a second. */
  readonly intervalMs?: number;
}

/**
 * The clock of another machine, kept between two looks by the monotonic one. Instants that several
 * processes record and compare come from a clock that they share, the database's: their machines'
 * own may differ by minutes and be set while they run, and then one of them takes for an hour ago
 * what another one did just now.
 */
export class RemoteClock implements Clock {
  /** What is added to the monotonic clock. */
  #offsetMs = Number.NaN;
  #steppedForwardAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly parts: RemoteClockParts) {}

  /** Rejects when the other machine does not answer. */
  static async start(parts: RemoteClockParts): Promise<RemoteClock> {
    const clock = new RemoteClock(parts);
    await clock.begin();
    return clock;
  }

  /** Its time is not valid before this. Rejects when the other machine does not answer. */
  async begin(): Promise<void> {
    for (let looks = 1; looks <= FIRST_LOOKS_MAX; looks += 1) {
      if (await this.look()) break;
    }
    this.#lookLater();
  }

  now(): number {
    return Math.round(this.#offsetMs + this.monotonicMs());
  }

  monotonicMs(): number {
    return this.parts.clock.monotonicMs();
  }

  /**
   * When that clock was seen to be set forward, on the monotonic one: what was recorded before
   * seems older than it is by the step.
   */
  get steppedForwardAtMs(): number {
    return this.#steppedForwardAtMs;
  }

  /**
   * Asks once; false when the answer took too long to say much. Between question and answer the
   * other machine looked at its clock: that bounds the offset on both sides, and it moves no
   * further than it must, so that this clock does not tremble with the network.
   */
  async look(): Promise<boolean> {
    const askedMs = this.monotonicMs();
    const saidMs = await this.parts.ask();
    const answeredMs = this.monotonicMs();
    const isClose = answeredMs - askedMs <= ASKING_MAX_MS;
    if (!isClose && this.isKnown) return false;
    this.#move(saidMs - answeredMs, saidMs - askedMs);
    return isClose;
  }

  /** Whether anything is known of it: before, `now` is not a number. */
  get isKnown(): boolean {
    return !Number.isNaN(this.#offsetMs);
  }

  /**
   * Takes what the other machine said by the way, between two readings of the monotonic clock here. However
   * far apart those are, its offset lies between them. The first time it is taken for as early as it can be:
   * what is to end at an instant of this clock ends too soon rather than too late.
   */
  heard({ askedMs, saidMs, answeredMs }: Heard): void {
    if (this.isKnown) this.#move(saidMs - answeredMs, saidMs - askedMs);
    else this.#offsetMs = saidMs - answeredMs;
  }

  /** Looks no more; what it says stays as right as the monotonic clock is. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** A machine that does not answer is asked again. */
  #lookLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.look()
        .catch(() => undefined)
        .then(() => this.#lookLater());
    }, this.parts.intervalMs ?? INTERVAL_MS).unref();
  }

  #move(lowestMs: number, highestMs: number): void {
    const before = this.#offsetMs;
    // The first time nothing is known, and a recorded instant that is too late waits too long at
    // most.
    this.#offsetMs = Number.isNaN(before)
      ? highestMs
      : Math.min(Math.max(before, lowestMs), highestMs);
    const stepMs = Math.round(this.#offsetMs - before);
    if (Number.isNaN(stepMs) || Math.abs(stepMs) < CLOCK_MARGIN_MS) return;
    if (stepMs > 0) this.#steppedForwardAtMs = this.monotonicMs();
    this.parts.logger?.warn({ stepMs }, `The clock of ${this.parts.whose} was set.`);
  }
}
