import {
  isScheduleEntry,
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
import { type Owner, ownerOf, type RecordedOwner } from './recorded-owners.js';
import { type Prepared, queryTexts, type QueryTexts } from './transaction-search.js';

/** The rows of one owner's events, and the owner. */
export interface OwnedRows {
  readonly rows: LiveRows;
  readonly owner: RecordedOwner;
}

/** What queries are answered with. */
export interface TransactionQueriesParts {
  readonly pool: Pool;
  /** Those of payments first; a spec may have fewer of the others. */
  readonly owned: readonly [payments: OwnedRows, ...others: OwnedRows[]];
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
    return readAll(this.#askedFor(query), (reads) => this.#answer(query, reads, untilMs));
  }

  /** What is linked with a payment, registration or schedule in other streams; found by its rows alone. */
  async linked(query: LinkedTransactionsQuery): Promise<RecordedTransactions> {
    const untilMs = performance.now() + (this.parts.waitMs ?? WAIT_MS);
    return readAll(this.parts.owned, (reads) => this.#besides(query, reads, untilMs));
  }

  async #besides(
    { entityId, transactionId, operations, paymentMethods, limit, offset }: LinkedTransactionsQuery,
    reads: readonly ReadRows[],
    untilMs: number,
  ): Promise<RecordedTransactions> {
    const sources = await Promise.all(reads.map((read) => byTime(read, untilMs)));
    const isLate = sources.includes('lateRows');
    if (isLate) this.parts.behind.time.add();
    const { listBeside, countBeside } = textsOf(reads);
    const filters = [entityId, transactionId, operations ?? null, paymentMethods ?? null];
    const [rows, total] = await Promise.all([
      limit === 0 ? [] : this.#rows(listBeside, [...filters, limit, offset]),
      this.#count(countBeside, filters),
    ]);
    const transactions = await this.#views(rows);
    return { transactions, total, ...(isLate && { isBehind: true as const }) };
  }

  /** Whoever names no types means all of them; those of any owner may be linked with another's. */
  #askedFor({ operations, includeLinked }: RecordedTransactionsQuery): readonly OwnedRows[] {
    const { owned } = this.parts;
    if (operations === undefined || includeLinked) return owned;
    const owners = new Set(operations.map(ownerOf));
    const asked = owned.filter(({ owner: { owner } }) => owners.has(owner as Owner));
    return asked.length > 0 ? asked : owned.slice(0, 1);
  }

  async #answer(
    query: RecordedTransactionsQuery,
    reads: readonly ReadRows[],
    untilMs: number,
  ): Promise<RecordedTransactions> {
    if (!isByReference(query)) {
      const sources = await Promise.all(reads.map((read) => byTime(read, untilMs)));
      if (sources.includes('lateRows')) this.parts.behind.time.add();
      return this.#fromRows(query, reads, sources);
    }
    const sources = await Promise.all(reads.map((read) => byReference(read, query, untilMs)));
    if (sources.some((source) => source !== 'rows')) {
      this.parts.behind.merchantTransactionId.add();
    }
    if (!sources.includes('streams')) return this.#fromRows(query, reads, sources);
    const found = await this.#fromStreams(query, reads, sources);
    // A stream has no look at the others, so what is linked in them is missing.
    return query.includeLinked ? { ...found, isBehind: true } : found;
  }

  async #fromRows(
    query: RecordedTransactionsQuery,
    reads: readonly ReadRows[],
    sources: readonly Source[],
  ): Promise<RecordedTransactions> {
    const found = await this.#search(textsOf(reads), query);
    return sources.includes('lateRows') ? { ...found, isBehind: true } : found;
  }

  /** One page of what the streams of all have; of an owner that does not find them, of its rows. */
  async #fromStreams(
    query: TransactionsByReferenceQuery,
    reads: readonly ReadRows[],
    sources: readonly Source[],
  ): Promise<RecordedTransactions> {
    const [first] = reads;
    if (reads.length === 1 && first !== undefined) {
      return first.owner.transactionsByReference(query);
    }
    const upToHere = { ...query, limit: query.limit * query.pageNo, pageNo: 1 };
    const answers = reads.map((read, index) =>
      read.owner.findsByReference
        ? streamsOf(read.owner, upToHere)
        : this.#fromRows(upToHere, [read], sources.slice(index, index + 1)),
    );
    return mergedPage(query, await Promise.all(answers));
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
    for (const { owner } of this.parts.owned) {
      const items = rows.flatMap((row): SealedParameters[] => {
        const { streamId, transactionId, operation, personal: sealed } = row;
        if (sealed === null || ownerOf(operation ?? '') !== owner.owner) return [];
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

/** Reads the rows of all together: none of them goes away meanwhile. */
function readAll<Answer>(
  owned: readonly OwnedRows[],
  work: (reads: readonly ReadRows[]) => Promise<Answer>,
  reads: readonly ReadRows[] = [],
): Promise<Answer> {
  const [next, ...others] = owned;
  if (next === undefined) return work(reads);
  return next.rows.read((live, progress) =>
    readAll(others, work, [...reads, { ...next, live, progress }]),
  );
}

function textsOf(reads: readonly ReadRows[]): QueryTexts {
  return queryTexts(reads.map(({ live }) => live));
}

async function byTime({ progress }: ReadRows, untilMs: number): Promise<Source> {
  return (await hasAll(progress, untilMs)) ? 'rows' : 'lateRows';
}

/** `rows` if these have it; they are the better source, because they can be paged through. */
async function byReference(
  read: ReadRows,
  { entityId, by }: TransactionsByReferenceQuery,
  untilMs: number,
): Promise<Source> {
  const { progress, owner } = read;
  if (!owner.findsByReference) return byTime(read, untilMs);
  try {
    const found = await owner.referenceHeads({ entityId, ...by });
    // These are more than the owner looks at; the rows have more of them.
    if (found.more) return (await progress.hasAll(untilMs)) ? 'rows' : 'lateRows';
    return (await progress.has(found, untilMs)) ? 'rows' : 'streams';
  } catch (error) {
    if (owner.isIndispensable || !(error instanceof QueryUnavailable)) throw error;
    return 'lateRows';
  }
}

async function streamsOf(
  owner: RecordedOwner,
  query: TransactionsByReferenceQuery,
): Promise<RecordedTransactions> {
  try {
    return await owner.transactionsByReference(query);
  } catch (error) {
    if (owner.isIndispensable || !(error instanceof QueryUnavailable)) throw error;
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
  const registrationId = isScheduleEntry(row.operation ?? '') ? row.linkedId : null;
  // The table holds what the fold put there; its texts become the contract's types again here
  // alone.
  const text = (column: TransactionColumn): string => row[column] ?? '';
  return {
    id: text('transactionId'),
    ...(referencedId !== null && { referencedId }),
    ...(registrationId !== null && { registrationId }),
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
