import {
  type DomainEvent,
  eventCodec,
  type SubscriptionEventMetadata,
  subscriptionEvents,
} from '@sluice/contracts';

/** Everything that can have happened to a subscription, as the contracts declare it. */
export type SubscriptionEvent = DomainEvent<typeof subscriptionEvents, SubscriptionEventMetadata>;

/** Converts these events for the store and back. */
export const subscriptionEventCodec = eventCodec<
  typeof subscriptionEvents,
  SubscriptionEventMetadata
>(subscriptionEvents);
