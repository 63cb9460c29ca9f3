/** The cell that carries every shard until some are moved to others. */
export const FIRST_CELL = 1;
/** A chain shard has four hex digits (D-01). */
export const SHARD_COUNT = 65_536;
/** By which a move finds idempotency keys that were claimed lately. */
const CLAIMS_INDEX = 'idempotency_by_transaction';

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

/** Pages of keys that the index knows as one: a look at what is new reads so many at least. */
const PAGES_KNOWN_AS_ONE = 32;
/** A partition of so many bytes is indexed within milliseconds, while appends wait for it. */
const INDEXED_AT_ONCE_BYTES = 16 * 1024 * 1024;

/**
 * Which database transaction claimed a key, so that a move finds what was claimed since it copied the
 * keys (page 0047). An index by pages costs appends next to nothing, and knows `bigint` but not `xid8`.
 * Keys from before get the number of this step's transaction, which is none of later claims.
 *
 * Payments flow during this step, so large partitions are left without the index until they are
 * dropped, in two days; later ones have it from the beginning.
 */
export function claimTransactions(schema: string): readonly string[] {
  const index = `USING brin (database_transaction) WITH (pages_per_range = ${PAGES_KNOWN_AS_ONE})`;
  return [
    `ALTER TABLE ${schema}.idempotency ADD COLUMN database_transaction bigint NOT NULL
       DEFAULT pg_current_xact_id()::text::bigint`,
    `CREATE INDEX ${CLAIMS_INDEX} ON ONLY ${schema}.idempotency ${index}`,
    `DO $$
     DECLARE
       partition name;
     BEGIN
       FOR partition IN
         SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = '${schema}.idempotency'::regclass
           AND pg_relation_size(c.oid) < ${INDEXED_AT_ONCE_BYTES}
       LOOP
         EXECUTE format('CREATE INDEX %I ON ${schema}.%I ${index}',
                        partition || '_by_transaction', partition);
         EXECUTE format('ALTER INDEX ${schema}.${CLAIMS_INDEX} ATTACH PARTITION ${schema}.%I',
                        partition || '_by_transaction');
       END LOOP;
     END $$`,
    `ALTER TABLE ${schema}.shard_moves ADD COLUMN claimed_before xid8`,
    `COMMENT ON COLUMN ${schema}.shard_moves.claimed_before IS
       'Idempotency keys that earlier transactions of the other cell claimed are here'`,
  ];
}
