import { OUTBOX_SLOTS, today } from './append-parts.js';
import {
  carriedShards,
  claimTransactions,
  FIRST_CELL,
  leavingShards,
  shardsThatHaveLeft,
} from './cells/cell-tables.js';

/** One step of a schema's history, forward only; steps already released are never changed. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  /** The step that a history begins with: a schema that has others and not this one is refused. */
  readonly begins?: true;
}

/** Where the tables go and who may use them; all three are plain SQL identifiers. */
export interface SchemaNames {
  readonly schema: string;
  /** The role of the running service. */
  readonly appRole: string;
  /** Which cell of the service the store is; the first one unless told (page 0047). */
  readonly cell?: number;
}

/** What schema and role names look like; they are not quoted in statements. */
export const SQL_IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The event store's tables in a service's schema, for the owner role to run. Streams of hex ids
 * sort by bytes, hence collation "C". No foreign keys: the append writes all rows in one statement.
 */
export function migrations({
  schema,
  appRole,
  cell = FIRST_CELL,
}: SchemaNames): readonly Migration[] {
  for (const name of [schema, appRole]) {
    if (!SQL_IDENTIFIER.test(name)) throw new TypeError(`Not an SQL identifier: ${name}`);
  }
  return [
    {
      // Not `event-store-1`: that step made other columns and events, so its schemas are refused.
      name: 'event-store-begin',
      begins: true,
      statements: [
        ...eventTables(schema),
        ...idempotencyTable(schema),
        ...outboxTable(schema),
        ...grants(schema, appRole),
      ],
    },
    {
      name: 'event-store-2',
      statements: [
        ...pointerOutbox(schema),
        ...relayTables(schema),
        ...incarnationTable(schema),
        ...relayGrants(schema, appRole),
      ],
    },
    { name: 'event-store-3', statements: erasedKeys(schema, appRole) },
    { name: 'event-store-4', statements: transactionColumns(schema) },
    { name: 'event-store-5', statements: daysOfWork(schema, appRole) },
    {
      name: 'event-store-6',
      statements: [...carriedShards(schema, appRole, cell), ...leavingShards(schema)],
    },
    { name: 'event-store-7', statements: marksTable(schema, appRole) },
    { name: 'event-store-8', statements: shardsThatHaveLeft(schema) },
    { name: 'event-store-9', statements: claimTransactions(schema) },
  ];
}

/**
 * What is granted to the role of another service that builds its tables from the events: the
 * events, and which store they come from (D-23). It gets no keys of personal data, so sealed data
 * stays sealed. Granting twice is harmless.
 */
export function readerGrants(schema: string, readerRole: string): readonly string[] {
  for (const name of [schema, readerRole]) {
    if (!SQL_IDENTIFIER.test(name)) throw new TypeError(`Not an SQL identifier: ${name}`);
  }
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${readerRole}`,
    `GRANT SELECT ON ${schema}.events, ${schema}.incarnation, ${schema}.carried_shards
       TO ${readerRole}`,
  ];
}

function eventTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.streams (
       stream_id text COLLATE "C" PRIMARY KEY,
       version integer NOT NULL CHECK (version > 0),
       due_at timestamptz)`,
    `COMMENT ON TABLE ${schema}.streams IS 'Stream heads: the version, and when to look again'`,
    `CREATE INDEX streams_due ON ${schema}.streams (due_at) WHERE due_at IS NOT NULL`,
    `CREATE TABLE ${schema}.events (
       stream_id text COLLATE "C" NOT NULL,
       version integer NOT NULL,
       position bigint GENERATED ALWAYS AS IDENTITY,
       database_transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
       recorded_at timestamptz NOT NULL DEFAULT now(),
       event_id uuid NOT NULL,
       command_id uuid NOT NULL,
       type text NOT NULL,
       schema_version smallint NOT NULL,
       data json NOT NULL,
       metadata json NOT NULL,
       PRIMARY KEY (stream_id, version))`,
    `COMMENT ON TABLE ${schema}.events IS 'What happened; append only'`,
    `CREATE INDEX events_in_commit_order ON ${schema}.events (database_transaction, position)`,
    `CREATE TABLE ${schema}.transactions (
       transaction_id text COLLATE "C" PRIMARY KEY,
       stream_id text COLLATE "C" NOT NULL,
       command_id uuid NOT NULL)`,
    `COMMENT ON TABLE ${schema}.transactions IS 'Which stream a transaction belongs to'`,
    `CREATE TABLE ${schema}.personal_keys (
       stream_id text COLLATE "C" PRIMARY KEY,
       wrapped bytea NOT NULL)`,
    `COMMENT ON TABLE ${schema}.personal_keys IS
       'The wrapped key of a stream''s personal data; deleting it erases the data'`,
  ];
}

/**
 * How many days of idempotency partitions are made ahead, in case maintenance does not run for a
 * while.
 */
const DAYS_AHEAD = 7;
/** Yesterday's partition is still read and written; older ones are dropped. */
const DAYS_BACK = 1;

/**
 * The maintenance runs with the owner's rights, because only an owner may make and drop
 * partitions. It waits for its lock briefly: whoever queues behind it would wait too.
 */
function idempotencyTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.idempotency (
       day date NOT NULL,
       key text COLLATE "C" NOT NULL,
       command_id uuid NOT NULL,
       stream_id text COLLATE "C" NOT NULL,
       fingerprint text NOT NULL,
       answer json NOT NULL,
       transaction_id text NOT NULL,
       PRIMARY KEY (day, key)) PARTITION BY RANGE (day)`,
    `COMMENT ON TABLE ${schema}.idempotency IS
       'Idempotency keys and what their first answer fixes; a partition a day'`,
    `CREATE FUNCTION ${schema}.maintain_partitions() RETURNS void
     LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '500ms' AS $$
     DECLARE
       today date := (now() AT TIME ZONE 'UTC')::date;
       day date;
       partition text;
     BEGIN
       FOR day IN SELECT generate_series(today - ${DAYS_BACK}, today + ${DAYS_AHEAD}, '1 day') LOOP
         partition := 'idempotency_' || to_char(day, 'YYYYMMDD');
         IF to_regclass('${schema}.' || partition) IS NULL THEN
           EXECUTE format('CREATE TABLE ${schema}.%I PARTITION OF ${schema}.idempotency
                           FOR VALUES FROM (%L) TO (%L)', partition, day, day + 1);
         END IF;
       END LOOP;
       FOR partition IN
         SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = '${schema}.idempotency'::regclass
           AND c.relname < 'idempotency_' || to_char(today - ${DAYS_BACK}, 'YYYYMMDD')
       LOOP
         EXECUTE format('DROP TABLE ${schema}.%I', partition);
       END LOOP;
     END $$`,
    `REVOKE ALL ON FUNCTION ${schema}.maintain_partitions() FROM PUBLIC`,
    `SELECT ${schema}.maintain_partitions()`,
    `CREATE FUNCTION ${schema}.release_orphaned_key(wanted text) RETURNS boolean
     LANGUAGE plpgsql AS $$
     DECLARE
       yesterday date := (now() AT TIME ZONE 'UTC')::date - 1;
     BEGIN
       -- Locked first, so that the look at the events sees what a claimer has just committed.
       PERFORM FROM ${schema}.idempotency i WHERE i.key = wanted AND i.day >= yesterday
         ORDER BY i.day FOR UPDATE;
       DELETE FROM ${schema}.idempotency i WHERE i.key = wanted AND i.day >= yesterday
         AND NOT EXISTS (SELECT FROM ${schema}.events e
                         WHERE e.stream_id = i.stream_id AND e.command_id = i.command_id);
       RETURN FOUND;
     END $$`,
  ];
}

/** The first form, whole messages. No release wrote any; step 2 has another. */
function outboxTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.outbox (
       slot smallint NOT NULL CHECK (slot BETWEEN 0 AND ${OUTBOX_SLOTS - 1}),
       id bigint GENERATED ALWAYS AS IDENTITY,
       stream_id text COLLATE "C" NOT NULL,
       topic text NOT NULL,
       key text NOT NULL,
       headers json NOT NULL,
       payload json NOT NULL,
       PRIMARY KEY (slot, id))
       WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
    `COMMENT ON TABLE ${schema}.outbox IS 'Messages to publish; a row goes when it is published'`,
  ];
}

/** Events are append-only by right, not by habit. */
function grants(schema: string, appRole: string): readonly string[] {
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${appRole}`,
    `GRANT SELECT, INSERT ON ${schema}.events TO ${appRole}`,
    `GRANT SELECT, INSERT, UPDATE ON ${schema}.streams, ${schema}.transactions TO ${appRole}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.idempotency TO ${appRole}`,
    `GRANT SELECT, INSERT, DELETE ON ${schema}.personal_keys, ${schema}.outbox TO ${appRole}`,
    `GRANT EXECUTE ON FUNCTION ${schema}.maintain_partitions() TO ${appRole}`,
  ];
}

/**
 * Rows point to events and live for milliseconds. Autovacuum must go by the number of rows, not by
 * a share of a nearly empty table, and must be quick: each poll has to skip the dead rows it has
 * not removed.
 */
function pointerOutbox(schema: string): readonly string[] {
  return [
    `DROP TABLE ${schema}.outbox`,
    `CREATE TABLE ${schema}.outbox (
       slot smallint NOT NULL CHECK (slot BETWEEN 0 AND ${OUTBOX_SLOTS - 1}),
       id bigint GENERATED ALWAYS AS IDENTITY,
       stream_id text COLLATE "C" NOT NULL,
       version integer NOT NULL,
       PRIMARY KEY (slot, id))
       WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
             autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0)`,
    `COMMENT ON TABLE ${schema}.outbox IS 'Events to publish; a row goes when its event is published'`,
  ];
}

/** Who publishes which slot (D-21), and what could not be published. */
function relayTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.relays (
       relay uuid PRIMARY KEY,
       alive_until timestamptz NOT NULL)`,
    `COMMENT ON TABLE ${schema}.relays IS 'The relays that share the slots'`,
    `CREATE TABLE ${schema}.relay_slots (
       slot smallint PRIMARY KEY,
       holder uuid,
       leased_until timestamptz)`,
    `COMMENT ON TABLE ${schema}.relay_slots IS 'Which relay publishes a slot of the outbox'`,
    `INSERT INTO ${schema}.relay_slots (slot) SELECT generate_series(0, ${OUTBOX_SLOTS - 1})`,
    `CREATE TABLE ${schema}.outbox_parked (
       stream_id text COLLATE "C" NOT NULL,
       version integer NOT NULL,
       reason text,
       parked_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (stream_id, version))`,
    `COMMENT ON TABLE ${schema}.outbox_parked IS
       'Events the transport refused for ever, with a reason, and those of their streams after them'`,
  ];
}

/** D-23: readers that see another id know that the store was restored, and rebuild. */
function incarnationTable(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.incarnation (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
       id uuid NOT NULL DEFAULT gen_random_uuid())`,
    `COMMENT ON TABLE ${schema}.incarnation IS 'Changed when the store is restored from a backup'`,
    `INSERT INTO ${schema}.incarnation DEFAULT VALUES`,
  ];
}

function relayGrants(schema: string, appRole: string): readonly string[] {
  return [
    `GRANT SELECT, INSERT, DELETE ON ${schema}.outbox, ${schema}.outbox_parked TO ${appRole}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.relays TO ${appRole}`,
    `GRANT SELECT, UPDATE ON ${schema}.relay_slots TO ${appRole}`,
    `GRANT SELECT ON ${schema}.incarnation TO ${appRole}`,
  ];
}

/**
 * A destroyed key leaves an empty row: without it, data that arrives later would get a new key.
 * Only the owner may destroy a key. The table is not scanned for the constraint, because its rows
 * satisfy it.
 */
function erasedKeys(schema: string, appRole: string): readonly string[] {
  return [
    `ALTER TABLE ${schema}.personal_keys
       ALTER COLUMN wrapped DROP NOT NULL,
       ADD COLUMN erased_at timestamptz,
       ADD CONSTRAINT key_or_erased CHECK ((wrapped IS NULL) = (erased_at IS NOT NULL)) NOT VALID`,
    `COMMENT ON TABLE ${schema}.personal_keys IS
       'The wrapped key of a stream''s personal data; empty once the data was erased'`,
    `REVOKE DELETE ON ${schema}.personal_keys FROM ${appRole}`,
  ];
}

/** An hourly call may come slightly early; an even earlier one counts together with the next. */
const HOUR_OF_WORK = "interval '59 minutes'";
/**
 * Two more than a day has (D-36: at least 24 hours), because a clock that is set forward counts as
 * an hour.
 */
const HOURS_OF_A_DAY = 26;

/**
 * Keys are kept under days of operation, which count the hours in which a service was running, not
 * under calendar days. Whatever a clock is set to, one call counts an hour at most, so no key is
 * forgotten early, or looked up under a day other than its own. A day is dropped an hour after the
 * next one has begun: by then no statement from before is still under way.
 */
function daysOfWork(schema: string, appRole: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.idempotency_day (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
       today date NOT NULL,
       hours integer NOT NULL DEFAULT 0,
       looked_at timestamptz NOT NULL DEFAULT now())`,
    `COMMENT ON TABLE ${schema}.idempotency_day IS
       'The day under which idempotency keys are kept, in hours of work, and the last look at the clock'`,
    `INSERT INTO ${schema}.idempotency_day (today) VALUES ((now() AT TIME ZONE 'UTC')::date)`,
    `GRANT SELECT ON ${schema}.idempotency_day TO ${appRole}`,
    `DROP FUNCTION ${schema}.maintain_partitions()`,
    `CREATE FUNCTION ${schema}.maintain_partitions() RETURNS double precision
     LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '500ms' AS $$
     DECLARE
       work ${schema}.idempotency_day;
       since_last_look interval;
       day date;
       partition text;
     BEGIN
       SELECT * INTO work FROM ${schema}.idempotency_day FOR UPDATE;
       since_last_look := now() - work.looked_at;
       IF since_last_look >= ${HOUR_OF_WORK} THEN
         work.hours := work.hours + 1;
         IF work.hours >= ${HOURS_OF_A_DAY} THEN
           work.today := work.today + 1;
           work.hours := 0;
         END IF;
       END IF;
       IF since_last_look >= ${HOUR_OF_WORK} OR since_last_look < interval '0' THEN
         UPDATE ${schema}.idempotency_day
         SET today = work.today, hours = work.hours, looked_at = now();
       END IF;
       FOR day IN
         SELECT generate_series(work.today - ${DAYS_BACK}, work.today + ${DAYS_AHEAD}, '1 day')
       LOOP
         partition := 'idempotency_' || to_char(day, 'YYYYMMDD');
         IF to_regclass('${schema}.' || partition) IS NULL THEN
           EXECUTE format('CREATE TABLE ${schema}.%I PARTITION OF ${schema}.idempotency
                           FOR VALUES FROM (%L) TO (%L)', partition, day, day + 1);
         END IF;
       END LOOP;
       FOR partition IN
         SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = '${schema}.idempotency'::regclass AND work.hours >= 1
           AND c.relname < 'idempotency_' || to_char(work.today - ${DAYS_BACK}, 'YYYYMMDD')
       LOOP
         EXECUTE format('DROP TABLE ${schema}.%I', partition);
       END LOOP;
       RETURN extract(epoch FROM since_last_look);
     END $$`,
    `REVOKE ALL ON FUNCTION ${schema}.maintain_partitions() FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${schema}.maintain_partitions() TO ${appRole}`,
    releaseOfOrphanedKeys(schema),
  ];
}

function releaseOfOrphanedKeys(schema: string): string {
  return `CREATE OR REPLACE FUNCTION ${schema}.release_orphaned_key(wanted text) RETURNS boolean
     LANGUAGE plpgsql AS $$
     DECLARE
       yesterday date := ${today(schema)} - 1;
     BEGIN
       -- Locked first, so that the look at the events sees what a claimer has just committed.
       PERFORM FROM ${schema}.idempotency i WHERE i.key = wanted AND i.day >= yesterday
         ORDER BY i.day FOR UPDATE;
       DELETE FROM ${schema}.idempotency i WHERE i.key = wanted AND i.day >= yesterday
         AND NOT EXISTS (SELECT FROM ${schema}.events e
                         WHERE e.stream_id = i.stream_id AND e.command_id = i.command_id);
       RETURN FOUND;
     END $$`;
}

/**
 * Written by the appends of the streams that leave them, so they say at any time what the events say.
 * Most streams leave none.
 */
function marksTable(schema: string, appRole: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.marks (
       subject text COLLATE "C" NOT NULL,
       transaction_id text COLLATE "C" NOT NULL,
       stream_id text COLLATE "C" NOT NULL,
       data json NOT NULL,
       until timestamptz,
       lasting boolean NOT NULL,
       version integer NOT NULL DEFAULT 0,
       PRIMARY KEY (subject, transaction_id))`,
    `COMMENT ON TABLE ${schema}.marks IS
       'What streams tell those who decide about other streams, by what it is about'`,
    `CREATE INDEX marks_until ON ${schema}.marks (until) WHERE until IS NOT NULL`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.marks TO ${appRole}`,
  ];
}

/**
 * Where a transaction's events begin in its stream, and what else it is found by: a number, because
 * every append writes it into the index, and a number takes a quarter of the bytes of the text.
 */
function transactionColumns(schema: string): readonly string[] {
  return [
    `ALTER TABLE ${schema}.transactions
       ADD COLUMN begun_version integer, ADD COLUMN lookup_key bigint`,
    `CREATE INDEX transactions_lookup ON ${schema}.transactions (lookup_key)
       WHERE lookup_key IS NOT NULL`,
  ];
}
