import { successCode } from '@sluice/result-codes';
import type { StoreAgain } from './commands.js';
import type { Registration } from './registration.js';
import type { RegistrationEvent } from './registration-events.js';

/**
 * Payments that one registration waits for. Each look asks for all of them, and a card that is to be
 * stored with more undecided ones at once is no shopper's.
 */
export const AWAITED_PAYMENTS_MAX = 20;

/**
 * The same account is to be stored again. What can be used stays as it is; what waits for a payment
 * waits for the other one as well, and for none where the account is to be stored whatever is paid.
 */
export function storedAgain(
  { paymentId, nowMs }: StoreAgain,
  { id: registrationId, awaitedPayments, existing, metadata: requested }: Registration,
): readonly RegistrationEvent[] {
  // What is no registration itself is never the answer to another request.
  if (awaitedPayments.length === 0 || existing !== undefined) return [];
  const metadata = { ...requested, recordedAtMs: nowMs };
  if (paymentId === undefined) {
    const data = { transactionId: registrationId, resultCode: successCode(metadata.mode) };
    return [{ type: 'RegistrationConfirmed', data, metadata }];
  }
  const isAwaited = awaitedPayments.some((each) => each.paymentId === paymentId);
  if (isAwaited || awaitedPayments.length >= AWAITED_PAYMENTS_MAX) return [];
  return [{ type: 'PaymentAwaited', data: { registrationId, paymentId }, metadata }];
}
