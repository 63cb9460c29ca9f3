import type { CommandReply, ReplyWords } from '@sluice/aggregates';
import { type CheckoutReply, ELSEWHERE, type FixedAnswer } from '@sluice/contracts';
import type { CheckoutState } from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import { checkoutOf, type CheckoutStore } from './checkout-aggregate.js';

/** What a command is answered with. */
export type HandlerReply = CommandReply<CheckoutReply>;

const BUSY: CheckoutReply = { kind: 'busy' };
const RECORDED: CheckoutReply = { kind: 'recorded' };

/** How checkouts answers commands. */
export function checkoutWords(
  store: Pick<CheckoutStore, 'readByTransaction'>,
): ReplyWords<CheckoutState, CheckoutReply> {
  return {
    ...{ busy: BUSY, unavailable: { kind: 'unavailable' }, elsewhere: ELSEWHERE },
    ofUsedKey: ({ fingerprint, answer }) => ({
      ...{ kind: 'keyTaken', fingerprint },
      answer: JSON.parse(answer) as FixedAnswer<CheckoutId>,
    }),
    of: replyOf,
    // Nobody else has to do anything for what is recorded of a checkout so far.
    isRequested: () => false,
    recorded: {
      replyFor: async (transactionId) => {
        const found = await store.readByTransaction(transactionId);
        return replyOf(found && checkoutOf(found.events));
      },
      isUnderWay: () => false,
    },
  };
}

/** What the stream says; busy if it is just being recorded. */
function replyOf(state: CheckoutState): CheckoutReply {
  return state === undefined ? BUSY : RECORDED;
}
