import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  endOrphans,
  launched,
  postmasterOf,
  sandboxDatabaseUrl,
  type SandboxProcess,
  startSandbox,
} from '@sluice/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const SANDBOX = launched('apps/sandbox/dist/main.js');
/** First starts compile and make a database, on a machine that runs other suites meanwhile. */
const START_WITHIN_MS = 120_000;
/** What is in flight takes 15 s, so a reset that waited for it would be later; on an idle machine it takes 2 s. */
const RESET_WITHIN_MS = 12_000;
const APPROVED = '000.100.110';
const NOT_FOUND = '700.400.580';
const THROTTLED = '800.120.100';
const DEMO = {
  entityId: '8a8294174b7ecb28014b9699220015ca',
  token: 'sluice-demo-access-token-for-sandboxes-only',
};

interface Channel {
  readonly entityId: string;
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly id: string; readonly result: { readonly code: string } };
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-management-'));
let sandbox: SandboxProcess;
let management: string;

beforeAll(async () => {
  sandbox = await startSandbox({
    dataFolder: folder,
    // So slow that a throttle which is not forgotten shows.
    arguments: ['--throttle', '20', '--throttle-reads', '20'],
    environment: { DATABASE_URL: '' },
  });
  management = /^Management on (\S+):/m.exec(sandbox.output())?.[1] ?? '';
}, START_WITHIN_MS);
afterAll(async () => {
  await sandbox.stop();
  await endOrphans(folder);
  await rm(folder, { recursive: true, force: true });
}, START_WITHIN_MS);

async function pay(
  more: Record<string, string> = {},
  headers: Record<string, string> = {},
  { entityId, token }: Channel = DEMO,
): Promise<Answer> {
  const fields = {
    ...{ entityId, paymentType: 'DB', amount: '92.00', currency: 'EUR', paymentBrand: 'VISA' },
    ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', ...more },
  };
  const response = await fetch(`${sandbox.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** The result code of what is read there. */
async function read(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${DEMO.token}` };
  const response = await fetch(`${sandbox.url}${path}`, { headers });
  return ((await response.json()) as Answer['body']).result.code;
}

async function manage(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${management}${path}`, init);
  return { status: response.status, body: await response.json() };
}

const reset = (): ReturnType<typeof manage> => manage('/reset', { method: 'POST' });
const seed = (body: string): ReturnType<typeof manage> => manage('/seed', { method: 'POST', body });
const ready = { status: 200, body: { status: 'ready' } };

function channelsFile(token: string, name = 'My shop'): string {
  const channel = { entityId: '8ac7a4c97ee0000000000000000000a1', name, merchant: 'My company' };
  return JSON.stringify({ channels: [{ ...channel, accessTokens: [token] }] }, null, 2);
}

async function counted(text: string): Promise<number> {
  const client = new Client({ connectionString: await sandboxDatabaseUrl(folder) });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(text);
  await client.end();
  return rows[0]?.count ?? 0;
}

/** How many events are recorded: what is asked for, and what came of it. */
const eventCount = (): Promise<number> =>
  counted('SELECT count(*)::int AS count FROM payments.events');

/** A port that nobody has; a program that is quicker would fail the test, and none has yet. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('the health of a sandbox', () => {
  it('is 200 when payments can be taken, and needs no credentials', async () => {
    expect(await manage('/health')).toEqual(ready);
  });

  it(
    'is 503 while it starts',
    async () => {
      const port = await freePort();
      const starting = mkdtempSync(join(tmpdir(), 'sluice-starting-'));
      const words = [...SANDBOX, '--port', '0', '--management-port', String(port)];
      const child = spawn(process.execPath, [...words, '--data', starting], {
        stdio: 'ignore',
        env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '' },
      });
      const ended = once(child, 'close');
      const seen = new Set<string>();
      while (!seen.has('200 ready')) {
        const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
        if (response === undefined) continue;
        const { status } = (await response.json()) as { status: string };
        seen.add(`${response.status} ${status}`);
      }
      expect([...seen]).toEqual(['503 starting', '200 ready']);
      child.kill('SIGTERM');
      await ended;
      await endOrphans(starting);
      await rm(starting, { recursive: true, force: true });
    },
    START_WITHIN_MS,
  );

  it('is 503 while its database is away', async () => {
    const database = await postmasterOf(folder);
    if (database === undefined) throw new Error('there is no database');
    process.kill(database.pid, 'SIGKILL');
    const down = { status: 503, body: { status: 'failed' } };
    while ((await manage('/health')).status === 200);
    expect(await manage('/health')).toMatchObject(down);
    while ((await manage('/health')).status !== 200);
    expect((await pay()).body.result.code).toBe(APPROVED);
  });
});

describe('a reset', () => {
  it('has all clocks follow the machine again', async () => {
    const headers = { authorization: `Bearer ${DEMO.token}` };
    const clock = `${sandbox.url}/sandbox/v1/clock`;
    const { entityId } = DEMO;
    const to = new Date(Date.now() + 86_400_000).toISOString();
    await fetch(clock, { method: 'POST', headers, body: new URLSearchParams({ entityId, to }) });
    const aheadMs = async (): Promise<unknown> => {
      const response = await fetch(`${clock}?entityId=${entityId}`, { headers });
      return ((await response.json()) as { readonly clock: { readonly aheadMs: number } }).clock
        .aheadMs;
    };
    expect(await aheadMs()).toBeGreaterThan(0);
    expect(await reset()).toEqual(ready);
    expect(await aheadMs()).toBe(0);
  });

  it('forgets payments, keys of idempotency, the book of the acquirer and throttles', async () => {
    const key = { 'idempotency-key': 'order-1' };
    const paid = await pay({ merchantTransactionId: 'order-0001' }, key);
    expect(paid.body.result.code).toBe(APPROVED);
    const path = `/v1/payments/${paid.body.id}?entityId=${DEMO.entityId}`;
    const query = `/v1/query?entityId=${DEMO.entityId}&merchantTransactionId=order-0001`;
    expect(await read(path)).toBe(APPROVED);

    const spent = await Promise.all(Array.from({ length: 200 }, () => read(path)));
    expect(spent).toContain(THROTTLED);

    const startedAt = performance.now();
    expect(await reset()).toEqual(ready);
    expect(performance.now() - startedAt).toBeLessThan(RESET_WITHIN_MS);

    expect(await read(path)).not.toBe(APPROVED);
    expect(await read(query)).toBe(NOT_FOUND);
    // The same key with other input is a conflict as long as the key is remembered.
    const other = await pay({ amount: '10.00' }, key);
    expect(other.body.result.code).toBe(APPROVED);
    expect(other.body.id).not.toBe(paid.body.id);
  });

  it('can be called before every test', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(await reset()).toEqual(ready);
      expect((await pay()).body.result.code).toBe(APPROVED);
    }
    // Each would have a part of the throttles' limits.
    expect(await counted('SELECT count(*)::int AS count FROM accounts.askers')).toBe(1);
  });

  it('keeps the channels', async () => {
    const token = 'a-token-that-outlives-resets';
    expect(await seed(channelsFile(token))).toEqual({ status: 200, body: { channels: 1 } });
    await reset();
    const entityId = '8ac7a4c97ee0000000000000000000a1';
    expect((await pay({}, {}, { entityId, token })).body.result.code).toBe(APPROVED);
  });

  it('cuts off what is in flight, and nothing of it comes back', async () => {
    await reset();
    const slow = pay({ 'customParameters[simulator.fault]': 'late:15000' }).then(
      () => 'answered',
      () => 'cut off',
    );
    while ((await eventCount()) === 0);
    const startedAt = performance.now();
    const answers = await Promise.all([reset(), reset(), manage('/health')]);
    expect(performance.now() - startedAt).toBeLessThan(RESET_WITHIN_MS);
    expect(answers.slice(0, 2)).toEqual([ready, ready]);
    expect(await slow).toBe('cut off');
    expect((await pay()).body.result.code).toBe(APPROVED);
    expect(await eventCount()).toBe(2);
  });

  it('takes no body, which would do nothing', async () => {
    const answer = await manage('/reset', { method: 'POST', body: '{}' });
    expect(answer).toEqual({ status: 400, body: { reason: 'A reset takes no body.' } });
  });
});

describe('a seed', () => {
  it('adds channels, and replaces them, from the next request on', async () => {
    const entityId = '8ac7a4c97ee0000000000000000000a1';
    const old = 'the-token-of-the-first-seed';
    const fresh = 'the-token-of-the-second-seed';
    const code = async (token: string): Promise<string> =>
      (await pay({}, {}, { entityId, token })).body.result.code;
    expect(await seed(channelsFile(old))).toEqual({ status: 200, body: { channels: 1 } });
    expect(await code(old)).toBe(APPROVED);
    await seed(channelsFile(fresh));
    expect(await code(fresh)).toBe(APPROVED);
    expect(await code(old)).toBe('800.900.300');
  });

  it('is refused with the line, as a seed file is, and changes nothing', async () => {
    const text = channelsFile('short');
    expect(await seed(text)).toEqual({
      status: 400,
      body: { line: 8, reason: 'an access token must have at least 16 characters' },
    });
    expect(await seed('{')).toMatchObject({ status: 400, body: { line: 1 } });
    const invalid = Buffer.from([0x7b, 0xff]);
    expect(await manage('/seed', { method: 'POST', body: invalid })).toEqual({
      status: 400,
      body: { line: 1, reason: 'the seed is not UTF-8' },
    });
  });
});

describe('the management port', () => {
  it.each([
    ['another path', '/payments', {}, 404],
    ['a reset that only asks', '/reset', {}, 405],
    ['a page of a browser', '/reset', { method: 'POST', headers: { origin: 'http://x' } }, 403],
    ['a seed without end', '/seed', { method: 'POST', body: 'x'.repeat(16 * 2 ** 20 + 1) }, 413],
  ])('refuses %s', async (_what, path, init, status) => {
    expect((await manage(path, init)).status).toBe(status);
    expect(await manage('/health')).toEqual(ready);
  });

  it('is not the port of payments', async () => {
    for (const path of ['/health', '/reset', '/seed']) {
      expect((await fetch(`${sandbox.url}${path}`, { method: 'POST' })).status).toBe(404);
    }
  });

  it('listens on loopback', () => {
    expect(management).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
  });
});
