import { adviceNetworkOf, type runSources } from '@sluice/contracts';
import { type TransactionId, transactionIdOfRun } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';
import { adviceOf, retryOf } from '@sluice/result-codes';
import type { RunOutcome } from './commands.js';
import { OPEN_RUNS_MAX } from './due-runs.js';
import { endOfJob } from './job-times.js';
import type { OpenRun, Recovery, Schedule, ScheduleEvent } from './schedule.js';

/** Tries of one declined run (wire contract 6). */
export const RECOVERY_TRIES_MAX = 5;
/** Days from the first decline in which they are made (wire contract 6). */
export const RECOVERY_DAYS = 20;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CODE_DIGITS = 2;
const NEVER_SENT_WAIT_MS = 60_000;
/** Of five tries the last one is nearly six hours after the first: longer than most outages. */
const NEVER_SENT_FACTOR = 4;

type Failed = Extract<RunOutcome, { readonly kind: 'failed' }>;
type Ends = Extract<ScheduleEvent, { readonly type: 'RecoveryEnded' }>['data']['reason'];

/**
 * What follows from the decline of a run, or of a try of one: another try when the merchant advice code
 * has it wait for hours, at most 5 in 20 days from the first decline; else its end. Only advice of MASTER's
 * numbers says for how long; without advice the gateway does not retry by itself (page 0054). Where nobody
 * could be asked there is no decline: it is tried after a minute, and then four times as late each time.
 */
export function afterDecline(
  schedule: Schedule,
  run: OpenRun,
  outcome: Failed,
  metadata: ScheduleEvent['metadata'],
): ScheduleEvent {
  const { recoveries, plan } = schedule;
  const nowMs = metadata.recordedAtMs;
  const runId = run.recoveredRunId ?? run.id;
  const { tries = 0, declinedMs = nowMs }: Partial<Recovery> = recoveries.get(runId) ?? {};
  const waitMs = waitOf(outcome, tries);
  const ended = (reason: Ends): ScheduleEvent => ({
    ...{ type: 'RecoveryEnded', data: { runId, reason }, metadata },
  });
  if (waitMs === undefined) return ended('notAdvised');
  const dueMs = nowMs + waitMs;
  // What was agreed until a date is not charged after it, as no run is.
  if (dueMs > Math.min(schedule.endsAtMs, plan ? endOfJob(plan) : Infinity)) return ended('ended');
  if (tries >= RECOVERY_TRIES_MAX) return ended('triesOver');
  const isFull = recoveries.size >= OPEN_RUNS_MAX && !recoveries.has(runId);
  if (isFull) return ended('tooManyOpen');
  if (dueMs > declinedMs + RECOVERY_DAYS * DAY_MS) return ended('timeOver');
  const tryNumber = tries + 1;
  const recoveryId = transactionIdOfRun(runId, declinedMs + tryNumber);
  const source = outcome.wasNeverSent === true ? { source: 'SCHEDULER' as const } : {};
  const data = { recoveryId, runId, tryNumber, dueMs, ...source };
  return { type: 'RecoveryPlanned', data, metadata };
}

/** A try that was planned, as it stands. */
export interface RecoveryPlan {
  readonly id: TransactionId;
  /** The run that was declined first. */
  readonly runId: TransactionId;
  readonly dueMs: number;
  readonly amount: Amount;
  readonly source: (typeof runSources)[number];
  /** Whether it is still to be made. */
  readonly isActive: boolean;
}

/** The try with this id; undefined if there was none. @param events all of the schedule */
export function recoveryPlanOf(
  events: readonly ScheduleEvent[],
  { recoveries }: Schedule,
  recoveryId: string,
): RecoveryPlan | undefined {
  for (const { type, data } of events) {
    if (type !== 'RecoveryPlanned' || data.recoveryId !== recoveryId) continue;
    const { recoveryId: id, runId, dueMs, source = 'MACRETRY' } = data;
    const amount = amountOf(events, runId);
    if (amount === undefined) return undefined;
    const isActive = recoveries.get(runId)?.planned?.id === id;
    return { id, runId, dueMs, amount, source, isActive };
  }
  return undefined;
}

function amountOf(events: readonly ScheduleEvent[], runId: TransactionId): Amount | undefined {
  const due = events.find(({ type, data }) => type === 'RunDue' && data.runId === runId);
  return due?.type === 'RunDue' ? due.data.amount : undefined;
}

function waitOf(outcome: Failed, tries: number): number | undefined {
  const { brand, adviceCode, resultCode, wasNeverSent } = outcome;
  if (wasNeverSent === true) return NEVER_SENT_WAIT_MS * NEVER_SENT_FACTOR ** tries;
  if (adviceCode === undefined || adviceNetworkOf(brand) !== 'MASTER') return undefined;
  if (retryOf(resultCode) === 'never') return undefined;
  const hours = adviceOf(adviceCode.padStart(CODE_DIGITS, '0'))?.waitHours;
  return hours === undefined ? undefined : hours * HOUR_MS;
}
