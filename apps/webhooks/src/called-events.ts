import {
  type Message,
  type PaymentEventName,
  paymentEvents,
  registrationEvents,
} from '@sluice/contracts';
import type { CalledObject } from '@sluice/domain-webhooks';
import { isTransactionId } from '@sluice/identifiers';
import { happeningOf, type ToldEvent } from './told-events.js';

/** Something that is final, and that the request's own `notificationUrl` is told of (wire contract 5). */
export interface CalledEvent extends Omit<ToldEvent, 'type' | 'action' | 'mayBeRisk'> {
  readonly type: CalledObject['type'];
}

/** Whether an event ends what was asked for: until then nobody is called. */
const endsPayment: Readonly<Record<PaymentEventName, boolean>> = {
  PaymentInitiated: false,
  RiskAssessed: false,
  AuthenticationPending: false,
  AuthenticationCompleted: false,
  AuthorizationRequested: false,
  StandaloneCompleted: true,
  ReviewDecided: false,
  TransactionRerouted: false,
  TransactionRequested: false,
  TransactionRejected: true,
  TransactionApproved: true,
  TransactionDeclined: true,
  TransactionPending: false,
  TransactionNotPerformed: true,
  TransactionOutcomeUnknown: false,
  UnknownTransactionReversed: true,
  ChargebackReceived: false,
  ChargebackReversed: false,
  LateApprovalReceived: false,
  LateApprovalRefundRequested: false,
  LateApprovalUndone: false,
  LateInquiryAnswered: false,
  CaseOpened: false,
};

/** One that belongs to a payment is told of with that, so it has no address of its own. */
const endsRegistration: Readonly<Record<keyof typeof registrationEvents, boolean>> = {
  RegistrationRequested: false,
  RegistrationRejected: true,
  DetailsKept: true,
  ExistingFound: true,
  PaymentAwaited: false,
  DetailsNotKept: true,
  RegistrationConfirmed: false,
  RegistrationAbandoned: false,
  UpdateRequested: false,
  RegistrationUpdated: false,
  RegistrationNotUpdated: false,
  LifeExtended: false,
  RegistrationDeleted: false,
  RegistrationExpired: false,
  DetailsForgotten: false,
};

/** Whose `notificationUrl` an event of payments is for; undefined: nobody's, or it is malformed. */
export function calledByPayment(message: Message): CalledEvent | undefined {
  const { type } = message;
  if (!Object.hasOwn(paymentEvents, type) || !endsPayment[type as PaymentEventName]) {
    return undefined;
  }
  const happened = happeningOf(message);
  if (happened?.hasNotificationUrl !== true) return undefined;
  const { transactionId } = happened.event;
  if (typeof transactionId !== 'string' || !isTransactionId(transactionId)) return undefined;
  return { type: 'PAYMENT_CALL', ...happened.place, transactionId };
}

/** The same of an event of registrations. */
export function calledByRegistration(message: Message): CalledEvent | undefined {
  const { type } = message;
  const isEnd =
    Object.hasOwn(registrationEvents, type) &&
    endsRegistration[type as keyof typeof registrationEvents];
  if (!isEnd) return undefined;
  const happened = happeningOf(message);
  if (happened?.hasNotificationUrl !== true) return undefined;
  const { place } = happened;
  return { type: 'REGISTRATION_CALL', ...place, transactionId: place.objectId };
}
