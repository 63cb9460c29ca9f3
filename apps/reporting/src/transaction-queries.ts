import {
  PAGED_TRANSACTIONS_MAX,
  PERSONAL_PARAMETERS_MAX,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type RecordedTransactionQuery,
  type RecordedTransactions,
  type RecordedTransactionsQuery,
  type SealedParameters,
  type TransactionView,
  type UnservedMethod,
} from '@sluice/contracts';
import { earliestIdAt } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { ReadTableSet } from '@sluice/projections';
import type { Pool } from 'pg';
import type { TransactionColumn, TransactionRow } from './projections/transactions.projection.js';

/** Which table set is read, and where to look again when it is gone. */
export interface LiveTables {
  readonly live: ReadTableSet | undefined;
  refresh(): Promise<void>;
}

/** SQLSTATE: the table set was dropped between our look at the pointer and the query. */
const UNDEFINED_TABLE = '42P01';
/** Linked transactions of one answer; a payment has at most a thousand, an answer 500 payments. */
const LINKED_MAX = 5_000;

/** Finds transactions in the live table set. */
export class TransactionQueries {
  constructor(
    private readonly pool: Pool,
    private readonly tables: LiveTables,
    private readonly queries: Queries,
  ) {}

  /** One transaction, or with it all of its payment, the wanted one first. */
  async transaction(query: RecordedTransactionQuery): Promise<RecordedTransactions> {
    return this.#reading(async (texts) => {
      const found = await this.#rows(texts.byId, [query.transactionId, query.entityId]);
      const linked = query.includeLinked ? await this.#linked(texts, query.entityId, found) : [];
      return { transactions: await this.#views([...found, ...linked]), total: found.length };
    });
  }

  /** Transactions by the merchant's id or by time, newest first. */
  async transactions(query: RecordedTransactionsQuery): Promise<RecordedTransactions> {
    const { entityId, operations, paymentMethods, shortId, limit, pageNo } = query;
    return this.#reading(async (texts) => {
      const [list, count, by] =
        'merchantTransactionId' in query.by
          ? [texts.byMerchantId, texts.countByMerchantId, [query.by.merchantTransactionId, null]]
          : [
              texts.byTime,
              texts.countByTime,
              [earliestIdAt(query.by.fromMs), earliestIdAt(query.by.toMs)],
            ];
      const filters = [
        entityId,
        ...by,
        operations ?? null,
        paymentMethods ?? null,
        shortId ?? null,
      ];
      const { rows } = await this.pool.query<{ total: number }>(count, filters);
      const found = await this.#rows(list, [...filters, limit, (pageNo - 1) * limit]);
      const linked = query.includeLinked ? await this.#linked(texts, entityId, found) : [];
      const transactions = await this.#views([...found, ...linked]);
      return { transactions, total: rows[0]?.total ?? 0 };
    });
  }

  /** Runs on the live table set; looks once again when that has just been dropped. */
  async #reading(
    work: (texts: QueryTexts) => Promise<RecordedTransactions>,
  ): Promise<RecordedTransactions> {
    const { live } = this.tables;
    if (live === undefined) await this.tables.refresh();
    try {
      return await work(this.#texts());
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
      await this.tables.refresh();
      return work(this.#texts());
    }
  }

  #texts(): QueryTexts {
    const { live } = this.tables;
    if (live === undefined) throw new Error('No table set can be read.');
    return queryTexts(live);
  }

  async #rows(text: string, values: readonly unknown[]): Promise<readonly TransactionRow[]> {
    const { rows } = await this.pool.query<TransactionRow>(text, [...values]);
    return rows;
  }

  async #linked(
    texts: QueryTexts,
    entityId: string,
    found: readonly TransactionRow[],
  ): Promise<readonly TransactionRow[]> {
    const streams = [...new Set(found.map(({ streamId }) => streamId))];
    const known = new Set(found.map(({ transactionId }) => transactionId));
    const rows = await this.#rows(texts.linked, [streams, entityId]);
    return rows.filter(({ transactionId }) => !known.has(transactionId));
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
      const { blocks } = await this.queries.ask<PersonalParametersAnswer>(
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

interface QueryTexts {
  /** `$1` id, `$2` entity. */
  readonly byId: string;
  /** `$1` streams, `$2` entity. */
  readonly linked: string;
  /** `$1` entity, `$2` and `$3` what to look for, `$4` to `$6` filters, `$7` limit, `$8` offset. */
  readonly byMerchantId: string;
  readonly byTime: string;
  /** The same without limit and offset. */
  readonly countByMerchantId: string;
  readonly countByTime: string;
}

const textsOfSets = new WeakMap<ReadTableSet, QueryTexts>();

function queryTexts(set: ReadTableSet): QueryTexts {
  let texts = textsOfSets.get(set);
  if (texts === undefined) {
    texts = makeTexts(set.table, set.selectedAs);
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

function makeTexts(table: string, columns: string): QueryTexts {
  const list = (by: string): string => `SELECT ${columns} FROM ${table} WHERE ${by} AND ${FILTERS}
    ORDER BY transaction_id DESC LIMIT $7 OFFSET $8`;
  const count = (by: string): string => `SELECT count(*)::int AS total FROM (
    SELECT FROM ${table} WHERE ${by} AND ${FILTERS} LIMIT ${PAGED_TRANSACTIONS_MAX}) counted`;
  return {
    byId: `SELECT ${columns} FROM ${table} WHERE transaction_id = $1::uuid AND entity_id = $2::uuid`,
    linked: `SELECT ${columns} FROM ${table} WHERE entity_id = $2::uuid AND (
        transaction_id = ANY ($1::uuid[])
        OR stream_id = ANY ($1::uuid[]) AND stream_id <> transaction_id)
      ORDER BY transaction_id LIMIT ${LINKED_MAX}`,
    byMerchantId: list(MERCHANT_ID),
    byTime: list(TIME),
    countByMerchantId: count(MERCHANT_ID),
    countByTime: count(TIME),
  };
}

function viewOf(row: TransactionRow, personal: Readonly<Record<string, string>>): TransactionView {
  const { referencedId, amountMinor, currency, connectorTxId, card, resultDetails } = row;
  const { avsResponse, cvvResponse, resultDescription } = row;
  const method = methodOf(row);
  // The table holds what the fold put there; its texts become the contract's types again here alone.
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
    ...(card !== null && { card: JSON.parse(card) as object }),
    ...(method !== undefined && { method }),
    parameters: JSON.parse(text('parameters')) as object,
    personal,
  } as TransactionView;
}

/** Of what refers to a payment, and of a payment by card, nothing is said. */
function methodOf({
  paymentMethod,
  brand,
  card,
  referencedId,
}: TransactionRow): UnservedMethod | undefined {
  if (card !== null || referencedId !== null) return undefined;
  return { ...(paymentMethod !== null && { paymentMethod }), ...(brand !== null && { brand }) };
}
