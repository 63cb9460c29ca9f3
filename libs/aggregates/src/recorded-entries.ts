import type {
  RecordedTransaction,
  RecordedTransactions,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  TransactionEntriesQuery,
  TransactionsByReferenceQuery,
  WantedEntries,
} from '@sluice/contracts';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import { shortIdOf } from '@sluice/identifiers';
import type { PersonalParameters } from './personal-data.js';
import { referenceHeads, streamsByReference } from './reference-queries.js';
import type { StreamQueries } from './stream-queries.js';

/** Something that queries find (Interface 2.19), before what is personal of it is opened. */
export interface RecordedEntry<View extends RecordedTransaction> {
  readonly streamId: string;
  readonly shown: Omit<View, 'personal'>;
  /** What the merchant calls it; absent: it is not found by that. */
  readonly merchantTransactionId?: string | undefined;
  /** A code like `CC`; absent: none. */
  readonly paymentMethod?: string | undefined;
  /** Personal parameters under the key of the stream. */
  readonly sealed?: string | undefined;
}

/** The parts they are made of. */
export interface RecordedEntriesParts<View extends RecordedTransaction> {
  readonly store: Pick<EventStore, 'read' | 'lookUp'>;
  readonly blocks: Pick<StreamQueries, 'personalParameters'>;
  /** What one tenant has in a stream, in the order in which it was recorded. */
  readonly entriesOf: (
    streamId: string,
    events: readonly RecordedEvent[],
    entityId: string,
  ) => readonly RecordedEntry<View>[];
}

/** What the streams of a service have for queries: the same that reporting makes rows of. */
export class RecordedEntries<View extends RecordedTransaction> {
  constructor(private readonly parts: RecordedEntriesParts<View>) {}

  /** The stream versions of those that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return referenceHeads(this.parts.store, query);
  }

  /** What reporting would answer if its rows were as new as the store. */
  async byReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    const { entityId, by, shortId, includeLinked } = query;
    const { store, entriesOf } = this.parts;
    const isWanted = filterOf<View>(query, shortId);
    const matches: RecordedEntry<View>[] = [];
    const linked: RecordedEntry<View>[] = [];
    const reference = by.merchantTransactionId;
    const { streamIds, carried } = await streamsByReference(store, entityId, reference);
    for (const streamId of streamIds) {
      const all = entriesOf(streamId, await store.read(streamId), entityId);
      const own = all.filter((each) => each.merchantTransactionId === reference && isWanted(each));
      matches.push(...own);
      if (includeLinked && own.length > 0) linked.push(...all.filter((e) => !own.includes(e)));
    }
    const page = await this.#page([...matches.sort(byId).reverse(), ...linked.sort(byId)], query);
    return { ...page, ...(carried && { carried }) };
  }

  /** Of what is in the stream of one: that one, on demand with the others behind it. */
  ofOne(
    entries: readonly RecordedEntry<View>[],
    query: TransactionEntriesQuery,
  ): Promise<RecordedTransactions> {
    const isAsked = ({ shown: { id } }: RecordedEntry<View>): boolean => id === query.transactionId;
    const wanted = entries.filter(filterOf(query));
    const linked = query.includeLinked ? wanted.filter((each) => !isAsked(each)) : [];
    return this.#page([...wanted.filter(isAsked), ...linked], query);
  }

  /** One page, with what is personal in it opened. */
  async #page(
    entries: readonly RecordedEntry<View>[],
    { limit, pageNo }: WantedEntries,
  ): Promise<RecordedTransactions> {
    const onPage = entries.slice((pageNo - 1) * limit, pageNo * limit);
    const items = onPage.flatMap(({ streamId, shown: { id: transactionId }, sealed }) =>
      sealed === undefined ? [] : [{ streamId, transactionId, sealed }],
    );
    const { blocks } = await this.parts.blocks.personalParameters({ items });
    const opened = new Map<string, PersonalParameters>(
      items.map(({ transactionId }, index) => [transactionId, blocks[index]?.personal ?? {}]),
    );
    // With what is personal a view is whole; its type cannot say so of a part of any.
    const transactions = onPage.map(
      ({ shown }) => ({ ...shown, personal: opened.get(shown.id) ?? {} }) as View,
    );
    return { transactions, total: entries.length };
  }
}

function filterOf<View extends RecordedTransaction>(
  { operations, paymentMethods }: WantedEntries,
  shortId?: string,
): (entry: RecordedEntry<View>) => boolean {
  const digits = shortId?.replaceAll('.', '');
  return ({ shown: { id, operation }, paymentMethod }) =>
    (operations?.includes(operation) ?? true) &&
    (paymentMethods?.includes(paymentMethod ?? '') ?? true) &&
    (digits === undefined || digits === shortIdOf(id).replaceAll('.', ''));
}

/** Ids begin with their time. */
function byId<View extends RecordedTransaction>(
  { shown: one }: RecordedEntry<View>,
  { shown: other }: RecordedEntry<View>,
): number {
  return one.id < other.id ? -1 : 1;
}
