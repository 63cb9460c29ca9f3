import { describe, expect, it } from '@jest/globals';
import type { ScheduleJob } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import fc from 'fast-check';
import type { RunOutcome, ScheduleCommand } from './commands.js';
import { nextDue } from './job-times.js';
import { RECOVERY_DAYS, RECOVERY_TRIES_MAX } from './recovery.js';
import type { ScheduleEvent, ScheduleStreamState } from './schedule.js';
import { scheduleDecider } from './schedule-decider.js';
import { create, DAY_MS, daily, end, HOUR_MS, NOON_MS, reschedule } from './schedule-fixture.js';

const hourly: ScheduleJob = { ...daily, expression: '0 0 * * * ? *' };
const jobs: readonly ScheduleJob[] = [
  ...[daily, hourly],
  { ...hourly, noticeUnit: 'DAY', noticeNumber: 2 },
  { ...hourly, durationUnit: 'DAY', durationNumber: 3 },
  {
    ...{ ...daily, durationUnit: 'WEEK', durationNumber: 1 },
    ...{ noticeCallable: 'DURATION_END', noticeUnit: 'HOUR', noticeNumber: 1 },
  },
];

/** What becomes of a payment; `undecided`: nobody knows yet. */
const fates = ['performed', 'declined', 'later', 'muchLater', 'neverSent', 'undecided'] as const;
type Fate = (typeof fates)[number];

type Step =
  | { readonly kind: 'creates' | 'takes' | 'takesAndStarts' | 'skips' }
  | { readonly kind: 'starts' | 'answersAgain'; readonly which: number }
  | { readonly kind: 'answers'; readonly which: number; readonly fate: Fate }
  | { readonly kind: 'reschedules' | 'deschedules' | 'deletes'; readonly number: number }
  | { readonly kind: 'passes'; readonly ms: number };

const which = fc.nat(3);
/** Few, so that requests come again. */
const number = fc.integer({ min: 2, max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom('creates', 'takes', 'takesAndStarts', 'skips')
      .map((kind): Step => ({ kind })),
  },
  { weight: 4, arbitrary: which.map((each) => ({ kind: 'starts' as const, which: each })) },
  {
    weight: 6,
    arbitrary: fc
      .record({ which, fate: fc.constantFrom(...fates) })
      .map((answer) => ({ kind: 'answers' as const, ...answer })),
  },
  {
    weight: 3,
    arbitrary: fc.nat(20).map((each) => ({ kind: 'answersAgain' as const, which: each })),
  },
  number.map((each) => ({ kind: 'reschedules' as const, number: each })),
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(1, 60_000, 900_000, HOUR_MS, 5 * HOUR_MS, DAY_MS, 3 * DAY_MS, 11 * DAY_MS)
      .map((ms) => ({ kind: 'passes' as const, ms })),
  },
);

/** Ends come rarely, since nothing happens after them. */
const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(step, { minLength: 10, maxLength: 100, size: 'max' }),
    fc.array(
      fc.record({ kind: fc.constantFrom('deschedules' as const, 'deletes' as const), number }),
      { maxLength: 2 },
    ),
    fc.array(step, { maxLength: 40, size: 'max' }),
  )
  .map((parts) => parts.flat());

/** A time of the schedule that has come, and everything that was tried for it. */
interface RunSeen {
  readonly ids: TransactionId[];
  /** Of the last of them. */
  stage: 'due' | 'started' | 'failed' | 'over';
  declinedMs?: number;
}

/** A schedule, payments, and what a merchant sees of the two. */
interface World {
  state: ScheduleStreamState;
  nowMs: number;
  job: ScheduleJob;
  /** The time of the plan that comes next. */
  nextMs: number | undefined;
  planEndMs: number;
  /** After it nothing is due. */
  endsMs: number;
  isDeleted: boolean;
  isEnded: boolean;
  /** By the id of each run and of each try. */
  readonly runs: Map<string, RunSeen>;
  /** Payments by their ids: asked again, they are what they were. */
  readonly payments: Map<string, RunOutcome>;
}

type EventOf<Type extends ScheduleEvent['type']> = Extract<ScheduleEvent, { readonly type: Type }>;

function runDue(world: World, { data }: EventOf<'RunDue'>): void {
  const { runId, dueMs, recoveredRunId, nextDueMs } = data;
  // Never before its date, never after the end, and never once it is deleted.
  expect(world.nowMs).toBeGreaterThanOrEqual(dueMs);
  expect(dueMs).toBeLessThanOrEqual(world.endsMs);
  expect(world.isDeleted).toBe(false);
  expect(world.runs.has(runId)).toBe(false);
  if (recoveredRunId === undefined) {
    // No time is left out, and none comes twice.
    expect(dueMs).toBe(world.nextMs);
    goesOn(world, dueMs, nextDueMs);
    world.runs.set(runId, { ids: [runId], stage: 'due' });
    return;
  }
  const run = world.runs.get(recoveredRunId)!;
  // Only what was declined is tried again: so of all that is tried for a time one is paid at most.
  expect(run.stage).toBe('failed');
  expect(run.ids.length).toBeLessThanOrEqual(RECOVERY_TRIES_MAX);
  expect(dueMs).toBeLessThanOrEqual(Math.min(world.planEndMs, world.job.endMs ?? Infinity));
  expect(dueMs).toBeLessThanOrEqual((run.declinedMs ?? 0) + RECOVERY_DAYS * DAY_MS);
  run.ids.push(runId);
  run.stage = 'due';
  world.runs.set(runId, run);
}

function goesOn(world: World, takenMs: number, nextMs: number | undefined): void {
  const endMs = Math.min(world.endsMs, world.planEndMs);
  expect(nextMs).toBe(nextDue(world.job, takenMs, endMs));
  world.nextMs = nextMs;
}

function note(world: World, event: ScheduleEvent): void {
  expect(world.isEnded).toBe(false);
  switch (event.type) {
    case 'ScheduleCreated':
    case 'ScheduleRescheduled':
      world.job = event.data.job;
      world.nextMs = event.data.nextDueMs;
      world.planEndMs = termEnd(world.job, world.nowMs);
      return;
    case 'RunDue':
      return runDue(world, event);
    case 'RunsSkipped':
      expect(event.data.firstDueMs).toBe(world.nextMs);
      return goesOn(world, event.data.lastDueMs, event.data.nextDueMs);
    case 'RunStarted': {
      // One payment for each id: the last of the run, and only once.
      const run = world.runs.get(event.data.runId)!;
      expect([run.ids.at(-1), run.stage]).toEqual([event.data.runId, 'due']);
      expect(world.isDeleted).toBe(false);
      run.stage = 'started';
      return;
    }
    case 'RunCancelled':
      world.runs.get(event.data.runId)!.stage = 'over';
      return;
    case 'RunPerformed':
    case 'RunFailed': {
      const run = world.runs.get(event.data.runId)!;
      expect([run.ids.at(-1), run.stage]).toEqual([event.data.runId, 'started']);
      run.stage = event.type === 'RunPerformed' ? 'over' : 'failed';
      run.declinedMs ??= world.nowMs;
      return;
    }
    case 'ScheduleDescheduled':
      world.endsMs = event.data.endsAtMs;
      if ((world.nextMs ?? 0) > world.endsMs) world.nextMs = undefined;
      return;
    case 'ScheduleDeleted':
      world.endsMs = Math.min(world.endsMs, world.nowMs);
      world.isDeleted = true;
      return;
    case 'RecoveryEnded':
      // Of what is paid, or is not tried any more.
      world.runs.get(event.data.runId)!.stage = 'over';
      return;
    case 'ScheduleEnded':
      world.isEnded = true;
      return;
    case 'ScheduleRejected':
    case 'RecoveryPlanned':
  }
}

/** Of a term that ends by itself. */
function termEnd({ durationUnit, noticeCallable }: ScheduleJob, createdMs: number): number {
  const isEndless = durationUnit === undefined || noticeCallable === 'DURATION_END';
  return isEndless ? Infinity : createdMs + 3 * DAY_MS - 1;
}

function does(world: World, command: ScheduleCommand): readonly ScheduleEvent[] {
  const events = scheduleDecider.decide(command, world.state);
  for (const event of events) {
    note(world, event);
    world.state = scheduleDecider.evolve(world.state, event);
  }
  return events;
}

function outcomeOf(paymentId: TransactionId, fate: Exclude<Fate, 'undecided'>): RunOutcome {
  const failed = { kind: 'failed', paymentId, resultCode: '800.100.155', brand: 'MASTER' } as const;
  switch (fate) {
    case 'performed':
      return { kind: 'performed', paymentId, resultCode: '000.100.110' };
    case 'declined':
      return failed;
    case 'later':
      return { ...failed, adviceCode: '24' };
    case 'muchLater':
      return { ...failed, adviceCode: '30' };
    case 'neverSent':
      return { kind: 'failed', paymentId, resultCode: '900.100.310', wasNeverSent: true };
  }
}

/** Payments is asked for what is started, and decides once. */
function answers(world: World, index: number, fate: Fate): void {
  const started = [...(world.state?.runs.values() ?? [])].filter((run) => run.status === 'started');
  const runId = started[index % Math.max(started.length, 1)]?.id;
  if (runId === undefined || fate === 'undecided') return;
  const known = world.payments.get(runId);
  const outcome = known ?? outcomeOf(runId, fate);
  world.payments.set(runId, outcome);
  does(world, { type: 'RecordRun', nowMs: world.nowMs, runId, outcome });
}

/** What was answered comes once more, or something about what nobody has asked for. */
function answersAgain(world: World, index: number): void {
  const runId = anyOf(world, index);
  if (runId === undefined) return;
  const outcome = world.payments.get(runId) ?? outcomeOf(runId, 'performed');
  if (!world.payments.has(runId) && world.state?.runs.get(runId)?.status === 'started') return;
  does(world, { type: 'RecordRun', nowMs: world.nowMs, runId, outcome });
}

/** Whatever stage it is in: the last ones rather than the first. */
function anyOf({ runs }: World, index: number): TransactionId | undefined {
  return [...runs.keys()].at(-1 - (index % Math.max(runs.size, 1))) as TransactionId | undefined;
}

function takes(world: World, kind: 'takes' | 'takesAndStarts' | 'skips'): void {
  const { nowMs } = world;
  const catchUp = kind === 'skips' ? ('skip' as const) : ('once' as const);
  const starts = kind === 'takes' ? {} : { startsThem: true as const };
  does(world, { type: 'TakeDue', nowMs, catchUp, ...starts });
}

function goes(world: World, next: Step): void {
  if (next.kind === 'passes') {
    world.nowMs += next.ms;
    return;
  }
  const { nowMs } = world;
  switch (next.kind) {
    case 'creates':
      does(world, create(world.job));
      return;
    case 'takes':
    case 'takesAndStarts':
    case 'skips':
      return takes(world, next.kind);
    case 'starts': {
      const runId = anyOf(world, next.which);
      if (runId !== undefined) does(world, { type: 'StartRun', nowMs, runId });
      return;
    }
    case 'answers':
      return answers(world, next.which, next.fate);
    case 'answersAgain':
      return answersAgain(world, next.which);
    case 'reschedules':
      does(world, reschedule(next.number, nowMs, jobs[next.number % jobs.length]));
      return;
    case 'deschedules':
      does(world, end('Deschedule', next.number + 10, nowMs));
      return;
    case 'deletes':
      does(world, end('DeleteSchedule', next.number + 20, nowMs));
  }
}

describe('whatever happens to a schedule in whichever order', () => {
  it('each time is paid once at most, never before its date, and never after the end', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.constantFrom(...jobs), steps, (job, all) => {
        const world: World = {
          ...{ state: undefined, nowMs: NOON_MS, job, nextMs: undefined },
          ...{ planEndMs: Infinity, endsMs: Infinity, isDeleted: false, isEnded: false },
          ...{ runs: new Map(), payments: new Map() },
        };
        does(world, create(job));
        for (const next of all) goes(world, next);
        for (const [, run] of world.runs) {
          const paid = run.ids.filter((each) => world.payments.get(each)?.kind === 'performed');
          expect(paid.length).toBeLessThanOrEqual(1);
        }
        const what = world.isEnded ? 'ended' : world.isDeleted ? 'deleted' : 'open';
        seen.set(what, (seen.get(what) ?? 0) + 1);
        if ([...world.runs.values()].some(({ ids }) => ids.length > 1)) {
          seen.set('tried again', (seen.get('tried again') ?? 0) + 1);
        }
      }),
      { numRuns: 400 },
    );
    // Otherwise it has looked at nothing.
    expect([...seen.keys()].sort()).toEqual(['deleted', 'ended', 'open', 'tried again']);
  });
});
