import type { ScheduleStream, ScheduleStreams } from './schedule-aggregate.js';

/** What runs more rarely is read as often as it runs, and its stream does not grow long. */
const SOON_MS = 120_000;
/** So many are kept; a kilobyte or two each. Nobody has more that run every minute. */
const KEPT_MAX = 1_000;

/**
 * Schedules that run every few seconds or minutes stay in memory: their streams grow by thousands of
 * events a day, and to read all of them for each run would cost more with each.
 */
export class FrequentSchedules {
  /** The one that has run least recently comes first. */
  readonly #kept = new Map<string, ScheduleStream>();

  constructor(private readonly streams: Pick<ScheduleStreams, 'hold' | 'release'>) {}

  /** Whether it is in memory since an earlier run: another process may have gone on with it. */
  has({ id }: Pick<ScheduleStream, 'id'>): boolean {
    return this.#kept.has(id);
  }

  /** Keeps a schedule that runs again soon, and lets go of any other. */
  settle({ id, state }: ScheduleStream, nowMs: number): void {
    const before = this.#kept.get(id);
    this.#kept.delete(id);
    const isSoonDue = (state?.plan?.nextDueMs ?? Infinity) - nowMs < SOON_MS;
    if (isSoonDue) this.#kept.set(id, before ?? this.streams.hold(id));
    else if (before !== undefined) this.streams.release(before);
    const [oldest] = this.#kept.values();
    if (this.#kept.size <= KEPT_MAX || oldest === undefined) return;
    this.#kept.delete(oldest.id);
    this.streams.release(oldest);
  }
}
