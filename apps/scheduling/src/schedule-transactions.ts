import { RecordedEntries, type RecordedEntry, type StreamQueries } from '@sluice/aggregates';
import type {
  RecordedTransactions,
  ScheduleTransaction,
  ScheduleTransactionAnswer,
  TransactionEntriesQuery,
  TransactionQuery,
} from '@sluice/contracts';
import { type Schedule, type ScheduleEvent, scheduleEventCodec } from '@sluice/domain-scheduling';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import { toMessage } from '@sluice/money';
import { scheduleOf } from './schedule-aggregate.js';
import { outcomeOf } from './schedule-replies.js';

type Entry = RecordedEntry<ScheduleTransaction>;

/** What was asked of schedules, from their streams: what queries show of SD, RS and DS. */
export class ScheduleTransactions {
  readonly #entries: RecordedEntries<ScheduleTransaction>;

  constructor(
    private readonly store: Pick<EventStore, 'read' | 'readByTransaction' | 'lookUp'>,
    blocks: Pick<StreamQueries, 'personalParameters'>,
  ) {
    this.#entries = new RecordedEntries({ store, blocks, entriesOf });
  }

  /** One of the asking tenant; somebody else's is answered like an unknown one. */
  async transaction(query: TransactionQuery): Promise<ScheduleTransactionAnswer> {
    const wanted = { ...query, includeLinked: false, limit: 1, pageNo: 1 };
    const { transactions } = await this.transactionEntries(wanted);
    const [transaction] = transactions as readonly ScheduleTransaction[];
    return transaction === undefined ? {} : { transaction };
  }

  /** The same as a list, on demand with all else that was asked of its schedule behind it. */
  async transactionEntries(query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    const { transactionId, entityId } = query;
    const found = await this.store.readByTransaction(transactionId);
    const entries = found === undefined ? [] : entriesOf(found.streamId, found.events, entityId);
    // A try of a declined run has an id, too, and is no request.
    const isThere = entries.some(({ shown: { id } }) => id === transactionId);
    return this.#entries.ofOne(isThere ? entries : [], query);
  }
}

/** The entries of one tenant, in the order in which they were recorded. */
function entriesOf(
  streamId: string,
  events: readonly RecordedEvent[],
  entityId: string,
): readonly Entry[] {
  const state = scheduleOf(events);
  if (state?.metadata.entityId !== entityId) return [];
  return events.flatMap((event) => entryOf(streamId, scheduleEventCodec.decode(event), state));
}

function entryOf(streamId: string, event: ScheduleEvent, state: Schedule): Entry | readonly [] {
  switch (event.type) {
    case 'ScheduleCreated':
    case 'ScheduleRescheduled': {
      const { amount, parameters, personal: sealed } = event.data;
      const shown = { ...begunBy(event, state), amount: toMessage(amount), parameters };
      return { streamId, shown, ...foundBy(parameters), sealed };
    }
    case 'ScheduleRejected': {
      const { parameters } = event.data;
      return { streamId, shown: { ...begunBy(event, state), parameters }, ...foundBy(parameters) };
    }
    case 'ScheduleDescheduled':
    case 'ScheduleDeleted':
      return { streamId, shown: { ...begunBy(event, state), parameters: {} } };
    case 'RunDue':
    case 'RunsSkipped':
    case 'RunStarted':
    case 'RunPerformed':
    case 'RunFailed':
    case 'RunCancelled':
    case 'RecoveryPlanned':
    case 'RecoveryEnded':
    case 'ScheduleEnded':
      return [];
  }
}

type Request = Extract<ScheduleEvent, { readonly data: { readonly transactionId: unknown } }>;

function begunBy({ data, metadata }: Request, state: Schedule): Omit<Entry['shown'], 'parameters'> {
  const { entityId, channelName, mode, ndc, recordedAtMs } = metadata;
  const outcome = outcomeOf(state, data.transactionId);
  if (outcome === undefined) throw new Error('Something was asked for and has no outcome.');
  const { operation, ...rest } = outcome;
  return {
    ...rest,
    // Queries know one way to end a schedule.
    operation: operation === 'deletion' ? 'deschedule' : operation,
    status: state.status === 'rejected' ? 'rejected' : 'approved',
    ...('registrationId' in data && { registrationId: data.registrationId }),
    ...{ entityId, channelName, mode, ndc, recordedAtMs },
  };
}

function foundBy(
  parameters: Readonly<Record<string, string>>,
): Pick<Entry, 'merchantTransactionId'> {
  return { merchantTransactionId: parameters['merchantTransactionId'] };
}
