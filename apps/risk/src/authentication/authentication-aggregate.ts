import { type Aggregate, type Stream, type Streams, type StreamWriter } from '@sluice/aggregates';
import {
  type AuthenticationCommand,
  authenticationDecider,
  type AuthenticationEvent,
  authenticationEventCodec,
  type AuthenticationState,
  dueAtMs,
} from '@sluice/domain-three-d-secure';

/** An authentication that somebody in this process is working on. */
export type AuthenticationStream = Stream<AuthenticationState>;
/** All of them. */
export type AuthenticationStreams = Streams<AuthenticationState>;
/** The only way in which anything is recorded about an authentication. */
export type AuthenticationWriter = StreamWriter<
  AuthenticationCommand,
  AuthenticationState,
  AuthenticationEvent
>;

/** Authentications as the write path knows them: each is due until it is over. */
export const authenticationAggregate: Aggregate<
  AuthenticationCommand,
  AuthenticationState,
  AuthenticationEvent
> = { decider: authenticationDecider, codec: authenticationEventCodec, dueAtMs };
