import type { EntityId } from '@sluice/identifiers';
import type { WebhookSecret } from '@sluice/secrets';
import type {
  NotificationFields,
  NotificationType,
  NotificationWrapper,
} from './subscription-events.js';

/** What a seed file says of a receiver of notifications. */
export interface SeededWebhook {
  /** Of the account tree: it is told of what happens there and below. */
  readonly nodeId: EntityId;
  readonly url: string;
  readonly secret: WebhookSecret;
  readonly types: readonly NotificationType[];
  readonly fields: NotificationFields;
  readonly wrapper: NotificationWrapper;
}

/** A node of the account tree, which then has exactly these receivers by seed. */
export interface SeededReceivers {
  readonly nodeId: EntityId;
  readonly webhooks: readonly Omit<SeededWebhook, 'nodeId'>[];
}
