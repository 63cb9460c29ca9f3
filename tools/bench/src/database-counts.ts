import { runningPostgres, startEmbeddedPostgres } from '@sluice/embedded-postgres';
import pg from 'pg';
import type { Counts } from './account-figures.js';
import type { InstallationUnderTest } from './installation-under-test.js';

const DATABASE = 'sluice';
const EXTENSION = 'pg_stat_statements';
/** Since this release PostgreSQL counts writes and syncs of its log beside those of tables. */
const LOG_BESIDE_TABLES_SINCE = 180_000;

/**
 * How long a connection that has become idle keeps what it has counted to itself; PostgreSQL's own
 * constant, and a little more.
 */
export const COUNTED_AFTER_MS = 10_500;

/** Makes the database of an installation that has not started yet, and has its statements counted. */
export async function prepareStatements(dataFolder: string): Promise<void> {
  const server = await startEmbeddedPostgres(dataFolder);
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_available_extensions WHERE name = $1', [
      EXTENSION,
    ]);
    // A library that is not there would keep the server from starting.
    if (rowCount === 1) await client.query(PRELOAD);
  } finally {
    await client.end();
    await server.stop();
  }
}

/** What PostgreSQL counts itself. */
export class DatabaseCounts {
  private constructor(
    private readonly client: pg.Client,
    /** Whether statements are counted; not every PostgreSQL has what that takes. */
    readonly hasStatements: boolean,
    private readonly logTable: string,
  ) {}

  /** Connects as the administrator, whose own statements are not counted. */
  static async of({ dataFolder }: InstallationUnderTest): Promise<DatabaseCounts> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    const { rows } = await client.query<{ loaded: string; version: number }>(
      `SELECT current_setting('shared_preload_libraries') AS loaded,
         current_setting('server_version_num')::int AS version`,
    );
    const hasStatements = rows[0]?.loaded.includes(EXTENSION) ?? false;
    if (hasStatements) await client.query(CREATE);
    const isBeside = (rows[0]?.version ?? 0) >= LOG_BESIDE_TABLES_SINCE;
    return new DatabaseCounts(client, hasStatements, isBeside ? LOG_IN_IO : LOG_ALONE);
  }

  /** All figures so far. */
  async read(): Promise<Counts> {
    const counted = await this.client.query<Record<string, string>>(TABLES);
    const log = await this.client.query<Record<string, string>>(this.logTable);
    const statements = this.hasStatements
      ? (await this.client.query<{ name: string; calls: string }>(STATEMENTS)).rows
      : [];
    return new Map([
      ...statements.map(({ name, calls }): [string, number] => [name, Number(calls)]),
      ...Object.entries({ ...counted.rows[0], ...log.rows[0] }).map(
        ([name, figure]): [string, number] => [name, Number(figure)],
      ),
    ]);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}

const PRELOAD = `ALTER SYSTEM SET shared_preload_libraries = ${EXTENSION}`;
const CREATE = `CREATE EXTENSION IF NOT EXISTS ${EXTENSION}`;

/** Further cells have databases of their own. */
const OURS = `(datname = current_database() OR starts_with(datname, current_database() || '_cell_'))`;

/** Of each service, whose role is `sluice_payments_app` or the like, and together. */
const STATEMENTS = `
  SELECT 'SQL statements of ' || regexp_replace(rolname, '^sluice_|_app$', '', 'g') AS name, sum(calls) AS calls
  FROM ${EXTENSION} s JOIN pg_roles r ON r.oid = s.userid
  WHERE toplevel AND rolname <> current_user
    AND dbid IN (SELECT oid FROM pg_database WHERE ${OURS})
  GROUP BY rolname
  UNION ALL
  SELECT 'SQL statements', coalesce(sum(calls), 0)
  FROM ${EXTENSION}
  WHERE toplevel AND userid <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
    AND dbid IN (SELECT oid FROM pg_database WHERE ${OURS})`;

const TABLES = `
  SELECT sum(xact_commit) AS "commits", sum(tup_inserted) AS "rows inserted",
    sum(tup_updated) AS "rows updated", sum(tup_deleted) AS "rows deleted"
  FROM pg_stat_database WHERE ${OURS}`;

const LOG_ALONE = 'SELECT wal_bytes AS "WAL bytes", wal_sync AS "WAL syncs" FROM pg_stat_wal';

const LOG_IN_IO = `
  SELECT (SELECT wal_bytes FROM pg_stat_wal) AS "WAL bytes",
    (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS "WAL syncs"`;
