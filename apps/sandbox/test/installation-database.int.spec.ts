import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  embeddedDatabase,
  existingDatabase,
  type InstallationDatabase,
} from '@sluice/local-installation';

const WITHIN_MS = 60_000;
const LOCK = "hashtextextended('sluice-sandbox', 0)";
const HOLDER = `SELECT pid, application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND starts_with(application_name, 'sluice-sandbox')
    AND datname = current_database()`;

let folder: string;
let database: TestDatabase;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-database-'));
  database = await startTestDatabase();
}, WITHIN_MS);
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await database.drop();
  await rm(folder, { recursive: true });
}, WITHIN_MS);

function dataFolder(name: string): string {
  return join(folder, name);
}

async function open(name: string, onLost?: (error: Error) => void): Promise<InstallationDatabase> {
  const started = await existingDatabase(database.url, dataFolder(name), onLost);
  opened.push(started);
  return started;
}

async function openAndClose(name: string): Promise<void> {
  await (await existingDatabase(database.url, dataFolder(name))).close();
}

async function connected(name = 'a test'): Promise<Client> {
  const client = new Client({ connectionString: database.url, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  opened.push({ close: () => client.end() });
  return client;
}

/** As the payments service does at its first start. */
async function takePayments(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE payments.events (id int)');
  await client.end();
}

describe('an existing database', () => {
  it('belongs to the folder that it was begun with', async () => {
    await openAndClose('first');
    await openAndClose('first');
    await expect(open('second')).rejects.toMatchObject({
      name: 'SettingRefused',
      message: expect.stringMatching(
        new RegExp(
          `^The database ${database.name} at [0-9.]+:[0-9]+ was begun with the data folder ` +
            `${dataFolder('first')} and not with ${dataFolder('second')}\\. .* Give it with --data, ` +
            'or an empty database with --database\\.$',
        ),
      ) as unknown,
    });
    await openAndClose('first');
  });

  it('goes along with its folder to another place', async () => {
    await openAndClose('first');
    await rename(dataFolder('first'), dataFolder('moved'));
    await openAndClose('moved');
    await expect(open('first')).rejects.toThrow(`data folder ${dataFolder('moved')} and not`);
  });

  it('may be an empty one for a folder that has another already', async () => {
    await openAndClose('first');
    const other = await startTestDatabase();
    await (await existingDatabase(other.url, dataFolder('first'))).close();
    await other.drop();
    await openAndClose('first');
  });

  it('with payments from before it was bound wants a folder that has keys', async () => {
    const { services } = await open('first');
    await takePayments(services.payments.ownerUrl);
    const client = await connected();
    await client.query('DROP SCHEMA sluice CASCADE');
    for (const each of opened.splice(0)) await each.close();
    await expect(open('second')).rejects.toThrow('was begun with another data folder and not with');
  });
});

describe('a lost lock', () => {
  it(
    'is taken again',
    async () => {
      const losses: Error[] = [];
      await open('first', (error) => losses.push(error));
      const client = await connected();
      const [before] = (await client.query<{ pid: number }>(HOLDER)).rows;
      await client.query('SELECT pg_terminate_backend($1)', [before?.pid]);
      let holder = before;
      while (holder === undefined || holder.pid === before?.pid) {
        [holder] = (await client.query<{ pid: number }>(HOLDER)).rows;
      }
      await expect(existingDatabase(database.url, dataFolder('second'))).rejects.toThrow(
        `The database is in use by another sandbox or cluster (sluice-sandbox process ${process.pid}`,
      );
      expect(losses).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    'stops the sandbox when another one has it by then',
    async () => {
      let lose: (error: Error) => void = () => undefined;
      const lost = new Promise<Error>((resolve) => (lose = resolve));
      await open('first', lose);
      const client = await connected();
      const [holder] = (await client.query<{ pid: number }>(HOLDER)).rows;
      const other = await connected('sluice-sandbox process 7');
      const taken = other.query(`SELECT pg_advisory_lock(${LOCK})`);
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND pid = $1';
      const pid = (other as unknown as { processID: number }).processID;
      while ((await client.query(waiting, [pid])).rowCount === 0);
      await client.query('SELECT pg_terminate_backend($1)', [holder?.pid]);
      await taken;
      const error = await lost;
      expect(error.name).toBe('DatabaseAccessError');
      expect(error.message).toMatch(
        /^The database is in use by another sandbox or cluster \(sluice-sandbox process 7, since .*\)\. That one began while the connection/,
      );
    },
    WITHIN_MS,
  );

  it(
    'is taken from a session of its own that the server still believes in',
    async () => {
      const losses: Error[] = [];
      await open('first', (error) => losses.push(error));
      const client = await connected();
      const [holder] = (await client.query<{ pid: number; name: string }>(HOLDER)).rows;
      const stale = await connected(holder?.name);
      const taken = stale.query(`SELECT pg_advisory_lock(${LOCK})`);
      const stalePid = (stale as unknown as { processID: number }).processID;
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND pid = $1';
      while ((await client.query(waiting, [stalePid])).rowCount === 0);
      await client.query('SELECT pg_terminate_backend($1)', [holder?.pid]);
      await taken;
      let now: number | undefined = stalePid;
      while (now === undefined || now === stalePid) {
        now = (await client.query<{ pid: number }>(HOLDER)).rows[0]?.pid;
      }
      expect(losses).toEqual([]);
    },
    WITHIN_MS,
  );
});

describe('the embedded database', () => {
  it(
    'is not used with other keys than it was begun with',
    async () => {
      const start = (): Promise<InstallationDatabase> => embeddedDatabase(dataFolder('own'), {});
      const first = await start();
      await takePayments(first.services.payments.ownerUrl);
      await first.close();
      await rm(join(dataFolder('own'), 'keys'), { recursive: true });
      await expect(start()).rejects.toThrow(
        `The database in ${dataFolder('own')} was begun with other keys`,
      );
    },
    WITHIN_MS,
  );
});
