import {
  PAGED_TRANSACTIONS_MAX,
  PERSONAL_PARAMETERS_MAX,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type RecordedTransactions,
  type RecordedTransactionsQuery,
  type SealedParameters,
  type TransactionsByReferenceQuery,
  type TransactionView,
} from '@sluice/contracts';
import { earliestIdAt } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import type { LiveRows, ReadTableSet, RowProgress } from '@sluice/projections';
import type { CounterSeries } from '@sluice/service';
import type { Pool } from 'pg';
import type { PaymentQueries } from './payment-queries.js';
import type { TransactionColumn, TransactionRow } from './projections/transactions.projection.js';

/** What queries are answered with. */
export interface TransactionQueriesParts {
  readonly pool: Pool;
  readonly rows: LiveRows;
  readonly payments: PaymentQueries;
  /** Opens personal data. */
  readonly queries: Queries;
  /** Counts the queries for which the rows were too late. */
  readonly behind: Readonly<Record<'merchantTransactionId' | 'time', CounterSeries>>;
  /** How long a query waits for rows that are older than its arrival; D-65, except in tests. */
  readonly waitMs?: number;
}

/** D-65. */
const WAIT_MS = 1_000;

/** Finds transactions in the live table set, once that has what the store had when a query came. */
export class TransactionQueries {
  constructor(private readonly parts: TransactionQueriesParts) {}

  /** Transactions by the merchant's id or by time, newest first. */
  async transactions(query: RecordedTransactionsQuery): Promise<RecordedTransactions> {
    const untilMs = performance.now() + (this.parts.waitMs ?? WAIT_MS);
    return this.parts.rows.read(async (live, progress) => {
      const from = isByReference(query)
        ? await this.#byReference(progress, query, untilMs)
        : await this.#byTime(progress, untilMs);
      if (typeof from === 'object') return from;
      const found = await this.#search(queryTexts(live), query);
      return from === 'rows' ? found : { ...found, isBehind: true };
    });
  }

  async #byTime(progress: RowProgress, untilMs: number): Promise<'rows' | 'lateRows'> {
    if (await hasAll(progress, untilMs)) return 'rows';
    this.parts.behind.time.add();
    return 'lateRows';
  }

  /** `rows` if these have it; they are the better source, because they can be paged through. */
  async #byReference(
    progress: RowProgress,
    query: TransactionsByReferenceQuery,
    untilMs: number,
  ): Promise<RecordedTransactions | 'rows' | 'lateRows'> {
    const { entityId, by } = query;
    const found = await this.parts.payments.referenceHeads({ entityId, ...by });
    const isThere = found.more
      ? await progress.hasAll(untilMs)
      : await progress.has(found, untilMs);
    if (isThere) return 'rows';
    this.parts.behind.merchantTransactionId.add();
    // These are more than payments looks at; the rows have more of them.
    return found.more ? 'lateRows' : this.parts.payments.transactionsByReference(query);
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

  async #views(rows: readonly TransactionRow[]): Promise<readonly TransactionView[]> {
    const personal = await this.#personalOf(rows);
    return rows.map((row) => viewOf(row, personal.get(row.transactionId ?? '') ?? {}));
  }

  /** Only payments has the keys; all blocks of an answer are opened together (D-22). */
  async #personalOf(
    rows: readonly TransactionRow[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const items = rows.flatMap(({ streamId, transactionId, personal }): SealedParameters[] =>
      personal === null
        ? []
        : [{ streamId: streamId ?? '', transactionId: transactionId ?? '', sealed: personal }],
    );
    const opened = new Map<string, Readonly<Record<string, string>>>();
    for (let start = 0; start < items.length; start += PERSONAL_PARAMETERS_MAX) {
      const query: PersonalParametersQuery = {
        items: items.slice(start, start + PERSONAL_PARAMETERS_MAX),
      };
      const { blocks } = await this.parts.queries.ask<PersonalParametersAnswer>(
        'payments',
        'payments.personalParameters',
        query,
      );
      query.items.forEach(({ transactionId }, index) => {
        opened.set(transactionId, blocks[index]?.personal ?? {});
      });
    }
    return opened;
  }
}

/** A time frame is answered with what there is when payments cannot be asked, too. */
async function hasAll(progress: RowProgress, untilMs: number): Promise<boolean> {
  try {
    return await progress.hasAll(untilMs);
  } catch (error) {
    if (error instanceof QueryUnavailable) return false;
    throw error;
  }
}

/**
 * The statements of one way to search. `$1` is the entity, `$2` and `$3` what to look for, `$4` to
 * `$6` filters; in lists `$7` the limit and `$8` the offset.
 */
interface SearchTexts {
  readonly list: Prepared;
  readonly count: Prepared;
  /** The other transactions of the payments that were found. */
  readonly listLinked: Prepared;
  readonly countLinked: Prepared;
}

/**
 * A statement without its values. Planning one by the merchant's id takes longer than running it, so it
 * is prepared under a name. One by time is planned each time: a plan for any tenant may go through the
 * rows of all others, which is right for a tenant with half of them and wrong for a small one.
 */
interface Prepared {
  readonly name?: string;
  readonly text: string;
}

interface QueryTexts {
  readonly byMerchantId: SearchTexts;
  readonly byTime: SearchTexts;
}

const textsOfSets = new WeakMap<ReadTableSet, QueryTexts>();

function queryTexts(set: ReadTableSet): QueryTexts {
  let texts = textsOfSets.get(set);
  if (texts === undefined) {
    texts = makeTexts(set);
    textsOfSets.set(set, texts);
  }
  return texts;
}

const MERCHANT_ID = 'entity_id = $1::uuid AND merchant_transaction_id = $2 AND $3::text IS NULL';
const TIME = 'entity_id = $1::uuid AND transaction_id >= $2::uuid AND transaction_id < $3::uuid';
/** The short id is made of the id's last 12 hex digits, as the answers' descriptor has it. */
const FILTERS = `($4::text[] IS NULL OR operation = ANY ($4))
  AND ($5::text[] IS NULL OR payment_method = ANY ($5))
  AND ($6::text IS NULL OR replace($6, '.', '') = right(
    '000000000000' || ('x' || right(transaction_id::text, 12))::bit(48)::bigint, 12))`;

function makeTexts({ id, table, selectedAs: columns }: ReadTableSet): QueryTexts {
  const searchBy = (by: string): SearchTexts => {
    const prepared = (what: string, text: string): Prepared =>
      by === MERCHANT_ID ? { name: `table set ${id} ${what} by merchant id`, text } : { text };
    const matches = `${by} AND ${FILTERS}`;
    const most = `LIMIT ${PAGED_TRANSACTIONS_MAX}`;
    // A payment's first transaction has the payment's id, and is found by that alone.
    const linked = `FROM (
        SELECT DISTINCT stream_id AS payment
        FROM (SELECT stream_id FROM ${table} WHERE ${matches} ${most}) m) found
      CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE transaction_id = payment
        UNION ALL
        SELECT * FROM ${table} WHERE stream_id = payment AND stream_id <> transaction_id) t
      WHERE entity_id = $1::uuid AND (${matches}) IS NOT TRUE`;
    const count = (from: string): string =>
      `SELECT count(*)::int AS total FROM (SELECT ${from} ${most}) counted`;
    const order = 'ORDER BY transaction_id';
    const page = 'LIMIT $7 OFFSET $8';
    return {
      list: prepared(
        'list',
        `SELECT ${columns} FROM ${table} WHERE ${matches} ${order} DESC ${page}`,
      ),
      count: prepared('count', count(`FROM ${table} WHERE ${matches}`)),
      listLinked: prepared('linked', `SELECT ${columns} ${linked} ${order} ${page}`),
      countLinked: prepared('linked count', count(linked)),
    };
  };
  return {
    byMerchantId: searchBy(MERCHANT_ID),
    byTime: searchBy(TIME),
  };
}

function isByReference(query: RecordedTransactionsQuery): query is TransactionsByReferenceQuery {
  return 'merchantTransactionId' in query.by;
}

function viewOf(row: TransactionRow, personal: Readonly<Record<string, string>>): TransactionView {
  const { referencedId, amountMinor, currency, connectorTxId, instrument, resultDetails } = row;
  const { avsResponse, cvvResponse, resultDescription } = row;
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
    entityId: text('entityId'),
    channelName: text('channelName'),
    mode: text('mode'),
    ndc: text('ndc'),
    recordedAtMs: Number(text('recordedAtMs')),
    ...(instrument !== null && { instrument: JSON.parse(instrument) as object }),
    parameters: JSON.parse(text('parameters')) as object,
    personal,
  } as TransactionView;
}
