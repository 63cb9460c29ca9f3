import { COMMAND_TIME_TO_LIVE_MS } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
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
  { id: transactionId, paymentId: own, awaitedPayments, metadata: requested }: Registration,
): readonly RegistrationEvent[] {
  const metadata = { ...requested, recordedAtMs: nowMs };
  const decidedBy = (paymentId: TransactionId) => (paymentId === own ? {} : { paymentId });
  const approved = awaitedPayments.find((each) => isApproved(payments.get(each.paymentId)));
  if (approved !== undefined) {
    const resultCode = successCode(metadata.mode);
    const data = { transactionId, resultCode, ...decidedBy(approved.paymentId) };
    return [{ type: 'RegistrationConfirmed', data, metadata }];
  }
  const failed = awaitedPayments.flatMap((each) => {
    const decision = decisionOf(each, payments.get(each.paymentId), nowMs);
    return decision.kind === 'failed' ? [{ ...decision, paymentId: each.paymentId }] : [];
  });
  if (failed.length < awaitedPayments.length) return [];
  // One that was never made says nothing of why another one failed.
  const deciding = failed.find(({ paymentId }) => payments.has(paymentId)) ?? failed[0];
  if (deciding === undefined) return [];
  const { resultCode, paymentId } = deciding;
  const data = { transactionId, resultCode, ...decidedBy(paymentId) };
  return [{ type: 'RegistrationAbandoned', data, metadata }];
}

function isApproved(payment: PaymentDecision | undefined): boolean {
  return payment?.kind === 'approved';
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
