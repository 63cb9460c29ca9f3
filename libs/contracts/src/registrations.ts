import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Elsewhere } from './cells.js';
import type { Expiry } from './expiry.js';
import type { Instrument, ShownInstrument } from './instruments.js';
import type { CommandMessage } from './messages.js';
import type {
  FixedAnswer,
  Mode,
  PaymentCommandData,
  ReferenceContext,
  RequestContext,
} from './payments.js';
import type { RegistrationOperation } from './registration-operations.js';

/** What every command to registrations carries. */
export interface RegistrationCommandData extends Omit<
  PaymentCommandData,
  'context' | 'testDirectives'
> {
  /** What refers to a registration, and names no mode, has that of the registration (D-64). */
  readonly context: ReferenceContext;
}

/** `POST /v1/registrations`: `transactionId` is the id of the registration, too. */
export interface RegisterInstrumentData extends RegistrationCommandData {
  readonly context: RequestContext;
  /** What is known of it; its details are held by the vault. */
  readonly instrument: Instrument;
  /** The merchant of the channel: fingerprints are those of one merchant. */
  readonly merchantId: EntityId;
  /** The payment it is asked for with (`createRegistration`): it is kept if that is approved. */
  readonly paymentId?: TransactionId;
  /** Where the same account is stored for the channel already, that registration is the answer. */
  readonly mayBeExisting?: true;
  /** The payment was made before it was asked for (RG on a payment): what it decides may be known. */
  readonly isPaymentMade?: true;
  /** Input that is well formed but cannot be stored: recorded with this code (D-37). */
  readonly rejection?: string;
  /** What the answer says about the rejection, if the code alone does not say it. */
  readonly rejectionDescription?: string;
}

/** `POST /v1/registrations/{id}/extendlife` and `DELETE /v1/registrations/{id}`. */
export interface ReferToRegistrationData extends RegistrationCommandData {
  readonly registrationId: TransactionId;
  readonly operation: 'extension' | 'deletion';
}

/** `POST /v1/registrations/{id}`: personal parameters replace those of the same names. */
export interface UpdateRegistrationData extends RegistrationCommandData {
  readonly registrationId: TransactionId;
  /** The new one; absent: it stays. */
  readonly expiry?: Expiry;
}

export type RegisterInstrument = CommandMessage<'RegisterInstrument', RegisterInstrumentData>;
export type ReferToRegistration = CommandMessage<'ReferToRegistration', ReferToRegistrationData>;
export type UpdateRegistration = CommandMessage<'UpdateRegistration', UpdateRegistrationData>;
export type RegistrationCommandMessage =
  RegisterInstrument | ReferToRegistration | UpdateRegistration;

/**
 * How a request about a registration ended. Shown as pending: `requested`, while the vault has not
 * answered, and `awaitsPayment`, when it keeps the details and the payment is not decided.
 */
export type RegistrationStatus =
  'requested' | 'awaitsPayment' | 'approved' | 'rejected' | 'notPerformed';

/** The outcome fields of a request about a registration: what a reply carries (D-15). */
export interface RegistrationOutcome {
  readonly id: TransactionId;
  /** The registration, where the request is not the one that made it. */
  readonly referencedId?: TransactionId;
  readonly operation: RegistrationOperation;
  readonly status: RegistrationStatus;
  readonly resultCode: string;
  readonly resultDescription?: string;
  /** The registration that the account had before, which is the answer in place of a new one. */
  readonly existingId?: TransactionId;
}

/** Whether a registration can be used. */
export type RegistrationState = 'requested' | 'kept' | 'ended' | 'never';

/** A registration as its stream has it: what a read shows, and what a payment needs. */
export interface RegistrationView {
  readonly id: TransactionId;
  readonly state: RegistrationState;
  /** Payments did not say whether what it waits for is decided: it may be usable by now. */
  readonly isBehind?: true;
  /** The request that made it. */
  readonly outcome: RegistrationOutcome;
  readonly entityId: EntityId;
  readonly channelName: string;
  readonly mode: Mode;
  /** With the vault's reference while it can be used. */
  readonly instrument?: Instrument;
  /** Of the account that is kept, by the vault. */
  readonly accountFingerprint?: string;
  /** The payment that it was asked for with. */
  readonly paymentId?: TransactionId;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** What registrations answers to a command. */
export type RegistrationReply =
  | { readonly kind: 'outcome'; readonly outcome: RegistrationOutcome }
  /** The idempotency key is taken; edge compares the fingerprint. */
  | {
      readonly kind: 'keyTaken';
      readonly fingerprint: string;
      readonly answer: FixedAnswer;
      readonly outcome?: RegistrationOutcome;
    }
  /** No such registration of this channel. */
  | { readonly kind: 'notFound' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' }
  /** There are no cells of registrations; the word is the same for all who take commands. */
  | Elsewhere;

/** What was done to a registration, as queries show it: what made it shows what was stored. */
export interface RegistrationTransaction extends RegistrationOutcome {
  readonly entityId: EntityId;
  readonly channelName: string;
  readonly mode: Mode;
  readonly ndc: string;
  /** When it was asked for, milliseconds since the epoch. */
  readonly recordedAtMs: number;
  readonly instrument?: ShownInstrument;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** The answer to `registrations.transaction`: nothing for an unknown or a foreign id. */
export interface RegistrationTransactionAnswer {
  readonly transaction?: RegistrationTransaction;
}

/** The query `registrations.registration`. */
export interface RegistrationQuery {
  readonly registrationId: TransactionId;
  /** The tenant that asks; another one's registration is answered like an unknown one. */
  readonly entityId: EntityId;
  /** Of its stream: the registration as it was after that event, and never later (R-WH-07). Absent: as it is. */
  readonly atVersion?: number;
}

/** Its answer: nothing for an unknown id, and the same for a foreign one. */
export interface RegistrationAnswer {
  readonly registration?: RegistrationView;
}
