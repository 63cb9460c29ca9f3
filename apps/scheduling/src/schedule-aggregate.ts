import {
  type Aggregate,
  stateOf,
  type Stream,
  type Streams,
  type StreamWriter,
} from '@sluice/aggregates';
import {
  dueAtMs,
  type ScheduleCommand,
  scheduleDecider,
  type ScheduleEvent,
  scheduleEventCodec,
  type ScheduleStreamState,
} from '@sluice/domain-scheduling';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import type { SetClocks } from '@sluice/service';

/** A schedule that somebody in this process is working on. */
export type ScheduleStream = Stream<ScheduleStreamState>;
/** All of them. */
export type ScheduleStreams = Streams<ScheduleStreamState>;
/** The only way in which anything is recorded about a schedule. */
export type ScheduleWriter = StreamWriter<ScheduleCommand, ScheduleStreamState, ScheduleEvent>;

/** The part of the event store that one schedule needs. */
export type ScheduleStore = Pick<
  EventStore,
  | 'append'
  | 'read'
  | 'readByTransaction'
  | 'readWithKey'
  | 'streamOf'
  | 'lookUp'
  | 'personalKeys'
  | 'schedule'
  | 'idempotency'
>;

const rules = { decider: scheduleDecider, codec: scheduleEventCodec };

/**
 * Schedules as the write path knows them.
 * @param leaseMs how long an open run belongs to whoever has it
 * @param clocks by which dates are said where an entity has one
 */
export function scheduleAggregate(
  leaseMs: number,
  clocks: SetClocks,
): Aggregate<ScheduleCommand, ScheduleStreamState, ScheduleEvent> {
  return {
    ...rules,
    dueAtMs: (state, nowMs) => {
      const aheadMs = state === undefined ? 0 : clocks.aheadMs(state.metadata.entityId);
      return dueAtMs(state, nowMs + aheadMs, leaseMs);
    },
    // Whoever has seen the plan of a try in an answer asks for it by its id.
    transactionIds: (events) =>
      events.flatMap((event) => (event.type === 'RecoveryPlanned' ? event.data.recoveryId : [])),
  };
}

/** A schedule from its recorded events. @throws NewerWriter */
export function scheduleOf(events: readonly RecordedEvent[]): ScheduleStreamState {
  return stateOf(rules, events);
}
