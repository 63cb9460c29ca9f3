import type {
  CardChecks,
  CardSummary,
  InitialOperation,
  Mode,
  ReferenceOperation,
  TransactionStatus,
  UnservedMethod,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';

/** Every kind of transaction a payment can hold. */
export type Operation = InitialOperation | ReferenceOperation;

/** Who asked and when; stored beside the event, the same for all events of one transaction. */
export interface EventMetadata {
  /** Milliseconds since the epoch, by the clock of the process that decided. */
  readonly recordedAtMs: number;
  readonly entityId: EntityId;
  readonly channelName: string;
  readonly ndc: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** The work that decided it, as W3C has it; only where its trace is recorded. */
  readonly traceparent?: string;
}

/**
 * That something may be sent to an acquirer, and by which reference it can be asked about (D-24).
 * A request event without it proves that nothing was ever sent.
 */
export interface AcquirerRequest {
  readonly connector: string;
  readonly acquirerReference: string;
  /** When the calling process gives up at the latest, milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/** `resultDetails.*` by name without prefix (Interface 2.2). */
export type ResultDetails = Readonly<Record<string, string>>;

/** Why nothing was performed. Only after `notFound` could something arrive late (D-27). */
export type NotPerformedReason =
  | 'expired'
  | 'bulkheadFull'
  | 'sendWindowOver'
  | 'cardGone'
  | 'neverSent'
  | 'notReachable'
  | 'givenUpBeforeSending'
  | 'refused'
  | 'unsupported'
  | 'notFound';

/** Why an operator has to look: closed by recorded evidence alone (R-UNK-04). */
export type CaseReason = 'unresolved' | 'lateApprovalNotUndone' | 'chargebackExcess';

/** What the inquiry an hour after the end said (D-27). */
export type LateAnswer = 'notFound' | 'declined' | 'reversed';

/** Parameters to keep with a transaction; `personal` is a sealed block, never clear text. */
export interface KeptParameters {
  readonly parameters: Readonly<Record<string, string>>;
  /** AES-256-GCM under the payment's own key, base64. */
  readonly personal?: string;
}

interface Recorded<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
  readonly metadata: EventMetadata;
}

/** A payment was opened by its first transaction, which may be sent if `request` is there. */
export type PaymentInitiated = Recorded<
  'PaymentInitiated',
  KeptParameters & {
    readonly transactionId: TransactionId;
    readonly operation: InitialOperation;
    readonly amount: Amount;
    readonly card: CardSummary;
    readonly numberOfCaptures?: number;
    readonly request?: AcquirerRequest;
  }
>;

/** An operation on an earlier transaction was accepted. */
export type TransactionRequested = Recorded<
  'TransactionRequested',
  KeptParameters & {
    readonly transactionId: TransactionId;
    readonly referencedId: TransactionId;
    readonly operation: ReferenceOperation;
    readonly amount: Amount;
    readonly final: boolean;
    /** Reauthorization only: the open remainder it gives back when it succeeds (D-33). */
    readonly releases?: Amount;
    readonly request?: AcquirerRequest;
  }
>;

/** We said no before asking anyone; also the first event of a refused payment (D-29, D-37). */
export type TransactionRejected = Recorded<
  'TransactionRejected',
  KeptParameters & {
    readonly transactionId: TransactionId;
    readonly operation: Operation;
    readonly resultCode: string;
    readonly referencedId?: TransactionId;
    readonly amount?: Amount;
    readonly card?: CardSummary;
    /** Of a payment that is not by card. */
    readonly method?: UnservedMethod;
    /** In place of the code's own text. */
    readonly resultDescription?: string;
  }
>;

/** The acquirer said yes. */
export type TransactionApproved = Recorded<
  'TransactionApproved',
  CardChecks & {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly connectorTxId: string;
    readonly resultDetails?: ResultDetails;
  }
>;

/** The acquirer said no. */
export type TransactionDeclined = Recorded<
  'TransactionDeclined',
  CardChecks & {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly connectorTxId?: string;
    readonly resultDetails?: ResultDetails;
  }
>;

/** The acquirer will decide later. */
export type TransactionPending = Recorded<
  'TransactionPending',
  CardChecks & {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly connectorTxId?: string;
    readonly resultDetails?: ResultDetails;
  }
>;

/** Nothing happened at the acquirer. */
export type TransactionNotPerformed = Recorded<
  'TransactionNotPerformed',
  {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly reason: NotPerformedReason;
  }
>;

/** The answer was lost: the amount counts as used until it is found out (D-24 to D-28). */
export type TransactionOutcomeUnknown = Recorded<
  'TransactionOutcomeUnknown',
  { readonly transactionId: TransactionId; readonly reason: string }
>;

/** What may have been booked was undone because nobody could say whether it was (D-27). */
export type UnknownTransactionReversed = Recorded<
  'UnknownTransactionReversed',
  {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly connectorTxId: string;
  }
>;

/** The issuer took money back: a fact, whatever we think of it (D-32). */
export type ChargebackReceived = Recorded<
  'ChargebackReceived',
  KeptParameters & {
    readonly transactionId: TransactionId;
    readonly referencedId: TransactionId;
    readonly amount: Amount;
    readonly resultCode: string;
    readonly source: ChargebackSource;
    /** What it takes beyond the captured rest; only settlement files may do so (D-31). */
    readonly excess?: Amount;
  }
>;

/** The issuer gave it back. */
export type ChargebackReversed = Recorded<
  'ChargebackReversed',
  KeptParameters & {
    readonly transactionId: TransactionId;
    readonly referencedId: TransactionId;
    readonly amount: Amount;
    readonly resultCode: string;
    readonly source: ChargebackSource;
  }
>;

/** Who reported a chargeback. */
export type ChargebackSource = 'merchant' | 'settlement';

/** An approval came after the end; it will be undone and never becomes a success (D-27). */
export type LateApprovalReceived = Recorded<
  'LateApprovalReceived',
  { readonly transactionId: TransactionId; readonly connectorTxId: string }
>;

/** Too late to reverse a late approval: a refund may be sent under this reference (D-27). */
export type LateApprovalRefundRequested = Recorded<
  'LateApprovalRefundRequested',
  { readonly transactionId: TransactionId; readonly request: AcquirerRequest }
>;

/** The late approval is undone: net 0. */
export type LateApprovalUndone = Recorded<
  'LateApprovalUndone',
  {
    readonly transactionId: TransactionId;
    readonly by: 'reversal' | 'refund';
    readonly connectorTxId: string;
  }
>;

/** The inquiry an hour after the end found nothing that would count (D-27). */
export type LateInquiryAnswered = Recorded<
  'LateInquiryAnswered',
  { readonly transactionId: TransactionId; readonly answer: LateAnswer }
>;

/** Recovery has done all it may; an operator has to look (R-UNK-04). */
export type CaseOpened = Recorded<
  'CaseOpened',
  { readonly transactionId: TransactionId; readonly reason: CaseReason; readonly amount: Amount }
>;

/** Everything that can have happened to a payment. */
export type PaymentEvent =
  | PaymentInitiated
  | TransactionRequested
  | TransactionRejected
  | TransactionApproved
  | TransactionDeclined
  | TransactionPending
  | TransactionNotPerformed
  | TransactionOutcomeUnknown
  | UnknownTransactionReversed
  | ChargebackReceived
  | ChargebackReversed
  | LateApprovalReceived
  | LateApprovalRefundRequested
  | LateApprovalUndone
  | LateInquiryAnswered
  | CaseOpened;

/** The name of an event. */
export type PaymentEventType = PaymentEvent['type'];

/** Whether the outcome can still go either way, so that its amount counts as used. */
export function isOpen(status: TransactionStatus): boolean {
  return status === 'requested' || status === 'pending' || status === 'unknown';
}
