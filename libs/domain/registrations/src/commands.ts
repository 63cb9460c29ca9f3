import type { Expiry, Instrument, KeptDetails, RegistrationEventMetadata } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';

/** What every request about a registration says. */
interface RegistrationRequest {
  /** Of this request. */
  readonly transactionId: TransactionId;
  readonly parameters: Readonly<Record<string, string>>;
  readonly metadata: RegistrationEventMetadata;
}

/** `POST /v1/registrations` (RG). */
export interface RequestRegistration extends RegistrationRequest {
  readonly type: 'RequestRegistration';
  readonly instrument: Instrument;
  readonly merchantId: EntityId;
  /** The payment it is asked for with. */
  readonly paymentId?: TransactionId;
  /** That payment had been made before. */
  readonly isPaymentMade?: true;
  /** What the same account was stored as before is the answer, if it was. */
  readonly mayBeExisting?: true;
  /** Personal parameters, sealed. */
  readonly personal?: string;
  /** It is refused with this code. */
  readonly rejection?: string;
  readonly resultDescription?: string;
}

/** `POST /v1/registrations/{id}/extendlife` (TE), `DELETE /v1/registrations/{id}` (DR). */
export interface ChangeRegistration extends RegistrationRequest {
  readonly type: 'ChangeRegistration';
  readonly operation: 'extension' | 'deletion';
}

/** `POST /v1/registrations/{id}` (RR). */
export interface UpdateRegistration extends RegistrationRequest {
  readonly type: 'UpdateRegistration';
  readonly expiry?: Expiry;
  /** All that is personal from then on, sealed. */
  readonly personal?: string;
}

/** What the vault answered about the update that is open. */
export interface RecordUpdate {
  readonly type: 'RecordUpdate';
  readonly nowMs: number;
  /** False if it keeps nothing any more. */
  readonly isChanged: boolean;
}

/** What the vault answered, for a registration that was requested. */
export interface RecordKeeping {
  readonly type: 'RecordKeeping';
  readonly nowMs: number;
  /** Absent if there was nothing left to keep. */
  readonly kept?: KeptDetails;
}

/** The vault has the same account, for another registration that can be used. */
export interface RecordExisting {
  readonly type: 'RecordExisting';
  readonly nowMs: number;
  readonly existing: ExistingRegistration;
}

/** The registration that an account had before it was to be stored again. */
export interface ExistingRegistration {
  readonly registrationId: TransactionId;
  /** The expiry that the account came with now, if it is another. */
  readonly expiry?: Expiry;
}

/** The same account is to be stored again, and this registration is the answer to that. */
export interface StoreAgain {
  readonly type: 'StoreAgain';
  readonly nowMs: number;
  /** The payment it was asked for with. */
  readonly paymentId?: TransactionId;
}

/**
 * The request that made a registration came again under its key. Its payment has another id, and either
 * is made, or neither.
 */
export interface AwaitRepetition {
  readonly type: 'AwaitRepetition';
  readonly nowMs: number;
  readonly paymentId: TransactionId;
}

/** What payments answered about the payments that a registration waits for. */
export interface RecordPayments {
  readonly type: 'RecordPayments';
  readonly nowMs: number;
  /** By their ids; one that there is none of is missing. */
  readonly payments: ReadonlyMap<string, PaymentDecision>;
}

/** How a payment stands, as far as a registration needs it. */
export type PaymentDecision =
  | { readonly kind: 'approved' | 'undecided' }
  | { readonly kind: 'failed'; readonly resultCode: string };

/** The vault has forgotten the details of a registration that has ended. */
export interface RecordForgetting {
  readonly type: 'RecordForgetting';
  readonly nowMs: number;
}

/** Ends a registration whose details have been kept for long enough. */
export interface ExpireRegistration {
  readonly type: 'ExpireRegistration';
  readonly nowMs: number;
}

/** Everything that is decided about a registration. */
export type RegistrationCommand =
  | RequestRegistration
  | ChangeRegistration
  | UpdateRegistration
  | RecordUpdate
  | RecordKeeping
  | RecordExisting
  | StoreAgain
  | AwaitRepetition
  | RecordPayments
  | RecordForgetting
  | ExpireRegistration;
