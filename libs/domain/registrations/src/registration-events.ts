import {
  type DomainEvent,
  eventCodec,
  type RegistrationEventMetadata,
  registrationEvents,
} from '@sluice/contracts';

/** Everything that can have happened to a registration, as the contracts declare it. */
export type RegistrationEvent = DomainEvent<typeof registrationEvents, RegistrationEventMetadata>;

/** Converts these events for the store and back. */
export const registrationEventCodec = eventCodec<
  typeof registrationEvents,
  RegistrationEventMetadata
>(registrationEvents);
