import {
  isRegistrationOperation,
  type LinkedTransactionsQuery,
  PAGED_TRANSACTIONS_MAX,
  PERSONAL_PARAMETERS_MAX,
  type PersonalParametersQuery,
  type RecordedTransaction,
  type RecordedTransactions,
  type RecordedTransactionsQuery,
  type SealedParameters,
  type TransactionsByReferenceQuery,
} from '@sluice/contracts';
import { earliestIdAt } from '@sluice/identifiers';
import { mergedPage, QueryUnavailable } from '@sluice/messaging';
import type { LiveRows, ReadTableSet, RowProgress } from '@sluice/projections';
import type { CounterSeries } from '@sluice/service';
import type { Pool } from 'pg';
import type { TransactionColumn, TransactionRow } from './projections/transactions.projection.js';
import type { Owner, RecordedOwner } from './recorded-owners.js';
import { type Prepared, queryTexts, type QueryTexts } from './transaction-search.js';

/** The rows of one owner's events, and the owner. */
export interface OwnedRows {
  readonly rows: LiveRows;
  readonly owner: RecordedOwner;
}

/** What queries are answered with. */
export interface TransactionQueriesParts {
  readonly pool: Pool;
  readonly payments: OwnedRows;
  /** Absent where a spec has none. */
  readonly registrations?: OwnedRows;
  /** Counts the queries for which the rows were too late. */
  readonly behind: Readonly<Record<'merchantTransactionId' | 'time', CounterSeries>>;
  /** How long a query waits for rows that are older than its arrival; D-65, except in tests. */
  readonly waitMs?: number;
}

/** D-65. */
const WAIT_MS = 1_000;

/** Where the answer to a query comes from: rows, rows that may be behind, or streams. */
type Source = 'rows' | 'lateRows' | 'streams';

/** Rows as they are read for one query. */
interface ReadRows extends OwnedRows {
  readonly live: ReadTableSet;
  readonly progress: RowProgress;
}

/** Finds transactions in the live table sets, once they have what the stores had when a query came. */
export class TransactionQueries {
  constructor(private readonly parts: TransactionQueriesParts) {}

  /** Transactions by the merchant's id or by time, newest first. */
  async transactions(query: RecordedTransactionsQuery): Promise<RecordedTransactions> {
    const untilMs = performance.now() + (this.parts.waitMs ?? WAIT_MS);
    const [first, second] = this.#askedFor(query);
    return this.#read(first, (one) =>
      second === undefined
        ? this.#answer(query, [one], untilMs)
        : this.#read(second, (other) => this.#answer(query, [one, other], untilMs)),
    );
  }

  /** What is linked with a payment or registration in other streams; it is found by its rows alone. */
  async linked(query: LinkedTransactionsQuery): Promise<RecordedTransactions> {
    const untilMs = performance.now() + (this.parts.waitMs ?? WAIT_MS);
    const { payments, registrations } = this.parts;
    return this.#read(payments, (one) =>
      registrations === undefined
        ? this.#besides(query, [one], untilMs)
        : this.#read(registrations, (other) => this.#besides(query, [one, other], untilMs)),
    );
  }

  async #besides(
    { entityId, transactionId, operations, paymentMethods, limit, offset }: LinkedTransactionsQuery,
    reads: readonly [ReadRows, ReadRows?],
    untilMs: number,
  ): Promise<RecordedTransactions> {
    const [one, other] = reads;
    const all = other === undefined ? [one] : [one, other];
    const sources = await Promise.all(all.map((read) => byTime(read, untilMs)));
    const isLate = sources.includes('lateRows');
    if (isLate) this.parts.behind.time.add();
    const { listBeside, countBeside } = queryTexts([one.live, other?.live]);
    const filters = [entityId, transactionId, operations ?? null, paymentMethods ?? null];
    const [rows, total] = await Promise.all([
      limit === 0 ? [] : this.#rows(listBeside, [...filters, limit, offset]),
      this.#count(countBeside, filters),
    ]);
    const transactions = await this.#views(rows);
    return { transactions, total, ...(isLate && { isBehind: true as const }) };
  }

  #read<Answer>(owned: OwnedRows, work: (read: ReadRows) => Promise<Answer>): Promise<Answer> {
    return owned.rows.read((live, progress) => work({ ...owned, live, progress }));
  }

  /** Whoever names no types means all of them. */
  #askedFor({
    operations,
    includeLinked,
  }: RecordedTransactionsQuery): readonly [first: OwnedRows, second?: OwnedRows] {
    const { payments, registrations } = this.parts;
    if (registrations === undefined) return [payments];
    // Those of either owner may be linked with the other's.
    if (operations === undefined || includeLinked) return [payments, registrations];
    const ofRegistrations = operations.filter(isRegistrationOperation);
    if (ofRegistrations.length === 0) return [payments];
    return ofRegistrations.length === operations.length
      ? [registrations]
      : [payments, registrations];
  }

  async #answer(
    query: RecordedTransactionsQuery,
    reads: readonly [ReadRows, ReadRows?],
    untilMs: number,
  ): Promise<RecordedTransactions> {
    const [one, other] = reads;
    const all = other === undefined ? [one] : [one, other];
    const isByItsReference = isByReference(query);
    const sources = await Promise.all(
      all.map((read) =>
        isByItsReference ? byReference(read, query, untilMs) : byTime(read, untilMs),
      ),
    );
    const isLate = sources.some((source) => source !== 'rows');
    if (isLate) this.parts.behind[isByItsReference ? 'merchantTransactionId' : 'time'].add();
    if (isByItsReference && sources.includes('streams')) {
      const found = await fromStreams(all, query);
      // A stream has no look at the others, so what is linked in them is missing.
      return query.includeLinked ? { ...found, isBehind: true } : found;
    }
    const found = await this.#search(queryTexts([one.live, other?.live]), query);
    return sources.includes('lateRows') ? { ...found, isBehind: true } : found;
  }

  async #search(
    texts: QueryTexts,
    query: RecordedTransactionsQuery,
  ): Promise<RecordedTransactions> {
    const { entityId, operations, paymentMethods, shortId, limit, pageNo, includeLinked } = query;
    const { by } = query;
    const [search, value] =
      'merchantTransactionId' in by
        ? [texts.byMerchantId, [by.merchantTransactionId, null]]
        : [texts.byTime, [earliestIdAt(by.fromMs), earliestIdAt(by.toMs)]];
    const filters = [
      entityId,
      ...value,
      operations ?? null,
      paymentMethods ?? null,
      shortId ?? null,
    ];
    const before = (pageNo - 1) * limit;
    const [found, linkedTotal] = await Promise.all([
      this.#rows(search.list, [...filters, limit, before]),
      includeLinked ? this.#count(search.countLinked, filters) : 0,
    ]);
    // A page that is not full is the last one, so it says how many there are.
    const isLast = found.length < limit && (found.length > 0 || before === 0);
    const matches = isLast ? before + found.length : await this.#count(search.count, filters);
    const left = limit - found.length;
    const hasLinked = left > 0 && linkedTotal > 0;
    const linked = hasLinked
      ? await this.#rows(search.listLinked, [...filters, left, Math.max(0, before - matches)])
      : [];
    const transactions = await this.#views([...found, ...linked]);
    return { transactions, total: Math.min(matches + linkedTotal, PAGED_TRANSACTIONS_MAX) };
  }

  async #rows(query: Prepared, values: readonly unknown[]): Promise<readonly TransactionRow[]> {
    const { rows } = await this.parts.pool.query<TransactionRow>({ ...query, values: [...values] });
    return rows;
  }

  async #count(query: Prepared, values: readonly unknown[]): Promise<number> {
    const counted = { ...query, values: [...values] };
    const { rows } = await this.parts.pool.query<{ total: number }>(counted);
    return rows[0]?.total ?? 0;
  }

  async #views(rows: readonly TransactionRow[]): Promise<readonly RecordedTransaction[]> {
    const personal = await this.#personalOf(rows);
    return rows.map((row) => viewOf(row, personal.get(row.transactionId ?? '') ?? {}));
  }

  /** Only the owner of a stream has its key; all blocks of an answer are opened together (D-22). */
  async #personalOf(rows: readonly TransactionRow[]): Promise<Opened> {
    const opened = new Map<string, Readonly<Record<string, string>>>();
    const { payments, registrations } = this.parts;
    for (const { owner } of [payments, ...(registrations === undefined ? [] : [registrations])]) {
      const items = rows.flatMap((row): SealedParameters[] => {
        const { streamId, transactionId, personal: sealed } = row;
        if (sealed === null || ownerOf(row) !== owner.owner) return [];
        return [{ streamId: streamId ?? '', transactionId: transactionId ?? '', sealed }];
      });
      await openAll(owner, items, opened);
    }
    return opened;
  }
}

type Opened = Map<string, Readonly<Record<string, string>>>;

async function openAll(
  owner: RecordedOwner,
  items: readonly SealedParameters[],
  opened: Opened,
): Promise<void> {
  for (let start = 0; start < items.length; start += PERSONAL_PARAMETERS_MAX) {
    const query: PersonalParametersQuery = {
      items: items.slice(start, start + PERSONAL_PARAMETERS_MAX),
    };
    const { blocks } = await owner.personalParameters(query);
    query.items.forEach(({ transactionId }, index) => {
      opened.set(transactionId, blocks[index]?.personal ?? {});
    });
  }
}

function ownerOf({ operation }: TransactionRow): Owner {
  return isRegistrationOperation(operation ?? '') ? 'registrations' : 'payments';
}

async function byTime({ progress }: ReadRows, untilMs: number): Promise<Source> {
  return (await hasAll(progress, untilMs)) ? 'rows' : 'lateRows';
}

/**
 * `rows` if these have it; they are the better source, because they can be paged through. Nobody pays
 * twice for want of a registration, so one that cannot be asked for leaves an answer that is behind.
 */
async function byReference(
  { progress, owner }: ReadRows,
  { entityId, by }: TransactionsByReferenceQuery,
  untilMs: number,
): Promise<Source> {
  try {
    const found = await owner.referenceHeads({ entityId, ...by });
    // These are more than the owner looks at; the rows have more of them.
    if (found.more) return (await progress.hasAll(untilMs)) ? 'rows' : 'lateRows';
    return (await progress.has(found, untilMs)) ? 'rows' : 'streams';
  } catch (error) {
    if (owner.owner === 'registrations' && error instanceof QueryUnavailable) return 'lateRows';
    throw error;
  }
}

/** One page of what the streams of all have. */
async function fromStreams(
  all: readonly ReadRows[],
  query: TransactionsByReferenceQuery,
): Promise<RecordedTransactions> {
  const [first] = all;
  if (all.length === 1 && first !== undefined) return first.owner.transactionsByReference(query);
  const upToHere = { ...query, limit: query.limit * query.pageNo, pageNo: 1 };
  const answers = await Promise.all(all.map(({ owner }) => streamsOf(owner, upToHere)));
  return mergedPage(query, answers);
}

async function streamsOf(
  owner: RecordedOwner,
  query: TransactionsByReferenceQuery,
): Promise<RecordedTransactions> {
  try {
    return await owner.transactionsByReference(query);
  } catch (error) {
    if (owner.owner !== 'registrations' || !(error instanceof QueryUnavailable)) throw error;
    return { transactions: [], total: 0, isBehind: true };
  }
}

/** A time frame is answered with what there is when its owner cannot be asked, too. */
async function hasAll(progress: RowProgress, untilMs: number): Promise<boolean> {
  try {
    return await progress.hasAll(untilMs);
  } catch (error) {
    if (error instanceof QueryUnavailable) return false;
    throw error;
  }
}

function isByReference(query: RecordedTransactionsQuery): query is TransactionsByReferenceQuery {
  return 'merchantTransactionId' in query.by;
}

function viewOf(
  row: TransactionRow,
  personal: Readonly<Record<string, string>>,
): RecordedTransaction {
  const { referencedId, amountMinor, currency, connectorTxId, instrument, resultDetails } = row;
  const { avsResponse, cvvResponse, resultDescription, riskScore, authentication, source } = row;
  // The table holds what the fold put there; its texts become the contract's types again here
  // alone.
  const text = (column: TransactionColumn): string => row[column] ?? '';
  return {
    id: text('transactionId'),
    ...(referencedId !== null && { referencedId }),
    operation: text('operation'),
    status: text('status'),
    resultCode: text('resultCode'),
    ...(resultDescription !== null && { resultDescription }),
    ...(amountMinor !== null && { amount: { minor: amountMinor, currency: currency ?? '' } }),
    ...(connectorTxId !== null && { connectorTxId }),
    ...(resultDetails !== null && { resultDetails: JSON.parse(resultDetails) as object }),
    ...(avsResponse !== null && { avsResponse }),
    ...(cvvResponse !== null && { cvvResponse }),
    ...(riskScore !== null && { riskScore: Number(riskScore) }),
    ...(authentication !== null && { authentication: JSON.parse(authentication) as object }),
    entityId: text('entityId'),
    channelName: text('channelName'),
    mode: text('mode'),
    ndc: text('ndc'),
    ...(source !== null && { source }),
    recordedAtMs: Number(text('recordedAtMs')),
    ...(instrument !== null && { instrument: JSON.parse(instrument) as object }),
    parameters: JSON.parse(text('parameters')) as object,
    personal,
  } as RecordedTransaction;
}
