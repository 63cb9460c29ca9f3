import {
  openPersonal,
  type PersonalParameters,
  RecordedEntries,
  type RecordedEntry,
  type StreamQueries,
  unwrapPersonalKey,
} from '@sluice/aggregates';
import {
  type PaidInstrumentAnswer,
  paymentMethodOf,
  type RecordedTransactions,
  type ReferenceHeadsAnswer,
  type ReferenceHeadsQuery,
  shownInstrument,
  type ShopperAnswer,
  type ShopperQuery,
  type TransactionAnswer,
  type TransactionEntriesQuery,
  type TransactionOutcomeAnswer,
  type TransactionQuery,
  type TransactionsByReferenceQuery,
  type TransactionView,
} from '@sluice/contracts';
import {
  findTransaction,
  initialTransaction,
  isOpen,
  outcomeOf,
  type Transaction,
  transactionsOf,
} from '@sluice/domain-payments';
import type { EventStore, RecordedEvent, StreamOfTransaction } from '@sluice/event-store';
import { isCheckoutId } from '@sluice/identifiers';
import type { KeyProvider } from '@sluice/service';
import { firstOfKey } from './first-of-key.js';
import { paymentOf } from './payment-aggregate.js';

/** The part of the event store that these queries need. */
type Streams = Pick<
  EventStore,
  'read' | 'readByTransaction' | 'readTransaction' | 'lookUp' | 'idempotency'
>;

/** The method of a reference that records no other (Interface 2.19, `paymentMethods`). */
const BY_CARD = 'CC';

/** A transaction, and its stream. */
interface Found {
  readonly streamId: string;
  readonly transaction: Transaction;
}

/** What was read for one transaction alone. */
type ReadTransaction = Found & StreamOfTransaction;

/**
 * How many events are searched first for a transaction's outcome: it follows this closely even if
 * many other transactions of the payment are under way.
 */
const NEAR_EVENTS = 64;

/** Answers queries by folding the streams of payments, so answers are always current. */
export class PaymentQueries {
  readonly #entries: RecordedEntries<TransactionView>;

  constructor(
    private readonly store: Streams,
    private readonly keys: KeyProvider,
    blocks: Pick<StreamQueries, 'personalParameters'>,
  ) {
    this.#entries = new RecordedEntries({ store, blocks, entriesOf });
  }

  /** One transaction of the asking tenant; somebody else's is answered like an unknown one. */
  async transaction({
    transactionId,
    entityId,
    atVersion,
  }: TransactionQuery): Promise<TransactionAnswer> {
    const found = await (atVersion === undefined
      ? this.#readTransaction(transactionId)
      : this.#readAt(transactionId, atVersion));
    if (found?.transaction.metadata.entityId !== entityId) return {};
    const { transaction } = found;
    const personal = await this.#personalOf(transaction, found.streamId, found.personalKey);
    return { transaction: viewOf(transaction, personal) };
  }

  /**
   * What became of the transaction with this very id: what the key of an unrecorded one has made is
   * another transaction.
   */
  async transactionOutcome({
    transactionId,
    entityId,
  }: TransactionQuery): Promise<TransactionOutcomeAnswer> {
    const found = await this.#readRecorded(transactionId);
    const isOwn = found?.transaction.metadata.entityId === entityId;
    return isOwn ? { outcome: outcomeOf(found.transaction) } : {};
  }

  /** What a payment was made with, whichever of its transactions is named. */
  async paidInstrument({
    transactionId,
    entityId,
  }: TransactionQuery): Promise<PaidInstrumentAnswer> {
    const found = await this.store.readByTransaction(transactionId);
    if (found === undefined) return {};
    const first = initialTransaction(paymentOf(found.events));
    const { id, status, instrument, parameters, metadata } = first;
    if (metadata.entityId !== entityId || instrument === undefined) return {};
    const personal = await this.#personalOf(first, found.streamId, found.personalKey);
    const { mode } = metadata;
    return { payment: { id, status, mode, instrument, parameters, personal } };
  }

  /** Where the shopper of a payment goes: to the acquirer, and afterwards back to the merchant. */
  async redirect({ transactionId }: ShopperQuery): Promise<ShopperAnswer> {
    const found = await this.#readTransaction(transactionId);
    if (found?.transaction.redirect === undefined) return {};
    const { transaction, streamId, personalKey } = found;
    const { redirect } = outcomeOf(transaction);
    const { ndc } = transaction.metadata;
    const { shopperResultUrl } = await this.#personalOf(transaction, streamId, personalKey);
    return {
      ...(redirect !== undefined && { redirect }),
      ...(shopperResultUrl !== undefined && { shopperResultUrl }),
      ...(redirect === undefined &&
        shopperResultUrl === undefined &&
        ({ isDecided: true } as const)),
      // Clients join by it, so what is made for a checkout has its id as `ndc` (wire contract 2).
      ...(isCheckoutId(ndc) && { checkoutId: ndc }),
    };
  }

  /** The same as a list, on demand with the other transactions of its payment behind it. */
  async transactionEntries(query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    const { transactionId: id, entityId, includeLinked } = query;
    const found = includeLinked ? await this.#readPayment(id) : await this.#readTransaction(id);
    if (found?.transaction.metadata.entityId !== entityId) return this.#entries.ofOne([], query);
    const { streamId, events, transaction } = found;
    const entries = includeLinked
      ? entriesOf(streamId, events, entityId)
      : [entryOf(streamId, transaction)];
    // Which is another one for an id that is not recorded.
    return this.#entries.ofOne(entries, { ...query, transactionId: transaction.id });
  }

  /** One transaction with all of its payment; for an id that is not recorded, what its key has made. */
  async #readPayment(id: string): Promise<ReadTransaction | undefined> {
    const found = await this.store.readByTransaction(id);
    if (found === undefined) {
      const first = await firstOfKey(this.store, id);
      return first === undefined ? undefined : this.#readPayment(first);
    }
    const transaction = findTransaction(paymentOf(found.events), id);
    return transaction && { ...found, transaction };
  }

  /**
   * One transaction without the others of its payment; for an id that is not recorded, what its key
   * has made.
   */
  async #readTransaction(id: string): Promise<ReadTransaction | undefined> {
    const recorded = await this.#readRecorded(id);
    if (recorded !== undefined) return recorded;
    const first = await firstOfKey(this.store, id);
    return first === undefined ? undefined : this.#readRecorded(first);
  }

  /**
   * Nothing that happens after its end changes what is shown of it (R-MON-03), so the whole stream
   * is read only while its outcome is still open.
   */
  async #readRecorded(id: string): Promise<ReadTransaction | undefined> {
    const near = await this.#readFirst(id, NEAR_EVENTS);
    return near !== undefined && isOpen(near.transaction.status) ? this.#readFirst(id) : near;
  }

  /** What came later is as if it had not happened yet. */
  async #readAt(id: string, atVersion: number): Promise<ReadTransaction | undefined> {
    const found = await this.store.readTransaction(id);
    const events = (found?.events ?? []).filter(({ version }) => version <= atVersion);
    const transaction = findTransaction(paymentOf(events), id);
    return found && transaction && { ...found, events, transaction };
  }

  async #readFirst(id: string, eventsMax?: number): Promise<ReadTransaction | undefined> {
    const found = await this.store.readTransaction(id, eventsMax);
    if (found === undefined) return undefined;
    const transaction = findTransaction(paymentOf(found.events), id);
    return transaction && { ...found, transaction };
  }

  /** The stream versions of the payments that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.#entries.referenceHeads(query);
  }

  /** What reporting would answer if its rows were as new as the store. */
  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    return this.#entries.byReference(query);
  }

  /** Empty once the key was destroyed, which is how personal data is erased (page 0010). */
  async #personalOf(
    { id, personal }: Transaction,
    streamId: string,
    wrapped: Buffer | undefined,
  ): Promise<PersonalParameters> {
    if (personal === undefined || wrapped === undefined) return {};
    const key = await unwrapPersonalKey(this.keys, streamId, wrapped);
    return openPersonal(key, id, personal);
  }
}

/** The entries of one tenant, in the order in which they were recorded. */
function entriesOf(
  streamId: string,
  events: readonly RecordedEvent[],
  entityId: string,
): readonly RecordedEntry<TransactionView>[] {
  return [...transactionsOf(paymentOf(events)).values()]
    .filter(({ metadata }) => metadata.entityId === entityId)
    .map((transaction) => entryOf(streamId, transaction));
}

function entryOf(streamId: string, transaction: Transaction): RecordedEntry<TransactionView> {
  return {
    ...{ streamId, shown: shownOf(transaction), sealed: transaction.personal },
    merchantTransactionId: transaction.parameters['merchantTransactionId'],
    paymentMethod: methodOf(transaction),
  };
}

function methodOf(transaction: Transaction): string | undefined {
  const { instrument } = transaction;
  return instrument === undefined ? methodOfReference(transaction) : paymentMethodOf(instrument);
}

function methodOfReference({ paymentMethod = BY_CARD }: Transaction): string {
  return paymentMethod;
}

function viewOf(transaction: Transaction, personal: PersonalParameters): TransactionView {
  return { ...shownOf(transaction), personal };
}

function shownOf(transaction: Transaction): Omit<TransactionView, 'personal'> {
  const { metadata, instrument, parameters } = transaction;
  const { entityId, channelName, mode, ndc, source, recordedAtMs } = metadata;
  return {
    ...outcomeOf(transaction),
    ...{ entityId, channelName, mode, ndc, recordedAtMs },
    ...(source !== undefined && { source }),
    ...(instrument === undefined
      ? { paymentMethod: methodOfReference(transaction) }
      : { instrument: shownInstrument(instrument) }),
    parameters,
  };
}
