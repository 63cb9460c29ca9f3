import { runningPostgres } from '@sluice/embedded-postgres';
import pg from 'pg';
import type { InstallationUnderTest } from './installation-under-test.js';

/** A stretch of time in which registrations were really made. */
export interface MadeBetween {
  readonly fromMs: number;
  readonly toMs: number;
}

const DATABASE = 'sluice';
/** Rows of one statement: two events, a head, a transaction, a key, a kept row and a shown one each. */
const BATCH = 20_000;

/**
 * Fills an installation with copies of registrations that it has really made: their events, what the
 * vault keeps, and what reporting shows. Nobody can open a copy, so only the real ones are used; they lie
 * among the copies, in the tables by when they were made, and in the indexes by their ids.
 */
export class RegistrationsFill {
  #made = 0;

  private constructor(
    private readonly database: pg.Client,
    private readonly statement: string,
  ) {}

  /** Of an installation that has at least one registration, and nothing to do. */
  static async of({ dataFolder }: InstallationUnderTest): Promise<RegistrationsFill> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    await database.connect();
    // Nothing of this has to survive a crash.
    await database.query("SET synchronous_commit = off; SET work_mem = '128MB'");
    const { rowCount: count } = await database.query(TEMPLATES);
    const { rows: columns } = await database.query<{ table: string; name: string }>(COLUMNS);
    const [first] = columns;
    if (first === undefined || !count) throw new Error('No registration can be copied.');
    const names = columns.map(({ name }) => name);
    const shown = `CREATE TEMP TABLE shown AS SELECT * FROM reporting.${first.table}`;
    await database.query(shown);
    return new RegistrationsFill(database, copyStatement(first.table, names, count));
  }

  /** Makes so many copies more, with ids of that time. */
  async add(copies: number, { fromMs, toMs }: MadeBetween): Promise<void> {
    const end = this.#made + copies;
    while (this.#made < end) {
      const until = Math.min(this.#made + BATCH, end);
      const values = [this.#made, until - 1, fromMs, Math.max(1, toMs - fromMs)];
      await this.database.query(this.statement, values);
      this.#made = until;
    }
  }

  /** What autovacuum would have done over the time. */
  async settle(): Promise<void> {
    await this.database.query('VACUUM (ANALYZE)');
    await this.database.query('CHECKPOINT');
  }

  /** All that are kept, those included that are no copies. */
  async count(): Promise<number> {
    const text = 'SELECT count(*)::integer AS count FROM vault.kept_details';
    const { rows } = await this.database.query<{ count: number }>(text);
    return rows[0]?.count ?? 0;
  }

  close(): Promise<void> {
    return this.database.end();
  }
}

const TEMPLATES = `
  CREATE TEMP TABLE templates AS
    SELECT (row_number() OVER (ORDER BY registration_id) - 1)::integer AS number, registration_id AS id
    FROM vault.kept_details LIMIT 64`;

/** What reporting shows, in its live table. */
const COLUMNS = `
  SELECT c.table_name AS "table", c.column_name AS name
  FROM reporting.table_sets s JOIN information_schema.columns c
    ON c.table_schema = 'reporting' AND c.table_name = s.projection || '_' || s.id
  WHERE s.projection = 'registrations' AND s.state = 'live' ORDER BY c.ordinal_position`;

/** What is another registration's in a row of reporting; all else is the template's. */
const SHOWN: Readonly<Record<string, string>> = {
  transaction_id: 'p.id::uuid',
  stream_id: 'p.id::uuid',
};

/**
 * Copies number `$1` to `$2`, with ids from `$3` milliseconds on, over `$4` of them. Reporting is told
 * that it has them, or it would read all events again.
 */
export function copyStatement(
  table: string,
  columns: readonly string[],
  templates: number,
): string {
  return `
  WITH p AS MATERIALIZED (
    SELECT n, t.id AS copied, lpad(to_hex($3::bigint + floor(random() * $4)::bigint), 12, '0')
      || left(md5('stored' || n), 20) AS id
    FROM generate_series($1::bigint, $2::bigint) n
    JOIN templates t ON t.number = n % ${templates} ORDER BY n),
  events AS (
    INSERT INTO registrations.events
      (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
    SELECT p.id, e.version, gen_random_uuid(), gen_random_uuid(), e.type, e.schema_version,
      replace(e.data::text, e.stream_id, p.id)::json, e.metadata
    FROM p JOIN registrations.events e ON e.stream_id = p.copied AND e.version <= 2),
  streams AS (INSERT INTO registrations.streams (stream_id, version) SELECT id, 2 FROM p),
  transactions AS (
    INSERT INTO registrations.transactions (transaction_id, stream_id, command_id, begun_version)
    SELECT id, id, gen_random_uuid(), 1 FROM p),
  keys AS (
    INSERT INTO registrations.personal_keys (stream_id, wrapped)
    SELECT p.id, k.wrapped FROM p JOIN registrations.personal_keys k ON k.stream_id = p.copied),
  kept AS (
    INSERT INTO vault.kept_details
      (registration_id, fingerprint, nonce, ciphertext, wrapping_key_version, wrapped)
    SELECT p.id, md5(p.id) || md5(p.copied), k.nonce, k.ciphertext, k.wrapping_key_version, k.wrapped
    FROM p JOIN vault.kept_details k ON k.registration_id = p.copied),
  reported AS (
    INSERT INTO reporting.${table} (${columns.join(', ')})
    SELECT ${columns.map((column) => SHOWN[column] ?? `shown.${column}`).join(', ')}
    FROM p JOIN shown ON shown.transaction_id = p.copied::uuid),
  versions AS (
    INSERT INTO reporting.${table}_streams (stream_id, version) SELECT id::uuid, 2 FROM p)
  UPDATE reporting.table_sets
  SET heads_cursor = pg_current_xact_id()::text || '-9223372036854775807'
  WHERE projection = 'registrations' AND state = 'live'`;
}
