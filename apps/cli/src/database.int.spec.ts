import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase } from '@sluice/testing';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { servicesWithTables } from '@sluice/contracts';

const database = testDatabase();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-addresses-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** The test server trusts everybody, so what it keeps of a password is looked at (RFC 5803). */
function isOf(password: string, verifier: string): boolean {
  const [, iterations = '', salt = '', storedKey] =
    /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):/.exec(verifier) ?? [];
  const bytes = Buffer.from(salt, 'base64');
  const salted = pbkdf2Sync(password, bytes, Number(iterations), 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  return createHash('sha256').update(clientKey).digest('base64') === storedKey;
}

async function ask<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

function addressOf(user: string, password: string): string {
  const url = new URL(database.url);
  url.username = user;
  url.password = password;
  return url.href;
}

function readerRole(): string {
  return `${database.name}_payments_reader`;
}

async function addressFiles(password: string): Promise<NodeJS.ProcessEnv> {
  const environment: NodeJS.ProcessEnv = {};
  const note = async (variable: string, address: string): Promise<void> => {
    const file = join(folder, variable);
    await writeFile(file, `${address}\n`, { mode: 0o600 });
    environment[`${variable}_FILE`] = file;
  };
  await note('ADMIN_DATABASE_URL', database.url);
  for (const service of servicesWithTables) {
    const [name, prefix] = [service.toUpperCase(), `${database.name}_${service}`];
    await note(`${name}_DATABASE_URL`, addressOf(`${prefix}_app`, password));
    await note(`${name}_OWNER_DATABASE_URL`, addressOf(`${prefix}_owner`, password));
  }
  await note('PAYMENTS_READER_DATABASE_URL', addressOf(readerRole(), password));
  return environment;
}

describe('a PostgreSQL that is prepared from files', () => {
  it('has schemas and roles with the given passwords, twice alike, and takes migrations', async () => {
    const environment = await addressFiles('frühling/1 & 2');
    const run = (line: string): Promise<Ran> => sluice(line, { environment });
    const first = await run('database prepare --json');
    expect(first.exitCode).toBe(0);
    expect(first.json()).toEqual(
      servicesWithTables.map((service) => ({
        schema: service,
        ownerRole: `${database.name}_${service}_owner`,
        appRole: `${database.name}_${service}_app`,
        ...(service === 'payments' && { readerRole: readerRole() }),
      })),
    );
    expect((await run('migrations apply')).exitCode).toBe(0);
    const again = await run('database prepare');
    expect(again.output).toContain(
      `payments: ${database.name}_payments_owner owns it, ${database.name}_payments_app uses it, ` +
        `${readerRole()} reads its events.\n`,
    );
    expect(first.output + again.output).not.toContain('fr');
    const owner = addressOf(`${database.name}_payments_owner`, 'frühling/1 & 2');
    expect(await ask(owner, 'SELECT count(*)::int AS events FROM payments.events')).toEqual([
      { events: 0 },
    ]);
    const kept = `SELECT rolname, rolpassword FROM pg_authid WHERE starts_with(rolname, '${database.name}_')`;
    const before = await ask<{ rolpassword: string }>(database.url, kept);
    expect(before.map(({ rolpassword }) => isOf('frühling/1 & 2', rolpassword))).toEqual(
      Array.from({ length: 2 * servicesWithTables.length + 1 }, () => true),
    );
  }, 60_000);

  it('lets the reader see events and whose they are, and no more of payments', async () => {
    const environment = await addressFiles('password');
    const run = (line: string): Promise<Ran> => sluice(line, { environment });
    expect((await run('database prepare')).exitCode).toBe(0);
    // Twice: the role may be younger than the tables.
    expect((await run('migrations apply')).exitCode).toBe(0);
    expect((await run('migrations apply')).exitCode).toBe(0);
    const reader = addressOf(readerRole(), 'password');
    expect(await ask(reader, 'SELECT count(*)::int AS events FROM payments.events')).toEqual([
      { events: 0 },
    ]);
    expect(await ask(reader, 'SELECT id FROM payments.incarnation')).toHaveLength(1);
    const may = `SELECT c.oid::regclass::text AS name FROM pg_class c
      WHERE relnamespace::regnamespace::text IN ('payments', 'vault', 'accounts', 'reporting')
        AND relkind IN ('r', 'p', 'v') AND has_table_privilege('${readerRole()}', c.oid, 'SELECT')
      ORDER BY 1`;
    expect(await ask(database.url, may)).toEqual([
      { name: 'payments.carried_shards' },
      { name: 'payments.events' },
      { name: 'payments.incarnation' },
    ]);
    const write = 'DELETE FROM payments.events';
    await expect(ask(reader, write)).rejects.toThrow('permission denied');
  }, 60_000);

  it('is refused without passwords, in another database, and without an administrator', async () => {
    const environment = await addressFiles('password');
    const refusal = async (changed: NodeJS.ProcessEnv): Promise<Ran> =>
      sluice('database prepare vault', { environment: { ...environment, ...changed } });
    const app = { VAULT_DATABASE_URL_FILE: undefined };
    const noPassword = await refusal({ ...app, VAULT_DATABASE_URL: addressOf('somebody', '') });
    expect(noPassword.exitCode).toBe(2);
    expect(noPassword.errors).toContain('lacks a user or a password');
    const elsewhere = 'postgres://somebody:secret@127.0.0.1/elsewhere';
    const other = await refusal({ ...app, VAULT_DATABASE_URL: elsewhere });
    expect(other.errors).toContain("another database than the administrator's");
    expect(other.errors).not.toContain('secret');
    const nobody = await refusal({ ADMIN_DATABASE_URL_FILE: undefined });
    expect(nobody.errors).toContain('ADMIN_DATABASE_URL');
  });
});
