import type { Pool, PoolClient } from 'pg';
import type { NewMark } from './append-member.js';
import { EVENT_COLUMNS, type EventRow, type RecordedEvent, storedEvent } from './recorded-event.js';
import { SHARD_COUNT } from './cells/cell-tables.js';
import { MoveRefused } from './cells/move-refused.js';
import { rangesOf, shardsIn } from './cells/shard-range.js';
import { SQL_IDENTIFIER } from './schema.js';

/** What the appends of one stream have done to marks. */
export interface MarkHistory {
  /** Those that it has left and not withdrawn, each with the version at which it was left last. */
  readonly left: readonly (NewMark & { readonly atVersion: number })[];
  /** Subjects that it has cleared, with the version at which it did so last. */
  readonly cleared: ReadonlyMap<string, number>;
}

/** What is needed to fill the table anew. */
export interface MarkRefill {
  /** Of the owner of the tables. */
  readonly pool: Pick<Pool, 'connect'>;
  readonly schema: string;
  /**
   * Where there are several cells, all of them: what a stream had cleared here before it moved is read where
   * it is now. Together they carry every shard.
   */
  readonly cells?: readonly Pick<Pool, 'connect' | 'query'>[];
  /** What appends have done to marks, from the events of one stream alone. */
  readonly historyOf: (events: readonly RecordedEvent[]) => MarkHistory;
  /** Otherwise it is done, counted, and undone. */
  readonly execute: boolean;
  readonly signal?: AbortSignal;
}

/** How far the table was from what the events say. */
export interface RefilledMarks {
  readonly streams: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Whether a cell carries all shards there are, so that nothing of it has moved away. */
export async function carriesEverything({
  pool,
  schema,
}: {
  readonly pool: Pick<Pool, 'query'>;
  readonly schema: string;
}): Promise<boolean> {
  if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  const text = `
    SELECT carried = int4multirange(int4range(0, ${SHARD_COUNT})) AS everything
    FROM ${schema}.carried_shards WHERE only_row`;
  const { rows } = await pool.query<{ everything: boolean }>(text);
  return rows[0]?.everything === true;
}

/** Of these all events are in memory, a thousand each at most. */
const STREAMS_AT_ONCE = 200;
/** Appends that change marks wait behind the lock, for less time than they are given. */
const LOCK_WITHIN = '2s';

/** Tables of this session alone, so that no transaction is open while the events are read. */
const TABLES = `
  CREATE TEMP TABLE refilled_marks (
    subject text COLLATE "C", transaction_id text COLLATE "C", stream_id text COLLATE "C",
    data text, until timestamptz, lasting boolean, left_at timestamptz,
    PRIMARY KEY (subject, transaction_id));
  CREATE TEMP TABLE cleared_subjects (subject text COLLATE "C" PRIMARY KEY, cleared_at timestamptz);
  CREATE TEMP TABLE cleared_elsewhere (subject text COLLATE "C" PRIMARY KEY, cleared_at timestamptz)`;
const LEFT = `
  INSERT INTO refilled_marks
  SELECT subject, transaction_id, stream_id, data, to_timestamp(until_s), lasting, left_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::boolean[],
              $7::timestamptz[])
    AS l (subject, transaction_id, stream_id, data, until_s, lasting, left_at)`;
const clearedInto = (table: 'cleared_subjects' | 'cleared_elsewhere'): string => `
  INSERT INTO ${table} AS c
  SELECT subject, max(cleared_at) FROM unnest($1::text[], $2::timestamptz[]) AS w (subject, cleared_at)
  GROUP BY subject
  ON CONFLICT (subject) DO UPDATE SET cleared_at = greatest(c.cleared_at, excluded.cleared_at)`;
/** What another stream has cleared is gone, unless it lasts or was left later. */
const STANDS = `
  SELECT * FROM refilled_marks f
  WHERE (f.until IS NULL OR f.until > now())
    AND (f.lasting OR NOT EXISTS (SELECT FROM cleared_subjects c
                                  WHERE c.subject = f.subject AND c.cleared_at > f.left_at))`;

/**
 * Makes the table of marks what the events say, while payments go on. Events are read without a lock;
 * streams that have changed meanwhile are read again while nobody can leave a mark. What is right
 * already stays untouched, with its version. @throws MoveRefused where cells are given that do not carry
 * every shard
 */
export async function refillMarks(refill: MarkRefill): Promise<RefilledMarks> {
  const { pool, schema, execute, cells = [] } = refill;
  if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  if (cells.length > 0) await assertEverywhere(cells, schema);
  const client = await pool.connect();
  try {
    await client.query(TABLES);
    const begin = await client.query<{ xmin: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin',
    );
    const streams = await readAll(client, refill, (ids) => readStreams(client, refill, ids));
    for (const cell of cells) await readCleared(client, refill, cell);
    await client.query('BEGIN');
    if (execute) {
      const lock = `SET LOCAL lock_timeout = '${LOCK_WITHIN}';
        LOCK TABLE ${schema}.marks IN SHARE ROW EXCLUSIVE MODE`;
      await client.query(lock);
    }
    await readChanged(client, refill, begin.rows[0]?.xmin ?? '0');
    const differences = await apply(client, schema);
    await client.query(execute ? 'COMMIT' : 'ROLLBACK');
    return { streams, ...differences };
  } finally {
    // With its tables, and with what it has not committed.
    client.release(true);
  }
}

/** What streams of a range have cleared that nobody carries would come back. */
async function assertEverywhere(
  cells: readonly Pick<Pool, 'query'>[],
  schema: string,
): Promise<void> {
  const text = `SELECT carried::text AS carried FROM ${schema}.carried_shards WHERE only_row`;
  const answers = await Promise.all(cells.map((cell) => cell.query<{ carried: string }>(text)));
  const carried = answers.flatMap(({ rows }) => rangesOf(rows[0]?.carried ?? ''));
  const count = shardsIn(carried);
  if (count === SHARD_COUNT) return;
  throw new MoveRefused(
    `The cells carry ${count} of ${SHARD_COUNT} shards: a move is not finished, or the address of a cell is ` +
      'missing or there twice.',
  );
}

async function readAll(
  client: PoolClient,
  { schema, signal }: MarkRefill,
  read: (ids: readonly string[]) => Promise<void>,
): Promise<number> {
  const page = `
    SELECT s.stream_id FROM ${schema}.streams s
    WHERE s.stream_id > $1 AND ${isCarried(schema)} ORDER BY s.stream_id LIMIT ${STREAMS_AT_ONCE}`;
  let streams = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ stream_id: string }>(page, [after]);
    const ids: readonly string[] = rows.map((row) => row.stream_id);
    await read(ids);
    streams += ids.length;
    after = ids.at(-1);
  }
  return streams;
}

/** What the streams of one cell have cleared, wherever they were when they did. */
async function readCleared(
  client: PoolClient,
  refill: MarkRefill,
  cell: Pick<Pool, 'connect'>,
): Promise<void> {
  const reader = await cell.connect();
  try {
    await readAll(reader, refill, async (ids) => {
      const { cleared } = await historiesOf(reader, refill, ids);
      if (cleared.length > 0)
        await client.query(clearedInto('cleared_elsewhere'), columnsOf(cleared));
    });
  } finally {
    reader.release();
  }
}

/** Of streams that somebody has appended to since. */
async function readChanged(client: PoolClient, refill: MarkRefill, xmin: string): Promise<void> {
  const changed = `
    SELECT DISTINCT s.stream_id FROM ${refill.schema}.events s
    WHERE s.database_transaction >= $1::xid8 AND ${isCarried(refill.schema)}`;
  const { rows } = await client.query<{ stream_id: string }>(changed, [xmin]);
  const ids = rows.map((row) => row.stream_id);
  await client.query('DELETE FROM refilled_marks WHERE stream_id = ANY ($1)', [ids]);
  for (let at = 0; at < ids.length; at += STREAMS_AT_ONCE) {
    await readStreams(client, refill, ids.slice(at, at + STREAMS_AT_ONCE));
  }
}

/** What has moved to another cell is told there. */
function isCarried(schema: string): string {
  return `EXISTS (SELECT FROM ${schema}.carried_shards c
                  WHERE ${schema}.shard_of(s.stream_id) <@ c.carried)`;
}

async function readStreams(
  client: PoolClient,
  refill: MarkRefill,
  ids: readonly string[],
): Promise<void> {
  const { left, cleared } = await historiesOf(client, refill, ids);
  if (left.length > 0) await client.query(LEFT, columnsOf(left));
  if (cleared.length > 0) await client.query(clearedInto('cleared_subjects'), columnsOf(cleared));
}

/** Rows of what these streams have left, and have cleared. */
async function historiesOf(
  client: PoolClient,
  { schema, historyOf }: MarkRefill,
  ids: readonly string[],
): Promise<{ readonly left: readonly unknown[][]; readonly cleared: readonly unknown[][] }> {
  const text = `
    SELECT ${EVENT_COLUMNS}, e.recorded_at::text FROM ${schema}.events e
    WHERE e.stream_id = ANY ($1) ORDER BY e.stream_id, e.version`;
  const { rows } = await client.query<PlacedRow>({ text, values: [ids], rowMode: 'array' });
  const left: unknown[][] = [];
  const cleared: unknown[][] = [];
  for (const [streamId, ofStream] of byStream(rows)) {
    const history = historyOf(ofStream.map(storedEvent));
    // To the microsecond: two streams may come to the same subject within a millisecond.
    const at = (version: number): string => ofStream[version - 1]?.at(-1) as string;
    for (const { subject, transactionId, data, untilMs, lasting, atVersion } of history.left) {
      const untilS = untilMs === undefined ? null : untilMs / 1_000;
      left.push([subject, transactionId, streamId, data, untilS, lasting, at(atVersion)]);
    }
    for (const [subject, atVersion] of history.cleared) cleared.push([subject, at(atVersion)]);
  }
  return { left, cleared };
}

type PlacedRow = [...EventRow, string];

function byStream(rows: readonly PlacedRow[]): ReadonlyMap<string, readonly PlacedRow[]> {
  const streams = new Map<string, PlacedRow[]>();
  for (const row of rows) {
    const ofStream = streams.get(row[0]);
    if (ofStream === undefined) streams.set(row[0], [row]);
    else ofStream.push(row);
  }
  return streams;
}

function columnsOf(rows: readonly (readonly unknown[])[]): unknown[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}

async function apply(client: PoolClient, schema: string): Promise<Omit<RefilledMarks, 'streams'>> {
  const text = `
    WITH wanted AS MATERIALIZED (${STANDS}),
    gone AS (
      DELETE FROM ${schema}.marks s
      WHERE (s.until IS NULL OR s.until > now())
        -- What came along with a move is of streams of another cell.
        AND ${isCarried(schema)}
        AND NOT EXISTS (SELECT FROM wanted w
                        WHERE w.subject = s.subject AND w.transaction_id = s.transaction_id)
      RETURNING 1),
    put AS (
      INSERT INTO ${schema}.marks AS k (subject, transaction_id, stream_id, data, until, lasting)
      SELECT subject, transaction_id, stream_id, data::json, until, lasting FROM wanted w
      -- One that is here was not cleared here, whatever became of its subject elsewhere.
      WHERE EXISTS (SELECT FROM ${schema}.marks s
                    WHERE s.subject = w.subject AND s.transaction_id = w.transaction_id)
        OR w.lasting
        OR NOT EXISTS (SELECT FROM cleared_elsewhere c
                       WHERE c.subject = w.subject AND c.cleared_at > w.left_at)
      ORDER BY subject, transaction_id
      ON CONFLICT (subject, transaction_id) DO UPDATE
        SET stream_id = excluded.stream_id, data = excluded.data, until = excluded.until,
            lasting = excluded.lasting, version = k.version + 1
        WHERE (k.stream_id, k.data::jsonb, k.until, k.lasting)
          IS DISTINCT FROM
              (excluded.stream_id, excluded.data::jsonb, excluded.until, excluded.lasting)
      RETURNING k.xmax = 0 AS is_new)
    SELECT (SELECT count(*) FROM put WHERE is_new)::int AS added,
           (SELECT count(*) FROM put WHERE NOT is_new)::int AS changed,
           (SELECT count(*) FROM gone)::int AS removed`;
  const { rows } = await client.query<Omit<RefilledMarks, 'streams'>>(text);
  return rows[0] ?? { added: 0, changed: 0, removed: 0 };
}
