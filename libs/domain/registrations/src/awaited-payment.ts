import { COMMAND_TIME_TO_LIVE_MS } from '@sluice/contracts';
import { codes, successCode } from '@sluice/result-codes';
import type { ChangeRegistration, PaymentDecision, RecordPayments } from './commands.js';
import type { AwaitedPayment, Registration } from './registration.js';
import type { RegistrationEvent } from './registration-events.js';

/**
 * A payment is recorded within the life of its command, which edge sends when it is told that the
 * details are kept, and that within the life of this one. A minute is for clocks that differ.
 */
export const PAYMENT_UNKNOWN_AFTER_MS = 2 * COMMAND_TIME_TO_LIVE_MS + 60_000;

/**
 * What the payments decide that a registration was asked for with: one that is approved is enough,
 * and nothing is decided while one is not decided itself, or may still be made.
 */
export function paymentsRecorded(
  { payments, nowMs }: RecordPayments,
  { id: transactionId, awaitedPayments, metadata: requested }: Registration,
): readonly RegistrationEvent[] {
  const decisions = awaitedPayments.map((each) =>
    decisionOf(each, payments.get(each.paymentId), nowMs),
  );
  const [first] = decisions;
  if (first === undefined) return [];
  const metadata = { ...requested, recordedAtMs: nowMs };
  if (decisions.some(({ kind }) => kind === 'approved')) {
    const resultCode = successCode(metadata.mode);
    return [{ type: 'RegistrationConfirmed', data: { transactionId, resultCode }, metadata }];
  }
  // Its own one came first, and says why.
  if (first.kind !== 'failed' || !decisions.every(({ kind }) => kind === 'failed')) return [];
  const { resultCode } = first;
  return [{ type: 'RegistrationAbandoned', data: { transactionId, resultCode }, metadata }];
}

/**
 * What is deleted waits for no payment any more. The payment goes on: it is made with what the vault
 * holds for it, and not with what was kept.
 */
export function awaitedGivenUp(
  { metadata }: Pick<ChangeRegistration, 'metadata'>,
  { id: transactionId, awaitedPayments }: Registration,
): RegistrationEvent[] {
  if (awaitedPayments.length === 0) return [];
  const resultCode = codes.registrationRemoved;
  return [{ type: 'RegistrationAbandoned', data: { transactionId, resultCode }, metadata }];
}

function decisionOf(
  { sinceMs }: AwaitedPayment,
  payment: PaymentDecision | undefined,
  nowMs: number,
): PaymentDecision {
  if (payment !== undefined) return payment;
  return nowMs - sinceMs > PAYMENT_UNKNOWN_AFTER_MS
    ? { kind: 'failed', resultCode: codes.notPerformed }
    : { kind: 'undecided' };
}
