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
import type { SetClocks } from '@sluice/service';

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

/**
 * Registrations as the write path knows them.
 * @param clocks by which dates are said where an entity has one
 */
export function registrationAggregate(
  pauses: RecoveryPauses,
  clocks: SetClocks,
): Aggregate<RegistrationCommand, RegistrationStreamState, RegistrationEvent> {
  return {
    ...rules,
    dueAtMs: (state, machineMs) => {
      const aheadMs = state === undefined ? 0 : clocks.aheadMs(state.metadata.entityId);
      return dueAtMs(state, machineMs + aheadMs, pauses);
    },
  };
}

/** A registration from its recorded events. @throws NewerWriter */
export function registrationOf(events: readonly RecordedEvent[]): RegistrationStreamState {
  return stateOf(rules, events);
}
