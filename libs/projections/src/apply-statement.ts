import type { ColumnType } from './projection.js';

/** The tables that a batch is applied to. */
export interface AppliedTables {
  readonly schema: string;
  readonly table: string;
  readonly streams: string;
  readonly columns: {
    readonly names: readonly string[];
    readonly types: readonly ColumnType[];
    readonly key: string;
    readonly streamType: ColumnType;
  };
}

/** How a column's values are passed. */
export const ARRAY_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text[]',
  hexId: 'uuid[]',
  bigint: 'bigint[]',
};

/**
 * Moves streams, writes their rows and notes checkpoints: all of it, or nothing if a stream is not
 * at the version it is thought to be at, or is parked, or if a checkpoint is behind what its writer
 * knows of it. One statement is one round trip and one transaction. Returns whether it was done, and
 * whether the checkpoints were where they should be. A stream that another process creates at the
 * same moment fails the statement.
 *
 * `$1`, `$2`: ids and versions of new streams. `$3`, `$4`, `$5`: ids, expected and new versions of
 * the others. `$6`: the table set. `$7`: ids of streams that must not be parked. `$8`, `$9`, `$10`:
 * topics, partitions and offsets of checkpoints. `$11`: the offsets that they are known to have,
 * null where nothing is. From `$12` on: one array per column.
 *
 * It is prepared while the tables are empty, so it looks rows up one by one: `OFFSET 0` keeps the
 * planner from scanning the tables instead.
 */
export function applyStatement({ schema, table, streams, columns }: AppliedTables): string {
  const { names, types, key, streamType } = columns;
  const ids = ARRAY_TYPES[streamType];
  const arrays = types.map((type, index) => `$${index + 12}::${ARRAY_TYPES[type]}`);
  const changes = names.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`);
  return `WITH
    held AS MATERIALIZED (
      SELECT r.row, u.version FROM unnest($3::${ids}, $4::int[], $5::int[])
        AS u (stream_id, expected, version)
      CROSS JOIN LATERAL (SELECT ctid AS row, version FROM ${streams}
                          WHERE stream_id = u.stream_id OFFSET 0 FOR UPDATE) r
      WHERE r.version = u.expected),
    whole AS MATERIALIZED (
      SELECT NOT EXISTS (
        SELECT FROM unnest($8::text[], $9::int[], $11::bigint[]) AS u (topic, partition, known)
        WHERE u.known > coalesce((
          SELECT c."offset" FROM ${schema}.checkpoints c
          WHERE c.table_set = $6 AND c.topic = u.topic AND c.partition = u.partition), -1)) AS whole),
    fits AS MATERIALIZED (
      SELECT (SELECT whole FROM whole)
        AND (SELECT count(*) FROM held) = cardinality($3)
        AND NOT EXISTS (
          SELECT FROM unnest($1::${ids}) AS u (stream_id) CROSS JOIN LATERAL (
            SELECT FROM ${streams} WHERE stream_id = u.stream_id OFFSET 0) s)
        AND NOT EXISTS (
          SELECT FROM unnest($7::text[]) AS u (stream_id) CROSS JOIN LATERAL (
            SELECT FROM ${schema}.parked
            WHERE table_set = $6 AND stream_id = u.stream_id OFFSET 0) p) AS fit),
    moved AS (
      UPDATE ${streams} s SET version = held.version FROM held
      WHERE s.ctid = held.row AND (SELECT fit FROM fits)),
    begun AS (
      INSERT INTO ${streams} (stream_id, version)
      SELECT * FROM unnest($1::${ids}, $2::int[]) WHERE (SELECT fit FROM fits)),
    rows AS (
      INSERT INTO ${table} (${names.join(', ')})
      SELECT * FROM unnest(${arrays.join(', ')}) WHERE (SELECT fit FROM fits)
      ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}),
    noted AS (
      INSERT INTO ${schema}.checkpoints AS c (table_set, topic, partition, "offset")
      SELECT $6::int, * FROM unnest($8::text[], $9::int[], $10::bigint[])
      WHERE (SELECT fit FROM fits)
      ON CONFLICT (table_set, topic, partition)
      DO UPDATE SET "offset" = greatest(c."offset", excluded."offset"))
    SELECT fit, whole FROM fits, whole`;
}
