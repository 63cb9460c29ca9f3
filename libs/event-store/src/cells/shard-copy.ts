import { binaryArray } from '../binary-array.js';
import type { Checkpoint } from '../reader.js';
import type { MovedShards, MoveSessions } from './move-state.js';
import { sqlRange } from './shard-range.js';

/** Events that one page looks at, of whatever shard: a short statement, and a short transaction. */
const LOOKED_AT_MAX = 5_000;
/** What the copied events of a page may weigh as stored; both this process and the server hold them. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

/** How far one page came. */
export interface CopiedPage {
  readonly next: Checkpoint;
  readonly events: number;
  /** Whether there is already something on the next page. */
  readonly more: boolean;
}

/**
 * Which events are read: those whose database transaction has ended, like every catch-up reader
 * (`settled`), or all that are visible, once nobody can append to the range any more (`all`).
 */
export type CopyScope = 'settled' | 'all';

interface EventRow {
  stream_id: string;
  version: number;
  database_transaction: string;
  position: string;
  moves: boolean;
  is_last: boolean;
  looked_at: number;
  recorded_at: string;
  event_id: string;
  command_id: string;
  type: string;
  schema_version: number;
  data: string;
  metadata: string;
  transaction_id: string | null;
}

interface TransactionRow {
  transaction_id: string;
  stream_id: string;
  command_id: string;
  begun_version: number | null;
  lookup_key: string | null;
}

interface KeyRow {
  stream_id: string;
  wrapped: Buffer | null;
  erased_at: string | null;
}

/** What belongs to the events of a page, read from the source. */
interface Page extends CopiedPage {
  readonly rows: readonly EventRow[];
  readonly transactions: readonly TransactionRow[];
  readonly keys: readonly KeyRow[];
}

/** Copies events of the range, and the rows that belong to them, into the target, page by page. */
export class ShardCopy {
  readonly #schema: string;
  readonly #range: string;

  constructor(
    private readonly sessions: MoveSessions,
    { schema, shards }: MovedShards,
  ) {
    this.#schema = schema;
    this.#range = sqlRange(shards);
  }

  /** Where the target's copy is. */
  async checkpoint(): Promise<Checkpoint> {
    return this.sessions.target.row<{ databaseTransaction: string; position: string }>(
      `SELECT database_transaction::text AS "databaseTransaction", position::text AS position
       FROM ${this.#schema}.shard_moves WHERE shards = $1`,
      [this.#range],
    );
  }

  /**
   * Copies until nothing more can be seen; the target's checkpoint follows, page by page. Of scope
   * `all` it stays: what is appended after a move was given back must come after it.
   */
  async copy(scope: CopyScope, copied: (events: number) => void): Promise<void> {
    let page = await this.#read(await this.checkpoint(), scope);
    for (;;) {
      // The source reads the next page while the target writes this one.
      const [following] = await Promise.all([
        page.more ? this.#read(page.next, scope) : undefined,
        this.#write(page, scope),
      ]);
      copied(page.events);
      if (following === undefined) return;
      page = following;
    }
  }

  /** Events after the checkpoint, of whatever shard; counted to a number that is too many. */
  async behind(countedMax: number): Promise<number> {
    const { databaseTransaction, position } = await this.checkpoint();
    const { count } = await this.sessions.source.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT FROM ${this.#schema}.events
         WHERE (database_transaction, position) > ($1::xid8, $2::bigint)
         ORDER BY database_transaction, position LIMIT $3) e`,
      [databaseTransaction, position, countedMax],
    );
    return count;
  }

  async #read({ databaseTransaction, position }: Checkpoint, scope: CopyScope): Promise<Page> {
    const rows = await this.sessions.source.execute<EventRow>(pageStatement(this.#schema, scope), [
      databaseTransaction,
      position,
      LOOKED_AT_MAX,
      this.#range,
      PAGE_BYTES_MAX,
    ]);
    const moving = rows.filter(({ moves }) => moves);
    const last = rows.at(-1);
    const next =
      last === undefined
        ? { databaseTransaction, position }
        : { databaseTransaction: last.database_transaction, position: last.position };
    return {
      next,
      events: moving.length,
      // Otherwise a source that is written to all the time would have no end.
      more: last !== undefined && !(last.is_last && last.looked_at < LOOKED_AT_MAX),
      rows: moving,
      transactions: await this.#transactionsOf(moving),
      keys: await this.#keysOf(moving),
    };
  }

  /** An append claims ids of the transactions that its events name. */
  async #transactionsOf(rows: readonly EventRow[]): Promise<readonly TransactionRow[]> {
    const ids = new Set(rows.flatMap(({ transaction_id: id }) => (id === null ? [] : [id])));
    if (ids.size === 0) return [];
    return this.sessions.source.execute<TransactionRow>(
      `SELECT transaction_id, stream_id, command_id, begun_version, lookup_key::text AS lookup_key
       FROM ${this.#schema}.transactions
       WHERE transaction_id = ANY ($1::text[]) AND ${this.#schema}.shard_of(stream_id) <@ $2::int4range`,
      [[...ids], this.#range],
    );
  }

  async #keysOf(rows: readonly EventRow[]): Promise<readonly KeyRow[]> {
    const streams = new Set(rows.map(({ stream_id }) => stream_id));
    if (streams.size === 0) return [];
    return this.sessions.source.execute<KeyRow>(
      `SELECT stream_id, wrapped, erased_at::text AS erased_at FROM ${this.#schema}.personal_keys
       WHERE stream_id = ANY ($1::text[])`,
      [[...streams]],
    );
  }

  async #write(page: Page, scope: CopyScope): Promise<void> {
    const { target } = this.sessions;
    const { databaseTransaction, position } = page.next;
    await target.transaction(async () => {
      await this.#writeEvents(page.rows);
      await this.writeTransactions(page.transactions);
      await this.writeKeys(page.keys);
      if (scope === 'all') return;
      await target.execute(
        `UPDATE ${this.#schema}.shard_moves SET database_transaction = $2::xid8, position = $3
         WHERE shards = $1`,
        [this.#range, databaseTransaction, position],
      );
    });
  }

  /** In order, so that positions within a stream grow with the version. Repeating it is harmless. */
  async #writeEvents(rows: readonly EventRow[]): Promise<void> {
    if (rows.length === 0) return;
    const [written] = await this.sessions.target.execute<{ different: string | null }>(
      writeEventsStatement(this.#schema),
      [
        binaryArray(
          'text',
          rows.map((row) => row.stream_id),
        ),
        binaryArray(
          'int4',
          rows.map((row) => row.version),
        ),
        binaryArray(
          'text',
          rows.map((row) => row.recorded_at),
        ),
        binaryArray(
          'uuid',
          rows.map((row) => row.event_id),
        ),
        binaryArray(
          'uuid',
          rows.map((row) => row.command_id),
        ),
        binaryArray(
          'text',
          rows.map((row) => row.type),
        ),
        binaryArray(
          'int2',
          rows.map((row) => row.schema_version),
        ),
        binaryArray(
          'json',
          rows.map((row) => row.data),
        ),
        binaryArray(
          'json',
          rows.map((row) => row.metadata),
        ),
      ],
    );
    const different = written?.different ?? undefined;
    if (different !== undefined) {
      throw new Error(`Stream ${different} has another event in the target than in the source.`);
    }
  }

  /** An id that the target knows already stays as it is there. */
  async writeTransactions(rows: readonly TransactionRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.sessions.target.execute(
      `INSERT INTO ${this.#schema}.transactions
         (transaction_id, stream_id, command_id, begun_version, lookup_key)
       SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::int[], $5::bigint[])
       ON CONFLICT (transaction_id) DO NOTHING`,
      [
        rows.map((row) => row.transaction_id),
        rows.map((row) => row.stream_id),
        rows.map((row) => row.command_id),
        rows.map((row) => row.begun_version),
        rows.map((row) => row.lookup_key),
      ],
    );
  }

  /** What is erased in one of the databases is erased in the target. */
  async writeKeys(rows: readonly KeyRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.sessions.target.execute(
      `INSERT INTO ${this.#schema}.personal_keys AS k (stream_id, wrapped, erased_at)
       SELECT * FROM unnest($1::text[], $2::bytea[], $3::timestamptz[])
       ON CONFLICT (stream_id) DO UPDATE SET wrapped = NULL, erased_at = excluded.erased_at
         WHERE excluded.erased_at IS NOT NULL AND k.erased_at IS NULL`,
      [
        rows.map((row) => row.stream_id),
        rows.map((row) => row.wrapped),
        rows.map((row) => row.erased_at),
      ],
    );
  }

  /** Erasures of before this mover held its lock, in streams that were copied already. */
  async copyErasures(): Promise<void> {
    let after = '';
    for (;;) {
      const rows = await this.sessions.source.execute<KeyRow>(
        `SELECT stream_id, NULL::bytea AS wrapped, erased_at::text AS erased_at
         FROM ${this.#schema}.personal_keys
         WHERE stream_id > $1 AND erased_at IS NOT NULL
           AND ${this.#schema}.shard_of(stream_id) <@ $2::int4range
         ORDER BY stream_id LIMIT $3`,
        [after, this.#range, LOOKED_AT_MAX],
      );
      await this.writeKeys(rows);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.stream_id;
    }
  }
}

/** The last row says how far the page looked, even if it stays. */
function pageStatement(schema: string, scope: CopyScope): string {
  const ended = 'AND database_transaction < pg_snapshot_xmin(pg_current_snapshot())';
  return `SELECT stream_id, version, database_transaction::text AS database_transaction,
      position::text AS position, moves, is_last, looked_at, recorded_at::text AS recorded_at, event_id, command_id,
      type, schema_version, data::text AS data, metadata::text AS metadata,
      data->>'transactionId' AS transaction_id
    FROM (
      SELECT w.*, lead(w.position) OVER in_order IS NULL AS is_last,
             (count(*) OVER ())::int AS looked_at,
             coalesce(sum(CASE WHEN moves THEN bytes ELSE 0 END)
                        OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (
        SELECT e.*, ${schema}.shard_of(e.stream_id) <@ $4::int4range AS moves,
               pg_column_size(e.data) + pg_column_size(e.metadata) AS bytes
        FROM ${schema}.events e
        WHERE (database_transaction, position) > ($1::xid8, $2::bigint)
          ${scope === 'settled' ? ended : ''}
        ORDER BY database_transaction, position LIMIT $3) w
      WINDOW in_order AS (ORDER BY w.database_transaction, w.position)) p
    WHERE before < $5 AND (moves OR is_last)
    ORDER BY p.database_transaction, p.position`;
}

function writeEventsStatement(schema: string): string {
  return `WITH page AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::uuid[], $5::uuid[], $6::text[],
                           $7::smallint[], $8::json[], $9::json[]) WITH ORDINALITY AS p (
        stream_id, version, recorded_at, event_id, command_id, type, schema_version, data, metadata,
        place)),
    written AS (
      INSERT INTO ${schema}.events
        (stream_id, version, recorded_at, event_id, command_id, type, schema_version, data, metadata)
      SELECT stream_id, version, recorded_at::timestamptz, event_id, command_id, type,
             schema_version, data, metadata
      FROM page ORDER BY place
      ON CONFLICT (stream_id, version) DO NOTHING),
    heads AS (
      INSERT INTO ${schema}.streams AS s (stream_id, version)
      SELECT stream_id, max(version) FROM page GROUP BY stream_id ORDER BY stream_id
      ON CONFLICT (stream_id) DO UPDATE SET version = excluded.version
        WHERE s.version < excluded.version)
    SELECT max(e.stream_id) AS different FROM page p
    JOIN ${schema}.events e USING (stream_id, version) WHERE e.event_id <> p.event_id`;
}
