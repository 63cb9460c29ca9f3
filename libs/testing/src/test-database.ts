import {
  type EmbeddedPostgres,
  runningPostgres,
  startEmbeddedPostgres,
} from '@sluice/embedded-postgres';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A database that belongs to one test alone. */
export interface TestDatabase {
  /** The superuser's connection string to it. */
  readonly url: string;
  /** Begins with `test_`; roles that begin with it and `_` are dropped with it. */
  readonly name: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

/** More than any suite opens; the default of 100 is soon used up by pools. */
const CONNECTIONS_MAX = '200';

/**
 * A fresh database on the server of this jest worker, or on the one that `DATABASE_URL` names (its
 * user must be a superuser). fsync stays on unless `SLUICE_TEST_FSYNC=off`. Nothing has to be
 * stopped afterwards: the server ends and is deleted with the worker, even when that is killed.
 */
export async function startTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['DATABASE_URL'] ?? (await workerServer());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const creation = `CREATE DATABASE ${name}`;
  await asAdministrator(serverUrl, (client) => client.query(creation));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => asAdministrator(serverUrl, dropper(name)) };
}

/**
 * The same for a whole spec file or `describe`: made before its first test, dropped after its last.
 * Read `url` inside tests and hooks only.
 */
export function testDatabase(): Pick<TestDatabase, 'url' | 'name'> {
  const hooks = globalThis as unknown as JestHooks;
  let database: TestDatabase | undefined;
  hooks.beforeAll(async () => {
    database = await startTestDatabase();
  }, START_WITHIN_MS);
  hooks.afterAll(async () => {
    await database?.drop();
  });
  const present = (): TestDatabase => {
    if (database === undefined) throw new Error('the test database exists only while tests run');
    return database;
  };
  return {
    get url() {
      return present().url;
    },
    get name() {
      return present().name;
    },
  };
}

/** A cold start on a loaded machine: initdb alone takes a second there. */
const START_WITHIN_MS = 60_000;

/** Not imported from @jest/globals, which refuses to be loaded where no jest runs. */
interface JestHooks {
  beforeAll(hook: () => Promise<void>, timeoutMs?: number): void;
  afterAll(hook: () => Promise<void>): void;
}

let server: Promise<EmbeddedPostgres> | undefined;

/**
 * One server per process. Each test file has its own copy of this module, so the process is told
 * by its number and start time, and a server that an earlier file started is found by its folder.
 */
async function workerServer(): Promise<string> {
  const startedAt = Math.round(performance.timeOrigin);
  const folder = join(tmpdir(), `sluice-test-${String(process.pid)}-${String(startedAt)}`);
  if (server === undefined) {
    const found = await runningPostgres(folder);
    if (found !== undefined) return found;
  }
  server ??= startEmbeddedPostgres(folder, {
    durable: process.env['SLUICE_TEST_FSYNC'] !== 'off',
    removeFolderAtEnd: true,
    settings: { max_connections: CONNECTIONS_MAX },
  });
  return (await server).url;
}

async function asAdministrator(
  url: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * How long sessions that were ended a moment ago may take to be gone. Their clients have no listener
 * any more, so one that was cut off instead would fail whichever test runs then.
 */
const GOING_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 10;

function dropper(name: string): (client: pg.Client) => Promise<void> {
  const removal = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  return async (client) => {
    const forceAtMs = performance.now() + GOING_WITHIN_MS;
    while (performance.now() < forceAtMs && (await hasSessions(client, name))) {
      await delay(LOOK_EVERY_MS);
    }
    await client.query(removal);
    const { rows } = await client.query<{ rolname: string }>(
      `SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)`,
      [`${name}_`],
    );
    for (const { rolname } of rows) {
      const roleRemoval = `DROP ROLE ${pg.escapeIdentifier(rolname)}`;
      await client.query(roleRemoval);
    }
  };
}

async function hasSessions(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [
    name,
  ]);
  return rowCount !== 0;
}
