import {
  type AuthenticationEventMetadata,
  authenticationEvents,
  type DomainEvent,
  eventCodec,
} from '@sluice/contracts';

/** Everything that can have happened to an authentication, as the contracts declare it. */
export type AuthenticationEvent = DomainEvent<
  typeof authenticationEvents,
  AuthenticationEventMetadata
>;

/** Converts these events for the store and back. */
export const authenticationEventCodec = eventCodec<
  typeof authenticationEvents,
  AuthenticationEventMetadata
>(authenticationEvents);
