import type {
  AuthenticationResult,
  BeginningOperation,
  CardChecks,
  Instrument,
  Redirect,
  ReferenceOperation,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';
import type { AgreementSoFar } from './agreements.js';
import type {
  AcquirerRequest,
  AuthenticationPending,
  ChargebackSource,
  Decline,
  EventMetadata,
  KeptParameters,
  LateAnswer,
  NotPerformedReason,
  ResultDetails,
  ReviewDecision,
  RiskAssessed,
  RouteTaken,
} from './events.js';

/** What the rules of risk said of a new payment, before anything left the installation. */
export type RiskAssessment = Omit<RiskAssessed, 'transactionId'>;

/** The authentication of a new payment: it has ended, or the shopper is still to be authenticated. */
export type FirstAuthentication =
  | {
      readonly kind: 'completed';
      readonly authenticationId: TransactionId;
      readonly result: AuthenticationResult;
    }
  | ({ readonly kind: 'pending' } & Omit<AuthenticationPending, 'transactionId' | 'decline'>);

/** A new payment: PA, DB or CD (Interface 3); or what asks no acquirer, and then the request goes nowhere. */
export interface InitiatePayment extends KeptParameters {
  readonly type: 'InitiatePayment';
  readonly transactionId: TransactionId;
  readonly operation: BeginningOperation;
  readonly amount: Amount;
  readonly instrument: Instrument;
  readonly numberOfCaptures?: number;
  /** Well formed, but cannot be paid: recorded with this code (D-37). */
  readonly rejection?: string;
  /** What is recorded of the rejection beside its code. */
  readonly resultDescription?: string;
  readonly request: AcquirerRequest;
  /** Absent in an installation without routes. */
  readonly route?: RouteTaken;
  /** ISO 3166-1 alpha-2, of who issued the card: another route may ask for it. */
  readonly issuerCountry?: string;
  /** The agreement that it is a later payment of, if its first payment is known here. */
  readonly agreement?: AgreementSoFar;
  /** Of the account that pays; absent if there is none, or nobody said it. */
  readonly accountFingerprint?: string;
  /** Absent where no rule holds. */
  readonly assessment?: RiskAssessment;
  /** Absent where nobody is authenticated. */
  readonly authentication?: FirstAuthentication;
  readonly metadata: EventMetadata;
}

/** The command names of the operations that refer to a transaction. */
export const referenceCommandTypes = {
  capture: 'CapturePayment',
  reversal: 'ReversePayment',
  refund: 'RefundPayment',
  rebill: 'RebillPayment',
  receipt: 'RecordReceipt',
  chargeback: 'RecordChargeback',
  chargebackReversal: 'RecordChargebackReversal',
  incrementalAuthorization: 'IncrementAuthorization',
  reauthorization: 'ReauthorizePayment',
} as const satisfies Record<ReferenceOperation, string>;

/** What the connector of the payment allows; passed in, because the domain calls nobody. */
export interface ConnectorRules {
  readonly partialReversal: boolean;
  readonly incrementalAuthorization: boolean;
  readonly reauthorization: boolean;
  /**
   * Until when something recorded at the instant can be reversed, both milliseconds since the
   * epoch.
   */
  reversalCutOffMs(recordedAtMs: number): number;
}

interface Reference<Type extends string> extends KeptParameters {
  readonly type: Type;
  readonly transactionId: TransactionId;
  readonly referencedId: TransactionId;
  /** Absent only for a reversal of everything that is open (D-30). */
  readonly amount?: Amount;
  /** Named without an amount; it must still be the payment's (D-29). */
  readonly currency?: string;
  /** Interface 2.3 `sequence=FINAL`. */
  readonly final: boolean;
  readonly rejection?: string;
  /** What is recorded of the rejection beside its code. */
  readonly resultDescription?: string;
  readonly rules: ConnectorRules;
  /** Of a rebill: what other payments of its agreement have authorized. */
  readonly agreement?: AgreementSoFar;
  readonly metadata: EventMetadata;
}

interface SentReference<Type extends string> extends Reference<Type> {
  readonly request: AcquirerRequest;
}

interface ChargebackReference<Type extends string> extends Reference<Type> {
  readonly source: ChargebackSource;
  /** Whether the channel may record chargebacks over HTTP (D-32). */
  readonly manualChargebacks: boolean;
}

/** CP: takes reserved money, partly or wholly. */
export type CapturePayment = SentReference<'CapturePayment'>;
/** RV: undoes before settlement. */
export type ReversePayment = SentReference<'ReversePayment'>;
/** RF: returns captured money. */
export type RefundPayment = SentReference<'RefundPayment'>;
/** RB: charges once more. */
export type RebillPayment = SentReference<'RebillPayment'>;
/** RC: the receipt of reserved money; counts as captured (D-31). */
export type RecordReceipt = SentReference<'RecordReceipt'>;
/** PA with `referenceUuid`, INCREMENTAL_AUTH (D-33). */
export type IncrementAuthorization = SentReference<'IncrementAuthorization'>;
/** PA with `referenceUuid`, REAUTHORIZATION (D-33). */
export type ReauthorizePayment = SentReference<'ReauthorizePayment'>;
/** CB: a fact imposed by the issuer. */
export interface RecordChargeback extends ChargebackReference<'RecordChargeback'> {
  /** Interface 2.18 `chargebackResultCode`. */
  readonly resultCode?: string;
}
/** CR: the issuer gave the money back. */
export type RecordChargebackReversal = ChargebackReference<'RecordChargebackReversal'>;

/** Every command that refers to a transaction. */
export type ReferToTransaction =
  | CapturePayment
  | ReversePayment
  | RefundPayment
  | RebillPayment
  | RecordReceipt
  | IncrementAuthorization
  | ReauthorizePayment
  | RecordChargeback
  | RecordChargebackReversal;

/** The result of a call or an inquiry, in exactly one of five classes (D-24 to D-28). */
export type Outcome =
  | (CardChecks & {
      readonly kind: 'approved';
      readonly connectorTxId: string;
      readonly resultCode?: string;
      readonly resultDetails?: ResultDetails;
    })
  | (CardChecks & {
      readonly kind: 'declined';
      readonly resultCode: string;
      readonly connectorTxId?: string;
      readonly resultDetails?: ResultDetails;
    })
  | (CardChecks & {
      readonly kind: 'pending';
      readonly redirect?: Redirect;
      readonly resultCode?: string;
      readonly connectorTxId?: string;
      readonly resultDetails?: ResultDetails;
    })
  | { readonly kind: 'notPerformed'; readonly reason: NotPerformedReason }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Finding<Type extends string> {
  readonly type: Type;
  readonly transactionId: TransactionId;
  readonly nowMs: number;
  /** Set by recovery, which acts on nobody's behalf. */
  readonly actor?: string;
}

/** What is found of one attempt: when another one has been begun meanwhile, it says nothing of that. */
interface FindingOfAttempt<Type extends string> extends Finding<Type> {
  /** Absent where nothing was sent. */
  readonly acquirerReference?: string | undefined;
}

/** The outcome of a call, or what an inquiry found instead; also after the end (D-27). */
export interface RecordOutcome extends FindingOfAttempt<'RecordOutcome'> {
  readonly outcome: Outcome;
}
/** What became of an attempt that booked nothing and never will. */
export type EndedAttempt =
  | { readonly reason: NotPerformedReason }
  | { readonly reason: 'declined'; readonly decline: Decline };

/** After an attempt that ended so the next one goes elsewhere, under its own reference. */
export type RerouteTransaction = Finding<'RerouteTransaction'> & {
  readonly ended: EndedAttempt;
  readonly request: AcquirerRequest;
  readonly route: RouteTaken;
};
/** The acquirer named the transaction it undid (D-27). */
export interface RecordReversal extends FindingOfAttempt<'RecordReversal'> {
  readonly connectorTxId: string;
}
/** The inquiry an hour after the end found nothing that counts. */
export interface RecordLateAnswer extends Finding<'RecordLateAnswer'> {
  readonly answer: LateAnswer;
}
/** A late approval is too old to be reversed: refund it under this reference. */
export interface RequestLateApprovalRefund extends Finding<'RequestLateApprovalRefund'> {
  readonly request: AcquirerRequest;
}
/** The refund of a late approval went through. */
export interface RecordLateApprovalRefund extends Finding<'RecordLateApprovalRefund'> {
  readonly connectorTxId: string;
}
/** The authentication that the payment waits for has ended. */
export interface RecordAuthentication extends Finding<'RecordAuthentication'> {
  readonly authenticationId: TransactionId;
  readonly result: AuthenticationResult;
  /** How it goes on; absent where it does not, or no acquirer is there any more. */
  readonly goesOnBy?: { readonly request: AcquirerRequest; readonly route?: RouteTaken };
}
/** The issuer declined without an authentication; the shopper is to be authenticated now. */
export type AwaitAuthentication = Finding<'AwaitAuthentication'> &
  Omit<AuthenticationPending, 'decline'> & {
    readonly decline: Decline;
    /** How it ended, where nobody had to wait for it. */
    readonly ended?: Pick<RecordAuthentication, 'result' | 'goesOnBy'>;
  };
/** The issuer wants to ask the shopper in the app, which was not known when the payment was begun. */
export type RecordAppChallenge = Finding<'RecordAppChallenge'> &
  Required<Pick<AuthenticationPending, 'authenticationId' | 'expiresAtMs' | 'appChallenge'>>;
/** What was decided of a payment under review. */
export interface DecideReview extends Finding<'DecideReview'> {
  readonly decision: ReviewDecision;
}
/** What a rejected payment has taken cannot be given back; a person has to see to it. */
export interface OpenRejectionCase extends Finding<'OpenRejectionCase'> {
  readonly amount: Amount;
}
/** Recovery gives up and opens a case for a person. */
export type OpenCase = FindingOfAttempt<'OpenCase'>;

/** What the workflow and the sweeper record about a transaction that exists. */
export type RecordFinding =
  | RecordOutcome
  | RerouteTransaction
  | RecordReversal
  | RecordLateAnswer
  | RequestLateApprovalRefund
  | RecordLateApprovalRefund
  | RecordAuthentication
  | AwaitAuthentication
  | RecordAppChallenge
  | DecideReview
  | OpenRejectionCase
  | OpenCase;

/** Everything `decide` takes. */
export type PaymentCommand = InitiatePayment | ReferToTransaction | RecordFinding;
