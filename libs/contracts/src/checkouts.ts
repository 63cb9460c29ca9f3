import type { CheckoutId, EntityId, TransactionId } from '@sluice/identifiers';
import type { Elsewhere } from './cells.js';
import type { CheckoutPurpose } from './checkout-events.js';
import type { CommandMessage } from './messages.js';
import type {
  FixedAnswer,
  IdempotencyClaim,
  Mode,
  PaymentCommandData,
  RequestContext,
} from './payments.js';

/** What every command to checkouts carries. */
interface CheckoutCommandData extends Omit<
  PaymentCommandData,
  'context' | 'testDirectives' | 'idempotency'
> {
  readonly checkoutId: CheckoutId;
  readonly context: RequestContext;
}

/** What a merchant's command carries: `transactionId` is the id of the request, for which is sealed. */
interface MerchantsCheckoutData extends CheckoutCommandData {
  /** What was stored that the form is to offer; a change names all of it anew. */
  readonly registrations?: readonly TransactionId[];
  readonly idempotency?: IdempotencyClaim<CheckoutId>;
}

/** `POST /v1/checkouts`. */
interface CreateCheckoutData extends MerchantsCheckoutData {
  readonly purpose: CheckoutPurpose;
  /** The hash of the script that is served for it, where the merchant asked for it (`integrity`). */
  readonly script?: string;
}

/**
 * `POST /v1/checkouts/{id}`: these parameters replace those of the same names, in clear and personal
 * ones alike.
 */
export type UpdateCheckoutData = MerchantsCheckoutData;

/**
 * `POST /v1/checkouts/{id}/payment` and `…/registration`: recorded before the payment or registration
 * is asked for, whose id is `transactionId`. What the form has told is with that alone, but for where
 * the shopper goes afterwards (`personal`), which is called if nobody reads the result.
 */
export interface SubmitAttemptData extends Omit<CheckoutCommandData, 'parameters'> {
  /** At which of the two resources it was sent. */
  readonly purpose: CheckoutPurpose;
  /**
   * Of the checkout that the payment or registration is made of, as `checkouts.toComplete` has told it:
   * where it was changed since then, nothing is recorded. Absent from a sender that was not told one.
   */
  readonly revision?: number;
  /**
   * What the sender knows to be saved, and has forgotten or is about to: where it is something else by
   * now, nothing is recorded. Absent: an edge of before there was anything saved.
   */
  readonly saved?: KnownSaving;
  /** The attempt is made of that, and not of what was sent. */
  readonly isOfSaved?: true;
}

/** A saving by its id, or that there is none. */
export type KnownSaving = TransactionId | 'nothing';

/**
 * `POST /v1/checkouts/{id}/payment` that only saves (page 0068). `transactionId` is the id of the saving;
 * what is personal of it are all fields of the form but account data, which the vault holds.
 */
export interface SaveFormData extends Omit<CheckoutCommandData, 'parameters'> {
  readonly saved: KnownSaving;
  /** The names of what the vault holds. */
  readonly details: readonly string[];
  readonly vaultReference?: string;
}

export type CreateCheckout = CommandMessage<'CreateCheckout', CreateCheckoutData>;
export type UpdateCheckout = CommandMessage<'UpdateCheckout', UpdateCheckoutData>;
export type SubmitAttempt = CommandMessage<'SubmitAttempt', SubmitAttemptData>;
export type SaveForm = CommandMessage<'SaveForm', SaveFormData>;
export type CheckoutCommandMessage = CreateCheckout | UpdateCheckout | SubmitAttempt | SaveForm;

/** An attempt as the checkout knows it. */
export interface AttemptStanding {
  readonly transactionId: TransactionId;
  /** Pending while nothing is known. */
  readonly resultCode: string;
}

/** What checkouts answers to a command. */
export type CheckoutReply =
  | { readonly kind: 'recorded' }
  /** It is unknown, somebody else's, of the other purpose, or over. */
  | { readonly kind: 'gone' }
  /** Another attempt is under way, or has succeeded: nothing was recorded. */
  | { readonly kind: 'underWay' | 'succeeded'; readonly attempt: AttemptStanding }
  /** Too many attempts have not succeeded, or too much was saved. */
  | { readonly kind: 'exhausted' }
  /** Something else is saved by now, or nothing; with the last attempt, if there was one. */
  | { readonly kind: 'savedOtherwise'; readonly attempt?: AttemptStanding }
  /** The merchant has changed the checkout since it was read: nothing was recorded. */
  | { readonly kind: 'changed' }
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

/** The queries `checkouts.status` and `checkouts.serve`. */
export interface CheckoutStatusQuery {
  readonly checkoutId: CheckoutId;
  /** The tenant that asks; another one's checkout is answered like an unknown one. */
  readonly entityId: EntityId;
  /** At which of its two resources it is read: the other one does not have it. */
  readonly purpose: CheckoutPurpose;
}

/** The answer of `checkouts.status`: nothing for an unknown or a foreign id, and for what is over. */
export interface CheckoutStatusAnswer {
  /** `succeeded`: to be told only after `checkouts.serve`. */
  readonly status?: 'pending' | 'succeeded' | 'failed';
  /** Where one is decided: the payment or registration that counts. */
  readonly attempt?: AttemptStanding;
  /** Of one that has succeeded otherwise, what the vault still has of a form that was saved. */
  readonly vaultReference?: string;
}

/** The answer of `checkouts.serve`: a success is told once, to whoever asked first. */
export interface ServedAnswer {
  readonly isServed: boolean;
}

/** The query `checkouts.delete`: `DELETE /v1/checkouts/{id}`. */
export type CheckoutDeletionQuery = Pick<CheckoutStatusQuery, 'checkoutId' | 'entityId'>;

/**
 * Its answer. `pending`: an attempt may still succeed, or has, and nobody has read that. `gone`: it is
 * unknown, somebody else's, or over.
 */
export interface CheckoutDeletionAnswer {
  readonly outcome: 'deleted' | 'pending' | 'gone';
  /** Of a deleted one, what the vault still has of a form that was saved. */
  readonly vaultReference?: string;
}

/** The query `checkouts.neverAsked`: what this attempt asks for has not left edge, and never will. */
export interface AttemptNeverAskedQuery {
  readonly checkoutId: CheckoutId;
  readonly transactionId: TransactionId;
}

/**
 * The query `checkouts.toComplete`: asked for the shopper's browser, too, where knowing the id is all
 * that is needed.
 */
export interface CheckoutToCompleteQuery {
  readonly checkoutId: CheckoutId;
}

/** Its answer: nothing for an unknown id, and for a checkout that is over. */
export interface CheckoutToCompleteAnswer {
  readonly checkout?: CheckoutToComplete;
}

/** What the payment or registration of a checkout is made of, beside what the shopper tells. */
export interface CheckoutToComplete {
  readonly purpose: CheckoutPurpose;
  /** How often the merchant had changed it; absent from a process of checkouts that does not count yet. */
  readonly revision?: number;
  readonly entityId: EntityId;
  /** Who made it: in whose name the shopper completes it. */
  readonly actor: string;
  readonly mode: Mode;
  /** By wire name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
  /** What was stored that the shopper may pay with, in the merchant's order. */
  readonly registrations?: readonly TransactionId[];
  /** Whether an attempt is under way, or has succeeded; absent: none is. */
  readonly isBegun?: boolean;
  /** When it is over, milliseconds since the epoch. An older checkouts does not say. */
  readonly endsAtMs?: number;
  /** What the shopper has typed, and not yet paid with. */
  readonly saved?: SavedForm;
  /** Where nothing is saved any more: what the last attempt was made of. */
  readonly spent?: SpentForm;
}

/** What a shopper has typed, but for account data. */
export interface SavedForm {
  readonly id: TransactionId;
  /** By wire name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The names of what the vault holds. */
  readonly details: readonly string[];
  readonly vaultReference?: string;
}

/** A saving that an attempt has used up. */
export interface SpentForm {
  readonly id: TransactionId;
  /** Where the shopper goes after that attempt, if the form or the merchant has said. */
  readonly shopperResultUrl?: string;
}

/**
 * The query `webhooks.callResult`: nobody has read the result of a checkout for 29 minutes, so its merchant's
 * page of results is to be called. Once it is answered that is recorded, and webhooks makes the call.
 */
export interface ResultCallQuery {
  readonly checkoutId: CheckoutId;
  readonly entityId: EntityId;
}

/** The query `checkouts.resultPage`: before each call of a page of results, whether it is still to be called. */
export type ResultPageQuery = ResultCallQuery;

/** Its answer: nothing where the result was read, the checkout is over, or the address was forgotten. */
export interface ResultPageAnswer {
  readonly page?: {
    /** As the form said, or else as the merchant did. */
    readonly shopperResultUrl: string;
    /** At which of the checkout's two resources its result is read. */
    readonly purpose: CheckoutPurpose;
  };
}

/** The query `checkouts.keepWidget`: an instance of edge has this build of the widget, and says so again. */
export interface KeepWidgetQuery {
  /** Of the content of all its files: hexadecimal digits. */
  readonly version: string;
  /** All of its files, as text that only edge reads. */
  readonly bundle: string;
}

/** The query `checkouts.widget`: a build of the widget that another instance of edge has. */
export interface WidgetQuery {
  /** The first digits of its version. */
  readonly version: string;
}

/** Its answer: nothing for one that nobody has had for a day. */
export interface WidgetAnswer {
  readonly bundle?: string;
}

/** The query `payments.reverseAttempt`: what was approved after it was given up (page 0064). */
export interface AttemptReversalQuery {
  /** Of the reversal, in the payment's chain; the same one asks for the same reversal. */
  readonly transactionId: TransactionId;
  /** The payment. */
  readonly referencedId: TransactionId;
  /** Who began the checkout. */
  readonly actor: string;
}

/** What payments made of it. */
export type AttemptReversalAnswer =
  | { readonly kind: 'ended'; readonly isReversed: boolean; readonly resultCode: string }
  /** Nothing is decided: ask again. */
  | { readonly kind: 'again' };
