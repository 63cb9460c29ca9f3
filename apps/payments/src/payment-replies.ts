import type { CommandReply, RecordedReplies, ReplyWords, UsedKey } from '@sluice/aggregates';
import { ELSEWHERE, type FixedAnswer, type PaymentReply } from '@sluice/contracts';
import {
  findTransaction,
  outcomeOf,
  type PaymentState,
  type Transaction,
} from '@sluice/domain-payments';
import { paymentOf, type PaymentStore } from './payment-aggregate.js';

/** What a command is answered with. */
export type HandlerReply = CommandReply<PaymentReply>;

/** The payment already has the maximum number of transactions. */
export const FULL: PaymentReply = { kind: 'full' };
/** Too many commands at once, for this payment or in all. */
const BUSY: PaymentReply = { kind: 'busy' };
/** There is no such transaction. */
export const NOT_FOUND: PaymentReply = { kind: 'notFound' };
/** The store cannot be reached. */
const UNAVAILABLE: PaymentReply = { kind: 'unavailable' };

/** How payments answers commands. */
export function paymentWords(
  store: Pick<PaymentStore, 'readByTransaction'>,
): ReplyWords<PaymentState, PaymentReply> {
  return {
    ...{ busy: BUSY, unavailable: UNAVAILABLE, elsewhere: ELSEWHERE, ofUsedKey: keyTaken },
    of: (state, transactionId) => replyOf(findTransaction(state, transactionId)),
    isRequested: (state, transactionId) =>
      findTransaction(state, transactionId)?.status === 'requested',
    recorded: recordedReplies(store),
  };
}

/** What the stream of a transaction says of it now. */
function recordedReplies(
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
function keyTaken({ fingerprint, answer, reply }: UsedKey<PaymentReply>): PaymentReply {
  return {
    ...{ kind: 'keyTaken', fingerprint, answer: JSON.parse(answer) as FixedAnswer },
    ...(reply.kind === 'transaction' && { outcome: reply.outcome }),
  };
}

/** The current state of a transaction; busy if it is just being recorded. */
function replyOf(transaction: Transaction | undefined): PaymentReply {
  return transaction === undefined
    ? BUSY
    : { kind: 'transaction', outcome: outcomeOf(transaction) };
}
