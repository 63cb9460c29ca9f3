import type { ScheduleJob } from '@sluice/contracts';
import { readExpression } from './cron-expression.js';
import { nextRun } from './next-run.js';
import { endOfPeriods, type Period } from './period.js';
import type { Plan } from './schedule.js';
import { timeZoneOf } from './time-zone.js';

/**
 * The first time of a job after an instant, milliseconds since the epoch; undefined if there is none.
 * @param endsAtMs nothing is due after it, beside what the job itself says
 */
export function nextDue(job: ScheduleJob, afterMs: number, endsAtMs: number): number | undefined {
  return dueTimes(job, endsAtMs)(afterMs);
}

/** The same for many instants: the expression is read once. @throws Error for a job that was never read */
export function dueTimes(
  job: ScheduleJob,
  endsAtMs: number,
): (afterMs: number) => number | undefined {
  const read = readExpression(job.expression);
  const zone = timeZoneOf(job.timeZone);
  if (read.kind === 'refused' || zone === undefined) {
    throw new Error(`A job cannot be read: ${read.kind === 'refused' ? read.problem : 'its zone'}`);
  }
  const { startMs = -Infinity, endMs = Infinity } = job;
  const last = Math.min(endMs, endsAtMs);
  return (afterMs) => {
    // A time at the start itself is not before it.
    const due = nextRun(read.expression, zone, Math.max(afterMs, startMs - 1));
    return due !== undefined && due <= last ? due : undefined;
  };
}

/**
 * When a job ends by itself, milliseconds since the epoch, Infinity if never. A duration is a term from the
 * start; where notice is given to its end (DURATION_END), each term is followed by another.
 */
export function endOfTerm(job: ScheduleJob, createdMs: number): number {
  const duration = durationOf(job);
  if (duration === undefined || job.noticeCallable === 'DURATION_END') return Infinity;
  return endOfPeriods(job.startMs ?? createdMs, duration, job.timeZone) - 1;
}

/** The last instant at which a job charges, as it says itself: its end date, or that of its term. */
export function endOfJob({ job, createdMs }: Pick<Plan, 'job' | 'createdMs'>): number {
  return Math.min(job.endMs ?? Infinity, endOfTerm(job, createdMs));
}

/** When notice that is given now ends a job: after the notice, or with the first term that ends later. */
export function endAfterNotice(job: ScheduleJob, createdMs: number, nowMs: number): number {
  const { noticeUnit: unit, noticeNumber: number, timeZone } = job;
  const noticed =
    unit === undefined || number === undefined
      ? nowMs
      : endOfPeriods(nowMs, { unit, number }, timeZone);
  const duration = durationOf(job);
  if (job.noticeCallable !== 'DURATION_END' || duration === undefined) return noticed;
  const startMs = job.startMs ?? createdMs;
  const termEnd = (count: number) => endOfPeriods(startMs, duration, timeZone, count) - 1;
  // The number of the first term that ends then or later, by halving: a term may be a second long.
  let low = 0;
  let high = Math.max(Math.ceil(((noticed - startMs) / (termEnd(1) + 1 - startMs)) * 2), 1);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (termEnd(middle) < noticed) low = middle;
    else high = middle;
  }
  return termEnd(high);
}

function durationOf({
  durationUnit: unit,
  durationNumber: number,
}: ScheduleJob): Period | undefined {
  return unit === undefined || number === undefined ? undefined : { unit, number };
}
