/** The cell that carries every shard until some are moved to others. */
export const FIRST_CELL = 1;
/** A chain shard has four hex digits (D-01). */
export const SHARD_COUNT = 65_536;

/**
 * Which chain shards a store takes events for. A store of cells carries some of them, all others
 * carry all for ever. `closing` ones begin no transaction any more, because they are about to leave.
 * Only the owner changes it.
 */
export function carriedShards(schema: string, appRole: string, cell: number): readonly string[] {
  if (!Number.isInteger(cell) || cell < FIRST_CELL) throw new TypeError(`Not a cell: ${cell}`);
  const carried = cell === FIRST_CELL ? `{[0,${SHARD_COUNT})}` : '{}';
  return [
    `CREATE TABLE ${schema}.carried_shards (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
       cell integer NOT NULL CHECK (cell >= ${FIRST_CELL}),
       carried int4multirange NOT NULL,
       closing int4multirange NOT NULL DEFAULT '{}')`,
    `COMMENT ON TABLE ${schema}.carried_shards IS
       'Which cell this store is, and the chain shards that it takes events for'`,
    `INSERT INTO ${schema}.carried_shards (cell, carried) VALUES (${cell}, '${carried}')`,
    `GRANT SELECT ON ${schema}.carried_shards TO ${appRole}`,
    `CREATE TABLE ${schema}.shard_moves (
       shards int4range PRIMARY KEY,
       from_cell integer NOT NULL CHECK (from_cell >= ${FIRST_CELL}),
       database_transaction xid8 NOT NULL DEFAULT '0',
       position bigint NOT NULL DEFAULT 0,
       started_at timestamptz NOT NULL DEFAULT now(),
       switched_at timestamptz)`,
    `COMMENT ON TABLE ${schema}.shard_moves IS
       'Shards that come from another cell, and the checkpoint there up to which they are copied'`,
    `CREATE FUNCTION ${schema}.shard_of(stream_id text) RETURNS integer
       LANGUAGE sql IMMUTABLE PARALLEL SAFE
       RETURN ('x' || substr(stream_id, 13, 4))::bit(16)::integer`,
  ];
}

/**
 * What a source says of moves out of it. Without it, the undoing of one move could take back a range
 * that another one has carried away. Times are by the source's clock.
 */
export function leavingShards(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.leaving_shards (
       shards int4range PRIMARY KEY,
       to_cell integer NOT NULL CHECK (to_cell >= ${FIRST_CELL}),
       started_at timestamptz NOT NULL DEFAULT now(),
       closed_at timestamptz,
       fenced_at timestamptz,
       EXCLUDE USING gist (shards WITH &&))`,
    `COMMENT ON TABLE ${schema}.leaving_shards IS
       'Shards that go to another cell: since when they are closed, and since when not carried here'`,
  ];
}

/** Since when the cell that shards go to has certainly carried them, so that their rows may go here. */
export function shardsThatHaveLeft(schema: string): readonly string[] {
  return [`ALTER TABLE ${schema}.leaving_shards ADD COLUMN switched_at timestamptz`];
}
