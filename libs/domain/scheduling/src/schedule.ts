import {
  type DomainEvent,
  eventCodec,
  type InitialOperation,
  type RunSource,
  type ScheduleEventMetadata,
  scheduleEvents,
  type ScheduleJob,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';
import { successCode } from '@sluice/result-codes';

/** Everything that can have happened to a schedule, as the contracts declare it. */
export type ScheduleEvent = DomainEvent<typeof scheduleEvents, ScheduleEventMetadata>;

/** Converts these events for the store and back. */
export const scheduleEventCodec = eventCodec<typeof scheduleEvents, ScheduleEventMetadata>(
  scheduleEvents,
);

/** Personal parameters, with the request that they were sealed for. */
export interface SealedBlock {
  readonly transactionId: TransactionId;
  readonly sealed: string;
}

/** What runs now: as it was created, or as it was last rescheduled. */
export interface Plan {
  readonly id: TransactionId;
  readonly operation: InitialOperation;
  readonly amount: Amount;
  readonly job: ScheduleJob;
  readonly createdMs: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal?: SealedBlock;
  /** Milliseconds since the epoch; absent: nothing is due any more. */
  readonly nextDueMs?: number;
}

/** A run without an outcome. */
export interface OpenRun {
  readonly id: TransactionId;
  readonly dueMs: number;
  readonly amount: Amount;
  /** Whose doing it is: the schedule's, or that of an issuer's advice. */
  readonly source: RunSource;
  readonly status: 'due' | 'started';
  /** When it became so, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** The declined run that it tries again. */
  readonly recoveredRunId?: TransactionId;
}

/** The tries of a declined run (MACRETRY). */
export interface Recovery {
  /** The run of the schedule that was declined first. */
  readonly runId: TransactionId;
  readonly amount: Amount;
  /** When that was declined, milliseconds since the epoch. */
  readonly declinedMs: number;
  /** Planned so far. */
  readonly tries: number;
  /** The plan of the next try, until it is due. */
  readonly planned?: {
    readonly id: TransactionId;
    readonly dueMs: number;
    readonly source: RunSource;
  };
}

/** What a request about it came to. */
export interface ScheduleRequestOutcome {
  readonly id: TransactionId;
  readonly operation: 'schedule' | 'reschedule' | 'deschedule' | 'deletion';
  readonly resultCode: string;
}

/** A schedule after its recorded events. */
export interface Schedule {
  readonly id: TransactionId;
  readonly registrationId: TransactionId;
  /** `leaving`: notice was given, or it was deleted. `ended`: nothing happens any more. */
  readonly status: 'active' | 'leaving' | 'ended' | 'rejected';
  readonly metadata: ScheduleEventMetadata;
  readonly plan?: Plan;
  /** After notice: nothing is due later, milliseconds since the epoch. */
  readonly endsAtMs: number;
  readonly runs: ReadonlyMap<string, OpenRun>;
  /** By the run that was declined first. */
  readonly recoveries: ReadonlyMap<string, Recovery>;
  /** Every request by its id, its own first: any of these ids names the schedule. */
  readonly outcomes: ReadonlyMap<string, ScheduleRequestOutcome>;
}

/** Undefined before the first event. */
export type ScheduleStreamState = Schedule | undefined;

type EventOf<Type extends ScheduleEvent['type']> = Extract<ScheduleEvent, { readonly type: Type }>;

/** The state after one more event. @throws Error for an event before the first one */
export function evolve(state: ScheduleStreamState, event: ScheduleEvent): ScheduleStreamState {
  if (event.type === 'ScheduleCreated' || event.type === 'ScheduleRejected') return begun(event);
  if (state === undefined) throw new Error(`${event.type} of a schedule that is not there.`);
  switch (event.type) {
    case 'ScheduleRescheduled':
      return { ...requested(state, event, 'reschedule'), plan: planOf(event) };
    case 'ScheduleDescheduled':
      return leaving(requested(state, event, 'deschedule'), event.data.endsAtMs);
    case 'ScheduleDeleted':
      return leaving(requested(state, event, 'deletion'), event.metadata.recordedAtMs);
    case 'RunDue':
      return runDue(state, event);
    case 'RunsSkipped':
      return { ...state, ...(state.plan && { plan: nextOf(state.plan, event.data.nextDueMs) }) };
    case 'RunStarted': {
      const run = state.runs.get(event.data.runId);
      if (run === undefined) return state;
      const { recordedAtMs: sinceMs } = event.metadata;
      return { ...state, runs: withEntry(state.runs, { ...run, status: 'started', sinceMs }) };
    }
    case 'RunPerformed':
    case 'RunCancelled':
      return { ...state, runs: without(state.runs, event.data.runId) };
    case 'RunFailed':
      return runFailed(state, event);
    case 'RecoveryPlanned':
      return recoveryPlanned(state, event);
    case 'RecoveryEnded':
      return { ...state, recoveries: without(state.recoveries, event.data.runId) };
    case 'ScheduleEnded':
      return { ...state, status: 'ended' };
  }
}

function begun(event: EventOf<'ScheduleCreated' | 'ScheduleRejected'>): Schedule {
  const { transactionId: id, registrationId } = event.data;
  const isCreated = event.type === 'ScheduleCreated';
  const resultCode = isCreated ? successCode(event.metadata.mode) : event.data.resultCode;
  return {
    ...{ id, registrationId, status: isCreated ? 'active' : 'rejected', endsAtMs: Infinity },
    ...{ metadata: event.metadata, runs: new Map(), recoveries: new Map() },
    ...(isCreated && { plan: planOf(event) }),
    outcomes: new Map([[id, { id, operation: 'schedule', resultCode }]]),
  };
}

function planOf({ data, metadata }: EventOf<'ScheduleCreated' | 'ScheduleRescheduled'>): Plan {
  const { transactionId: id, operation, amount, job, nextDueMs, parameters, personal } = data;
  return {
    ...{ id, operation, amount, job, nextDueMs, createdMs: metadata.recordedAtMs, parameters },
    ...(personal !== undefined && { personal: { transactionId: id, sealed: personal } }),
  };
}

function requested(
  state: Schedule,
  { data }: EventOf<'ScheduleRescheduled' | 'ScheduleDescheduled' | 'ScheduleDeleted'>,
  operation: ScheduleRequestOutcome['operation'],
): Schedule {
  const { transactionId: id, resultCode } = data;
  return { ...state, outcomes: new Map(state.outcomes).set(id, { id, operation, resultCode }) };
}

function leaving(state: Schedule, endsAtMs: number): Schedule {
  const { plan } = state;
  const isOver = (plan?.nextDueMs ?? Infinity) > endsAtMs;
  const kept = plan && isOver ? { plan: nextOf(plan, undefined) } : {};
  return { ...state, ...kept, status: 'leaving', endsAtMs };
}

function nextOf({ nextDueMs: _, ...plan }: Plan, nextDueMs: number | undefined): Plan {
  return nextDueMs === undefined ? plan : { ...plan, nextDueMs };
}

function runDue(state: Schedule, { data, metadata }: EventOf<'RunDue'>): Schedule {
  const { recordedAtMs: sinceMs } = metadata;
  const { runId: id, dueMs, amount, source, nextDueMs, recoveredRunId } = data;
  const of = recoveredRunId === undefined ? {} : { recoveredRunId };
  const runs = withEntry(state.runs, { id, dueMs, amount, source, status: 'due', sinceMs, ...of });
  if (recoveredRunId === undefined) {
    return { ...state, runs, ...(state.plan && { plan: nextOf(state.plan, nextDueMs) }) };
  }
  const recovery = state.recoveries.get(recoveredRunId);
  if (recovery === undefined) return { ...state, runs };
  const { planned: _, ...tried } = recovery;
  return { ...state, runs, recoveries: new Map(state.recoveries).set(recoveredRunId, tried) };
}

/** A decline of a run of the schedule begins its recovery, which a later event plans or ends. */
function runFailed(state: Schedule, { data, metadata }: EventOf<'RunFailed'>): Schedule {
  const run = state.runs.get(data.runId);
  const runs = without(state.runs, data.runId);
  if (run === undefined || run.recoveredRunId !== undefined) return { ...state, runs };
  const recovery = {
    ...{ runId: run.id, amount: run.amount, declinedMs: metadata.recordedAtMs, tries: 0 },
  };
  return { ...state, runs, recoveries: new Map(state.recoveries).set(run.id, recovery) };
}

function recoveryPlanned(state: Schedule, { data }: EventOf<'RecoveryPlanned'>): Schedule {
  const { runId, tryNumber: tries, recoveryId: id, dueMs, source = 'MACRETRY' } = data;
  const recovery = state.recoveries.get(runId);
  if (recovery === undefined) return state;
  const planned = { ...recovery, tries, planned: { id, dueMs, source } };
  return { ...state, recoveries: new Map(state.recoveries).set(runId, planned) };
}

function withEntry(runs: ReadonlyMap<string, OpenRun>, run: OpenRun): ReadonlyMap<string, OpenRun> {
  return new Map(runs).set(run.id, run);
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
