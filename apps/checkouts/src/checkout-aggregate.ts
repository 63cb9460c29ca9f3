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
import type { SetClocks } from '@sluice/service';

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
 * @param clocks by which dates are said where an entity has one
 */
export function checkoutAggregate(
  pauses: RecoveryPauses,
  clocks: SetClocks,
): Aggregate<CheckoutCommand, CheckoutState, CheckoutEvent> {
  return {
    ...rules,
    dueAtMs: (state, machineMs) => {
      const aheadMs = state === undefined ? 0 : clocks.aheadMs(state.metadata.entityId);
      if (state === undefined || aheadMs === 0) return dueAtMs(state, machineMs, pauses);
      const nowMs = machineMs + aheadMs;
      return dueAtMs(state, nowMs, stretched(pauses, nowMs - state.createdAtMs));
    },
  };
}

/** A look is so small a part of the age that a month is passed in dozens of them. */
const LOOKS_OF_AGE = 4;

/** Who moves a clock waits for each look on the way, and others may decide an attempt by another clock. */
function stretched({ attemptMs, openMs }: RecoveryPauses, ageMs: number): RecoveryPauses {
  const leastMs = ageMs / LOOKS_OF_AGE;
  return { attemptMs: Math.max(attemptMs, leastMs), openMs: Math.max(openMs, leastMs) };
}

/** A checkout from its recorded events. @throws NewerWriter */
export function checkoutOf(events: readonly RecordedEvent[]): CheckoutState {
  return stateOf(rules, events);
}
