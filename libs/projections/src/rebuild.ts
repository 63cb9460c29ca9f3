import type { Client } from 'pg';
import { listTableSets } from './bookkeeping.js';
import type { Projection } from './projection.js';
import { rebuildLock } from './rebuild-lock.js';
import {
  assertIdentifier,
  TableSetRefused,
  tableSetStatements,
  type TableSetStatements,
} from './table-set.js';
import type { RebuildOptions, RebuildSource, RebuildTarget } from './rebuild-options.js';
import { closeSource, haveShardsMoved, openSource, type SourceCell } from './source-cells.js';
import { TableSetFill, type FillPlace } from './table-set-fill.js';

/** A table set that is filled and now to be fed. */
export interface Rebuilt {
  readonly tableSet: number;
  /**
   * Including those of an earlier attempt that this one resumed; rows and parked streams do not
   * include them.
   */
  readonly events: number;
  readonly rows: number;
  /** Streams with an event that cannot be folded; they are parked. */
  readonly setAside: number;
  readonly durationMs: number;
  /** The owner's snapshot; everything after it is left to feeding. */
  readonly watermark: string;
}
/** Enough to sort in memory; only one index is built at a time. */
const INDEX_MEMORY = '256MB';

/**
 * Fills a new table set beside the live one (D-22). The live checkpoint is noted before the store
 * is read, so whoever feeds the new set from there on misses nothing, and rows only ever move to
 * the next version, so the overlap is harmless. Each chunk is read with a snapshot of its own, so
 * no long transaction keeps vacuum from the owner's tables.
 *
 * Only one process at a time does it, so half-filled tables belong to one that died. Each chunk is
 * committed together with its position, and the indexes together with the state that says that the
 * fill is complete. So a resumable fill continues where the other one ended. Throws TableSetRefused
 * while another process rebuilds the projection.
 */
export async function fillTableSet(options: RebuildOptions): Promise<Rebuilt> {
  const { source, target, projection } = options;
  assertIdentifier(source.schema);
  const lock = options.lock ?? (await rebuildLock(target, projection));
  if (lock === undefined) {
    throw new TableSetRefused(`Another process rebuilds the projection ${projection.name} now.`);
  }
  try {
    const from = await openSource(source);
    try {
      return await filled(from, lock.session, options);
    } finally {
      await closeSource(from);
    }
  } finally {
    if (options.lock === undefined) await lock.release();
  }
}

async function filled(
  from: readonly SourceCell[],
  to: Client,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const { source, target, projection } = options;
  const startedMs = performance.now();
  const incarnation = await incarnationOf(from, source);
  if (options.incarnation !== undefined && options.incarnation !== incarnation) {
    throw new Error(`The source is the store ${incarnation}, and its owner has another one.`);
  }
  const place =
    (await leftBehind(to, { ...options, resumable: isResumable(options) }, incarnation)) ??
    (await createTableSet(to, target, projection, incarnation));
  const { tableSet } = place;
  const statements = tableSetStatements(projection, target.schema, tableSet);
  try {
    const watermark = await watermarkOf(from);
    const fill = new TableSetFill({ from, to, statements, place, options, startedMs });
    await fill.run();
    if (await haveShardsMoved(from, source.schema)) await compareAll(to, target, tableSet);
    await complete(to, target, statements, tableSet);
    const { events, rows: filledRows, setAside } = fill;
    const durationMs = performance.now() - startedMs;
    return { tableSet, events, rows: filledRows, setAside, durationMs, watermark };
  } catch (error) {
    if (!isResumable(options)) {
      await dropTables(to, target.schema, statements, tableSet).catch(() => undefined);
    }
    throw error;
  }
}

/**
 * Resumes the tables that a fill of the same kind has left, and drops all others that were left.
 */
async function leftBehind(
  to: Client,
  { target, projection, resumable }: RebuildOptions,
  incarnation: string,
): Promise<FillPlace | undefined> {
  const sets = await listTableSets(to, target.schema, projection.name);
  let place: FillPlace | undefined;
  for (const set of sets.filter(({ state }) => state === 'filling').reverse()) {
    const statements = tableSetStatements(projection, target.schema, set.id);
    const fits = set.version === projection.version && set.incarnation === incarnation;
    if (resumable === true && fits && place === undefined) {
      // Each stream's version is the number of its events.
      const text = `SELECT coalesce(sum(version), 0)::float8 AS events FROM ${statements.streams}`;
      const { rows } = await to.query<{ events: number }>(text);
      place = { tableSet: set.id, filledTo: set.filledTo ?? '', events: rows[0]?.events ?? 0 };
    } else {
      await dropTables(to, target.schema, statements, set.id);
    }
  }
  return place;
}

/** Several databases are read from the beginning: meanwhile shards may have moved between them. */
function isResumable({ resumable, source: { otherCells = [] } }: RebuildOptions): boolean {
  return resumable === true && otherCells.length === 0;
}

/** Of each database, in their order. */
async function watermarkOf(from: readonly SourceCell[]): Promise<string> {
  const text = 'SELECT pg_current_snapshot()::text AS at';
  const marks = await Promise.all(from.map(({ client }) => client.query<{ at: string }>(text)));
  return marks.map(({ rows }) => rows[0]?.at ?? '').join(' ');
}

async function incarnationOf(
  from: readonly SourceCell[],
  { schema }: RebuildSource,
): Promise<string> {
  const text = `SELECT id::text FROM ${schema}.incarnation`;
  const ids = new Set<string>();
  for (const { client } of from) {
    const { rows } = await client.query<{ id: string }>(text);
    ids.add(rows[0]?.id ?? '');
  }
  const [id = '', ...others] = ids;
  if (others.length === 0) return id;
  throw new Error('The databases of the source are of different stores: finish the restoration.');
}

/**
 * Offsets of the topic are the broker's and outlive the owner's store. A cursor among the store's own
 * positions does not: a restored store gives the same positions to other events, so a cursor of
 * another life would pass these by, and comparing begins at the first event instead (D-23).
 */
async function createTableSet(
  client: Client,
  { schema }: RebuildTarget,
  projection: Projection,
  incarnation: string,
): Promise<FillPlace> {
  assertIdentifier(schema);
  const insertion = `INSERT INTO ${schema}.table_sets (projection, version, state, incarnation, heads_cursor)
    SELECT $1, $2, 'filling', $3, (SELECT heads_cursor FROM ${schema}.table_sets
      WHERE projection = $1 AND state = 'live' AND incarnation = $3) RETURNING id`;
  const checkpoints = `INSERT INTO ${schema}.checkpoints (table_set, topic, partition, "offset")
    SELECT $2, topic, partition, "offset" FROM ${schema}.checkpoints
    WHERE table_set = (SELECT id FROM ${schema}.table_sets WHERE projection = $1 AND state = 'live')`;
  await client.query('BEGIN');
  const { rows } = await client.query<{ id: number }>(insertion, [
    projection.name,
    projection.version,
    incarnation,
  ]);
  const id = rows[0]?.id ?? 0;
  await client.query(checkpoints, [projection.name, id]);
  for (const text of tableSetStatements(projection, schema, id).createTables) {
    await client.query(text);
  }
  await client.query('COMMIT');
  return { tableSet: id, filledTo: '', events: 0 };
}

/**
 * Begins the comparison with the store anew. What a shard has brought along to another cell may have
 * been there, and compared, before the rows were filled without it.
 */
async function compareAll(
  client: Client,
  { schema }: RebuildTarget,
  tableSet: number,
): Promise<void> {
  const text = `UPDATE ${schema}.table_sets SET heads_cursor = NULL WHERE id = $1`;
  await client.query(text, [tableSet]);
}

async function complete(
  client: Client,
  { schema, appRole }: RebuildTarget,
  { table, streams, createIndexes, analyze }: TableSetStatements,
  tableSet: number,
): Promise<void> {
  assertIdentifier(appRole);
  const grants = `GRANT SELECT, INSERT, UPDATE ON ${table}, ${streams} TO ${appRole}`;
  const following = `UPDATE ${schema}.table_sets SET state = 'following', filled_to = NULL WHERE id = $1`;
  const memory = `SET maintenance_work_mem = '${INDEX_MEMORY}'`;
  await client.query(memory);
  // A tenth of the usual sample is enough to choose between three indexes.
  await client.query('SET default_statistics_target = 10');
  // In one transaction: if only some indexes were made, they could not be made again.
  await client.query('BEGIN');
  for (const text of createIndexes) await client.query(text);
  await client.query(analyze);
  await client.query(grants);
  await client.query(following, [tableSet]);
  await client.query('COMMIT');
}

async function dropTables(
  client: Client,
  schema: string,
  { dropTables: drops }: TableSetStatements,
  tableSet: number,
): Promise<void> {
  const removal = `DELETE FROM ${schema}.table_sets WHERE id = $1`;
  await client.query('ROLLBACK');
  // In one transaction: whoever resumes must find tables for each row of table_sets.
  await client.query('BEGIN');
  for (const text of drops) await client.query(text);
  await client.query(removal, [tableSet]);
  await client.query('COMMIT');
}
