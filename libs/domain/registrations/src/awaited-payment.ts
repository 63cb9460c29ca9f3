import { COMMAND_TIME_TO_LIVE_MS } from '@sluice/contracts';
import { codes, successCode } from '@sluice/result-codes';
import type { RecordPayment } from './commands.js';
import type { Registration } from './registration.js';
import type { RegistrationEvent } from './registration-events.js';

/**
 * A payment is recorded within the life of its command, which edge sends when it is told that the
 * details are kept, and that within the life of this one. A minute is for clocks that differ.
 */
export const PAYMENT_UNKNOWN_AFTER_MS = 2 * COMMAND_TIME_TO_LIVE_MS + 60_000;

/**
 * What the payment decides that a registration was asked for with: nothing while it is not decided
 * itself, or may still be made.
 */
export function paymentRecorded(
  { payment, nowMs }: RecordPayment,
  { id: transactionId, awaitedPaymentId, metadata: requested }: Registration,
): readonly RegistrationEvent[] {
  if (awaitedPaymentId === undefined) return [];
  const metadata = { ...requested, recordedAtMs: nowMs };
  const abandonedWith = (resultCode: string): RegistrationEvent[] => [
    { type: 'RegistrationAbandoned', data: { transactionId, resultCode }, metadata },
  ];
  switch (payment?.kind) {
    case 'approved': {
      const resultCode = successCode(metadata.mode);
      return [{ type: 'RegistrationConfirmed', data: { transactionId, resultCode }, metadata }];
    }
    case 'failed':
      return abandonedWith(payment.resultCode);
    case 'undecided':
      return [];
    case undefined: {
      const isUnknown = nowMs - requested.recordedAtMs > PAYMENT_UNKNOWN_AFTER_MS;
      return isUnknown ? abandonedWith(codes.notPerformed) : [];
    }
  }
}
