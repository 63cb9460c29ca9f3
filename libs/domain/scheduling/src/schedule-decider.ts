import type { Decider } from '@sluice/contracts';
import { codes, successCode } from '@sluice/result-codes';
import type {
  CreateSchedule,
  EndSchedule,
  RecordRun,
  Reschedule,
  ScheduleCommand,
  TakeDue,
} from './commands.js';
import { givenUp, takeDue, triesAfter } from './due-runs.js';
import { endAfterNotice, endOfJob, endOfTerm, nextDue } from './job-times.js';
import { afterDecline } from './recovery.js';
import {
  evolve,
  type OpenRun,
  type Schedule,
  type ScheduleEvent,
  type ScheduleStreamState,
} from './schedule.js';

/** The rules of schedules (Interface 2.18, wire contract 6). */
export const scheduleDecider: Decider<ScheduleCommand, ScheduleStreamState, ScheduleEvent> = {
  ...{ initialState: undefined, decide, evolve },
};

/** An open run is looked at so many times in the time that it has been open. */
const PAUSES_OF_AGE = 4;
const LOOK_AGAIN_MAX_MS = 3_600_000;

/** What is recorded of requests stays below what a stream may have (D-09). */
export const RESCHEDULES_MAX = 1000;

function decide(command: ScheduleCommand, state: ScheduleStreamState): readonly ScheduleEvent[] {
  if (command.type === 'CreateSchedule') return state === undefined ? [created(command)] : [];
  if (state === undefined) throw new Error(`${command.type} of a schedule that is not there.`);
  const events = decided(command, state);
  const after = events.reduce<ScheduleStreamState>(evolve, state);
  return events.length > 0 && isOver(after) ? [...events, ended(after, events)] : events;
}

function decided(
  command: Exclude<ScheduleCommand, CreateSchedule>,
  state: Schedule,
): readonly ScheduleEvent[] {
  switch (command.type) {
    case 'Reschedule':
      return isDecided(command, state) ? [] : rescheduled(command, state);
    case 'Deschedule':
    case 'DeleteSchedule':
      return isDecided(command, state) ? [] : endedByRequest(command, state);
    case 'TakeDue':
      return takenDue(command, state);
    case 'StartRun': {
      const run = state.runs.get(command.runId);
      if (run?.status !== 'due') return [];
      const data = { runId: run.id };
      return [{ type: 'RunStarted', data, metadata: at(state, command.nowMs) }];
    }
    case 'RecordRun': {
      const run = state.runs.get(command.runId);
      return run?.status === 'started' ? recorded(command, run, state) : [];
    }
  }
}

function takenDue(
  { nowMs, catchUp, startsThem }: TakeDue,
  state: Schedule,
): readonly ScheduleEvent[] {
  const metadata = at(state, nowMs);
  const events = takeDue(state, catchUp, metadata);
  if (startsThem !== true) return events;
  const started = events.flatMap((event): readonly ScheduleEvent[] =>
    event.type === 'RunDue'
      ? [{ type: 'RunStarted', data: { runId: event.data.runId }, metadata }]
      : [],
  );
  return [...events, ...started];
}

/** Repeated, or refused, of which nothing is recorded. */
function isDecided(command: Reschedule | EndSchedule, state: Schedule): boolean {
  return state.outcomes.has(command.transactionId) || refusalOf(command, state) !== undefined;
}

/**
 * The code that a change is refused with, of which nothing is recorded; undefined for one that is made, or
 * was. Only an active schedule is changed; a deletion also ends one that has been given notice.
 */
export function refusalOf(command: Reschedule | EndSchedule, state: Schedule): string | undefined {
  const { status, endsAtMs, plan, outcomes } = state;
  const nowMs = command.metadata.recordedAtMs;
  if (outcomes.has(command.transactionId)) return undefined;
  if (command.metadata.mode !== state.metadata.mode) return codes.modeDiffers;
  switch (command.type) {
    case 'Reschedule': {
      if (status !== 'active' || plan === undefined) return codes.cannotReschedule;
      if (outcomes.size > RESCHEDULES_MAX) return codes.cannotReschedule;
      const job = command.job ?? plan.job;
      return firstDue(job, nowMs) === undefined ? codes.jobNeverRuns : undefined;
    }
    case 'Deschedule':
      return status === 'active' ? undefined : codes.cannotDeschedule;
    case 'DeleteSchedule': {
      const isNoticed = status === 'leaving' && nowMs < endsAtMs;
      return status === 'active' || isNoticed ? undefined : codes.cannotDeschedule;
    }
  }
}

function created(command: CreateSchedule): ScheduleEvent {
  const { transactionId, registrationId, operation, amount, job, parameters, metadata } = command;
  const { personal } = command;
  const nextDueMs = firstDue(job, metadata.recordedAtMs);
  if (nextDueMs === undefined) {
    const data = { transactionId, registrationId, resultCode: codes.jobNeverRuns, parameters };
    return { type: 'ScheduleRejected', data, metadata };
  }
  const data = {
    ...{ transactionId, registrationId, operation, amount, job, nextDueMs, parameters },
    ...(personal !== undefined && { personal }),
  };
  return { type: 'ScheduleCreated', data, metadata };
}

function firstDue(job: CreateSchedule['job'], nowMs: number): number | undefined {
  return nextDue(job, nowMs, endOfTerm(job, nowMs));
}

/** What was due before is the old plan's; it is taken first, so that none of its times is lost. */
function rescheduled(command: Reschedule, state: Schedule): readonly ScheduleEvent[] {
  const { transactionId, metadata, parameters, personal, catchUp } = command;
  const { plan } = state;
  if (plan === undefined) throw new Error('There is no plan.');
  const createdMs = metadata.recordedAtMs;
  const job = command.job ?? plan.job;
  const nextDueMs = firstDue(job, metadata.recordedAtMs);
  if (nextDueMs === undefined) throw new Error('The job never runs.');
  const due: ScheduleEvent[] = [];
  let taken = state;
  for (;;) {
    const events = takeDue(taken, catchUp, metadata);
    if (events.length === 0) break;
    due.push(...events);
    taken = events.reduce<ScheduleStreamState>(evolve, taken) ?? taken;
  }
  const data = {
    ...{ transactionId, referencedId: plan.id, resultCode: successCode(metadata.mode) },
    ...{ operation: command.operation ?? plan.operation, amount: command.amount ?? plan.amount },
    ...{ job, nextDueMs, parameters },
    ...(personal !== undefined && { personal }),
  };
  const givenUpTries = triesAfter(taken, endOfJob({ job, createdMs }), metadata);
  return [...due, ...givenUpTries, { type: 'ScheduleRescheduled', data, metadata }];
}

function endedByRequest(command: EndSchedule, state: Schedule): readonly ScheduleEvent[] {
  const { transactionId, metadata } = command;
  const nowMs = metadata.recordedAtMs;
  const { plan, id } = state;
  const request = {
    ...{ transactionId, referencedId: plan?.id ?? id, resultCode: successCode(metadata.mode) },
  };
  if (command.type === 'DeleteSchedule') {
    const deleted: ScheduleEvent = { type: 'ScheduleDeleted', data: request, metadata };
    return [...givenUp(state, metadata), deleted];
  }
  const endsAtMs = plan ? endAfterNotice(plan.job, plan.createdMs, nowMs) : nowMs;
  const data = { ...request, endsAtMs };
  const isNow = endsAtMs <= nowMs;
  const before = isNow ? givenUp(state, metadata) : triesAfter(state, endsAtMs, metadata);
  return [...before, { type: 'ScheduleDescheduled', data, metadata }];
}

function recorded(
  { outcome, nowMs }: RecordRun,
  run: OpenRun,
  state: Schedule,
): readonly ScheduleEvent[] {
  const metadata = at(state, nowMs);
  const { id: runId, recoveredRunId } = run;
  if (outcome.kind === 'performed') {
    const { paymentId, resultCode } = outcome;
    const performed: ScheduleEvent = {
      ...{ type: 'RunPerformed', data: { runId, paymentId, resultCode }, metadata },
    };
    if (recoveredRunId === undefined) return [performed];
    const data = { runId: recoveredRunId, reason: 'recovered' as const };
    return [performed, { type: 'RecoveryEnded', data, metadata }];
  }
  const { resultCode, paymentId, adviceCode } = outcome;
  const data = {
    ...{ runId, resultCode },
    ...(paymentId !== undefined && { paymentId }),
    ...(adviceCode !== undefined && { adviceCode }),
  };
  return [{ type: 'RunFailed', data, metadata }, afterDecline(state, run, outcome, metadata)];
}

function isOver(state: ScheduleStreamState): state is Schedule {
  return (
    state !== undefined &&
    (state.status === 'active' || state.status === 'leaving') &&
    state.plan?.nextDueMs === undefined &&
    state.runs.size === 0 &&
    state.recoveries.size === 0
  );
}

function ended({ id }: Schedule, events: readonly ScheduleEvent[]): ScheduleEvent {
  const metadata = events.at(-1)?.metadata;
  if (metadata === undefined) throw new Error('Nothing was decided.');
  return { type: 'ScheduleEnded', data: { scheduleId: id }, metadata };
}

function at({ metadata }: Schedule, recordedAtMs: number): ScheduleEvent['metadata'] {
  return { ...metadata, recordedAtMs };
}

/**
 * When somebody has to look at a schedule, milliseconds since the epoch; null if nobody has to. A run
 * whose payment is undecided for long is looked at rarely: a bank may take days.
 * @param pauseMs how long an open run is left to whoever has it, at least
 */
export function dueAtMs(state: ScheduleStreamState, nowMs: number, pauseMs: number): number | null {
  if (state === undefined || state.status === 'ended' || state.status === 'rejected') return null;
  const tries = [...state.recoveries.values()].map(({ planned }) => planned?.dueMs ?? Infinity);
  const pauses = [...state.runs.values()].map(({ sinceMs }) =>
    Math.max(pauseMs, Math.min((nowMs - sinceMs) / PAUSES_OF_AGE, LOOK_AGAIN_MAX_MS)),
  );
  const open = nowMs + Math.min(Infinity, ...pauses);
  const due = Math.min(state.plan?.nextDueMs ?? Infinity, open, ...tries);
  return Number.isFinite(due) ? due : null;
}
