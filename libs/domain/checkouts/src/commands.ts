import type { CheckoutEventMetadata, CheckoutPurpose, KnownSaving } from '@sluice/contracts';
import type { CheckoutId, TransactionId } from '@sluice/identifiers';

/** What every request about a checkout says. */
interface CheckoutRequest {
  readonly parameters: Readonly<Record<string, string>>;
  /** Personal parameters, sealed. */
  readonly personal?: string;
  /** What was stored that the form is to offer; absent: a change leaves it as it is. */
  readonly registrations?: readonly TransactionId[];
  readonly metadata: CheckoutEventMetadata;
}

/** `POST /v1/checkouts`. */
export interface CreateCheckout extends CheckoutRequest {
  readonly type: 'CreateCheckout';
  readonly checkoutId: CheckoutId;
  readonly purpose: CheckoutPurpose;
  /** The hash of the script that is served for it. */
  readonly script?: string;
}

/** `POST /v1/checkouts/{id}`: these parameters replace those of the same names. */
export interface UpdateCheckout extends CheckoutRequest {
  readonly type: 'UpdateCheckout';
}

/** `POST /v1/checkouts/{id}/payment` and `…/registration`: the shopper has sent the form. */
export interface SubmitAttempt extends Pick<CheckoutRequest, 'metadata' | 'personal'> {
  readonly type: 'SubmitAttempt';
  /** Of the payment or registration that is to be made. */
  readonly transactionId: TransactionId;
  /** Of the checkout that it is made of; absent from a sender that does not know it. */
  readonly revision?: number;
  /** What its sender knows to be saved; absent: a sender that knows of no saving. */
  readonly saved?: KnownSaving;
  /** It is made of that. */
  readonly isOfSaved?: true;
}

/** `POST /v1/checkouts/{id}/payment` that only saves what the shopper has typed (page 0068). */
export interface SaveForm extends Pick<CheckoutRequest, 'metadata'> {
  readonly type: 'SaveForm';
  /** Of the saving. */
  readonly transactionId: TransactionId;
  /** What it takes the place of. */
  readonly saved: KnownSaving;
  /** The names of what the vault holds. */
  readonly details: readonly string[];
  readonly vaultReference?: string;
  /** All other fields, sealed. */
  readonly fields: string;
}

/** What payments or registrations say of an attempt. */
export interface RecordAttempt {
  readonly type: 'RecordAttempt';
  readonly nowMs: number;
  readonly transactionId: TransactionId;
  readonly decision: AttemptDecision;
  /** For the reversal that it may need: an id in the chain of the attempt's payment. */
  readonly reversalId: TransactionId;
}

/** How an attempt stands: `open` while it waits for the shopper at the page of somebody else. */
export interface AttemptDecision {
  readonly kind: 'open' | 'succeeded' | 'failed';
  readonly resultCode: string;
}

/** What became of a reversal. */
export interface RecordReversal {
  readonly type: 'RecordReversal';
  readonly nowMs: number;
  readonly transactionId: TransactionId;
  readonly isReversed: boolean;
  readonly resultCode: string;
  /** For the next try, which follows one that did not reverse: an id in the chain of the payment. */
  readonly nextReversalId: TransactionId;
}

/** The merchant reads the status: `GET /v1/checkouts/{id}/payment` and `…/registration`. */
export interface ServeStatus {
  readonly type: 'ServeStatus';
  readonly nowMs: number;
}

/** `DELETE /v1/checkouts/{id}`. */
export interface DeleteCheckout {
  readonly type: 'DeleteCheckout';
  readonly nowMs: number;
}

/** 29 minutes were over, and webhooks was asked to call the merchant's page of results. */
export interface CallForResult {
  readonly type: 'CallForResult';
  readonly nowMs: number;
}

/** Everything that is decided about a checkout. */
export type CheckoutCommand =
  | CreateCheckout
  | UpdateCheckout
  | SubmitAttempt
  | SaveForm
  | RecordAttempt
  | RecordReversal
  | ServeStatus
  | DeleteCheckout
  | CallForResult;
