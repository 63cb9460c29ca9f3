import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { CardChecks } from './card-checks.js';
import type { AmountMessage, Message } from './messages.js';
import type {
  CardSummary,
  InitialOperation,
  Mode,
  ReferenceOperation,
  UnservedMethod,
} from './payments.js';

/** Who asked and when: the same for all events of one transaction. */
export interface PaymentEventMetadata {
  /** When it was decided, milliseconds since the epoch, by the clock of the deciding process. */
  readonly recordedAtMs: number;
  readonly entityId: EntityId;
  readonly channelName: string;
  /** The request id that support follows. */
  readonly ndc: string;
  readonly mode: Mode;
  /** The id of the access token's node, never the token. */
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** The work that decided it, as W3C has it; only where its trace is recorded. */
  readonly traceparent?: string;
}

/** That something may have been sent to an acquirer, and its reference there (D-24). */
export interface PublishedAcquirerRequest {
  readonly connector: string;
  readonly acquirerReference: string;
  /** When the caller gave up at the latest, milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/** Parameters kept with a transaction. */
export interface PublishedParameters {
  /** By wire name; never card data, secrets or personal data. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Personal parameters, sealed; `payments.personalParameters` opens them. */
  readonly personal?: string;
}

/** Any operation on a payment. */
export type PublishedOperation = InitialOperation | ReferenceOperation;

/** What an acquirer says about a transaction it did not refuse to answer. */
interface AcquirerAnswer extends CardChecks {
  readonly transactionId: TransactionId;
  readonly resultCode: string;
  readonly connectorTxId?: string;
  /** `resultDetails.*` by name without prefix (Interface 2.2). */
  readonly resultDetails?: Readonly<Record<string, string>>;
}

/** A chargeback, or its reversal. */
interface IssuerFact extends PublishedParameters {
  readonly transactionId: TransactionId;
  readonly referencedId: TransactionId;
  readonly amount: AmountMessage;
  readonly resultCode: string;
  readonly source: 'merchant' | 'settlement';
}

/**
 * The data of each event that payments publishes, by its type. The stored events themselves, one
 * for one: card numbers, security codes and clear personal data are in none of them. Amounts are
 * minor units as decimal strings. Fields may be added; a meaning never changes (D-18).
 */
export interface PaymentEvents {
  /** A payment was opened; with `request` it may have been sent to the acquirer. */
  readonly PaymentInitiated: PublishedParameters & {
    readonly transactionId: TransactionId;
    readonly operation: InitialOperation;
    readonly amount: AmountMessage;
    readonly card: CardSummary;
    readonly numberOfCaptures?: number;
    readonly request?: PublishedAcquirerRequest;
  };
  /** An operation on an earlier transaction was accepted. */
  readonly TransactionRequested: PublishedParameters & {
    readonly transactionId: TransactionId;
    readonly referencedId: TransactionId;
    readonly operation: ReferenceOperation;
    readonly amount: AmountMessage;
    readonly final: boolean;
    /** Reauthorization only: the open remainder it gives back when it succeeds (D-33). */
    readonly releases?: AmountMessage;
    readonly request?: PublishedAcquirerRequest;
  };
  /** Refused before asking anyone; also the first event of a refused payment (D-29, D-37). */
  readonly TransactionRejected: PublishedParameters & {
    readonly transactionId: TransactionId;
    readonly operation: PublishedOperation;
    readonly resultCode: string;
    readonly referencedId?: TransactionId;
    readonly amount?: AmountMessage;
    readonly card?: CardSummary;
    /** Of a payment that is not by card. */
    readonly method?: UnservedMethod;
    /** In place of the code's own text. */
    readonly resultDescription?: string;
  };
  /** The acquirer said yes. */
  readonly TransactionApproved: AcquirerAnswer & { readonly connectorTxId: string };
  /** The acquirer said no. */
  readonly TransactionDeclined: AcquirerAnswer;
  /** The acquirer will decide later. */
  readonly TransactionPending: AcquirerAnswer;
  /** Nothing happened at the acquirer; `reason` is a word for operators. */
  readonly TransactionNotPerformed: {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly reason: string;
  };
  /** The answer was lost; the amount counts as used until it is found out (D-24 to D-28). */
  readonly TransactionOutcomeUnknown: {
    readonly transactionId: TransactionId;
    readonly reason: string;
  };
  /** What may have been booked was undone by its reference (D-27). */
  readonly UnknownTransactionReversed: {
    readonly transactionId: TransactionId;
    readonly resultCode: string;
    readonly connectorTxId: string;
  };
  /** The issuer took money back (D-32). */
  readonly ChargebackReceived: IssuerFact & {
    /** What it takes beyond the captured rest; only settlement files may do so (D-31). */
    readonly excess?: AmountMessage;
  };
  /** The issuer gave money of a chargeback back. */
  readonly ChargebackReversed: IssuerFact;
  /** An approval came after the end; it is undone and never a success (D-27). */
  readonly LateApprovalReceived: {
    readonly transactionId: TransactionId;
    readonly connectorTxId: string;
  };
  /** A late approval, too old to be reversed, may have been refunded under this reference. */
  readonly LateApprovalRefundRequested: {
    readonly transactionId: TransactionId;
    readonly request: PublishedAcquirerRequest;
  };
  /** A late approval is undone: net 0. */
  readonly LateApprovalUndone: {
    readonly transactionId: TransactionId;
    readonly by: 'reversal' | 'refund';
    readonly connectorTxId: string;
  };
  /** The inquiry an hour after the end found nothing that counts (D-27). */
  readonly LateInquiryAnswered: {
    readonly transactionId: TransactionId;
    readonly answer: 'notFound' | 'declined' | 'reversed';
  };
  /** Recovery has done all it may; an operator has to look. */
  readonly CaseOpened: {
    readonly transactionId: TransactionId;
    readonly reason: string;
    readonly amount: AmountMessage;
  };
}

/** The name of a published event. */
export type PaymentEventName = keyof PaymentEvents;

/** What a published event carries: a recorded event and its place. */
export interface PaymentEventData<Type extends PaymentEventName = PaymentEventName> {
  /** The id of the payment's first transaction; the message's key. */
  readonly streamId: string;
  /** 1, 2, 3, … within a stream, without a hole: a reader that sees one has missed an event. */
  readonly version: number;
  /** When it was recorded, milliseconds since the epoch, by the database's clock. */
  readonly recordedAtMs: number;
  /** Of the store; another one after a restore: rebuild from the store (D-23). */
  readonly incarnation: string;
  readonly event: PaymentEvents[Type];
  readonly metadata: PaymentEventMetadata;
}

/** A message of the topic `payments.payment.v1`; its id is the recorded event's own (D-06). */
export type PublishedPaymentEvent = {
  readonly [Type in PaymentEventName]: Message<Type, PaymentEventData<Type>>;
}[PaymentEventName];

/** The query `payments.streamEvents`: what a reader of the topic has missed (R-ES-06). */
export interface StreamEventsQuery {
  readonly streamId: string;
  readonly afterVersion: number;
}

/** Events in one answer of `payments.streamEvents`; whoever gets as many asks on. */
export const STREAM_EVENTS_MAX = 500;

/** Its answer, in order; empty when there is nothing newer, or no such stream. */
export interface StreamEventsAnswer {
  readonly events: readonly PublishedPaymentEvent[];
}

/** The query `payments.streamHeads`: which streams have changed, to compare with one's own (D-21). */
export interface StreamHeadsQuery {
  /** `next` of the answer before, which the reader keeps with its data; absent: from the start. */
  readonly after?: string;
  /** Events to look at, at most STREAM_HEADS_MAX. */
  readonly limit: number;
  /** Younger ones are left for the next time: they may still be on their way over the topic. */
  readonly olderThanMs: number;
  /**
   * All that can be seen now, even where an earlier commit may yet come between; `next` then stays
   * before that, so that such changes come again. `olderThanMs` is not looked at.
   */
  readonly now?: true;
}

/** What one query for heads may look at. */
export const STREAM_HEADS_MAX = 10_000;

/** Its answer. */
export interface StreamHeadsAnswer {
  /** Each stream that has changed, once, with the version it had reached at `next`. */
  readonly heads: readonly { readonly streamId: string; readonly version: number }[];
  /** Opaque; to be passed as `after` of the next query. */
  readonly next: string;
  /** Whether to ask on at once. */
  readonly more: boolean;
  /** Of the store; a cursor of another one is worth nothing (D-23). */
  readonly incarnation: string;
}

/**
 * The query `payments.referenceHeads`: the payments in which an entity has a transaction with this
 * merchant's own id, and how far they have come.
 */
export interface ReferenceHeadsQuery {
  readonly entityId: EntityId;
  readonly merchantTransactionId: string;
}

/** Its answer. */
export interface ReferenceHeadsAnswer {
  /** Perhaps of a few other payments as well. */
  readonly heads: readonly { readonly streamId: string; readonly version: number }[];
  /** Whether there are more than one answer has. */
  readonly more: boolean;
  /** Of the store. */
  readonly incarnation: string;
}

/** The query `payments.personalParameters`: opens what published events carry sealed (D-22). */
export interface PersonalParametersQuery {
  /** At most PERSONAL_PARAMETERS_MAX. */
  readonly items: readonly SealedParameters[];
}

/** Blocks opened by one query. */
export const PERSONAL_PARAMETERS_MAX = 500;

/** A sealed block and where it belongs; it opens nowhere else. */
export interface SealedParameters {
  readonly streamId: string;
  readonly transactionId: string;
  /** The event's `personal`. */
  readonly sealed: string;
}

/** Its answer: one block for each item, in their order. */
export interface PersonalParametersAnswer {
  readonly blocks: readonly PersonalBlock[];
}

/** `erased`: the key was destroyed, and with it the data. `unreadable`: it is none of this payment. */
export interface PersonalBlock {
  readonly state: 'opened' | 'erased' | 'unreadable';
  /** By wire name; empty unless opened. */
  readonly personal: Readonly<Record<string, string>>;
}
