import type { PaymentReply } from '@sluice/contracts';
import { outcomeOf, type Transaction } from '@sluice/domain-payments';
import type { Execution, Unrecorded } from '@sluice/messaging';

/**
 * What a command is answered with: a reply to what is recorded, one that says that nothing is, or the
 * rest of the work, done outside (D-12).
 */
export type Handled = PaymentReply | Unrecorded<PaymentReply> | Execution<PaymentReply>;

/** The payment has as many transactions as one may have. */
export const FULL: PaymentReply = { kind: 'full' };
/** Too much at once, of this payment or of all. */
export const BUSY: PaymentReply = { kind: 'busy' };
/** There is no such transaction. */
export const NOT_FOUND: PaymentReply = { kind: 'notFound' };
/** The store is away. */
export const UNAVAILABLE: PaymentReply = { kind: 'unavailable' };

/** A transaction as it stands; busy where it is about to be recorded. */
export function replyOf(transaction: Transaction | undefined): PaymentReply {
  return transaction === undefined
    ? BUSY
    : { kind: 'transaction', outcome: outcomeOf(transaction) };
}
