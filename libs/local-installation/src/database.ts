import { FIRST_CELL, type ServiceWithTables, servicesWithTables } from '@sluice/contracts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  type StartOptions,
} from '@sluice/embedded-postgres';
import {
  connectClient,
  DatabaseAccessError,
  ensureRolesAndSchema,
  type ServiceDatabase,
} from '@sluice/service';
import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { bindDatabase, type FolderIdentity, identityOf } from './folder-binding.js';
import { DatabaseInUse, HeldLock } from './held-lock.js';
import { SettingRefused } from './setting-refused.js';

const DATABASE = 'sluice';
/** The number of the cell follows. */
const CELL_DATABASE = 'sluice_cell_';
/** D-11: the oldest release that the suites run on, as `server_version_num`. */
const SERVER_VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** How the one who holds the lock is found; as old as the lock's own name. */
const HOLDER_NAME = 'sluice-sandbox';

/** The PostgreSQL of one installation, with a schema and two roles for each service. */
export interface InstallationDatabase {
  readonly services: Readonly<Record<ServiceWithTables, ServiceDatabase>>;
  /** Payments' tables in each of its cells, in databases of their own but for the first. */
  readonly cells: readonly ServiceDatabase[];
  /** An administrator's way into the database; holds a password. */
  readonly adminUrl: string;
  /** The embedded server was killed before and has recovered. */
  readonly recovered: boolean;
  close(): Promise<void>;
}

/** How the embedded PostgreSQL is started. */
export interface EmbeddedDatabaseOptions extends StartOptions {
  /** The cells of payments; absent: as many as there are, and one in a new folder. */
  readonly cells?: number | undefined;
}

/** Starts the embedded PostgreSQL of the data folder. Throws SettingRefused for too few cells. */
export async function embeddedDatabase(
  dataFolder: string,
  { cells, ...options }: EmbeddedDatabaseOptions,
): Promise<InstallationDatabase> {
  const identity = identityOf(dataFolder);
  identity.catch(() => undefined);
  const server = await startEmbeddedPostgres(dataFolder, options);
  try {
    const adminUrl = await ownDatabase(server);
    await bindEmbedded(adminUrl, await identity);
    const services = await ensureRolesAndSchema(adminUrl, servicesWithTables);
    const { recovered } = server;
    const others = await otherCells(server, cells);
    const all = { services, cells: [services.payments, ...others] };
    return { ...all, adminUrl, recovered, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function ownDatabase(server: EmbeddedPostgres): Promise<string> {
  return withServer(server, (client) => ensureDatabase(client, server, DATABASE));
}

/** A database for each cell of payments after the first. */
async function otherCells(
  server: EmbeddedPostgres,
  wanted: number | undefined,
): Promise<readonly ServiceDatabase[]> {
  const urls = await withServer(server, async (client) => {
    const { rows } = await client.query<{ cells: number }>(
      'SELECT count(*)::int + 1 AS cells FROM pg_database WHERE starts_with(datname, $1)',
      [CELL_DATABASE],
    );
    const { cells: found = FIRST_CELL } = rows[0] ?? {};
    const cells = wanted ?? found;
    if (cells < found) {
      throw new SettingRefused(
        `The data folder has ${found} cells of payments, and --cells (SLUICE_CELLS) says ${cells}: ` +
          'leave it out, or give it at least as many.',
      );
    }
    const made: string[] = [];
    for (let cell = FIRST_CELL + 1; cell <= cells; cell += 1) {
      made.push(await ensureDatabase(client, server, `${CELL_DATABASE}${cell}`));
    }
    return made;
  });
  const databases: ServiceDatabase[] = [];
  for (const url of urls) databases.push((await ensureRolesAndSchema(url, ['payments'])).payments);
  return databases;
}

async function withServer<Result>(
  server: EmbeddedPostgres,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient({ connectionString: server.url });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function ensureDatabase(
  client: Client,
  server: EmbeddedPostgres,
  name: string,
): Promise<string> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  const statement = `CREATE DATABASE ${escapeIdentifier(name)}`;
  if (rowCount === 0) await client.query(statement);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Somebody may have deleted or replaced the keys alone. */
async function bindEmbedded(url: string, folder: FolderIdentity): Promise<void> {
  const client = await connectClient({ connectionString: url });
  try {
    if ((await bindDatabase(client, folder)) === undefined) return;
  } finally {
    await client.end();
  }
  throw new SettingRefused(
    `The database in ${folder.path} was begun with other keys than those in its folder "keys". ` +
      'Put those back, or delete everything with --reset.',
  );
}

/**
 * Takes an existing PostgreSQL that is empty or was begun with the data folder: holds a lock there
 * for as long as the installation lives, so that two never sweep the same payments. When it is lost
 * to another one, `onLost` gets a sentence. Throws DatabaseAccessError or SettingRefused.
 */
export async function existingDatabase(
  url: string,
  dataFolder: string,
  onLost = endProcess,
): Promise<InstallationDatabase> {
  const identity = identityOf(dataFolder);
  identity.catch(() => undefined);
  // Tells a session of ours that the server has not yet given up from those of others.
  const name = `${HOLDER_NAME} process ${process.pid} ${randomBytes(4).toString('hex')}`;
  const connect = (): Promise<Client> => lockedSession(url, name);
  const holder = await connect();
  try {
    const services = await ensureRolesAndSchema(url, servicesWithTables);
    const other = await bindDatabase(holder, await identity);
    if (other !== undefined) throw new SettingRefused(begunElsewhere(url, dataFolder, other.path));
    const lock = new HeldLock(holder, connect, onLost);
    const cells = [services.payments];
    return { services, cells, adminUrl: url, recovered: false, close: () => lock.close() };
  } catch (error) {
    await holder.end();
    throw error;
  }
}

/** As any other defect: the process says the sentence, stops in order and ends. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

async function lockedSession(url: string, name: string): Promise<Client> {
  const holder = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Whoever has the session is told of its end.
  holder.on('error', () => undefined);
  await holder.connect().catch((error: unknown) => {
    throw new DatabaseAccessError(unreachable(url, error as Error));
  });
  try {
    await assertUsable(holder, name);
    return holder;
  } catch (error) {
    await holder.end();
    throw error;
  }
}

async function assertUsable(client: Client, ownName: string): Promise<void> {
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
  const others = await client.query<{ pid: number; name: string; since: Date }>(
    `SELECT pid, application_name AS name, backend_start AS since FROM pg_locks
     JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND starts_with(application_name, 'sluice-sandbox')
       AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const other = others.rows[0];
  if (other?.name === ownName) {
    await client.query('SELECT pg_terminate_backend($1)', [other.pid]);
    throw new DatabaseAccessError('An earlier session of this process still has the database.');
  }
  const who = other === undefined ? '' : ` (${other.name}, since ${other.since.toISOString()})`;
  throw new DatabaseInUse(`The database is in use by another sandbox or cluster${who}.`);
}

function begunElsewhere(url: string, dataFolder: string, other: string | undefined): string {
  const { host, pathname } = new URL(url);
  const begun = other === undefined ? 'with another data folder' : `with the data folder ${other}`;
  return (
    `The database ${pathname.slice(1)} at ${host} was begun ${begun} and not with ${dataFolder}. ` +
    'That one holds the keys and the acquirer of its payments. Give it with --data, or an empty ' +
    'database with --database.'
  );
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
