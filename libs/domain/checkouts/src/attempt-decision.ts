import {
  COMMAND_TIME_TO_LIVE_MS,
  type RegistrationOutcome,
  type TransactionOutcome,
} from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import type { Attempt } from './checkout.js';
import type { AttemptDecision } from './commands.js';

/**
 * What an attempt asks for is recorded within the life of the command by which the attempt was recorded:
 * edge gives its own command what is left of that. The minute is what a first append may take to come to
 * light after the life of its command (D-04), and for clocks that differ.
 */
export const ATTEMPT_UNKNOWN_AFTER_MS = COMMAND_TIME_TO_LIVE_MS + 60_000;

/** Of an attempt for which nothing was asked, nor will be. */
export const NEVER_PERFORMED: AttemptDecision = {
  kind: 'failed',
  resultCode: codes.notPerformed,
};

/** Whether others may know more of an attempt than its checkout does. */
export function isUnknown({ state }: Pick<Attempt, 'state'>): boolean {
  return state === 'submitted' || state === 'open' || state === 'superseded';
}

/**
 * What payments says of an attempt; undefined while nothing is decided. Only who was sent elsewhere
 * leaves it open: whatever else is pending, such as an order at a bank, completes by itself.
 * @param outcome absent: payments knows no such payment
 */
export function paymentDecision(
  attempt: Pick<Attempt, 'submittedAtMs'>,
  outcome: Pick<TransactionOutcome, 'status' | 'resultCode' | 'redirect'> | undefined,
  nowMs: number,
): AttemptDecision | undefined {
  if (outcome === undefined) return neverAskedFor(attempt, nowMs);
  const { status, resultCode, redirect } = outcome;
  switch (status) {
    case 'requested':
    case 'unknown':
      return undefined;
    case 'pending':
      return redirect === undefined ? undefined : { kind: 'open', resultCode };
    case 'approved':
      return { kind: 'succeeded', resultCode };
    case 'declined':
    case 'rejected':
    case 'notPerformed':
    case 'reversedAfterUnknown':
      return { kind: 'failed', resultCode };
  }
}

/** The same of what registrations says of an attempt that only stores. */
export function registrationDecision(
  attempt: Pick<Attempt, 'submittedAtMs'>,
  outcome: Pick<RegistrationOutcome, 'status' | 'resultCode'> | undefined,
  nowMs: number,
): AttemptDecision | undefined {
  if (outcome === undefined) return neverAskedFor(attempt, nowMs);
  const { status, resultCode } = outcome;
  switch (status) {
    case 'requested':
    case 'awaitsPayment':
      return undefined;
    case 'approved':
      return { kind: 'succeeded', resultCode };
    case 'rejected':
    case 'notPerformed':
      return { kind: 'failed', resultCode };
  }
}

/** Whoever recorded it has ended before the command was sent: nothing was performed, nor will be. */
function neverAskedFor(
  { submittedAtMs }: Pick<Attempt, 'submittedAtMs'>,
  nowMs: number,
): AttemptDecision | undefined {
  return nowMs - submittedAtMs > ATTEMPT_UNKNOWN_AFTER_MS ? NEVER_PERFORMED : undefined;
}
