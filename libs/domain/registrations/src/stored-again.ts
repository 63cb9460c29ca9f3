import { successCode } from '@sluice/result-codes';
import type { AwaitRepetition, StoreAgain } from './commands.js';
import type { Registration } from './registration.js';
import type { RegistrationEvent } from './registration-events.js';

/**
 * Payments that one registration waits for. Each look asks for all of them until one is approved, and a
 * card that is to be stored with more undecided ones at once is no shopper's.
 */
export const AWAITED_PAYMENTS_MAX = 100;

/**
 * The same account is to be stored again. What can be used stays as it is; what waits for a payment
 * waits for the other one as well, and for none where the account is to be stored whatever is paid.
 */
export function storedAgain(
  { paymentId, nowMs }: StoreAgain,
  registration: Registration,
): readonly RegistrationEvent[] {
  const { id, awaitedPayments, existing, metadata: requested } = registration;
  // What is no registration itself is never the answer to another request.
  if (awaitedPayments.length === 0 || existing !== undefined) return [];
  if (paymentId !== undefined) return paymentAwaited({ paymentId, nowMs }, registration);
  const metadata = { ...requested, recordedAtMs: nowMs };
  const data = { transactionId: id, resultCode: successCode(metadata.mode) };
  return [{ type: 'RegistrationConfirmed', data, metadata }];
}

/** What waits for a payment waits for this one as well; nothing that is decided waits again. */
export function paymentAwaited(
  { paymentId, nowMs }: Pick<AwaitRepetition, 'paymentId' | 'nowMs'>,
  { id: registrationId, awaitedPayments, metadata: requested }: Registration,
): readonly RegistrationEvent[] {
  const isAwaited = awaitedPayments.some((each) => each.paymentId === paymentId);
  const isFull = awaitedPayments.length >= AWAITED_PAYMENTS_MAX;
  if (awaitedPayments.length === 0 || isAwaited || isFull) return [];
  const metadata = { ...requested, recordedAtMs: nowMs };
  return [{ type: 'PaymentAwaited', data: { registrationId, paymentId }, metadata }];
}
