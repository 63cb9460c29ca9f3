import {
  type Aggregate,
  stateOf,
  type Stream,
  type Streams,
  type StreamWriter,
} from '@sluice/aggregates';
import {
  dueAtMs,
  type RecoveryPauses,
  type RegistrationCommand,
  registrationDecider,
  type RegistrationEvent,
  registrationEventCodec,
  type RegistrationStreamState,
} from '@sluice/domain-registrations';
import type { EventStore, RecordedEvent } from '@sluice/event-store';

/** A registration that somebody in this process is working on. */
export type RegistrationStream = Stream<RegistrationStreamState>;
/** All of them. */
export type RegistrationStreams = Streams<RegistrationStreamState>;
/** The only way in which anything is recorded about a registration. */
export type RegistrationWriter = StreamWriter<
  RegistrationCommand,
  RegistrationStreamState,
  RegistrationEvent
>;

/** The part of the event store that one registration needs. */
export type RegistrationStore = Pick<
  EventStore,
  | 'append'
  | 'read'
  | 'readByTransaction'
  | 'personalKeys'
  | 'claimDueStreams'
  | 'schedule'
  | 'idempotency'
>;

const rules = { decider: registrationDecider, codec: registrationEventCodec };

/** Registrations as the write path knows them. */
export function registrationAggregate(
  pauses: RecoveryPauses,
): Aggregate<RegistrationCommand, RegistrationStreamState, RegistrationEvent> {
  return { ...rules, dueAtMs: (state, nowMs) => dueAtMs(state, nowMs, pauses) };
}

/** A registration from its recorded events. @throws NewerWriter */
export function registrationOf(events: readonly RecordedEvent[]): RegistrationStreamState {
  return stateOf(rules, events);
}
