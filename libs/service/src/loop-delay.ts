import { createHistogram, performance } from 'node:perf_hooks';

/** How often the delay is measured while the process works. */
const BUSY_EVERY_MS = 100;
/** The same at rest, where each look is a good part of what the process does. */
const REST_EVERY_MS = 1_000;
/** A process is at rest as long as it works for less of each second, and is late by less. */
const REST_MAX_MS = 50;
const NS_PER_MS = 1e6;
const NS_PER_S = 1e9;

/** What of the event loop is looked at. */
export interface LoopUnderWatch {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long the loop has worked since its start, rather than waited. */
  readonly activeMs: () => number;
  readonly later: (look: () => void, afterMs: number) => void;
}

/** By how much the loop was late, in seconds, over the looks of a while. */
export interface DelayFigures {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly stddev: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** This process's own. */
const ownLoop: LoopUnderWatch = {
  nowMs: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
  later: (look, afterMs) => void setTimeout(look, afterMs).unref(),
};

/**
 * By how much the event loop is late: a timer is set, and comes when the loop has time for it. It is
 * set ten times a second while the process works, and once a second at rest, when nothing can be late
 * by more than the little for which the loop worked at all (page 0046).
 */
export class LoopDelay {
  readonly #delays = createHistogram();
  #busyUntilMs = -Infinity;
  #lookedAtMs: number;
  #activeMs: number;

  constructor(private readonly loop: LoopUnderWatch = ownLoop) {
    this.#lookedAtMs = loop.nowMs();
    this.#activeMs = loop.activeMs();
  }

  /** Begins to look; the process may end meanwhile. */
  start(): void {
    this.#lookAfter(REST_EVERY_MS);
  }

  /** The looks since this was asked last; undefined when there was none. */
  take(): DelayFigures | undefined {
    const delays = this.#delays;
    if (delays.count === 0) return undefined;
    const seconds = (ns: number): number => ns / NS_PER_S;
    const figures = {
      min: seconds(delays.min),
      max: seconds(delays.max),
      mean: seconds(delays.mean),
      stddev: seconds(delays.stddev),
      p50: seconds(delays.percentile(50)),
      p90: seconds(delays.percentile(90)),
      p99: seconds(delays.percentile(99)),
    };
    delays.reset();
    return figures;
  }

  #lookAfter(afterMs: number): void {
    const dueMs = this.loop.nowMs() + afterMs;
    this.loop.later(() => this.#look(dueMs), afterMs);
  }

  #look(dueMs: number): void {
    const { loop } = this;
    const [nowMs, activeMs] = [loop.nowMs(), loop.activeMs()];
    const lateMs = Math.max(0, nowMs - dueMs);
    // A histogram takes nothing below one.
    this.#delays.record(Math.max(1, Math.round(lateMs * NS_PER_MS)));
    const workedMs = activeMs - this.#activeMs;
    const share = workedMs / Math.max(1, nowMs - this.#lookedAtMs);
    const isBusy = share * REST_EVERY_MS >= REST_MAX_MS || lateMs >= REST_MAX_MS;
    if (isBusy) this.#busyUntilMs = nowMs + REST_EVERY_MS;
    this.#lookedAtMs = nowMs;
    this.#activeMs = activeMs;
    this.#lookAfter(nowMs < this.#busyUntilMs ? BUSY_EVERY_MS : REST_EVERY_MS);
  }
}
