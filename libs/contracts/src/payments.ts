import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { AppChallenge } from './app-challenges.js';
import type {
  AuthenticationWish,
  NotAuthenticated,
  ShownAuthentication,
} from './authentications.js';
import type { CardChecks } from './card-checks.js';
import type { CarriedShardsAnswer, Elsewhere } from './cells.js';
import type { Instrument, ShownInstrument } from './instruments.js';
import type { AmountMessage, CommandMessage } from './messages.js';
import type { BeginningOperation, ReferenceOperation } from './operations.js';
import type { Redirect } from './redirects.js';
import type { RunSource } from './schedule-events.js';

/** Whether a payment is live or a test, and in which test mode (Interface 1; `live` has none). */
export type Mode = 'INTERNAL' | 'EXTERNAL' | 'LIVE';

/** What edge knows about the caller, stored beside the events. */
export interface RequestContext {
  readonly entityId: EntityId;
  readonly channelName: string;
  /** The request id that support follows. */
  readonly ndc: string;
  readonly mode: Mode;
  /** Whether chargebacks may be recorded over HTTP on this channel (D-32). */
  readonly manualChargebacks: boolean;
  /** When edge received the request, milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Who asked: the id of the access token's node, never the token. */
  readonly actor: string;
}

/** The same of a request that refers to a transaction. */
export interface ReferenceContext extends Omit<RequestContext, 'mode'> {
  /**
   * Absent if the request does not name it: then it is the same as of the transaction it refers to
   * (D-64).
   */
  readonly mode?: Mode;
}

/** An `Idempotency-Key` and what its first answer fixes (D-36). */
export interface IdempotencyClaim<Id extends string = TransactionId> {
  /** Hash of (token owner, entityId, method, path, key), hex. */
  readonly key: string;
  /** Keyed hash over the canonical input, hex; other input under the same key is refused. */
  readonly fingerprint: string;
  /** Fields of the first answer that a repeated request gets byte for byte. */
  readonly answer: FixedAnswer<Id>;
}

/** The parts of an answer to a repeated request that cannot be derived from the transaction. */
export interface FixedAnswer<Id extends string = TransactionId> {
  readonly id: Id;
  readonly ndc: string;
  readonly timestamp: string;
  readonly buildNumber: string;
  /** What it stored, too (`createRegistration`). */
  readonly registrationId?: TransactionId;
}

/**
 * Personal parameters on their way to payments: a data key of the sender, wrapped, and the block
 * that it opens, bound to the transaction; both base64 (page 0035).
 */
export interface PersonalEnvelope {
  readonly key: string;
  readonly block: string;
}

/**
 * What a test tells the simulator to do, by the names in the brackets of custom parameters. All
 * others pass them on unread: only the simulator's connector knows what they mean (D-48).
 */
export type TestDirectives = Readonly<Record<string, string>>;

/** What every payment command carries. */
export interface PaymentCommandData {
  /** The id edge minted for the transaction this command makes. */
  readonly transactionId: TransactionId;
  readonly context: ReferenceContext;
  /**
   * Parameters to keep and echo, by wire name; never account data or secrets (parameter catalogue).
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** Parameters the catalogue calls personal, sealed; absent where there are none. */
  readonly personal?: PersonalEnvelope;
  readonly idempotency?: IdempotencyClaim;
  /** Never from a live installation; absent if none were sent. */
  readonly testDirectives?: TestDirectives;
}

/** `POST /v1/payments`: a new payment. */
export interface InitiatePaymentData extends PaymentCommandData {
  readonly context: RequestContext;
  readonly operation: BeginningOperation;
  readonly amount: AmountMessage;
  /** What asks for it where no merchant or shopper does; absent where one does. */
  readonly source?: RunSource;
  /** What is known of it; its details are in the vault. */
  readonly instrument: Instrument;
  /**
   * The vault's keyed hash of the account, the same for it in one merchant. No card data, and nobody
   * else's business: it is in no answer and no log. Absent where there is no account.
   */
  readonly accountFingerprint?: string;
  /** ISO 3166-1 alpha-2, of who issued the card; absent if nobody knows. */
  readonly issuerCountry?: string;
  /** The payment that stored what this one is made with (`createRegistration`, or RG on a payment). */
  readonly storedByPaymentId?: TransactionId;
  /**
   * What was agreed when that was stored, by wire name (`standingInstruction.*` of a registration that
   * is INITIAL); absent if nothing was.
   */
  readonly storedTerms?: Readonly<Record<string, string>>;
  /** Interface 2.3 `numberOfCaptures`, 1 to 98. */
  readonly numberOfCaptures?: number;
  /**
   * Where the acquirer sends the shopper back to; absent if nobody is asked there: by the instrument,
   * or because the merchant initiates it by agreement.
   */
  readonly returnUrl?: string;
  /** Absent where nobody is to be authenticated by us. */
  readonly authentication?: AuthenticationWish;
  /** Why it is absent, which a rule that demands a challenge asks; absent where that was not found out. */
  readonly notAuthenticated?: NotAuthenticated;
  /**
   * Input that is well formed but cannot be paid: recorded with this code, nothing is called
   * (D-37).
   */
  readonly rejection?: string;
  /** What the answer says about the rejection, if the code alone does not say it. */
  readonly rejectionDescription?: string;
}

/** `POST /v1/payments/{id}`, and PA with `referenceUuid`. */
export interface ReferToPaymentData extends PaymentCommandData {
  readonly referencedId: TransactionId;
  readonly operation: ReferenceOperation;
  /** Absent only for a reversal of everything that is open (D-30). */
  readonly amount?: AmountMessage;
  /** ISO 4217, if the merchant names it without an amount: it must be the payment's (D-29). */
  readonly currency?: string;
  /** Interface 2.3 `sequence=FINAL`. */
  readonly final: boolean;
  /** Interface 2.18 `chargebackResultCode`. */
  readonly chargebackResultCode?: string;
  /**
   * As in InitiatePaymentData: recorded as refused with this code (D-37, zero amount and the like).
   */
  readonly rejection?: string;
  /** What the answer says about the rejection, if the code alone does not say it. */
  readonly rejectionDescription?: string;
}

export type InitiatePayment = CommandMessage<'InitiatePayment', InitiatePaymentData>;
export type ReferToPayment = CommandMessage<'ReferToPayment', ReferToPaymentData>;
export type PaymentCommandMessage = InitiatePayment | ReferToPayment;

/** The progress of a transaction; `requested` and `unknown` are shown as pending (D-34). */
export type TransactionStatus =
  | 'requested'
  | 'approved'
  | 'declined'
  | 'pending'
  | 'unknown'
  | 'notPerformed'
  | 'reversedAfterUnknown'
  | 'rejected';

/** The outcome fields of a transaction: what a reply carries (D-15). */
export interface TransactionOutcome extends CardChecks {
  readonly id: TransactionId;
  readonly referencedId?: TransactionId;
  readonly operation: BeginningOperation | ReferenceOperation;
  readonly status: TransactionStatus;
  readonly resultCode: string;
  /** Replaces the code's own text: for a rejection, the part of the request that is not served. */
  readonly resultDescription?: string;
  /** The amount of the transaction; for a reversal without amount, what it released. */
  readonly amount?: AmountMessage;
  /** The acquirer's own id. */
  readonly connectorTxId?: string;
  /** `resultDetails.*` by name without prefix, e.g. `AcquirerResponse`. */
  readonly resultDetails?: Readonly<Record<string, string>>;
  /** The acquirer decides once the shopper has been there: only while it is pending. */
  readonly redirect?: Redirect;
  /** The sum of what the rules of risk added; absent where none hold. */
  readonly riskScore?: number;
  /** Absent where nobody was authenticated by us. */
  readonly authentication?: ShownAuthentication;
  /** What the app of the shopper goes on with: only while the issuer waits for it. */
  readonly appChallenge?: AppChallenge;
  /** Not performed, and certain to arrive nowhere later: another payment in its place charges nobody twice. */
  readonly wasNeverSent?: true;
}

/** A transaction as its stream has it: what a read shows. */
export interface TransactionView extends TransactionOutcome {
  readonly entityId: EntityId;
  readonly channelName: string;
  readonly mode: Mode;
  readonly ndc: string;
  /** Of a payment that a schedule asked for. */
  readonly source?: RunSource;
  /** When the transaction was recorded, milliseconds since the epoch. */
  readonly recordedAtMs: number;
  /** Of the transaction that begins a payment. */
  readonly instrument?: ShownInstrument;
  /** A code like `CC`, of a transaction that refers to a payment, as its own stream has it. */
  readonly paymentMethod?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** What payments answers to a command. */
export type PaymentReply =
  | { readonly kind: 'transaction'; readonly outcome: TransactionOutcome }
  /**
   * The idempotency key is taken; edge compares the fingerprint and shows the first one's outcome.
   */
  | {
      readonly kind: 'keyTaken';
      readonly fingerprint: string;
      readonly answer: FixedAnswer;
      readonly outcome?: TransactionOutcome;
    }
  /** No such referenced transaction (D-29, first rule). */
  | { readonly kind: 'notFound' }
  /**
   * The referenced transaction belongs to this other entity; edge decides between 404 and
   * 700.400.700.
   */
  | { readonly kind: 'foreignEntity'; readonly entityId: EntityId }
  /** The payment takes no further transaction; nothing was recorded (D-09). */
  | { readonly kind: 'full' }
  /** Too much contention or a full queue; nothing was recorded (D-34). */
  | { readonly kind: 'busy' }
  /** The service's own database is unavailable; nothing was recorded (D-35). */
  | { readonly kind: 'unavailable' }
  /** Nothing was recorded, and never will be by this cell (page 0047). */
  | Elsewhere;

/** The query `payments.transaction`. */
export interface TransactionQuery {
  readonly transactionId: TransactionId;
  /**
   * The tenant that asks; the owner checks it, and a foreign transaction is answered like an
   * unknown one.
   */
  readonly entityId: EntityId;
  /**
   * Of the payment's stream: the transaction as it was after that event, and never later (R-WH-07).
   * Absent: as it is.
   */
  readonly atVersion?: number;
}

/** Its answer: nothing for an unknown id, and the same for a foreign one. */
export interface TransactionAnswer {
  readonly transaction?: TransactionView;
}

/** The answer to `payments.authenticationProof`, which asks for an authentication alone. */
export interface AuthenticationProofAnswer {
  /** Its cryptogram (CAVV, AAV); absent where there is none, or where it is forgotten. */
  readonly cryptogram?: string;
}

/** What a payment was made with, for those who store it: the answer to `payments.paidInstrument`. */
export interface PaidInstrumentAnswer {
  /** Absent for an unknown or a foreign id. */
  readonly payment?: PaymentToStore;
}

/** A payment, whichever of its transactions was asked for. */
export interface PaymentToStore {
  /** The payment's own. */
  readonly id: TransactionId;
  readonly status: TransactionStatus;
  readonly mode: Mode;
  /** With the reference under which the vault may still hold its details. */
  readonly instrument: Instrument;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** The answer to `payments.transactionOutcome`: nothing for an unknown or a foreign id. */
export interface TransactionOutcomeAnswer {
  readonly outcome?: TransactionOutcome;
}

/**
 * The query `payments.referenceHeads`: the payments in which an entity has a transaction with this
 * merchant's own id, and their versions.
 */
export interface ReferenceHeadsQuery {
  readonly entityId: EntityId;
  readonly merchantTransactionId: string;
}

/** Its answer. */
export interface ReferenceHeadsAnswer {
  /** May include a few other payments. */
  readonly heads: readonly { readonly streamId: string; readonly version: number }[];
  /** Whether there are more than fit into one answer. */
  readonly more: boolean;
  /** Of the store. */
  readonly incarnation: string;
  /** In which shards it was searched, where the store can be one of several cells. */
  readonly carried?: CarriedShardsAnswer['carried'];
}
