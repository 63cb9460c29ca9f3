import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  endOrphans,
  launched,
  postmasterOf,
  type SandboxProcess,
  startSandbox,
  startTestDatabase,
} from '@sluice/testing';
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
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const SANDBOX = launched('apps/sandbox/dist/main.js');
const SLUICE = launched('tools/cli/dist/main.js');
/** First starts compile and make a database, on a machine that runs other suites meanwhile. */
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 2_000;

const folders: string[] = [];
const running: SandboxProcess[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sandbox-'));
  folders.push(folder);
  return folder;
}

async function start(
  dataFolder: string,
  words: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<SandboxProcess> {
  const sandbox = await startSandbox({
    dataFolder,
    arguments: words,
    environment: { DATABASE_URL: '', ...environment },
  });
  running.push(sandbox);
  return sandbox;
}

afterAll(async () => {
  await Promise.all(running.map((sandbox) => sandbox.kill().catch(() => undefined)));
  for (const folder of folders) {
    await endOrphans(folder);
    await rm(folder, { recursive: true, force: true });
  }
}, START_WITHIN_MS);

/** Starts what must not come up; what it printed on standard error, and its exit code. */
async function refused(words: readonly string[]): Promise<{ code: number; sentence: string }> {
  const child = spawn(process.execPath, [...SANDBOX, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '' },
  });
  let sentence = '';
  child.stderr.on('data', (chunk: Buffer) => (sentence += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, sentence: sentence.trim() };
}

/** Waits until no process has the folder in its command line; Linux alone lists them. */
async function untilNobodyNames(folder: string): Promise<void> {
  const names = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  };
  if (process.platform !== 'linux') return;
  while (readdirSync('/proc').some((pid) => /^[0-9]+$/.test(pid) && names(pid))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Answer {
  readonly id: string;
  readonly result: { readonly code: string };
  readonly amount?: string;
}

/** The words of a command line as a shell would split them: quotes and escaped line ends. */
function shellWords(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ');
  return [...joined.matchAll(/'([^']*)'|([^' \n]+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
}

/** The printed `curl` as the request it makes. */
function printedRequest(output: string): { url: string; headers: Headers; body: URLSearchParams } {
  const words = shellWords(/^curl [\s\S]*?[^\\]\n/m.exec(output)?.[0] ?? '');
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const pairs = (list: string[], mark: string): [string, string][] =>
    list.map((text) => {
      const at = text.indexOf(mark);
      return [text.slice(0, at), text.slice(at + mark.length)];
    });
  return {
    url: words[1] ?? '',
    headers: new Headers(pairs(after('-H'), ': ')),
    body: new URLSearchParams(pairs(after('-d'), '=')),
  };
}

async function call(url: string, headers: Headers, body?: URLSearchParams): Promise<Answer> {
  const init = body === undefined ? { headers } : { method: 'POST', headers, body };
  return (await (await fetch(url, init)).json()) as Answer;
}

/** The printed request with other fields. */
function altered(body: URLSearchParams, fields: Record<string, string>): URLSearchParams {
  return new URLSearchParams({ ...Object.fromEntries(body), ...fields });
}

describe('a fresh sandbox', () => {
  const folder = newFolder();
  let sandbox: SandboxProcess;
  beforeAll(async () => {
    sandbox = await start(folder);
  }, START_WITHIN_MS);

  it('says once where it is, and how to pay', () => {
    const output = sandbox.output();
    expect(output.match(/^Sluice is ready on http:\/\//gm)).toHaveLength(1);
    expect(output).toContain('Creating the database (first start on this folder) …');
    expect(output).not.toContain('Recovered');
  });

  it('takes the printed payment, a capture, a refund, and reads them back', async () => {
    const { url, headers, body } = printedRequest(sandbox.output());
    expect(url).toBe(`${sandbox.url}/v1/payments`);
    const debit = await call(url, headers, body);
    expect(debit.result.code).toBe('000.100.110');

    const payment = await call(url, headers, altered(body, { paymentType: 'PA' }));
    expect(payment.result.code).toBe('000.100.110');
    const entity = { entityId: body.get('entityId') ?? '', currency: 'EUR' };
    const refer = (id: string, paymentType: string, amount: string): Promise<Answer> =>
      call(`${url}/${id}`, headers, new URLSearchParams({ ...entity, paymentType, amount }));
    const capture = await refer(payment.id, 'CP', '92.00');
    expect(capture.result.code).toBe('000.100.110');
    const refund = await refer(capture.id, 'RF', '10.00');
    expect(refund.result.code).toBe('000.100.110');
    const tooMuch = await refer(capture.id, 'RF', '82.01');
    expect(tooMuch.result.code).toBe('700.400.200');

    const read = await call(`${url}/${refund.id}?entityId=${entity.entityId}`, headers);
    expect(read).toMatchObject({ id: refund.id, amount: '10.00', result: refund.result });
  });

  it('prints one line per request: method, path, status, result code, milliseconds', async () => {
    const before = (): string[] =>
      sandbox
        .output()
        .split('\n')
        .filter((line) => /^[A-Z]+ \/v1\/[^ ]+ [0-9]{3} [0-9.]{11} [0-9]+ ms$/.test(line));
    // Lines are gathered for a moment before they are written.
    while (before().length < 6) await new Promise((resolve) => setImmediate(resolve));
    expect(before()[0]).toMatch(/^POST \/v1\/payments 200 000\.100\.110 [0-9]+ ms$/);
    expect(before().some((line) => line.includes(' 400 700.400.200 '))).toBe(true);
  });

  it(
    'prints once how to look at its first payment, and that command draws it',
    () => {
      const [hint = '', ...more] = sandbox.output().match(/^npm run .* streams show .*$/gm) ?? [];
      expect(more).toEqual([]);
      const words = hint.replace(/^npm run --silent sluice -- /, '').split(' ');
      expect(words).toEqual(['--data', folder, 'streams', 'show', expect.any(String)]);
      const { status, stdout } = spawnSync(process.execPath, [...SLUICE, ...words], {
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      expect(stdout).toContain('EUR authorized 92.00, captured 92.00, refunded 0.00');
      expect(stdout).toMatch(/^2 .* TransactionApproved .* 000\.100\.110 /m);
      expect(status).toBe(0);
    },
    START_WITHIN_MS,
  );

  it('tells its owner alone where its databases are', () => {
    expect(statSync(join(folder, 'installation.json')).mode & 0o777).toBe(0o600);
  });

  it('keeps its keys to itself', () => {
    const keys = readdirSync(join(folder, 'keys'));
    expect(keys.sort()).toEqual([
      'commands.json',
      'credentials.key',
      'fingerprints.key',
      'installation.id',
      'payments.json',
      'vault.json',
    ]);
    for (const name of keys) expect(statSync(join(folder, 'keys', name)).mode & 0o077).toBe(0);
  });

  it('has the folder for itself', async () => {
    const { code, sentence } = await refused(['--port', '0', '--data', folder]);
    expect(code).toBe(1);
    expect(sentence).toMatch(
      new RegExp(
        `^The data folder ${folder} is in use by Sluice, process number ${sandbox.pid} ` +
          `on port ${new URL(sandbox.url).port}, running since 20`,
      ),
    );
  });

  it('ends within 2 s of Ctrl-C and leaves nothing running', async () => {
    const postgres = await postmasterOf(folder);
    expect(postgres).toBeDefined();
    const end = await sandbox.stop();
    expect(end.code).toBe(0);
    expect(end.endedAfterMs).toBeLessThan(STOP_WITHIN_MS);
    expect(await postmasterOf(folder)).toBeUndefined();
    await untilNobodyNames(folder);
    expect(existsSync(join(folder, 'sluice.pid'))).toBe(false);
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});

describe('a killed sandbox', () => {
  it(
    'recovers by itself, says so, and still has the payments',
    async () => {
      const folder = newFolder();
      const first = await start(folder);
      const { headers, body } = printedRequest(first.output());
      const payment = await call(`${first.url}/v1/payments`, headers, body);
      await first.kill();

      const second = await start(folder);
      expect(second.output()).toMatch(
        new RegExp(
          `^Recovered from an unclean stop of process ${first.pid}; no payment was left open\\.$`,
          'm',
        ),
      );
      const entityId = body.get('entityId') ?? '';
      const path = `/v1/payments/${payment.id}?entityId=${entityId}`;
      const read = await call(`${second.url}${path}`, headers);
      expect(read).toMatchObject({ id: payment.id, result: { code: '000.100.110' } });
      await second.stop();

      const third = await start(folder, ['--reset']);
      expect(third.output()).toMatch(
        new RegExp(`^Deleted from ${folder}: postgres, [a-z., ]+, keys, simulator\\.$`, 'm'),
      );
      expect(third.output()).not.toContain('Recovered');
      expect((await fetch(`${third.url}${path}`, { headers })).status).not.toBe(500);
      expect((await third.stop()).code).toBe(0);
    },
    START_WITHIN_MS,
  );
});

describe('a sandbox under npm', () => {
  it(
    'ends when npm is killed, which nobody could tell it',
    async () => {
      const folder = newFolder();
      const words = [...SANDBOX, '--port', '0', '--data', folder];
      const script = `${words.map((word) => `'${word}'`).join(' ')} & wait`;
      const npm = spawn('sh', ['-c', `'${process.execPath}' ${script}`], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '', npm_lifecycle_event: 'start' },
      });
      let output = '';
      npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      while (!output.includes('Sluice is ready')) await once(npm.stdout, 'data');
      npm.kill('SIGKILL');
      await untilNobodyNames(folder);
      expect(existsSync(join(folder, 'sluice.pid'))).toBe(false);
      expect(await postmasterOf(folder)).toBeUndefined();
    },
    START_WITHIN_MS,
  );
});

describe('a seed file', () => {
  const token = 'seeded-token-of-a-test-merchant';
  const channel = {
    entityId: 'ab'.repeat(16),
    name: 'Seeded shop',
    merchant: 'Seeded merchant',
    accessTokens: [token],
  };

  it(
    'brings channels of its own, on an existing PostgreSQL too',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'seed.json');
      writeFileSync(file, JSON.stringify({ channels: [channel] }));
      const database = await startTestDatabase();
      const sandbox = await start(join(folder, 'data'), [
        '--seed',
        file,
        '--database',
        database.url,
      ]);
      const { url, body } = printedRequest(sandbox.output());
      const headers = new Headers({ Authorization: `Bearer ${token}` });
      const seeded = altered(body, { entityId: channel.entityId });
      expect((await call(url, headers, seeded)).result.code).toBe('000.100.110');
      expect((await call(url, headers, body)).result.code).toBe('800.900.100');

      const other = await refused([
        ...['--port', '0', '--data', join(folder, 'other'), '--database', database.url],
      ]);
      expect(other.sentence).toContain(
        'The database is in use by another sandbox or cluster (sluice-sandbox',
      );
      const reset = await refused(['--reset', '--data', folder, '--database', database.url]);
      expect(reset).toMatchObject({ code: 2 });
      expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false);
      expect((await sandbox.stop()).endedAfterMs).toBeLessThan(STOP_WITHIN_MS);

      // The book and the keys of those payments lie in the folder that they were taken with.
      const elsewhere = await refused([
        ...['--port', '0', '--data', join(folder, 'other'), '--database', database.url],
      ]);
      expect(elsewhere.code).toBe(2);
      expect(elsewhere.sentence).toContain(
        `was begun with the data folder ${join(folder, 'data')}`,
      );
      expect(elsewhere.sentence).toContain(`and not with ${join(folder, 'other')}.`);
      await database.drop();
    },
    START_WITHIN_MS,
  );

  it(
    'is refused with the line and the reason',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'seed.json');
      writeFileSync(file, '{\n  "channels": [\n    { "entityId": "short" }\n  ]\n}\n');
      const words = ['--port', '0', '--data', join(folder, 'data')];
      const { code, sentence } = await refused([...words, '--seed', file]);
      expect(code).toBe(2);
      expect(sentence).toContain(`The seed file ${file} is refused, line 3: "entityId" must be`);
      expect(sentence.split('\n')).toHaveLength(1);
      const missing = await refused([...words, '--seed', join(folder, 'none.json')]);
      expect(missing).toEqual({
        code: 2,
        sentence: `The seed file ${join(folder, 'none.json')} does not exist.`,
      });
      expect(await postmasterOf(join(folder, 'data'))).toBeUndefined();
    },
    START_WITHIN_MS,
  );
});

describe('a sandbox whose database another one took while the connection was lost', () => {
  it(
    'says so and stops',
    async () => {
      const database = await startTestDatabase();
      const sandbox = await start(newFolder(), ['--database', database.url]);
      const other = new Client({
        connectionString: database.url,
        application_name: 'sluice-sandbox process 7',
      });
      await other.connect();
      const lock = other.query("SELECT pg_advisory_lock(hashtextextended('sluice-sandbox', 0))");
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const waits = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND application_name = 'sluice-sandbox process 7'`;
      while ((await client.query(waits)).rowCount === 0);
      const terminated = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'sluice-sandbox process ' || $1 || right(application_name, 9)`;
      await client.query(terminated, [String(sandbox.pid)]);
      await lock;
      const sentence = 'This one stops, because two must never settle the same payments.\n';
      while (!sandbox.output().includes(sentence)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await sandbox.stop()).toMatchObject({ code: 1 });
      await client.end();
      await other.end();
      await database.drop();
    },
    START_WITHIN_MS,
  );
});

describe('a file of card details', () => {
  it(
    'is what answers tell of cards',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'bins.json');
      writeFileSync(file, '{"bins": [{"prefix": "420000", "level": "FROM A FILE"}]}');
      const environment = { EDGE_BIN_FILE: file };
      const sandbox = await start(join(folder, 'data'), [], environment);
      const { url, headers, body } = printedRequest(sandbox.output());
      expect(await call(url, headers, body)).toMatchObject({ card: { level: 'FROM A FILE' } });
      await sandbox.stop();
    },
    START_WITHIN_MS,
  );
});

describe('a start that cannot be', () => {
  it(
    'is refused in one sentence',
    async () => {
      expect(await refused(['--prot', '1'])).toEqual({
        code: 2,
        sentence: "Unknown option '--prot' (Did you mean --port?) See --help.",
      });
      expect((await refused(['--port', 'x'])).code).toBe(2);
      const lease = await refused(['--sweeper-lease', '1000', '--data', newFolder()]);
      expect(lease.code).toBe(2);
      expect(lease.sentence).toContain('together, 52000 ms');
    },
    START_WITHIN_MS,
  );

  it(
    'says what is wrong with a file of card details before it makes anything',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'bins.json');
      const words = ['--port', '0', '--data', join(folder, 'data'), '--bin-file', file];
      const missing = await refused(words);
      expect(missing).toEqual({
        code: 2,
        sentence: '--bin-file (EDGE_BIN_FILE) names a file that cannot be read (ENOENT).',
      });
      writeFileSync(file, '{"bins": [{"prefix": "4", "country": "Denmark"}]}');
      expect((await refused(words)).sentence).toContain('bins[0].country must be two letters');
      expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false);
    },
    START_WITHIN_MS,
  );

  it(
    'says that the port is taken before it makes anything',
    async () => {
      const folder = newFolder();
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? String(address.port) : '';
      const { code, sentence } = await refused(['--port', port, '--data', folder]);
      server.close();
      expect(code).toBe(1);
      expect(sentence).toBe(
        `Port ${port} is in use by another program; choose another with --port.`,
      );
      expect(readdirSync(folder)).toEqual([]);
    },
    START_WITHIN_MS,
  );

  it(
    'names a database that does not answer, without its password',
    async () => {
      const folder = newFolder();
      const url = 'postgres://somebody:canary@127.0.0.1:9/none';
      const words = ['--port', '0', '--data', folder, '--database', url];
      const { code, sentence } = await refused(words);
      expect(code).toBe(1);
      expect(sentence).toContain('The database none at 127.0.0.1:9 cannot be used as "somebody"');
      expect(sentence).not.toContain('canary');
      expect(readFileSync(join(folder, 'keys', 'vault.json'), 'utf8')).toContain('"current"');
    },
    START_WITHIN_MS,
  );
});
