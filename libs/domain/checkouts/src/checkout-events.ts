import {
  type CheckoutEventMetadata,
  checkoutEvents,
  type DomainEvent,
  eventCodec,
} from '@sluice/contracts';

/** Everything that can have happened to a checkout, as the contracts declare it. */
export type CheckoutEvent = DomainEvent<typeof checkoutEvents, CheckoutEventMetadata>;

/** Converts these events for the store and back. */
export const checkoutEventCodec = eventCodec<typeof checkoutEvents, CheckoutEventMetadata>(
  checkoutEvents,
);
