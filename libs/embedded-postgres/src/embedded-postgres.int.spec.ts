import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, cp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../../../tools/build.mjs';
import { findBinaries } from './binaries.js';
import { LOG_BYTES_MAX } from './database-files.js';
import { chooseIdentity, invocation } from './identity.js';
import { deletePostgresData, runningPostgres, startEmbeddedPostgres } from './index.js';
import { livePostmaster, readPostmasterFile } from './postmaster-file.js';
import type { EmbeddedPostgres } from './index.js';

let folder: string;
let running: EmbeddedPostgres | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'));
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await deletePostgresData(folder);
  await rm(folder, { recursive: true, force: true });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** SIGKILL; a number that is missing must not become 0, which is this process's whole group. */
function kill(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) throw new Error('there is no server to kill');
  process.kill(pid, 'SIGKILL');
}

/** Repeats until the condition holds; the test's own time limit is the end of it. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** The command lines of all processes; Linux alone lists them. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}

describe('a first start', () => {
  it('that is broken off leaves neither a program at work nor half a database', async () => {
    const interruption = new AbortController();
    const starting = startEmbeddedPostgres(folder, { signal: interruption.signal });
    starting.catch(() => undefined);
    const unfinished = (): string[] =>
      readdirSync(folder).filter((name) => name.startsWith('postgres.unfinished-'));
    await until(() =>
      Promise.resolve(unfinished().some((name) => readdirSync(join(folder, name)).length > 0)),
    );
    interruption.abort();
    await expect(starting).rejects.toThrow('could not make a database');
    expect(unfinished()).toEqual([]);
    if (process.platform === 'linux') {
      expect(
        commandLines().filter((line) => line.includes('initdb') && line.includes(folder)),
      ).toEqual([]);
    }
    running = await startEmbeddedPostgres(folder);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('makes a database that only its password opens, on the loopback interface', async () => {
    const lines: string[] = [];
    running = await startEmbeddedPostgres(folder, { onProgress: (line) => lines.push(line) });
    expect(running.recovered).toBe(false);
    expect(lines).toEqual(['Creating the database (first start on this folder) …']);
    expect(statSync(join(folder, 'postgres.password')).mode & 0o777).toBe(0o600);
    const rows = await query(
      running.url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes',
       'synchronous_commit', 'log_error_verbosity', 'log_parameter_max_length',
       'log_parameter_max_length_on_error', 'listen_addresses', 'unix_socket_directories',
       'server_encoding', 'lc_messages', 'data_checksums') ORDER BY name`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      lc_messages: 'C',
      listen_addresses: '127.0.0.1',
      log_error_verbosity: 'terse',
      log_parameter_max_length: '0',
      log_parameter_max_length_on_error: '0',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
      unix_socket_directories: '',
    });
    const wrong = new URL(running.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(await runningPostgres(folder)).toBe(running.url);
  });

  it('begins again where one was cut off', async () => {
    await mkdir(join(folder, 'postgres.unfinished-0badcafe'));
    writeFileSync(join(folder, 'postgres.unfinished-0badcafe', 'PG_VERSION'), '18');
    running = await startEmbeddedPostgres(folder);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(folder, 'postgres.unfinished-0badcafe'))).toBe(false);
  });

  it('works in a folder that only its owner may enter', async () => {
    await chmod(folder, 0o700);
    running = await startEmbeddedPostgres(join(folder, 'deep', 'data'));
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('never prints a row of a failing statement into its log', async () => {
    running = await startEmbeddedPostgres(folder);
    await query(running.url, 'CREATE TABLE cards (number text PRIMARY KEY)');
    const client = new pg.Client({ connectionString: running.url });
    await client.connect();
    const insert = (): Promise<unknown> =>
      client.query('INSERT INTO cards VALUES ($1)', ['canary-in-a-row']);
    await insert();
    await expect(insert()).rejects.toThrow('duplicate key');
    await client.end();
    const log = readFileSync(join(folder, 'postgres.log'), 'utf8');
    expect(log).toContain('duplicate key');
    expect(log).not.toContain('canary-in-a-row');
  });
});

describe('a stopped server', () => {
  it('keeps its rows and its password for the next start', async () => {
    running = await startEmbeddedPostgres(folder);
    await query(running.url, 'CREATE TABLE kept AS SELECT 7 AS value');
    const password = new URL(running.url).password;
    await running.stop();
    expect(await readPostmasterFile(join(folder, 'postgres'))).toBeUndefined();
    running = await startEmbeddedPostgres(folder);
    expect(new URL(running.url).password).toBe(password);
    expect(running.recovered).toBe(false);
    expect(await query(running.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
  });

  it('puts an overlong log aside at its next start, and keeps one generation', async () => {
    running = await startEmbeddedPostgres(folder);
    await running.stop();
    const log = join(folder, 'postgres.log');
    writeFileSync(log, Buffer.alloc(LOG_BYTES_MAX + 1, 'x'));
    writeFileSync(`${log}.1`, 'of long ago');
    running = await startEmbeddedPostgres(folder);
    expect(statSync(log).size).toBeLessThan(LOG_BYTES_MAX);
    expect(statSync(`${log}.1`).size).toBe(LOG_BYTES_MAX + 1);
  });

  it('stops although a client holds a transaction open, and stops twice', async () => {
    running = await startEmbeddedPostgres(folder);
    const client = new pg.Client({ connectionString: running.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN; CREATE TABLE open AS SELECT 1');
    const startedAt = performance.now();
    await running.stop();
    await running.stop();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await livePostmaster(join(folder, 'postgres'))).toBeUndefined();
  });

  it('starts although a stranger has the number in its pid file', async () => {
    running = await startEmbeddedPostgres(folder);
    const file = join(folder, 'postgres', 'postmaster.pid');
    const text = readFileSync(file, 'utf8');
    await running.stop();
    writeFileSync(file, text.replace(/^[0-9]+/, String(process.pid)));
    running = await startEmbeddedPostgres(folder);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a killed server', () => {
  it('comes back by itself on the same port, with all that was committed', async () => {
    const lines: string[] = [];
    running = await startEmbeddedPostgres(folder, { onProgress: (line) => lines.push(line) });
    const { url } = running;
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS value');
    const before = await livePostmaster(join(folder, 'postgres'));
    kill(before?.pid);
    await until(() => Promise.resolve(lines.includes('PostgreSQL is back.')));
    expect(await query(url, 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
    expect((await livePostmaster(join(folder, 'postgres')))?.pid).not.toBe(before?.pid);
    expect(lines).toContain('PostgreSQL has ended unexpectedly; starting it again …');
  });
});

/** Starts a server from another Node process, kills that process, and says which server it left. */
async function startAndKillParent(stopWithProcess: boolean): Promise<number> {
  await build();
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
    const options = ${JSON.stringify({ stopWithProcess })};
    const server = await startEmbeddedPostgres(${JSON.stringify(folder)}, options);
    console.log(server.url);
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  const live = await livePostmaster(join(folder, 'postgres'));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return live?.pid ?? 0;
}

describe('a server whose Node process was killed', () => {
  it('is stopped by its watchdog', async () => {
    const pid = await startAndKillParent(true);
    expect(pid).toBeGreaterThan(0);
    await until(async () => (await readPostmasterFile(join(folder, 'postgres'))) === undefined);
    running = await startEmbeddedPostgres(folder);
    expect(running.recovered).toBe(false);
  });

  it('is taken over by the next start when nothing has stopped it', async () => {
    const pid = await startAndKillParent(false);
    expect((await livePostmaster(join(folder, 'postgres')))?.pid).toBe(pid);
    const lines: string[] = [];
    running = await startEmbeddedPostgres(folder, { onProgress: (line) => lines.push(line) });
    expect(lines).toEqual(['Stopping the PostgreSQL that an earlier run left behind …']);
    expect(running.recovered).toBe(true);
    expect((await livePostmaster(join(folder, 'postgres')))?.pid).not.toBe(pid);
  });

  it('recovers when the server was killed with it', async () => {
    const pid = await startAndKillParent(false);
    kill(pid);
    running = await startEmbeddedPostgres(folder);
    expect(running.recovered).toBe(true);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)('root without user namespaces', () => {
  it('runs as an unprivileged user, and moves what that user cannot reach', async () => {
    const lines: string[] = [];
    running = await startEmbeddedPostgres(join(folder, 'data'), {
      namespaceAllowed: false,
      onProgress: (line) => lines.push(line),
    });
    expect(running.folder).toMatch(/^\/var\/lib\/sluice\/data-[0-9a-f]{16}$/);
    expect(lines[0]).toContain(`The database is kept in ${running.folder}`);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await running.stop();
    await deletePostgresData(join(folder, 'data'));
    expect(existsSync(running.folder)).toBe(false);
  });

  it('copies programs that only root can reach to where the user can', async () => {
    const found = await findBinaries();
    const root = join(folder, 'native');
    await cp(found.root, root, { recursive: true, verbatimSymlinks: true });
    const hidden = {
      root,
      initdb: join(root, 'bin', 'initdb'),
      postgres: join(root, 'bin', 'postgres'),
    };
    const lines: string[] = [];
    const identity = await chooseIdentity(hidden, folder, (line) => lines.push(line), false);
    const copied = identity.binaries.root;
    try {
      expect(copied).toMatch(/^\/var\/lib\/sluice\/postgresql-[0-9a-f]{16}$/);
      expect(lines.some((line) => line.startsWith(`Copying PostgreSQL to ${copied}`))).toBe(true);
      const { file, leading, options } = invocation(identity, identity.binaries.postgres);
      const run = spawnSync(file, [...leading, '--version'], { ...options, encoding: 'utf8' });
      expect(run.stdout).toMatch(/^postgres \(PostgreSQL\) [0-9]/);
    } finally {
      await rm(copied, { recursive: true });
      await rm(identity.folder, { recursive: true });
    }
  });

  it('stays in a folder that the user can reach', async () => {
    await chmod(folder, 0o711);
    running = await startEmbeddedPostgres(folder, { namespaceAllowed: false });
    expect(running.folder).toBe(folder);
    expect(statSync(join(folder, 'postgres')).uid).toBe(65_534);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await running.stop();
    // The database is the other user's now, and is run as that user whatever is allowed.
    running = await startEmbeddedPostgres(folder);
    expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
