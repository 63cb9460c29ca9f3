import type { NotificationFields, NotificationType, RunSource } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { type AnswerFields, customerData, neverNotified, without } from './customer-data.js';

/** What has become of a registration (Interface 6). */
export type RegistrationAction = 'CREATED' | 'UPDATED' | 'DELETED';

/** Whom a payment was asked by: a merchant or shopper, a schedule, or a plan of ours after a decline. */
export type NotificationSource = 'SYSTEM' | RunSource;

/** What a notification is about, with what its type alone has (wire contract 9). */
export type Notified =
  | {
      readonly type: 'PAYMENT';
      readonly source: NotificationSource;
      /** As the shopper saw it, where that differs from what was charged. */
      readonly presentation?: { readonly amount: string; readonly currency: string };
    }
  | { readonly type: 'REGISTRATION'; readonly action: RegistrationAction }
  | { readonly type: 'SCHEDULE'; readonly source: RunSource }
  | { readonly type: 'RISK'; readonly referencedId?: TransactionId };

/** Everything that a notification says. */
export interface Notification {
  readonly notified: Notified;
  /**
   * What the gateway answers of the same object as of the event, never later (R-WH-07): the JSON of
   * `GET /v1/payments/{id}` and its like, with the event's time as its `timestamp`. It is composed where
   * answers are, and nowhere else.
   */
  readonly answer: AnswerFields;
  readonly entityId: EntityId;
  readonly channelName: string;
  /** Of the object: a receiver can leave aside what has a lower one than it has seen (R-WH-07). */
  readonly sequence: number;
}

/** The call by which a receiver shows that it is there; two clients know it by its small letters. */
export const TEST_TEXT = JSON.stringify({ type: 'test', payload: {} });

/** The text that is encrypted: `type`, `action` with registrations alone, and `payload` (wire contract 9). */
export function notificationText(notification: Notification, fields: NotificationFields): string {
  const { notified } = notification;
  const action = notified.type === 'REGISTRATION' ? { action: notified.action } : {};
  const payload = payloadOf(notification, fields);
  return JSON.stringify({ type: notified.type satisfies NotificationType, ...action, payload });
}

function payloadOf(
  { notified, answer, entityId, channelName, sequence }: Notification,
  fields: NotificationFields,
): AnswerFields {
  const told = without(answer, neverNotified);
  return {
    ...(fields === 'ALL' ? told : without(told, customerData)),
    ...ofType(notified),
    ...{ authentication: { entityId }, channelName, sequence },
  };
}

/** Beside the answer, which names its payment type and, of payments, its method, short id and reference. */
function ofType(notified: Notified): AnswerFields {
  switch (notified.type) {
    case 'PAYMENT': {
      const { source, presentation } = notified;
      if (presentation === undefined) return { source };
      const { amount, currency } = presentation;
      return { source, presentationAmount: amount, presentationCurrency: currency };
    }
    case 'REGISTRATION':
      return { source: 'SYSTEM' };
    case 'SCHEDULE':
      return { paymentType: 'SD', source: notified.source };
    case 'RISK': {
      const { referencedId } = notified;
      const reference = referencedId === undefined ? {} : { referencedId };
      return { paymentType: 'RI', source: 'SYSTEM', paymentMethod: 'RM', ...reference };
    }
  }
}
