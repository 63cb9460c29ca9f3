import { RecordedEntries, type RecordedEntry, type StreamQueries } from '@sluice/aggregates';
import {
  paymentMethodOf,
  type RecordedTransactions,
  type ReferenceHeadsAnswer,
  type ReferenceHeadsQuery,
  type RegistrationEventMetadata,
  type RegistrationTransaction,
  type RegistrationTransactionAnswer,
  shownInstrument,
  type TransactionEntriesQuery,
  type TransactionQuery,
  type TransactionsByReferenceQuery,
} from '@sluice/contracts';
import {
  isBehind,
  type Registration,
  type RegistrationEvent,
  registrationEventCodec,
} from '@sluice/domain-registrations';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { registrationOf } from './registration-aggregate.js';
import type { RegistrationsHandler } from './registrations.handler.js';

/** The part of the event store that these queries need. */
type Streams = Pick<EventStore, 'read' | 'readByTransaction' | 'lookUp'>;

type Entry = RecordedEntry<RegistrationTransaction>;

/** What was done to registrations, from their streams: what queries show of RG, RR, TE and DR. */
export class RegistrationTransactions {
  readonly #entries: RecordedEntries<RegistrationTransaction>;

  constructor(
    private readonly store: Streams,
    private readonly handler: Pick<RegistrationsHandler, 'bringUpToDate'>,
    blocks: Pick<StreamQueries, 'personalParameters'>,
  ) {
    this.#entries = new RecordedEntries({ store, blocks, entriesOf });
  }

  /** One of the asking tenant; somebody else's is answered like an unknown one. */
  async transaction(query: TransactionQuery): Promise<RegistrationTransactionAnswer> {
    const wanted = { ...query, includeLinked: false, limit: 1, pageNo: 1 };
    const { transactions } = await this.transactionEntries(wanted);
    const [transaction] = transactions as readonly RegistrationTransaction[];
    return transaction === undefined ? {} : { transaction };
  }

  /** The same as a list, on demand with all else that was done to its registration behind it. */
  async transactionEntries(query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    const { transactionId, entityId } = query;
    return this.#entries.ofOne(await this.#entriesBeside(transactionId, entityId), query);
  }

  /** Whoever asks for one by its id is told what is known by now, as whoever wants to use it is. */
  async #entriesBeside(transactionId: string, entityId: string): Promise<readonly Entry[]> {
    const found = await this.store.readByTransaction(transactionId);
    if (found === undefined) return [];
    const { streamId, events } = found;
    const state = registrationOf(events);
    // Nothing is done for somebody else's.
    if (state?.metadata.entityId !== entityId) return [];
    if (!isBehind(state)) return entriesOf(streamId, events, entityId);
    await this.handler.bringUpToDate(streamId);
    return entriesOf(streamId, await this.store.read(streamId), entityId);
  }

  /** The stream versions of the registrations that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.#entries.referenceHeads(query);
  }

  /** What reporting would answer if its rows were as new as the store. */
  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    return this.#entries.byReference(query);
  }
}

/** The entries of one tenant, in the order in which they were recorded. */
function entriesOf(
  streamId: string,
  events: readonly RecordedEvent[],
  entityId: string,
): readonly Entry[] {
  const state = registrationOf(events);
  if (state?.metadata.entityId !== entityId) return [];
  return events.flatMap((event) => entryOf(streamId, registrationEventCodec.decode(event), state));
}

function entryOf(
  streamId: string,
  event: RegistrationEvent,
  state: Registration,
): Entry | readonly [] {
  switch (event.type) {
    case 'RegistrationRequested':
    case 'RegistrationRejected': {
      const { instrument, personal: sealed } = event.data;
      const { paymentId, existing } = state;
      const referencedId = paymentId ?? existing?.registrationId;
      const begun = begunBy(event, state);
      const shown = { ...begun, ...(referencedId !== undefined && { referencedId }) };
      // One that was asked for with a payment has the payment's, and would be found in its place.
      const named = paymentId === undefined ? foundBy(begun) : {};
      // Of what was deleted nobody is told anything; of what was there before, its own entry tells.
      if (state.state === 'ended' || existing !== undefined) return { streamId, shown, ...named };
      const shownOf = shownInstrument(instrument);
      return {
        ...{ streamId, shown: { ...shown, instrument: shownOf }, ...named, sealed },
        paymentMethod: paymentMethodOf(shownOf),
      };
    }
    case 'UpdateRequested':
    case 'LifeExtended':
    case 'RegistrationDeleted': {
      const shown = begunBy(event, state);
      return { streamId, shown, ...foundBy(shown) };
    }
    case 'DetailsKept':
    case 'ExistingFound':
    case 'PaymentAwaited':
    case 'DetailsNotKept':
    case 'RegistrationConfirmed':
    case 'RegistrationAbandoned':
    case 'RegistrationUpdated':
    case 'RegistrationNotUpdated':
    case 'RegistrationExpired':
    case 'DetailsForgotten':
      return [];
  }
}

function foundBy({ parameters }: Entry['shown']): Pick<Entry, 'merchantTransactionId'> {
  return { merchantTransactionId: parameters['merchantTransactionId'] };
}

/** What every request records of itself. */
interface Beginning {
  readonly data: {
    readonly transactionId: TransactionId;
    readonly parameters: Readonly<Record<string, string>>;
  };
  readonly metadata: RegistrationEventMetadata;
}

function begunBy({ data, metadata }: Beginning, { outcomes }: Registration): Entry['shown'] {
  const { entityId, channelName, mode, ndc, recordedAtMs } = metadata;
  const outcome = outcomes.get(data.transactionId);
  if (outcome === undefined) throw new Error('Something was done and has no outcome.');
  const { parameters } = data;
  return { ...outcome, entityId, channelName, mode, ndc, recordedAtMs, parameters };
}
