import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  type StartOptions,
} from '@sluice/embedded-postgres';
import { DatabaseAccessError, ensureRolesAndSchema, type ServiceDatabase } from '@sluice/service';
import { Client } from 'pg';

/** The services that keep tables. */
const SERVICES = ['payments', 'vault', 'accounts', 'reporting'] as const;
const DATABASE = 'sluice';
/** D-11: the oldest release that the suites run on, as `server_version_num`. */
const SERVER_VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** How the one who holds the lock is found; as old as the lock's own name. */
const HOLDER_NAME = 'sluice-sandbox';

/** The PostgreSQL of one installation, with a schema and two roles for each service. */
export interface InstallationDatabase {
  readonly services: Readonly<Record<(typeof SERVICES)[number], ServiceDatabase>>;
  /** An administrator's way into the database; holds a password. */
  readonly adminUrl: string;
  /** The embedded server was killed before and has recovered. */
  readonly recovered: boolean;
  close(): Promise<void>;
}

/** Starts the embedded PostgreSQL of the data folder. */
export async function embeddedDatabase(
  dataFolder: string,
  options: StartOptions,
): Promise<InstallationDatabase> {
  const server = await startEmbeddedPostgres(dataFolder, options);
  try {
    const adminUrl = await ownDatabase(server);
    const services = await ensureRolesAndSchema(adminUrl, SERVICES);
    const { recovered } = server;
    return { services, adminUrl, recovered, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function ownDatabase(server: EmbeddedPostgres): Promise<string> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query('CREATE DATABASE sluice');
  } finally {
    await client.end();
  }
  const url = new URL(server.url);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/**
 * Takes an existing PostgreSQL: holds a lock there for as long as the installation lives, so that
 * two never sweep the same payments. Throws DatabaseAccessError with a sentence.
 */
export async function existingDatabase(url: string): Promise<InstallationDatabase> {
  const holder = new Client({
    connectionString: url,
    application_name: `${HOLDER_NAME} process ${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A lost lock is found again by nobody; the pools notice the server's end by themselves.
  holder.on('error', () => undefined);
  await holder.connect().catch((error: unknown) => {
    throw new DatabaseAccessError(unreachable(url, error as Error));
  });
  try {
    await assertUsable(holder);
    const services = await ensureRolesAndSchema(url, SERVICES);
    return { services, adminUrl: url, recovered: false, close: () => holder.end() };
  } catch (error) {
    await holder.end();
    throw error;
  }
}

async function assertUsable(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: number; taken: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version,
            pg_try_advisory_lock(hashtextextended('sluice-sandbox', 0)) AS taken`,
  );
  const { version = 0, taken = false } = rows[0] ?? {};
  if (version < SERVER_VERSION_MIN) {
    throw new DatabaseAccessError(
      'The database is older than PostgreSQL 15, the oldest that works.',
    );
  }
  if (taken) return;
  const others = await client.query<{ name: string; since: Date }>(
    `SELECT application_name AS name, backend_start AS since FROM pg_locks
     JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND starts_with(application_name, 'sluice-sandbox')
       AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const other = others.rows[0];
  const who = other === undefined ? '' : ` (${other.name}, since ${other.since.toISOString()})`;
  throw new DatabaseAccessError(`The database is in use by another sandbox or cluster${who}.`);
}

/** Names the host and never the password. */
function unreachable(url: string, error: Error & { code?: string }): string {
  const { host, pathname, username } = new URL(url);
  const database = pathname.length > 1 ? ` ${pathname.slice(1)}` : '';
  const place = host === '' ? '' : ` at ${host}`;
  const user = username === '' ? '' : ` as "${username}"`;
  const reason = error.message === '' ? (error.code ?? 'no answer') : error.message;
  return (
    `The database${database}${place} cannot be used${user} ` +
    `(${reason}). Check the address in --database (DATABASE_URL).`
  );
}
