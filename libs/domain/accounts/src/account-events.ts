import {
  type AccountEventMetadata,
  accountEvents,
  type DomainEvent,
  eventCodec,
} from '@sluice/contracts';

/** Everything that can have happened to a node, as `accountEvents` in the contracts declares it. */
export type AccountEvent = DomainEvent<typeof accountEvents, AccountEventMetadata>;

/** Converts these events for the store and back. */
export const accountEventCodec = eventCodec<typeof accountEvents, AccountEventMetadata>(
  accountEvents,
);
