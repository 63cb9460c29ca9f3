import {
  type Aggregate,
  stateOf,
  type Stream,
  type Streams,
  type StreamWriter,
} from '@sluice/aggregates';
import {
  asExpired,
  initialTransaction,
  nextDue,
  type PaymentCommand,
  paymentDecider,
  type PaymentEvent,
  paymentEventCodec,
  type PaymentState,
  type RecoverySchedule,
  type Transaction,
} from '@sluice/domain-payments';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import type { SetClocks } from '@sluice/service';
import type { Connectors } from './connectors.js';
import { paymentMarks } from './payment-marks.js';

/** A payment that somebody in this process is working on. */
export type PaymentStream = Stream<PaymentState>;
/** All of them. */
export type PaymentStreams = Streams<PaymentState>;
/** The only way in which anything is recorded about a payment. */
export type PaymentWriter = StreamWriter<PaymentCommand, PaymentState, PaymentEvent>;

/** The part of the event store that one payment needs. */
export type PaymentStore = Pick<
  EventStore,
  | 'append'
  | 'read'
  | 'readByTransaction'
  | 'personalKeys'
  | 'claimDueStreams'
  | 'schedule'
  | 'idempotency'
  | 'marks'
>;

const rules = { decider: paymentDecider, codec: paymentEventCodec };

/** Payments as the write path knows them: when recovery looks again depends on their connectors. */
export function paymentAggregate(
  connectors: Pick<Connectors, 'capabilitiesFor'>,
  schedule: RecoverySchedule,
  clocks: SetClocks,
): Aggregate<PaymentCommand, PaymentState, PaymentEvent> {
  return {
    ...rules,
    dueAtMs: (state, machineMs) => {
      const first = firstOf(state);
      const aheadMs = first === undefined ? 0 : clocks.aheadMs(first.metadata.entityId);
      const nowMs = machineMs + aheadMs;
      return nextDue(state, nowMs, connectors.capabilitiesFor(state), schedule);
    },
    expired: asExpired,
    marks: paymentMarks,
  };
}

/** The transaction that opened the payment, which says whose it is; undefined before the first event. */
export function firstOf(state: PaymentState): Transaction | undefined {
  return state.kind === 'none' ? undefined : initialTransaction(state);
}

/** A payment from its recorded events. @throws NewerWriter */
export function paymentOf(events: readonly RecordedEvent[]): PaymentState {
  return stateOf(rules, events);
}
