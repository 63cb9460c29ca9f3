import {
  type caseReasons,
  type chargebackSources,
  type DomainEvents,
  eventCodec,
  type lateAnswers,
  type notPerformedReasons,
  type PaymentEventMetadata,
  paymentEvents,
  type TransactionStatus,
} from '@sluice/contracts';

type Events = DomainEvents<typeof paymentEvents, PaymentEventMetadata>;

/** The name of an event. */
export type PaymentEventType = keyof Events;

/**
 * Everything that can have happened to a payment, as `paymentEvents` in the contracts declares it.
 */
export type PaymentEvent = Events[PaymentEventType];

/** One of these events. */
export type PaymentEventOf<Type extends PaymentEventType> = Events[Type];

/** Who asked and when; stored beside the event, the same for all events of one transaction. */
export type EventMetadata = PaymentEventMetadata;

/**
 * That something may be sent to an acquirer, and by which reference it can be asked about (D-24).
 * A request event without it proves that nothing was ever sent.
 */
export type AcquirerRequest = Events['LateApprovalRefundRequested']['data']['request'];

/** Which way a payment took, and why. */
export type RouteTaken = Events['TransactionRerouted']['data']['route'];

/** Why another attempt follows one: nothing was performed, or its acquirer declined. */
export type RerouteReason = Events['TransactionRerouted']['data']['reason'];

/** What an acquirer said when it declined an attempt that another one follows. */
export type Decline = NonNullable<Events['TransactionRerouted']['data']['decline']>;

/** What the rules of risk said. */
export type RiskAssessed = Events['RiskAssessed']['data'];

/** An authentication that a payment waits for. */
export type AuthenticationPending = Events['AuthenticationPending']['data'];

/** An authentication that has ended. */
export type AuthenticationCompleted = Events['AuthenticationCompleted']['data'];

/** What was decided under review. */
export type ReviewDecision = Events['ReviewDecided']['data']['decision'];

/** `resultDetails.*` by name without prefix (Interface 2.2). */
export type ResultDetails = Readonly<Record<string, string>>;

/** Why nothing was performed. Only after `notFound` could something arrive late (D-27). */
export type NotPerformedReason = (typeof notPerformedReasons)[number];

/** Why an operator has to look: closed by recorded evidence alone (R-UNK-04). */
export type CaseReason = (typeof caseReasons)[number];

/** What the inquiry an hour after the end said (D-27). */
export type LateAnswer = (typeof lateAnswers)[number];

/** Who reported a chargeback. */
export type ChargebackSource = (typeof chargebackSources)[number];

/** Parameters to keep with a transaction; `personal` is a sealed block, never clear text. */
export interface KeptParameters {
  readonly parameters: Readonly<Record<string, string>>;
  /** AES-256-GCM under the payment's own key, base64. */
  readonly personal?: string;
}

/** Converts these events for the store and back. */
export const paymentEventCodec = eventCodec<typeof paymentEvents, PaymentEventMetadata>(
  paymentEvents,
);

/** Whether the outcome can still go either way, so that its amount counts as used. */
export function isOpen(status: TransactionStatus): boolean {
  return status === 'requested' || status === 'pending' || status === 'unknown';
}
