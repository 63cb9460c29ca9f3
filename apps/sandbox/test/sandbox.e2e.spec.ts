import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, postmasterOf, type SandboxProcess, startTestDatabase } from '@sluice/testing';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  altered,
  type Answer,
  call,
  newFolder,
  printedRequest,
  refused,
  start,
  SANDBOX,
  START_WITHIN_MS,
  STOP_WITHIN_MS,
  endSandboxes,
} from './started-sandboxes-fixture.js';

const SLUICE = launched('apps/cli/dist/main.js');

afterAll(endSandboxes, START_WITHIN_MS);

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
      'checkouts.json',
      'commands.json',
      'credentials.key',
      'fingerprints.key',
      'installation.id',
      'payments.json',
      'registrations.json',
      'risk.json',
      'scheduling.json',
      'test-wallets.json',
      'vault.json',
      'wallets.json',
      'webhooks.json',
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
