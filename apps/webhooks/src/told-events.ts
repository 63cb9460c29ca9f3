import {
  type Message,
  type NotificationType,
  type Operation,
  type PaymentEventMetadata,
  type PaymentEventName,
  paymentEvents,
  type PublishedEventData,
  registrationEvents,
  scheduleEvents,
} from '@sluice/contracts';
import type { RegistrationAction } from '@sluice/domain-webhooks';
import {
  isTransactionId,
  type EntityId,
  isEntityId,
  type TransactionId,
} from '@sluice/identifiers';

/** Something that happened, and that merchants may be told of. */
export interface ToldEvent {
  readonly type: NotificationType;
  /** The stream: what happens to it is told in order. */
  readonly objectId: string;
  /** Of the event in it. */
  readonly sequence: number;
  /** What it is about: a transaction, a registration, or a schedule. */
  readonly transactionId: TransactionId;
  readonly entityId: EntityId;
  /** The request id that support follows. */
  readonly ndc: string;
  /** Milliseconds since the epoch. */
  readonly happenedAtMs: number;
  /** Of a registration. */
  readonly action?: RegistrationAction;
  /** It does not say whether a shopper was authenticated (PAYMENT), or rules were asked (RISK). */
  readonly mayBeRisk?: true;
}

/** A message that nobody can tell of: not an event, or one of a later release. */
export type Untellable = 'malformed' | 'unknownType';

/**
 * Whether an event changes what the gateway answers of its transaction. A request alone does not: its merchant
 * waits for the answer, and what follows is told. A lost answer does not either: it looks pending as before.
 */
const tells: Readonly<Record<PaymentEventName, boolean>> = {
  PaymentInitiated: false,
  RiskAssessed: false,
  AuthenticationPending: true,
  AuthenticationCompleted: false,
  AuthorizationRequested: false,
  StandaloneCompleted: true,
  ReviewDecided: false,
  TransactionRerouted: false,
  TransactionRequested: false,
  TransactionRejected: true,
  TransactionApproved: true,
  TransactionDeclined: true,
  TransactionPending: true,
  TransactionNotPerformed: true,
  TransactionOutcomeUnknown: false,
  UnknownTransactionReversed: true,
  ChargebackReceived: true,
  ChargebackReversed: true,
  LateApprovalReceived: false,
  LateApprovalRefundRequested: false,
  LateApprovalUndone: false,
  LateInquiryAnswered: false,
  CaseOpened: false,
};

/** What an event of payments tells of; undefined: nothing. */
export function toldByPayment(message: Message): ToldEvent | Untellable | undefined {
  const { type } = message;
  if (!Object.hasOwn(paymentEvents, type)) return 'unknownType';
  if (!tells[type as PaymentEventName]) return undefined;
  const happened = happeningOf(message);
  if (happened === undefined) return 'malformed';
  const { transactionId, operation } = happened.event;
  if (typeof transactionId !== 'string' || !isTransactionId(transactionId)) return 'malformed';
  return {
    type: operation === ('riskAssessment' satisfies Operation) ? 'RISK' : 'PAYMENT',
    ...{ ...happened.place, transactionId },
    ...(type === 'StandaloneCompleted' && { mayBeRisk: true }),
  };
}

/**
 * What becomes of a registration; one that is made is told of once it can be used: its details may be kept
 * while the payment that it belongs to is not decided.
 */
const actions: Readonly<Record<keyof typeof registrationEvents, RegistrationAction | undefined>> = {
  RegistrationRequested: undefined,
  RegistrationRejected: undefined,
  DetailsKept: 'CREATED',
  ExistingFound: undefined,
  PaymentAwaited: undefined,
  DetailsNotKept: undefined,
  RegistrationConfirmed: 'CREATED',
  RegistrationAbandoned: undefined,
  UpdateRequested: undefined,
  RegistrationUpdated: 'UPDATED',
  RegistrationNotUpdated: undefined,
  LifeExtended: 'UPDATED',
  RegistrationDeleted: 'DELETED',
  RegistrationExpired: 'DELETED',
  DetailsForgotten: undefined,
};

/** What an event of registrations tells of; undefined: nothing. */
export function toldByRegistration(message: Message): ToldEvent | Untellable | undefined {
  const { type } = message;
  if (!Object.hasOwn(registrationEvents, type)) return 'unknownType';
  const action = actions[type as keyof typeof registrationEvents];
  if (action === undefined) return undefined;
  const happened = happeningOf(message);
  if (happened === undefined) return 'malformed';
  const { place } = happened;
  return { type: 'REGISTRATION', ...place, transactionId: place.objectId, action };
}

/**
 * Whether an event changes what the gateway answers of its schedule. A run is told of once it has ended, beside
 * its payment (wire contract 6); what is cancelled or ends, does so because of something that is told.
 */
const tellsOfSchedule: Readonly<Record<keyof typeof scheduleEvents, boolean>> = {
  ScheduleCreated: true,
  ScheduleRejected: false,
  ScheduleRescheduled: true,
  ScheduleDescheduled: true,
  ScheduleDeleted: true,
  RunDue: false,
  RunsSkipped: true,
  RunStarted: false,
  RunPerformed: true,
  RunFailed: true,
  RunCancelled: false,
  RecoveryPlanned: true,
  RecoveryEnded: false,
  ScheduleEnded: false,
};

/** What an event of scheduling tells of: always the schedule itself; undefined: nothing. */
export function toldBySchedule(message: Message): ToldEvent | Untellable | undefined {
  const { type } = message;
  if (!Object.hasOwn(scheduleEvents, type)) return 'unknownType';
  if (!tellsOfSchedule[type as keyof typeof scheduleEvents]) return undefined;
  const happened = happeningOf(message);
  if (happened === undefined) return 'malformed';
  const { place } = happened;
  return { type: 'SCHEDULE', ...place, transactionId: place.objectId };
}

/** What every event of ours says of itself. */
export interface Happening {
  readonly place: Pick<ToldEvent, 'sequence' | 'entityId' | 'ndc' | 'happenedAtMs'> & {
    readonly objectId: TransactionId;
  };
  readonly event: { readonly transactionId?: unknown; readonly operation?: unknown };
  readonly hasNotificationUrl: boolean;
}

/** Undefined for what no service of ours has published. */
export function happeningOf({ data }: Message): Happening | undefined {
  const { streamId, version, recordedAtMs, event, metadata } = (data ??
    {}) as Partial<PublishedEventData>;
  const { entityId, ndc, hasNotificationUrl } = (metadata ?? {}) as Partial<
    Record<keyof PaymentEventMetadata, unknown>
  >;
  if (typeof streamId !== 'string' || !isTransactionId(streamId)) return undefined;
  if (!Number.isSafeInteger(version) || version === undefined || version < 1) return undefined;
  if (typeof recordedAtMs !== 'number' || !Number.isFinite(recordedAtMs)) return undefined;
  if (typeof entityId !== 'string' || !isEntityId(entityId)) return undefined;
  if (typeof ndc !== 'string') return undefined;
  const place = { objectId: streamId, sequence: version, happenedAtMs: recordedAtMs };
  return {
    ...{ place: { ...place, entityId, ndc }, event: event ?? {} },
    hasNotificationUrl: hasNotificationUrl === true,
  };
}
