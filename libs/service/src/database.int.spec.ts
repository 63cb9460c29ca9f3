import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@sluice/embedded-postgres';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { assertDurable, createPool, DurabilityError } from './database.js';
import { isOutage } from './wait-for.js';
import { ensureMigrated, migrate, type Migration } from './migrate.js';
import { DatabaseAccessError, ensureRolesAndSchema, type ServiceDatabase } from './roles.js';

const database = { url: '', name: 'orders_test' };
const pools: pg.Pool[] = [];
let server: EmbeddedPostgres;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-service-'));
  server = await startEmbeddedPostgres(folder, { removeFolderAtEnd: true });
  database.url = await newDatabase(database.name);
}, 60_000);

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await server.stop();
});

/** Makes a database on the server of this file; the server and all of it go when the file ends. */
async function newDatabase(name: string): Promise<string> {
  const creation = `CREATE DATABASE ${name}`;
  await poolOf(server.url).query(creation);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

function poolOf(url: string, options: object = {}): pg.Pool {
  const pool = createPool(url, {
    service: 'test',
    connectionsMax: 2,
    onError: () => undefined,
    ...options,
  });
  pools.push(pool);
  return pool;
}

describe('a pool', () => {
  it('has the limits of the payment path and keeps 64-bit integers exact', async () => {
    const pool = poolOf(database.url);
    const { rows } = await pool.query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings WHERE name IN ('statement_timeout',
       'idle_in_transaction_session_timeout', 'application_name') ORDER BY name`,
    );
    expect(rows.map(({ setting }) => setting)).toEqual(['sluice-test', '10000', '5000']);
    const big = await pool.query('SELECT 9223372036854775807::int8 AS value');
    expect(big.rows).toEqual([{ value: '9223372036854775807' }]);
  });

  it('outlives the end of a connection that is handed out and does nothing', async () => {
    const pool = poolOf(database.url);
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    client.release(true);
    expect((await pool.query('SELECT 1')).rowCount).toBe(1);
  });

  it('refuses a schema that is no plain identifier', () => {
    expect(() => poolOf(database.url, { schema: 'a; DROP' })).toThrow(TypeError);
  });

  it('survives a server that ends its connections', async () => {
    const errors: Error[] = [];
    const pool = poolOf(database.url, { onError: (error: Error) => errors.push(error) });
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await poolOf(database.url).query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('durability', () => {
  it('is there on a server of ours', async () => {
    await expect(assertDurable(poolOf(database.url))).resolves.toBeUndefined();
  });

  it('is refused with a sentence where it is switched off', async () => {
    const lax = await newDatabase('lax');
    const alteration = `ALTER DATABASE lax SET synchronous_commit = off`;
    await poolOf(database.url).query(alteration);
    const pool = poolOf(lax);
    await expect(assertDurable(pool)).rejects.toThrow(DurabilityError);
    await expect(assertDurable(pool)).rejects.toThrow(
      'may lose committed payments in a crash: synchronous_commit is off.',
    );
    const rows = [{ name: 'fsync', setting: 'off' }];
    const query = (() => Promise.resolve({ rows })) as unknown as pg.Pool['query'];
    await expect(assertDurable({ query })).rejects.toThrow('fsync is off');
  });
});

const first: Migration = {
  name: 'orders-1',
  statements: ['CREATE TABLE orders (id int)', 'INSERT INTO orders VALUES (1)'],
};

describe('roles, schema and migrations', () => {
  let orders: ServiceDatabase;
  beforeAll(async () => {
    ({ orders } = await ensureRolesAndSchema(database.url, ['orders', 'stock']));
  });

  it('give each service a schema of its own and nobody else', async () => {
    const grant = `GRANT SELECT ON orders TO ${orders.appRole}`;
    const usage = `GRANT USAGE ON SCHEMA orders TO ${orders.appRole}`;
    const migrations = [first, { name: 'orders-grants', statements: [usage, grant] }];
    const options = { url: orders.ownerUrl, schema: 'orders', migrations };
    expect(await migrate(options)).toBe(2);
    expect(await migrate(options)).toBe(0);

    const app = poolOf(orders.appUrl, { schema: 'orders' });
    expect((await app.query('SELECT id FROM orders')).rows).toEqual([{ id: 1 }]);
    await expect(app.query('DELETE FROM orders')).rejects.toThrow('permission denied');
    await expect(app.query('CREATE TABLE more (id int)')).rejects.toThrow('permission denied');
    const { stock } = await ensureRolesAndSchema(database.url, ['stock']);
    const stranger = poolOf(stock.appUrl);
    await expect(stranger.query('SELECT id FROM orders.orders')).rejects.toThrow('denied');
  });

  it('run only what is new, in the order of the list, whatever comes before', async () => {
    const library = { name: 'library-2', statements: ['INSERT INTO orders VALUES (2)'] };
    const own = { name: 'orders-3', statements: ['UPDATE orders SET id = id + 10'] };
    const grants = { name: 'orders-grants', statements: [] };
    const migrations = [first, library, grants, own];
    const { orders: renewed } = await ensureRolesAndSchema(database.url, ['orders']);
    expect(await migrate({ url: renewed.ownerUrl, schema: 'orders', migrations })).toBe(2);
    const app = poolOf(renewed.appUrl, { schema: 'orders' });
    const { rows } = await app.query('SELECT id FROM orders ORDER BY id');
    expect(rows).toEqual([{ id: 11 }, { id: 12 }]);
    orders = renewed;
  });

  it('leave nothing of a step that fails', async () => {
    const broken = {
      name: 'orders-broken',
      statements: ['CREATE TABLE half (id int)', 'SELECT nonsense'],
    };
    const options = { url: orders.ownerUrl, schema: 'orders', migrations: [first, broken] };
    await expect(migrate(options)).rejects.toThrow('nonsense');
    const { rows } = await poolOf(database.url).query("SELECT to_regclass('orders.half') AS half");
    expect(rows).toEqual([{ half: null }]);
  });

  it('refuse a schema that began otherwise, and say how to begin anew', async () => {
    const begin = { name: 'orders-begin', statements: ['CREATE TABLE other (id int)'] };
    const migrations: Migration[] = [{ ...begin, begins: true }];
    const options = { url: orders.ownerUrl, schema: 'orders', migrations };
    await expect(migrate(options)).rejects.toThrow(
      /schema orders was made by a release that this one cannot continue: .*orders-begin.*--reset/,
    );
  });

  it('take a list of steps that only adds to what another list began', async () => {
    const migrations = [{ name: 'orders-notes', statements: ['CREATE TABLE notes (id int)'] }];
    expect(await migrate({ url: orders.ownerUrl, schema: 'orders', migrations })).toBe(1);
  });

  it('run once although two processes start together', async () => {
    const { stock } = await ensureRolesAndSchema(database.url, ['stock']);
    const migrations = [{ name: 'stock-1', statements: ['CREATE TABLE items (id int)'] }];
    const options = { url: stock.ownerUrl, schema: 'stock', migrations };
    const counts = await Promise.all([migrate(options), migrate(options), migrate(options)]);
    expect(counts.sort()).toEqual([0, 0, 1]);
  });

  it('are waited for by a service that may not run them, until the last step is there', async () => {
    const { depot } = await ensureRolesAndSchema(database.url, ['depot']);
    const { appUrl, appRole, ownerUrl, schema } = depot;
    const steps = [
      { name: 'depot-1', statements: [`GRANT USAGE ON SCHEMA depot TO ${appRole}`] },
      { name: 'depot-2', statements: ['CREATE TABLE shelves (id int)'] },
    ];
    const start = () => ensureMigrated({ databaseUrl: appUrl, schema }, () => steps);
    // A schema that it may not even enter, one that is a release behind, and one that is not.
    await expect(start().catch((error: unknown) => isOutage(error))).resolves.toBe(true);
    await migrate({ url: ownerUrl, schema, migrations: steps.slice(0, 1), appRole });
    await expect(start()).rejects.toThrow(
      'The schema depot lacks depot-2: "sluice migrations apply" has not run yet.',
    );
    await expect(start().catch((error: unknown) => isOutage(error))).resolves.toBe(true);
    await migrate({ url: ownerUrl, schema, migrations: steps, appRole });
    await expect(start()).resolves.toBeUndefined();
    const older = ensureMigrated({ databaseUrl: appUrl, schema }, () => steps.slice(0, 1));
    await expect(older).resolves.toBeUndefined();
  });

  it('are refused over a schema that is somebody else’s', async () => {
    await poolOf(database.url).query('CREATE SCHEMA foreign_shop');
    const attempt = ensureRolesAndSchema(database.url, ['foreign_shop']);
    await expect(attempt).rejects.toThrow(DatabaseAccessError);
    await expect(attempt).rejects.toThrow('already has a schema "foreign_shop"');
  });

  it('are refused, with what to grant, to a user who may not', async () => {
    await poolOf(database.url).query("CREATE ROLE plain LOGIN PASSWORD 'plain'");
    const url = new URL(database.url);
    [url.username, url.password] = ['plain', 'plain'];
    await expect(ensureRolesAndSchema(url.href, ['orders'])).rejects.toThrow(
      'ALTER ROLE "plain" CREATEROLE',
    );
  });

  it('are enough rights: CREATEROLE and CREATE on the database', async () => {
    const url = new URL(await newDatabase('made'));
    await poolOf(server.url).query("CREATE ROLE maker LOGIN CREATEROLE PASSWORD 'maker'");
    await poolOf(server.url).query('GRANT CREATE ON DATABASE made TO maker');
    [url.username, url.password] = ['maker', 'maker'];
    const made = await ensureRolesAndSchema(url.href, ['orders']);
    const options = { url: made.orders.ownerUrl, schema: 'orders', migrations: [first] };
    expect(await migrate(options)).toBe(1);
    expect((await ensureRolesAndSchema(url.href, ['orders'])).orders.schema).toBe('orders');
  });
});
