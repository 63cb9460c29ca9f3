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

/** What payments answered about the payment that a registration waits for. */
export interface RecordPayment {
  readonly type: 'RecordPayment';
  readonly nowMs: number;
  /** Absent if there is no such payment. */
  readonly payment?: PaymentDecision;
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
  | RecordPayment
  | RecordForgetting
  | ExpireRegistration;
