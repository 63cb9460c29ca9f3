import { PAGED_TRANSACTIONS_MAX } from '@sluice/contracts';
import type { ReadTableSet } from '@sluice/projections';
import { transactionColumns } from './projections/transactions.projection.js';

/**
 * The statements of one way to search. `$1` is the entity, `$2` and `$3` what to look for, `$4` to
 * `$6` filters; in lists `$7` the limit and `$8` the offset.
 */
export interface SearchTexts {
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
export interface Prepared {
  readonly name?: string;
  readonly text: string;
}

export interface QueryTexts {
  readonly byMerchantId: SearchTexts;
  readonly byTime: SearchTexts;
  /**
   * What is linked with a payment or registration and is not of its stream: `$1` is the entity, `$2` one of
   * its transactions, `$3` and `$4` filters, `$5` the limit and `$6` the offset.
   */
  readonly listBeside: Prepared;
  readonly countBeside: Prepared;
}

/** By the last of some table sets, and then by all of them: those that are gone are forgotten. */
const textsOfSets = new WeakMap<ReadTableSet, Map<string, QueryTexts>>();

/** The statements for table sets with the same columns, which are searched as one table. */
export function queryTexts(sets: readonly ReadTableSet[]): QueryTexts {
  const last = sets.at(-1);
  if (last === undefined) throw new RangeError('There are no rows to search.');
  const together = sets.map(({ table }) => table).join(' ');
  let texts = textsOfSets.get(last);
  if (texts === undefined) textsOfSets.set(last, (texts = new Map<never, never>()));
  let made = texts.get(together);
  if (made === undefined) texts.set(together, (made = makeTexts(sets)));
  return made;
}

/** What rows are found by, under names that are none of the properties. */
const FOUND_BY = `entity_id AS by_entity, transaction_id AS by_transaction, stream_id AS by_stream,
  linked_id AS by_link,
  merchant_transaction_id AS by_reference, operation AS by_operation, payment_method AS by_method`;

const COLUMNS = Object.keys(transactionColumns)
  .map((property) => `"${property}"`)
  .join(', ');

const MERCHANT_ID = 'by_entity = $1::uuid AND by_reference = $2 AND $3::text IS NULL';
const TIME = 'by_entity = $1::uuid AND by_transaction >= $2::uuid AND by_transaction < $3::uuid';
/** The short id is made of the id's last 12 hex digits, as the answers' descriptor has it. */
const FILTERS = `($4::text[] IS NULL OR by_operation = ANY ($4))
  AND ($5::text[] IS NULL OR by_method = ANY ($5))
  AND ($6::text IS NULL OR replace($6, '.', '') = right(
    '000000000000' || ('x' || right(by_transaction::text, 12))::bit(48)::bigint, 12))`;

function makeTexts(sets: readonly ReadTableSet[]): QueryTexts {
  const ids = sets.map(({ id }) => id).join(' and ');
  const table = `(${sets
    .map((set) => `SELECT ${FOUND_BY}, ${set.selectedAs} FROM ${set.table}`)
    .join(' UNION ALL ')})`;
  const searchBy = (by: string): SearchTexts => {
    const prepared = (what: string, text: string): Prepared =>
      by === MERCHANT_ID ? { name: `table set ${ids} ${what} by merchant id`, text } : { text };
    const matches = `${by} AND ${FILTERS}`;
    const linked = `FROM (
        SELECT DISTINCT by_stream AS stream
        FROM (SELECT by_stream FROM ${table} r WHERE ${matches} ${MOST}) m) found
      CROSS JOIN LATERAL (${ofStream(table)} UNION ALL ${besideStream(table)}) t
      WHERE by_entity = $1::uuid AND (${matches}) IS NOT TRUE`;
    const order = 'ORDER BY by_transaction';
    const page = 'LIMIT $7 OFFSET $8';
    return {
      list: prepared(
        'list',
        `SELECT ${COLUMNS} FROM ${table} r WHERE ${matches} ${order} DESC ${page}`,
      ),
      count: prepared('count', counted(`SELECT FROM ${table} r WHERE ${matches}`)),
      listLinked: prepared('linked', listed(linked, page)),
      countLinked: prepared('linked count', counted(`SELECT DISTINCT by_transaction ${linked}`)),
    };
  };
  const beside = `FROM (
      SELECT by_stream AS stream FROM ${table} r
      WHERE by_entity = $1::uuid AND by_transaction = $2::uuid) found
    CROSS JOIN LATERAL (${besideStream(table)}) t
    WHERE by_entity = $1::uuid AND by_stream <> stream
      AND ($3::text[] IS NULL OR by_operation = ANY ($3))
      AND ($4::text[] IS NULL OR by_method = ANY ($4))`;
  return {
    byMerchantId: searchBy(MERCHANT_ID),
    byTime: searchBy(TIME),
    listBeside: { name: `table set ${ids} beside`, text: listed(beside, 'LIMIT $5 OFFSET $6') },
    countBeside: {
      name: `table set ${ids} beside count`,
      text: counted(`SELECT DISTINCT by_transaction ${beside}`),
    },
  };
}

const MOST = `LIMIT ${PAGED_TRANSACTIONS_MAX}`;

/** Each row once, oldest first: two that were found may be linked with the same one. */
function listed(from: string, page: string): string {
  const once = 'DISTINCT ON (by_transaction)';
  return `SELECT ${COLUMNS} FROM (SELECT ${once} * ${from} ORDER BY by_transaction ${page}) once ORDER BY by_transaction`;
}

function counted(select: string): string {
  return `SELECT count(*)::int AS total FROM (${select} ${MOST}) counted`;
}

/** A stream's first transaction has the stream's id, and is found by that alone. */
function ofStream(table: string): string {
  return `SELECT * FROM ${table} r WHERE by_transaction = stream
    UNION ALL
    SELECT * FROM ${table} r WHERE by_stream = stream AND by_stream <> by_transaction`;
}

/** What the first transaction of a stream names, and what names that (page 0058). */
function besideStream(table: string): string {
  return `SELECT * FROM ${table} r WHERE by_link = stream
    UNION ALL
    SELECT r.* FROM ${table} named CROSS JOIN LATERAL (
      SELECT * FROM ${table} r WHERE by_transaction = named.by_link) r
    WHERE named.by_transaction = stream`;
}
