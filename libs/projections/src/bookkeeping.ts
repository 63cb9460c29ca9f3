import type { Pool } from 'pg';
import type { Projection } from './projection.js';
import {
  assertIdentifier,
  selectionOf,
  type TableSet,
  type TableSetState,
  tableSetStatements,
} from './table-set.js';

/** Anything that runs statements: a pool, or a client within a transaction. */
export type Queryable = Pick<Pool, 'query'>;

/** Where projections are kept, and who may feed and read them. */
export interface ProjectionSchema {
  readonly schema: string;
  /** The role of the running service. */
  readonly appRole: string;
}

/** The tables that list the table sets; made by the owner role, once in a schema's history. */
export function bookkeepingStatements({ schema, appRole }: ProjectionSchema): readonly string[] {
  for (const name of [schema, appRole]) assertIdentifier(name);
  return [
    `CREATE TABLE ${schema}.table_sets (
       id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       projection text NOT NULL,
       version int NOT NULL,
       state text NOT NULL CHECK (state IN ('filling', 'following', 'live', 'previous')),
       incarnation text,
       filled_to text COLLATE "C",
       heads_cursor text,
       created_at timestamptz NOT NULL DEFAULT now())`,
    `COMMENT ON TABLE ${schema}.table_sets IS 'The copies of each projection''s tables'`,
    `CREATE UNIQUE INDEX table_sets_live ON ${schema}.table_sets (projection) WHERE state = 'live'`,
    `CREATE UNIQUE INDEX table_sets_previous ON ${schema}.table_sets (projection)
       WHERE state = 'previous'`,
    `CREATE TABLE ${schema}.checkpoints (
       table_set int NOT NULL REFERENCES ${schema}.table_sets (id) ON DELETE CASCADE,
       topic text NOT NULL,
       partition int NOT NULL,
       "offset" bigint NOT NULL,
       PRIMARY KEY (table_set, topic, partition))`,
    `COMMENT ON TABLE ${schema}.checkpoints IS 'The last offset of each partition that is in the rows'`,
    `CREATE TABLE ${schema}.parked (
       table_set int NOT NULL REFERENCES ${schema}.table_sets (id) ON DELETE CASCADE,
       stream_id text COLLATE "C" NOT NULL,
       version int NOT NULL,
       topic text NOT NULL,
       event text NOT NULL,
       reason text NOT NULL,
       parked_at timestamptz NOT NULL DEFAULT now(),
       redrive_requested_at timestamptz,
       PRIMARY KEY (table_set, stream_id, version))`,
    `COMMENT ON TABLE ${schema}.parked IS 'Events that could not be folded, and those behind them'`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${appRole}`,
    `GRANT SELECT ON ${schema}.table_sets TO ${appRole}`,
    `GRANT UPDATE (incarnation, heads_cursor) ON ${schema}.table_sets TO ${appRole}`,
    `GRANT SELECT, INSERT, UPDATE ON ${schema}.checkpoints TO ${appRole}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.parked TO ${appRole}`,
  ];
}

interface TableSetRow {
  readonly id: number;
  readonly projection: string;
  readonly version: number;
  readonly state: TableSetState;
  readonly incarnation: string | null;
  readonly filled_to: string | null;
  readonly created_at: Date;
}

/** The table sets of one projection, or of all, oldest first. */
export async function listTableSets(
  database: Queryable,
  schema: string,
  projection?: string,
): Promise<readonly TableSet[]> {
  assertIdentifier(schema);
  const text = `SELECT id, projection, version, state, incarnation, filled_to, created_at
    FROM ${schema}.table_sets WHERE projection = coalesce($1, projection) ORDER BY id`;
  const { rows } = await database.query<TableSetRow>(text, [projection ?? null]);
  return rows.map(({ filled_to: filledTo, created_at: createdAt, ...rest }) => ({
    ...rest,
    filledTo,
    createdAt,
  }));
}

/** A table set as queries read it, whichever version of the projection made it. */
export interface ReadTableSet {
  readonly id: number;
  readonly table: string;
  /** The columns as text, each under its property's name. */
  readonly selectedAs: string;
}

/** How this release reads a table set; undefined if its shape does not fit, or it is gone. */
export async function readTableSet(
  database: Queryable,
  projection: Projection,
  schema: string,
  id: number,
): Promise<ReadTableSet | undefined> {
  const { table } = tableSetStatements(projection, schema, id);
  const text = `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`;
  const { rows } = await database.query<{ name: string; type: string }>(text, [table]);
  const selectedAs = selectionOf(projection, new Map(rows.map(({ name, type }) => [name, type])));
  return selectedAs === undefined ? undefined : { id, table, selectedAs };
}

/** The checkpoint of a table set in one partition. */
export interface PartitionCheckpoint {
  readonly topic: string;
  readonly partition: number;
  /** A decimal number; the last offset that is in the rows. */
  readonly offset: string;
}

/** A checkpoint that is to be written. */
export interface NextCheckpoint extends PartitionCheckpoint {
  /** The offset that its writer knows it to have: less means that rows are gone. */
  readonly known?: string;
}

/** The checkpoints of a table set. */
export async function checkpointsOf(
  database: Queryable,
  schema: string,
  tableSet: number,
): Promise<readonly PartitionCheckpoint[]> {
  assertIdentifier(schema);
  const text = `SELECT topic, partition, "offset" FROM ${schema}.checkpoints
    WHERE table_set = $1 ORDER BY topic, partition`;
  return (await database.query<PartitionCheckpoint>(text, [tableSet])).rows;
}

/** An event that could not be folded, or one behind it. */
export interface ParkedEvent {
  readonly tableSet: number;
  readonly streamId: string;
  readonly version: number;
  readonly reason: string;
  readonly parkedAt: Date;
  readonly redriveRequestedAt: Date | null;
}

interface ParkedRow {
  readonly table_set: number;
  readonly stream_id: string;
  readonly version: number;
  readonly reason: string;
  readonly parked_at: Date;
  readonly redrive_requested_at: Date | null;
}

/** The most that one answer lists; an operator handles them batch by batch. */
const PARKED_LISTED_MAX = 1_000;

/** What is parked, oldest first. */
export async function listParked(
  database: Queryable,
  schema: string,
): Promise<readonly ParkedEvent[]> {
  assertIdentifier(schema);
  const text = `SELECT table_set, stream_id, version, reason, parked_at, redrive_requested_at
    FROM ${schema}.parked ORDER BY parked_at, stream_id, version LIMIT ${PARKED_LISTED_MAX}`;
  const { rows } = await database.query<ParkedRow>(text);
  return rows.map((row) => ({
    tableSet: row.table_set,
    streamId: row.stream_id,
    version: row.version,
    reason: row.reason,
    parkedAt: row.parked_at,
    redriveRequestedAt: row.redrive_requested_at,
  }));
}

/**
 * Asks the running service to fetch and fold a parked stream again; without a stream all of them.
 * Returns how many streams that is.
 */
export async function requestRedrive(
  database: Queryable,
  schema: string,
  streamId?: string,
): Promise<number> {
  assertIdentifier(schema);
  const text = `WITH asked AS (UPDATE ${schema}.parked SET redrive_requested_at = now()
      WHERE stream_id = coalesce($1, stream_id) RETURNING table_set, stream_id)
    SELECT count(DISTINCT (table_set, stream_id))::int AS streams FROM asked`;
  const { rows } = await database.query<{ streams: number }>(text, [streamId ?? null]);
  return rows[0]?.streams ?? 0;
}
