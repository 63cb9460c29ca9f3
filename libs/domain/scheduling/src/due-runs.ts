import type { runSources, skipReasons } from '@sluice/contracts';
import { transactionIdOfRun } from '@sluice/identifiers';
import type { CatchUp } from './commands.js';
import { dueTimes, endOfTerm } from './job-times.js';
import type { Plan, Recovery, Schedule, ScheduleEvent } from './schedule.js';

/** Times that one decision takes; the next one goes on where it stopped. A second of them each, some 50 ms. */
export const DUE_AT_ONCE_MAX = 10_000;
/**
 * Runs without an outcome, tries of declined ones included; what is due beside them is skipped. Also declined
 * ones that are to be tried again: in an outage, a run each minute would otherwise become five.
 */
export const OPEN_RUNS_MAX = 100;
/** How late a run may be that nobody missed: longer than a process needs to be started again. */
export const MISSED_AFTER_MS = 300_000;

type SkipReason = (typeof skipReasons)[number];

/**
 * What is due until now. One time is one run, however late, unless the channel skips what was missed;
 * of several at once, which nobody was there for, the last one runs and the others are recorded as skipped
 * (R-SCH-03).
 */
export function takeDue(
  schedule: Schedule,
  catchUp: CatchUp,
  metadata: ScheduleEvent['metadata'],
): readonly ScheduleEvent[] {
  const nowMs = metadata.recordedAtMs;
  const recovered = [...schedule.recoveries.values()]
    .filter(({ planned }) => planned !== undefined && planned.dueMs <= nowMs)
    .map((recovery) => recoveryDue(recovery, metadata));
  const { plan } = schedule;
  if (plan === undefined) return recovered;
  const taken = timesUntil(plan, schedule.endsAtMs, nowMs);
  if (taken === undefined) return recovered;
  const { last, next } = taken;
  const isFull = schedule.runs.size + recovered.length >= OPEN_RUNS_MAX;
  const isMissed =
    (next ?? Infinity) <= nowMs || (catchUp === 'skip' && nowMs - last > MISSED_AFTER_MS);
  if (isFull || isMissed) {
    const reason = isMissed ? 'missed' : 'tooManyOpen';
    return [...recovered, skipped(plan, taken, { reason, metadata })];
  }
  const before = taken.count > 1 ? [skippedBefore(plan, taken, metadata)] : [];
  return [...recovered, ...before, planDue(plan, last, { next, metadata })];
}

/** What nobody starts any more at an end: overdue times, runs that wait, tries of declined ones (R-SCH-05). */
export function givenUp(
  schedule: Schedule,
  metadata: ScheduleEvent['metadata'],
): readonly ScheduleEvent[] {
  const { plan, runs, recoveries } = schedule;
  const taken = plan && timesUntil(plan, schedule.endsAtMs, metadata.recordedAtMs);
  const waiting = [...runs.values()].filter(({ status }) => status === 'due');
  const open = new Set(
    [...runs.values()]
      .filter(({ status }) => status === 'started')
      .map(({ recoveredRunId }) => recoveredRunId),
  );
  return [
    ...(plan && taken ? [skipped(plan, taken, { reason: 'ended', metadata })] : []),
    ...waiting.map(({ id: runId }) => ({
      type: 'RunCancelled' as const,
      data: { runId },
      metadata,
    })),
    ...[...recoveries.keys()]
      .filter((runId) => !open.has(runId as never))
      .map((runId) => recoveryGivenUp(runId as Recovery['runId'], metadata)),
  ];
}

/** What notice gives up, and a job that ends sooner: tries that are planned for later than the end. */
export function triesAfter(
  { recoveries }: Schedule,
  endsAtMs: number,
  metadata: ScheduleEvent['metadata'],
): readonly ScheduleEvent[] {
  return [...recoveries.values()]
    .filter(({ planned }) => planned !== undefined && planned.dueMs > endsAtMs)
    .map(({ runId }) => recoveryGivenUp(runId, metadata));
}

/** Times of a plan that have come. */
interface TakenTimes {
  readonly first: number;
  readonly last: number;
  /** The one before the last. */
  readonly previous: number;
  readonly count: number;
  /** Not taken: later than now, or too many at once. */
  readonly next?: number;
}

function timesUntil(plan: Plan, endsAtMs: number, nowMs: number): TakenTimes | undefined {
  const first = plan.nextDueMs;
  if (first === undefined || first > nowMs || first > endsAtMs) return undefined;
  const after = dueTimes(plan.job, Math.min(endsAtMs, planEnd(plan)));
  let [last, previous, count] = [first, first, 1];
  let next = after(last);
  while (next !== undefined && next <= nowMs && count < DUE_AT_ONCE_MAX) {
    previous = last;
    last = next;
    count += 1;
    next = after(last);
  }
  return { first, last, previous, count, ...(next !== undefined && { next }) };
}

/** Of what a plan itself says. */
function planEnd({ job, createdMs }: Plan): number {
  return endOfTerm(job, createdMs);
}

interface SkippedHow {
  readonly reason: SkipReason;
  readonly metadata: ScheduleEvent['metadata'];
}

function skipped(plan: Plan, taken: TakenTimes, { reason, metadata }: SkippedHow): ScheduleEvent {
  const { first: firstDueMs, last: lastDueMs, count, next } = taken;
  const after = next === undefined ? {} : { nextDueMs: next };
  const data = { planId: plan.id, firstDueMs, lastDueMs, count, reason, ...after };
  return { type: 'RunsSkipped', data, metadata };
}

/** All but the last, which is due then. */
function skippedBefore(
  plan: Plan,
  { first, previous, count, last }: TakenTimes,
  metadata: ScheduleEvent['metadata'],
): ScheduleEvent {
  const taken = { first, last: previous, previous, count: count - 1, next: last };
  return skipped(plan, taken, { reason: 'missed', metadata });
}

interface PlannedNext {
  readonly next: number | undefined;
  readonly metadata: ScheduleEvent['metadata'];
}

function planDue(
  { id, amount }: Plan,
  dueMs: number,
  { next, metadata }: PlannedNext,
): ScheduleEvent {
  const source: (typeof runSources)[number] = 'SCHEDULER';
  const runId = transactionIdOfRun(id, dueMs);
  const after = next === undefined ? {} : { nextDueMs: next };
  return { type: 'RunDue', data: { runId, planId: id, dueMs, amount, source, ...after }, metadata };
}

function recoveryDue(
  { planned, amount, runId: recoveredRunId }: Recovery,
  metadata: ScheduleEvent['metadata'],
): ScheduleEvent {
  if (planned === undefined) throw new Error('No try is planned.');
  const { id: planId, dueMs, source } = planned;
  const runId = transactionIdOfRun(planId, dueMs);
  const data = { runId, planId, dueMs, amount, source, recoveredRunId };
  return { type: 'RunDue', data, metadata };
}

function recoveryGivenUp(
  runId: Recovery['runId'],
  metadata: ScheduleEvent['metadata'],
): ScheduleEvent {
  return { type: 'RecoveryEnded', data: { runId, reason: 'ended' }, metadata };
}
