import {
  type AmountMessage,
  eventTopics,
  type ScheduleEntryOperation,
  type ScheduleEventMetadata,
  scheduleEvents,
} from '@sluice/contracts';
import type { EventToFold, Projection } from '@sluice/projections';
import { successCode } from '@sluice/result-codes';
import { existing, metadataOf, unsaid } from './transaction-rows.js';
import {
  type TransactionColumn,
  transactionColumns,
  transactionIndexes,
  type TransactionRow,
} from './transactions.projection.js';

type Event = EventToFold<typeof scheduleEvents, ScheduleEventMetadata>;
type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** The events that a request records of itself: its row is made of their metadata too. */
const beginnings = [
  ...(['ScheduleCreated', 'ScheduleRejected', 'ScheduleRescheduled'] as const),
  ...(['ScheduleDescheduled', 'ScheduleDeleted'] as const),
] satisfies readonly Event['type'][];
type BeginningEvent = EventOf<(typeof beginnings)[number]>;

/**
 * One row for each thing that was asked of a schedule (SD, RS, DS), with the columns of transactions, so
 * that queries search all at once. What its runs charge are rows of payments.
 */
export const schedules: Projection<TransactionColumn, Event> = {
  name: 'schedules',
  version: 1,
  owner: 'scheduling',
  topic: eventTopics.scheduling,
  columns: transactionColumns,
  key: 'transactionId',
  indexes: transactionIndexes,
  events: scheduleEvents,
  readsMetadataOf: beginnings,
  // Of what becomes of runs nothing is shown; its versions count with the row of the schedule.
  keyOf: ({ streamId, data }) => ('transactionId' in data ? data.transactionId : streamId),
  fold,
};

function fold(row: TransactionRow | undefined, event: Event): TransactionRow {
  switch (event.type) {
    case 'ScheduleCreated': {
      const resultCode = successCode(metadataOf(event).mode);
      return { ...begun(event, { operation: 'schedule', resultCode }), ...money(event.data) };
    }
    case 'ScheduleRejected': {
      const { resultCode } = event.data;
      return { ...begun(event, { operation: 'schedule', resultCode }), status: 'rejected' };
    }
    case 'ScheduleRescheduled':
      return { ...done(event, 'reschedule'), ...money(event.data) };
    case 'ScheduleDescheduled':
    case 'ScheduleDeleted':
      return done(event, 'deschedule');
    case 'RunDue':
    case 'RunsSkipped':
    case 'RunStarted':
    case 'RunPerformed':
    case 'RunFailed':
    case 'RunCancelled':
    case 'RecoveryPlanned':
    case 'RecoveryEnded':
    case 'ScheduleEnded':
      return existing(row);
  }
}

function done(
  event: EventOf<'ScheduleRescheduled' | 'ScheduleDescheduled' | 'ScheduleDeleted'>,
  operation: ScheduleEntryOperation,
): TransactionRow {
  return begun(event, { operation, resultCode: event.data.resultCode });
}

function money({ amount: { minor, currency } }: { readonly amount: AmountMessage }) {
  return { amountMinor: minor, currency };
}

function begun(
  event: BeginningEvent,
  outcome: { readonly operation: ScheduleEntryOperation; readonly resultCode: string },
): TransactionRow {
  const { streamId, data } = event;
  const { entityId, channelName, ndc, mode, recordedAtMs } = metadataOf(event);
  const parameters = 'parameters' in data ? data.parameters : {};
  return {
    ...unsaid,
    ...{ transactionId: data.transactionId, streamId, entityId, ...outcome, status: 'approved' },
    // The schedule, as its own answer says, whichever of its ids the request named.
    referencedId: data.transactionId === streamId ? null : streamId,
    // What it charges.
    linkedId: 'registrationId' in data ? data.registrationId : null,
    merchantTransactionId: parameters['merchantTransactionId'] ?? null,
    ...{ channelName, mode, ndc, recordedAtMs: String(recordedAtMs) },
    parameters: JSON.stringify(parameters),
    personal: ('personal' in data ? data.personal : undefined) ?? null,
  };
}
