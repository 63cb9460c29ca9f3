import { DAY_SECONDS } from './calendar.js';
import type { CronExpression } from './cron-expression.js';
import { nextLocalTime } from './next-local-time.js';
import type { Offset, TimeZone } from './time-zone.js';

const MILLISECONDS = 1000;
/** Clocks are never put forward or back by more than a day: Samoa left one out in 2011. */
const SHIFT_MAX_SECONDS = DAY_SECONDS;

/**
 * The first run after an instant, both in milliseconds since the epoch; undefined if there is none until
 * the end of 2099. Runs are at whole seconds.
 *
 * Where clocks are put forward, a time that there is not runs later by the gap: 02:30 at 03:30. Where they
 * are put back, a time that there is twice runs the first time only (R-SCH-02). Two times of the expression that
 * come to the same instant are one run.
 */
export function nextRun(
  expression: CronExpression,
  zone: TimeZone,
  afterMs: number,
): number | undefined {
  let from = Math.floor(afterMs / MILLISECONDS) + 1;
  for (;;) {
    const offset = zone.offsetAt(from);
    const { run, next } = firstWithin(expression, zone, offset, from);
    if (run !== undefined) return run * MILLISECONDS;
    if (next === undefined) return undefined;
    from = next;
  }
}

/** A run with this offset, or the instant from which to look on. Everything in seconds. */
interface Found {
  readonly run?: number;
  readonly next?: number;
}

/**
 * While an offset holds, two kinds of local times come to an instant in it: those that the clocks show then
 * for the first time, and, after they were put forward, those that they left out.
 */
function firstWithin(
  expression: CronExpression,
  zone: TimeZone,
  { seconds, from: begin, until }: Offset,
  from: number,
): Found {
  const isNearBegin = from - begin <= SHIFT_MAX_SECONDS;
  const before = isNearBegin ? zone.offsetAt(begin - 1).seconds : seconds;
  const firstShown = begin + Math.max(before, seconds);
  const local = nextLocalTime(expression, Math.max(from + seconds, firstShown));
  const shown = local === undefined ? Infinity : local - seconds;
  const shifted =
    before < seconds ? shiftedRun(expression, from + before, begin + seconds) : undefined;
  const run = Math.min(shown, shifted === undefined ? Infinity : shifted - before);
  if (run < until) return { run };
  if (local === undefined) return {};
  // The next time is far: nothing is between, whatever the clocks do there.
  return { next: Math.max(until, local - SHIFT_MAX_SECONDS) };
}

/** The first local time of the gap. @param end the first local time after it */
function shiftedRun(expression: CronExpression, from: number, end: number): number | undefined {
  const local = nextLocalTime(expression, from);
  return local !== undefined && local < end ? local : undefined;
}
