import type { Pool, PoolClient } from 'pg';
import type { PartitionCheckpoint } from './bookkeeping.js';
import {
  faultOf,
  type ProjectedEvent,
  type Projection,
  type Row,
  storableCheck,
  todays,
} from './projection.js';
import { type TableSetStatements, tableSetStatements } from './table-set.js';

/** A table set that is fed, with the statements made for it. */
export interface FedTableSet {
  readonly id: number;
  readonly schema: string;
  readonly projection: Projection;
  readonly statements: TableSetStatements;
}

/** The table set was dropped while it was being fed. */
export class TableSetGone extends Error {
  override readonly name = 'TableSetGone';

  constructor(tableSet: number) {
    super(`Table set ${tableSet} was dropped.`);
  }
}

/** Makes the handle of a table set. */
export function fedTableSet(projection: Projection, schema: string, id: number): FedTableSet {
  return { id, schema, projection, statements: tableSetStatements(projection, schema, id) };
}

/** A stream of which events are missing between the rows and what arrived. */
export interface Hole {
  readonly streamId: string;
  readonly afterVersion: number;
}

/** What became of a batch. Only `applied` has changed anything. */
export type Application =
  | {
      readonly kind: 'applied';
      readonly applied: number;
      /** Older than the rows: duplicates, or overlap with a fill. */
      readonly ignored: number;
      /** Behind a parked event; they are parked as well. */
      readonly parked: number;
    }
  | { readonly kind: 'holes'; readonly holes: readonly Hole[] }
  /** An event cannot be folded or stored; without a `streamId` it is unknown which. */
  | { readonly kind: 'refused'; readonly streamId?: string; readonly reason: string };

/** An event as it arrived, with its text in case it must be parked. */
export interface ArrivedEvent extends ProjectedEvent {
  readonly text: string;
}

/** What else is done in the same transaction. */
export interface ApplyOptions {
  /** The new checkpoints of partitions, each of them once. */
  readonly checkpoints?: readonly PartitionCheckpoint[];
  /** A parked stream that is tried again: its parked events are deleted when that succeeds. */
  readonly redriven?: string | undefined;
}

/**
 * Conflicts with another process on the same table set; after each of them that process is further
 * ahead.
 */
const CONFLICTS_MAX = 20;
/** SQLSTATE of a missing table, and of a checkpoint whose table set is missing. */
const GONE: ReadonlySet<unknown> = new Set(['42P01', '23503']);
/** SQLSTATE classes that say something about the data, and not about the server. */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);

/**
 * Applies events and notes the checkpoint in one transaction. A row moves only from a version to
 * the next: older events are ignored, holes are reported and nothing is applied. If another process
 * feeds the same table set, this begins again, and the result is still right. Throws if
 * infrastructure fails, and NewerWriter.
 */
export async function applyEvents(
  pool: Pool,
  set: FedTableSet,
  events: readonly ArrivedEvent[],
  { checkpoints = [], redriven }: ApplyOptions = {},
): Promise<Application> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    try {
      const plan = await planOf(pool, set, events, redriven);
      if (plan.kind !== 'plan') return plan;
      if (await write(pool, set, plan, { checkpoints, redriven })) {
        const { applied, ignored, behind } = plan;
        return { kind: 'applied', applied, ignored, parked: behind.length };
      }
    } catch (error) {
      if (GONE.has((error as { code?: unknown }).code)) throw new TableSetGone(set.id);
      if (!isAboutData(error)) throw error;
      return { kind: 'refused', reason: faultOf(error) };
    }
  }
  throw new Error(`Table set ${set.id} has another writer that is always quicker.`);
}

interface Plan {
  readonly kind: 'plan';
  /** Versions before and after by stream. */
  readonly streams: ReadonlyMap<string, { readonly from: number; readonly to: number }>;
  readonly rows: ReadonlyMap<string, Row>;
  readonly behind: readonly ArrivedEvent[];
  readonly applied: number;
  readonly ignored: number;
}

async function planOf(
  pool: Pool,
  set: FedTableSet,
  events: readonly ArrivedEvent[],
  redriven: string | undefined,
): Promise<Plan | Exclude<Application, { kind: 'applied' }>> {
  const ids = [...new Set(events.map(({ streamId }) => streamId))];
  const versions = await versionsOf(pool, set, ids);
  const parked = await parkedStreams(
    pool,
    set,
    ids.filter((id) => id !== redriven),
  );
  const behind = events.filter(({ streamId }) => parked.has(streamId));
  const next: ArrivedEvent[] = [];
  const holes: Hole[] = [];
  const reached = new Map(versions);
  for (const event of events) {
    const { streamId, version } = event;
    const at = reached.get(streamId) ?? 0;
    if (parked.has(streamId) || version <= at) continue;
    if (version > at + 1) {
      if (!holes.some((hole) => hole.streamId === streamId)) {
        holes.push({ streamId, afterVersion: at });
      }
      continue;
    }
    reached.set(streamId, version);
    next.push(event);
  }
  if (holes.length > 0) return { kind: 'holes', holes };
  const known = next.map((event) => todays(set.projection, event));
  const folded = fold(set.projection, await rowsOf(pool, set, known), known);
  if (folded.kind === 'refused') return folded;
  const streams = new Map(
    [...new Set(next.map(({ streamId }) => streamId))].map((streamId) => [
      streamId,
      { from: versions.get(streamId) ?? 0, to: reached.get(streamId) ?? 0 },
    ]),
  );
  const ignored = events.length - next.length - behind.length;
  return { kind: 'plan', streams, rows: folded.rows, behind, applied: next.length, ignored };
}

/** The versions of these streams in the rows; streams without rows are missing. */
export async function versionsOf(
  pool: Pick<Pool, 'query'>,
  set: FedTableSet,
  streamIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await pool.query<[string, number]>({
    name: nameOf(set, 'versions'),
    text: set.statements.selectVersions,
    values: [streamIds],
    rowMode: 'array',
  });
  return new Map(rows);
}

/** Which of these streams have events that could not be folded. */
export async function parkedStreams(
  pool: Pool,
  { id, schema }: FedTableSet,
  streamIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = `SELECT DISTINCT stream_id FROM ${schema}.parked
    WHERE table_set = $1 AND stream_id = ANY ($2)`;
  const query = { name: 'parked streams', text, values: [id, streamIds] };
  const { rows } = await pool.query<{ stream_id: string }>(query);
  return new Set(rows.map(({ stream_id: streamId }) => streamId));
}

/** The name of a prepared statement; a service's projections are all in one schema. */
function nameOf({ id }: FedTableSet, what: string): string {
  return `table set ${String(id)} ${what}`;
}

async function rowsOf(
  pool: Pool,
  set: FedTableSet,
  events: readonly ProjectedEvent[],
): Promise<Map<string, Row>> {
  const { projection, statements } = set;
  const keys = [...new Set(events.flatMap((event) => keyOrNone(projection, event)))];
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<(string | null)[]>({
    name: nameOf(set, 'rows'),
    text: statements.selectRows,
    values: [keys],
    rowMode: 'array',
  });
  const { properties } = statements;
  return new Map(
    rows.map((values) => {
      const row = Object.fromEntries(
        properties.map((property, index) => [property, values[index] ?? null]),
      );
      return [row[projection.key] ?? '', row];
    }),
  );
}

/** If the key cannot be determined, the fold will report it, with the stream's name. */
function keyOrNone(projection: Projection, event: ProjectedEvent): readonly string[] {
  try {
    return [projection.keyOf(event)];
  } catch {
    return [];
  }
}

type Folded =
  | { readonly kind: 'folded'; readonly rows: ReadonlyMap<string, Row> }
  | { readonly kind: 'refused'; readonly streamId: string; readonly reason: string };

function fold(
  projection: Projection,
  before: Map<string, Row>,
  events: readonly ProjectedEvent[],
): Folded {
  const rows = new Map<string, Row>();
  const check = storableCheck(projection);
  for (const event of events) {
    try {
      const key = projection.keyOf(event);
      const row = projection.fold(rows.get(key) ?? before.get(key), event);
      const fault = check(row);
      if (fault !== undefined) throw new TypeError(`The row is wrong: ${fault}.`);
      rows.set(key, row);
    } catch (error) {
      return { kind: 'refused', streamId: event.streamId, reason: faultOf(error) };
    }
  }
  return { kind: 'folded', rows };
}

/**
 * False if another writer has changed one of the streams in the meantime; then nothing is written.
 */
async function write(
  pool: Pool,
  set: FedTableSet,
  plan: Plan,
  { checkpoints = [], redriven }: ApplyOptions,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const claimed = await claim(client, set, plan);
    if (!claimed) return false;
    if (plan.rows.size > 0) {
      const { properties, upsertRows: text } = set.statements;
      const rows = [...plan.rows.values()];
      const values = properties.map((property) => rows.map((row) => row[property] ?? null));
      await client.query({ name: nameOf(set, 'upsert'), text, values });
    }
    if (redriven !== undefined) await unpark(client, set, redriven);
    await parkBehind(client, set, plan.behind);
    await noteCheckpoints(client, set, checkpoints);
    return true;
  });
}

async function claim(client: PoolClient, set: FedTableSet, { streams }: Plan): Promise<boolean> {
  const { claimNew, claimMoved } = set.statements;
  const all = [...streams].sort(([left], [right]) => (left < right ? -1 : 1));
  const fresh = all.filter(([, { from }]) => from === 0);
  const moved = all.filter(([, { from }]) => from > 0);
  if (fresh.length > 0) {
    const values = [fresh.map(([id]) => id), fresh.map(([, { to }]) => to)];
    const query = { name: nameOf(set, 'claim new'), text: claimNew, values };
    if ((await client.query(query)).rowCount !== fresh.length) return false;
  }
  if (moved.length > 0) {
    const values = [
      moved.map(([id]) => id),
      moved.map(([, { from }]) => from),
      moved.map(([, { to }]) => to),
    ];
    const query = { name: nameOf(set, 'claim moved'), text: claimMoved, values };
    if ((await client.query(query)).rowCount !== moved.length) return false;
  }
  return true;
}

/** Saves how far partitions are handled; no checkpoint goes back. */
export async function noteCheckpoints(
  client: Pick<Pool, 'query'>,
  { id, schema }: FedTableSet,
  checkpoints: readonly PartitionCheckpoint[],
): Promise<void> {
  if (checkpoints.length === 0) return;
  // In one order, so that two writers never wait for each other.
  const sorted = [...checkpoints].sort((left, right) => left.partition - right.partition);
  const text = `INSERT INTO ${schema}.checkpoints AS c (table_set, topic, partition, "offset")
    SELECT $1::int, * FROM unnest($2::text[], $3::int[], $4::bigint[])
    ON CONFLICT (table_set, topic, partition)
    DO UPDATE SET "offset" = greatest(c."offset", excluded."offset")`;
  const values = [
    id,
    sorted.map(({ topic }) => topic),
    sorted.map(({ partition }) => partition),
    sorted.map(({ offset }) => offset),
  ];
  await client.query({ name: 'checkpoints', text, values });
}

async function unpark(client: PoolClient, set: FedTableSet, streamId: string): Promise<void> {
  const text = `DELETE FROM ${set.schema}.parked WHERE table_set = $1 AND stream_id = $2`;
  await client.query(text, [set.id, streamId]);
}

const BEHIND = 'An earlier event of this stream is parked.';

async function parkBehind(
  client: PoolClient,
  set: FedTableSet,
  events: readonly ArrivedEvent[],
): Promise<void> {
  for (const event of events) await insertParked(client, set, event, BEHIND);
}

async function insertParked(
  client: PoolClient,
  { id, schema, projection }: FedTableSet,
  { streamId, version, text: event }: ArrivedEvent,
  reason: string,
): Promise<void> {
  const text = `INSERT INTO ${schema}.parked (table_set, stream_id, version, topic, event, reason)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;
  await client.query(text, [id, streamId, version, projection.topic, event, reason]);
}

/** Parks an event that cannot be folded, and those of its stream that arrived with it (D-17). */
export async function parkEvents(
  pool: Pool,
  set: FedTableSet,
  [first, ...others]: readonly [ArrivedEvent, ...ArrivedEvent[]],
  reason: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await insertParked(client, set, first, reason);
    await parkBehind(client, set, others);
    return true;
  });
}

/** Commits if `work` returns true, else rolls back. */
async function inTransaction(
  pool: Pool,
  work: (client: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  const client = await pool.connect();
  // A connection that dies reports it to its query, and here too, where an unhandled error would
  // end the process.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const done = await work(client);
    await client.query(done ? 'COMMIT' : 'ROLLBACK');
    return done;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: unknown) => {
      broken = failure as Error;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

function isAboutData(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && DATA_CLASSES.has(code.slice(0, 2));
}
