import type { CheckoutId, EntityId } from '@sluice/identifiers';
import type { Elsewhere } from './cells.js';
import type { CheckoutPurpose } from './checkout-events.js';
import type { CommandMessage } from './messages.js';
import type {
  FixedAnswer,
  IdempotencyClaim,
  PaymentCommandData,
  RequestContext,
} from './payments.js';

/** `POST /v1/checkouts`: `transactionId` is the id of the request, and what is personal is sealed for it. */
export interface CreateCheckoutData extends Omit<
  PaymentCommandData,
  'context' | 'testDirectives' | 'idempotency'
> {
  readonly checkoutId: CheckoutId;
  readonly purpose: CheckoutPurpose;
  readonly context: RequestContext;
  readonly idempotency?: IdempotencyClaim<CheckoutId>;
}

export type CreateCheckout = CommandMessage<'CreateCheckout', CreateCheckoutData>;
export type CheckoutCommandMessage = CreateCheckout;

/** What checkouts answers to a command. */
export type CheckoutReply =
  | { readonly kind: 'recorded' }
  /** The idempotency key is taken; edge compares the fingerprint. */
  | {
      readonly kind: 'keyTaken';
      readonly fingerprint: string;
      readonly answer: FixedAnswer<CheckoutId>;
    }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' }
  /** There are no cells of checkouts; the word is the same for all who take commands. */
  | Elsewhere;

/** The query `checkouts.status`. */
export interface CheckoutStatusQuery {
  readonly checkoutId: CheckoutId;
  /** The tenant that asks; another one's checkout is answered like an unknown one. */
  readonly entityId: EntityId;
  /** At which of its two resources it is read: the other one does not have it. */
  readonly purpose: CheckoutPurpose;
}

/** Its answer: nothing for an unknown or a foreign id, and for a checkout that is over. */
export interface CheckoutStatusAnswer {
  readonly status?: 'pending';
}
