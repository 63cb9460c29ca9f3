import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import type { NextCheckpoint } from './bookkeeping.js';
import { type FedTableSet, statementName } from './fed-table-set.js';
import type { ProjectedEvent, Row } from './projection.js';

/** An event as it arrived, with its text in case it must be parked. */
export interface ArrivedEvent extends ProjectedEvent {
  readonly text: string;
}

/** What a batch comes to. */
export interface Plan {
  readonly kind: 'plan';
  /** Versions before and after by stream. */
  readonly streams: ReadonlyMap<string, { readonly from: number; readonly to: number }>;
  /** By key. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly behind: readonly ArrivedEvent[];
  readonly applied: number;
  readonly ignored: number;
}

/** What else is done in the same transaction. */
export interface ApplyOptions {
  /** The new checkpoints of partitions, each of them once. */
  readonly checkpoints?: readonly NextCheckpoint[];
  /** A parked stream that is tried again: its parked events are deleted when that succeeds. */
  readonly redriven?: string | undefined;
}

/** A checkpoint is behind what was committed here: the database has lost rows, as in a crash. */
export class RowsLost extends Error {
  override readonly name = 'RowsLost';

  constructor(tableSet: number) {
    super(`Table set ${tableSet} has lost rows; their events must be read again.`);
  }
}

/**
 * False if a stream is not as it was thought to be; then nothing is written. As a rule one statement
 * does it all.
 * @throws RowsLost then nothing is written, either
 */
export function applyBatch(
  pool: Pool,
  set: FedTableSet,
  plan: Plan,
  options: ApplyOptions,
): Promise<boolean> {
  const query = batchStatement(set, plan, options);
  const { redriven } = options;
  if (redriven === undefined && plan.behind.length === 0) return isDone(pool, set, query);
  return inTransaction(pool, async (client) => {
    if (!(await isDone(client, set, query))) return false;
    if (redriven !== undefined) await unpark(client, set, redriven);
    await parkBehind(client, set, plan.behind);
    return true;
  });
}

async function isDone(
  database: Pick<Pool, 'query'>,
  { id }: FedTableSet,
  query: QueryArrayConfig,
): Promise<boolean> {
  const { rows } = await database.query<[fit: boolean, whole: boolean]>(query);
  const [fit, whole] = rows[0] ?? [false, true];
  if (!whole) throw new RowsLost(id);
  return fit;
}

function batchStatement(
  set: FedTableSet,
  plan: Pick<Plan, 'streams' | 'rows'>,
  { checkpoints = [], redriven }: ApplyOptions,
): QueryArrayConfig {
  // In one order, so that two writers never wait for each other.
  const streams = [...plan.streams].sort(([left], [right]) => (left < right ? -1 : 1));
  const begun = streams.filter(([, { from }]) => from === 0);
  const moved = streams.filter(([, { from }]) => from > 0);
  const rows = [...plan.rows.values()];
  const { properties, applyBatch: text } = set.statements;
  const values = [
    begun.map(([id]) => id),
    begun.map(([, { to }]) => to),
    moved.map(([id]) => id),
    moved.map(([, { from }]) => from),
    moved.map(([, { to }]) => to),
    set.id,
    streams.flatMap(([id]) => (id === redriven ? [] : [id])),
    ...checkpointValues(checkpoints),
    ...properties.map((property) => rows.map((row) => row[property] ?? null)),
  ];
  return { name: statementName(set, 'apply'), text, values, rowMode: 'array' };
}

/** Topics, partitions, offsets and known offsets, in one order as well. */
function checkpointValues(
  checkpoints: readonly NextCheckpoint[],
): readonly [string[], number[], string[], (string | null)[]] {
  const sorted = [...checkpoints].sort((left, right) => left.partition - right.partition);
  return [
    sorted.map(({ topic }) => topic),
    sorted.map(({ partition }) => partition),
    sorted.map(({ offset }) => offset),
    sorted.map(({ known }) => known ?? null),
  ];
}

const NOTHING = { streams: new Map(), rows: new Map() };

/**
 * Saves how far partitions are handled, as a batch of no events; no checkpoint goes back.
 * @throws RowsLost
 */
export async function noteCheckpoints(
  pool: Pick<Pool, 'query'>,
  set: FedTableSet,
  checkpoints: readonly NextCheckpoint[],
): Promise<void> {
  if (checkpoints.length === 0) return;
  await isDone(pool, set, batchStatement(set, NOTHING, { checkpoints }));
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
