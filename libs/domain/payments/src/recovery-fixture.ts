import type { RecordFinding } from './commands.js';
import { decide } from './decide.js';
import { evolveAll, type PaymentState } from './payment.js';
import { NOON_MS, outcome } from './payment-fixture.js';
import {
  nextDue,
  type RecoveryCapabilities,
  type RecoverySchedule,
  type RecoveryStep,
  recoverySteps,
} from './recovery.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const schedule: RecoverySchedule = {
  sendWindowMs: 2_000,
  leaseMs: MINUTE_MS,
  inquireAfterMs: [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS],
  resolveByMs: 15 * MINUTE_MS,
  lateInquiryAfterMs: HOUR_MS,
  clockMarginMs: 500,
};

export const capabilities: RecoveryCapabilities = {
  canInquire: true,
  canReverse: true,
  maxInFlightMs: 20_000,
  reversalCutOffMs: (recordedAtMs) => recordedAtMs + 12 * HOUR_MS,
};

/** What an acquirer would say to each step; `undefined` is no answer. */
type Acquirer = (step: RecoveryStep, nowMs: number) => RecordFinding | undefined;

export const silent: Acquirer = () => undefined;

interface Attempt {
  readonly afterMs: number;
  readonly kind: RecoveryStep['kind'];
}

/** Runs the sweeper in virtual time until nothing is due any more. */
export function sweep(
  start: PaymentState,
  acquirer: Acquirer,
  can: RecoveryCapabilities = capabilities,
): { state: PaymentState; attempts: Attempt[] } {
  const attempts: Attempt[] = [];
  let state = start;
  let nowMs = NOON_MS;
  for (let rounds = 0; rounds < 100; rounds++) {
    const dueMs = nextDue(state, nowMs, can, schedule);
    if (dueMs === null) return { state, attempts };
    nowMs = Math.max(dueMs, nowMs);
    for (const step of recoverySteps(state, nowMs, can, schedule)) {
      attempts.push({ afterMs: nowMs - NOON_MS, kind: step.kind });
      state = evolveAll(state, decide(findingOf(step, nowMs, acquirer), state));
    }
  }
  throw new Error('Recovery does not end');
}

/** What the sweeper records, as `apps/payments` does it. */
function findingOf(step: RecoveryStep, nowMs: number, acquirer: Acquirer): RecordFinding {
  const { transactionId } = step;
  if (step.kind === 'openCase') return { type: 'OpenCase', transactionId, nowMs } as const;
  if (step.kind === 'recordUnknown') return outcome(transactionId, 'unknown', nowMs);
  if (step.kind === 'recordNeverSent') return outcome(transactionId, 'notPerformed', nowMs);
  const finding = acquirer(step, nowMs);
  if (finding !== undefined) return finding;
  if (step.last) return { type: 'OpenCase', transactionId, nowMs } as const;
  return outcome(transactionId, 'unknown', nowMs);
}
