import {
  type Aggregate,
  stateOf,
  type Stream,
  type Streams,
  type StreamWriter,
} from '@sluice/aggregates';
import {
  type CheckoutCommand,
  checkoutDecider,
  type CheckoutEvent,
  checkoutEventCodec,
  type CheckoutState,
  dueAtMs,
  type RecoveryPauses,
} from '@sluice/domain-checkouts';
import type { EventStore, RecordedEvent } from '@sluice/event-store';

/** A checkout that somebody in this process is working on. */
export type CheckoutStream = Stream<CheckoutState>;
/** All of them. */
export type CheckoutStreams = Streams<CheckoutState>;
/** The only way in which anything is recorded about a checkout. */
export type CheckoutWriter = StreamWriter<CheckoutCommand, CheckoutState, CheckoutEvent>;

/** The part of the event store that one checkout needs. */
export type CheckoutStore = Pick<
  EventStore,
  'read' | 'readByTransaction' | 'personalKeys' | 'schedule'
>;

const rules = { decider: checkoutDecider, codec: checkoutEventCodec };

/**
 * Checkouts as the write path knows them. Nothing is due for one that nobody has submitted: it ends
 * by the clock alone (page 0064).
 */
export function checkoutAggregate(
  pauses: RecoveryPauses,
): Aggregate<CheckoutCommand, CheckoutState, CheckoutEvent> {
  return { ...rules, dueAtMs: (state, nowMs) => dueAtMs(state, nowMs, pauses) };
}

/** A checkout from its recorded events. @throws NewerWriter */
export function checkoutOf(events: readonly RecordedEvent[]): CheckoutState {
  return stateOf(rules, events);
}
