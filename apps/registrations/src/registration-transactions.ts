import {
  type PersonalParameters,
  referenceHeads,
  type StreamQueries,
  streamsByReference,
} from '@sluice/aggregates';
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
  type WantedEntries,
} from '@sluice/contracts';
import {
  isBehind,
  type Registration,
  type RegistrationEvent,
  registrationEventCodec,
} from '@sluice/domain-registrations';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import { shortIdOf, type TransactionId } from '@sluice/identifiers';
import { registrationOf } from './registration-aggregate.js';
import type { RegistrationsHandler } from './registrations.handler.js';

/** The part of the event store that these queries need. */
type Streams = Pick<EventStore, 'read' | 'readByTransaction' | 'lookUp'>;

/** What was done to a registration, without what is personal of it. */
type Entry = Omit<RegistrationTransaction, 'personal'> & { readonly sealed?: string };

/** What was done to registrations, from their streams: what queries show of RG, RR, TE and DR. */
export class RegistrationTransactions {
  constructor(
    private readonly store: Streams,
    private readonly handler: Pick<RegistrationsHandler, 'bringUpToDate'>,
    private readonly blocks: Pick<StreamQueries, 'personalParameters'>,
  ) {}

  /** One of the asking tenant; somebody else's is answered like an unknown one. */
  async transaction(query: TransactionQuery): Promise<RegistrationTransactionAnswer> {
    const wanted = { ...query, includeLinked: false, limit: 1, pageNo: 1 };
    const { transactions } = await this.transactionEntries(wanted);
    const [transaction] = transactions as readonly RegistrationTransaction[];
    return transaction === undefined ? {} : { transaction };
  }

  /** The same as a list, on demand with all else that was done to its registration behind it. */
  async transactionEntries(query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    const { transactionId, entityId, includeLinked } = query;
    const entries = await this.#entriesBeside(transactionId, entityId);
    const wanted = entries.filter(filterOf(query));
    const own = wanted.filter(({ id }) => id === transactionId);
    const linked = includeLinked ? wanted.filter(({ id }) => id !== transactionId) : [];
    return this.#page([...own, ...linked], query);
  }

  /** Whoever asks for one by its id is told what is known by now, as whoever wants to use it is. */
  async #entriesBeside(transactionId: string, entityId: string): Promise<readonly Entry[]> {
    const found = await this.store.readByTransaction(transactionId);
    if (found === undefined) return [];
    const { streamId, events } = found;
    const state = registrationOf(events);
    // Nothing is done for somebody else's.
    if (state?.metadata.entityId !== entityId) return [];
    if (!isBehind(state)) return entriesOf(events, entityId);
    await this.handler.bringUpToDate(streamId);
    return entriesOf(await this.store.read(streamId), entityId);
  }

  /** The stream versions of the registrations that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return referenceHeads(this.store, query);
  }

  /** What reporting would answer if its rows were as new as the store. */
  async transactionsByReference(
    query: TransactionsByReferenceQuery,
  ): Promise<RecordedTransactions> {
    const { entityId, by, shortId, includeLinked } = query;
    const isWanted = filterOf(query, shortId);
    const matches: Entry[] = [];
    const linked: Entry[] = [];
    const reference = by.merchantTransactionId;
    const { streamIds } = await streamsByReference(this.store, entityId, reference);
    for (const streamId of streamIds) {
      const all = entriesOf(await this.store.read(streamId), entityId);
      const own = all.filter(
        (each) => referenceOf(each) === by.merchantTransactionId && isWanted(each),
      );
      matches.push(...own);
      if (includeLinked && own.length > 0) linked.push(...all.filter((e) => !own.includes(e)));
    }
    return this.#page([...matches.sort(byId).reverse(), ...linked.sort(byId)], query);
  }

  async #page(
    entries: readonly Entry[],
    { limit, pageNo }: WantedEntries,
  ): Promise<RecordedTransactions> {
    const shown = entries.slice((pageNo - 1) * limit, pageNo * limit);
    // Only what made a registration shows what is personal, and its id is the stream's.
    const items = shown.flatMap(({ id, sealed }) =>
      sealed === undefined ? [] : [{ streamId: id, transactionId: id, sealed }],
    );
    const { blocks } = await this.blocks.personalParameters({ items });
    const opened = new Map<string, PersonalParameters>(
      items.map(({ transactionId }, index) => [transactionId, blocks[index]?.personal ?? {}]),
    );
    const transactions = shown.map(({ sealed: _, ...entry }) => ({
      ...entry,
      personal: opened.get(entry.id) ?? {},
    }));
    return { transactions, total: entries.length };
  }
}

/**
 * What a merchant's own id finds it by. One that was asked for with a payment has the payment's, and
 * would be found in its place.
 */
function referenceOf(entry: Entry): string | undefined {
  const { operation, referencedId, existingId, parameters } = entry;
  const isOfPayment =
    operation === 'registration' && referencedId !== undefined && referencedId !== existingId;
  return isOfPayment ? undefined : parameters['merchantTransactionId'];
}

/** The entries of one tenant, in the order in which they were recorded. */
function entriesOf(events: readonly RecordedEvent[], entityId: string): readonly Entry[] {
  const state = registrationOf(events);
  if (state?.metadata.entityId !== entityId) return [];
  return events.flatMap((event) => entryOf(registrationEventCodec.decode(event), state) ?? []);
}

function entryOf(event: RegistrationEvent, state: Registration): Entry | undefined {
  switch (event.type) {
    case 'RegistrationRequested':
    case 'RegistrationRejected': {
      const { instrument, personal } = event.data;
      const { paymentId, existing } = state;
      const referencedId = paymentId ?? existing?.registrationId;
      const begun = {
        ...begunBy(event, state),
        ...(referencedId !== undefined && { referencedId }),
      };
      // Of what was deleted nobody is told anything; of what was there before, its own entry tells.
      if (state.state === 'ended' || existing !== undefined) return begun;
      const sealed = personal === undefined ? {} : { sealed: personal };
      return { ...begun, instrument: shownInstrument(instrument), ...sealed };
    }
    case 'UpdateRequested':
    case 'LifeExtended':
    case 'RegistrationDeleted':
      return begunBy(event, state);
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
      return undefined;
  }
}

/** What every request records of itself. */
interface Beginning {
  readonly data: {
    readonly transactionId: TransactionId;
    readonly parameters: Readonly<Record<string, string>>;
  };
  readonly metadata: RegistrationEventMetadata;
}

function begunBy({ data, metadata }: Beginning, { outcomes }: Registration): Entry {
  const { entityId, channelName, mode, ndc, recordedAtMs } = metadata;
  const outcome = outcomes.get(data.transactionId);
  if (outcome === undefined) throw new Error('Something was done and has no outcome.');
  const { parameters } = data;
  return { ...outcome, entityId, channelName, mode, ndc, recordedAtMs, parameters };
}

function filterOf(
  { operations, paymentMethods }: WantedEntries,
  shortId?: string,
): (entry: Entry) => boolean {
  const digits = shortId?.replaceAll('.', '');
  return ({ id, operation, instrument }) =>
    (operations?.includes(operation) ?? true) &&
    (paymentMethods?.includes((instrument && paymentMethodOf(instrument)) ?? '') ?? true) &&
    (digits === undefined || digits === shortIdOf(id).replaceAll('.', ''));
}

/** Ids begin with their time. */
function byId(a: Entry, b: Entry): number {
  return a.id < b.id ? -1 : 1;
}
