import type { RecordedReplies, UsedKey } from '@sluice/aggregates';
import type { FixedAnswer, PaymentReply } from '@sluice/contracts';
import { findTransaction, outcomeOf, type Transaction } from '@sluice/domain-payments';
import type { Execution, Unrecorded } from '@sluice/messaging';
import { paymentOf, type PaymentStore } from './payment-aggregate.js';

/**
 * What a command is answered with: a reply to what is recorded, one that says that nothing is, or the
 * rest of the work, done outside (D-12).
 */
export type HandlerReply = PaymentReply | Unrecorded<PaymentReply> | Execution<PaymentReply>;

/** The payment has as many transactions as one may have. */
export const FULL: PaymentReply = { kind: 'full' };
/** Too much at once, of this payment or of all. */
export const BUSY: PaymentReply = { kind: 'busy' };
/** There is no such transaction. */
export const NOT_FOUND: PaymentReply = { kind: 'notFound' };
/** The store is away. */
export const UNAVAILABLE: PaymentReply = { kind: 'unavailable' };

/** What the stream of a transaction says of it now. */
export function recordedReplies(
  store: Pick<PaymentStore, 'readByTransaction'>,
): RecordedReplies<PaymentReply> {
  return {
    replyFor: async (transactionId) => {
      const found = await store.readByTransaction(transactionId);
      return replyOf(found && findTransaction(paymentOf(found.events), transactionId));
    },
    isUnderWay: (reply) => reply.kind === 'transaction' && reply.outcome.status === 'requested',
  };
}

/** To a command whose idempotency key was used before. */
export function keyTaken({ fingerprint, answer, reply }: UsedKey<PaymentReply>): PaymentReply {
  return {
    ...{ kind: 'keyTaken', fingerprint, answer: JSON.parse(answer) as FixedAnswer },
    ...(reply.kind === 'transaction' && { outcome: reply.outcome }),
  };
}

/** A transaction as it stands; busy where it is about to be recorded. */
export function replyOf(transaction: Transaction | undefined): PaymentReply {
  return transaction === undefined
    ? BUSY
    : { kind: 'transaction', outcome: outcomeOf(transaction) };
}
