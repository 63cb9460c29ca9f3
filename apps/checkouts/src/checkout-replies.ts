import type { CommandReply, ReplyWords } from '@sluice/aggregates';
import {
  type CheckoutPurpose,
  type CheckoutReply,
  ELSEWHERE,
  type FixedAnswer,
} from '@sluice/contracts';
import {
  type CheckoutState,
  latestAttempt,
  type RefusableRequest,
  refusalOf,
} from '@sluice/domain-checkouts';
import type { CheckoutId, EntityId } from '@sluice/identifiers';
import { checkoutOf, type CheckoutStore } from './checkout-aggregate.js';

/** What a command is answered with. */
export type HandlerReply = CommandReply<CheckoutReply>;

const BUSY: CheckoutReply = { kind: 'busy' };
const RECORDED: CheckoutReply = { kind: 'recorded' };
const GONE: CheckoutReply = { kind: 'gone' };

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
    // What comes of an attempt is asked for by edge, and looked up when somebody needs to know.
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

/** Whose checkout is meant, and at which of its resources, where the command says so. */
export interface MeantCheckout {
  readonly entityId: EntityId;
  readonly purpose?: CheckoutPurpose;
}

/** Why nothing is recorded for a command; undefined where something is, or was. */
export function refusedReply(
  command: RefusableRequest,
  checkout: CheckoutState,
  { entityId, purpose }: MeantCheckout,
): CheckoutReply | undefined {
  if (checkout?.metadata.entityId !== entityId) return GONE;
  if (purpose !== undefined && checkout.purpose !== purpose) return GONE;
  const refusal = refusalOf(command, checkout);
  const attempt = latestAttempt(checkout);
  switch (refusal) {
    case undefined:
      return undefined;
    case 'gone':
    case 'exhausted':
    case 'changed':
      return { kind: refusal };
    case 'underWay':
    case 'succeeded': {
      if (attempt === undefined) throw new Error('An attempt that was never submitted.');
      const { transactionId, resultCode } = attempt;
      return { kind: refusal, attempt: { transactionId, resultCode } };
    }
    case 'savedOtherwise': {
      if (attempt === undefined) return { kind: refusal };
      const { transactionId, resultCode } = attempt;
      return { kind: refusal, attempt: { transactionId, resultCode } };
    }
  }
}

/** What the stream says; busy if it is just being recorded. */
function replyOf(state: CheckoutState): CheckoutReply {
  return state === undefined ? BUSY : RECORDED;
}
