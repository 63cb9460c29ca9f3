import type { EntityId } from '@sluice/identifiers';
import { eventTable } from './event-table.js';
import { closed, described, flag, formed, integer, listOf, oneOf, text } from './schema.js';

/** Who changed a subscription, and when. */
export interface SubscriptionEventMetadata {
  /** When it was decided, milliseconds since the epoch, by the clock of the deciding process. */
  readonly recordedAtMs: number;
  /** `seed` for what an installation reads from its seed file, `receiver` for what an answer has caused. */
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
}

/** What merchants are told of, as notifications name it (wire contract 9). */
export const notificationTypes = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;
/** One of them. */
export type NotificationType = (typeof notificationTypes)[number];

/** How much of an object a subscription is told. */
export const notificationFields = ['ALL', 'NON_CUSTOMER_DATA'] as const;
/** One of them. */
export type NotificationFields = (typeof notificationFields)[number];

/** How the encrypted text is sent: as it is, or within JSON (wire contract D9). */
export const notificationWrappers = ['none', 'JSON'] as const;
/** One of them. */
export type NotificationWrapper = (typeof notificationWrappers)[number];

/** Why nobody is called any more: a person wants it so, or the receiver has answered 410. */
export const disablingReasons = ['asked', 'gone'] as const;
/** One of them. */
export type DisablingReason = (typeof disablingReasons)[number];

const subscriptionId = formed('^[0-9a-f]{32}$', "The stream's id.");
const nodeId = formed<EntityId>('^[0-9a-f]{32}$');
const secretId = formed('^[0-9a-f]{32}$', 'By which one secret is told from others.');
const sealedSecret = described(
  text,
  'The secret, sealed under the key of the installation: AES-256-GCM, base64.',
);
const statusCode = described(integer, 'Of HTTP; 0 if nothing was answered.');
const url = described(text, 'Where the receiver is.');
const terms = {
  types: listOf(oneOf(notificationTypes), 'What it is told of.'),
  fields: oneOf(notificationFields),
  wrapper: oneOf(notificationWrappers),
};
const alertEmails = described(
  text,
  'Whom its failures are mailed to, sealed like the secret; an empty text: nobody.',
);

/**
 * Everything that can have happened to a subscription of webhooks (wire contract 9). What became of its
 * deliveries is not in here: there are too many of them, and none is kept for ever.
 */
export const subscriptionEvents = eventTable({
  SubscriptionAdded: {
    version: 1,
    description:
      'A receiver is to be told of what happens at a node of the account tree and below it, once it has answered a test.',
    data: closed(
      { subscriptionId, nodeId, url, ...terms, secretId, sealedSecret },
      { alertEmails },
    ),
  },
  SubscriptionTested: {
    version: 1,
    description:
      'A receiver was called with a test. What it has acknowledged is active from now on.',
    data: closed({ subscriptionId, url, statusCode, isAcknowledged: flag }),
  },
  SubscriptionTrusted: {
    version: 1,
    description: 'It is active without a test, because the installation says so: a sandbox.',
    data: closed({ subscriptionId }),
  },
  SubscriptionChanged: {
    version: 1,
    description:
      'Other terms hold from now on. A new address is not called before it has answered a test; until then the one before is.',
    data: closed({ subscriptionId }, { url, ...terms, alertEmails }),
  },
  SecretRotated: {
    version: 1,
    description: 'There is a new secret; the one before may be used for a while.',
    data: closed({
      subscriptionId,
      secretId,
      sealedSecret,
      overlapEndsAtMs: described(
        integer,
        'Until when the one before may be used, milliseconds since the epoch.',
      ),
    }),
  },
  SecretConfirmed: {
    version: 1,
    description: 'The receiver has acknowledged what was encrypted with its new secret.',
    data: closed({ subscriptionId, secretId }),
  },
  SubscriptionPaused: {
    version: 1,
    description: 'Nothing is sent for now; what there is to be told of waits.',
    data: closed({ subscriptionId }),
  },
  SubscriptionResumed: {
    version: 1,
    description: 'What has waited is sent, and what comes.',
    data: closed({ subscriptionId }),
  },
  SubscriptionDisabled: {
    version: 1,
    description: 'Nothing is sent and nothing waits, until the receiver answers a test again.',
    data: closed({ subscriptionId, reason: oneOf(disablingReasons) }),
  },
  SubscriptionRemoved: {
    version: 1,
    description: 'There is no such subscription any more.',
    data: closed({ subscriptionId }),
  },
});
