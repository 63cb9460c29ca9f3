import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  launched,
  type SandboxProcess,
  settableDatabaseClock,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { execFile } from 'node:child_process';
import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import {
  APPROVED,
  type Body,
  entityId,
  type Fields,
  MONEY,
  send,
} from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const SECRET = '000102030405060708090a0b0c0d0e0f'.repeat(2);
const CHANNEL = '1'.repeat(32);
const TOKEN = 'a-token-of-this-spec-alone';
const MINUTE_MS = 60_000;
/** Each of them starts the sandbox again. */
const RESTARTED_WITHIN_MS = 2 * START_WITHIN_MS;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '12', 'card.expiryYear': '2034', 'card.cvv': '123' },
};

interface Heard {
  readonly id: string;
  readonly type: string;
  readonly action?: string;
  readonly payload: Body;
}

let database: TestDatabase;
let owner: Pool;
let clock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let folder: string;
let sandbox: SandboxProcess;
const shop = createServer();
/** What was heard, and by whom it is waited for. */
const heard: Heard[] = [];
let onHeard: (() => void) | undefined;
/** What is answered next; undefined: nothing at all. 200 after that. */
const answers: (number | undefined)[] = [];

shop.on('request', (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const notification = JSON.parse(
      opened(Buffer.concat(chunks).toString('utf8'), request.headers),
    ) as Heard;
    heard.push({ ...notification, id: String(request.headers['webhook-id']) });
    onHeard?.();
    if (answers.length === 0) return void response.writeHead(200).end();
    const status = answers.shift();
    if (status !== undefined) response.writeHead(status).end();
  });
});

function opened(hex: string, headers: NodeJS.Dict<string | string[]>): string {
  const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
  const key = Buffer.from(SECRET, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
  cipher.setAuthTag(bytesOf('x-authentication-tag'));
  return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
}

/** What is heard next. */
async function next(): Promise<Heard> {
  for (;;) {
    const first = heard.shift();
    if (first !== undefined) return first;
    await new Promise<void>((resolve) => {
      onHeard = resolve;
    });
  }
}

/** Webhooks tells the time by its database, whose clock is in the test's hand. */
async function startAt(milliseconds: number): Promise<void> {
  await clock.setAhead(milliseconds);
  sandbox = await start(folder, ['--seed', join(folder, 'seed.json')], {
    DATABASE_URL: database.url,
  });
}

async function sluice(...words: readonly string[]): Promise<string> {
  const line = [...COMMAND_LINE, '--data', folder, ...words];
  return (await promisify(execFile)(process.execPath, line)).stdout;
}

async function asked(
  [method, path]: readonly [method: string, path: string],
  fields: Fields = {},
): Promise<Body> {
  const form = new URLSearchParams({ ...fields, entityId: CHANNEL });
  const hasBody = method === 'POST';
  const url = `${sandbox.url}${path}${hasBody ? '' : `?${form.toString()}`}`;
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const response = await fetch(url, { method, headers, ...(hasBody && { body: form }) });
  return (await response.json()) as Body;
}

const paid = (): Promise<Body> => asked(['POST', '/v1/payments'], { ...MONEY, ...CARD });

beforeAll(async () => {
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  database = await startTestDatabase();
  owner = new Pool({ connectionString: database.url, max: 1 });
  owner.on('error', () => undefined);
  clock = await settableDatabaseClock(owner);
  folder = newFolder();
  const channel = {
    ...{ entityId: CHANNEL, name: 'Books', merchant: 'Shop', accessTokens: [TOKEN] },
    webhooks: [{ url: `${urlOfShop()}/hook`, secret: SECRET }],
  };
  await writeFile(join(folder, 'seed.json'), JSON.stringify({ channels: [channel] }));
  await startAt(0);
}, START_WITHIN_MS);
afterAll(async () => {
  await endSandboxes();
  shop.closeAllConnections();
  shop.close();
  await owner.end();
  await database.drop();
}, START_WITHIN_MS);

function urlOfShop(): string {
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
}

const SHORT_ID = expect.stringMatching(/^\d{4}\.\d{4}\.\d{4}$/) as unknown;

describe('a merchant whose channel has a receiver', () => {
  it('hears of a payment what was answered, encrypted', async () => {
    const answer = await paid();
    const { type, payload } = await next();
    expect(answer.result.code).toBe(APPROVED);
    expect(type).toBe('PAYMENT');
    const { buildNumber: _, timestamp: __, ...fields } = answer;
    expect(payload).toMatchObject(fields);
    expect(payload).toMatchObject({ authentication: { entityId: CHANNEL }, source: 'SYSTEM' });
  });

  it('hears of a registration that it is there, and that it is deleted', async () => {
    const answer = await asked(['POST', '/v1/registrations'], CARD);
    const { type, action, payload } = await next();
    expect([type, action]).toEqual(['REGISTRATION', 'CREATED']);
    const { buildNumber: _, timestamp: __, ...fields } = answer;
    expect(payload).toMatchObject(fields);
    // What its answer does not say (wire contract 9).
    expect(payload).toMatchObject({ paymentMethod: 'CC', shortId: SHORT_ID });
    await asked(['DELETE', `/v1/registrations/${answer.id}`]);
    expect(await next()).toMatchObject({ action: 'DELETED', payload: { id: answer.id } });
  });

  it('hears of a refund by what was paid, and of which payment it is', async () => {
    const { id } = await paid();
    await next();
    const refund = { ...MONEY, paymentType: 'RF' };
    const answer = await asked(['POST', `/v1/payments/${id}`], refund);
    expect(await next()).toMatchObject({
      payload: { id: answer.id, referencedId: id, paymentMethod: 'CC', shortId: SHORT_ID },
    });
  });

  it('hears of a schedule and of its run, beside the payment, as both are read', async () => {
    const { id: registrationId } = await asked(['POST', '/v1/registrations'], CARD);
    await next();
    const charge = { ...MONEY, registrationId, paymentType: 'SD' };
    const job = { 'job.expression': '* * * * * ? *', 'job.durationUnit': 'SECOND' };
    const answer = await asked(['POST', '/scheduling/v1/schedules'], {
      ...{ ...charge, ...job, 'job.durationNumber': '1' },
    });
    const { buildNumber: _, timestamp: __, ...fields } = answer;
    expect(await next()).toMatchObject({
      type: 'SCHEDULE',
      payload: { ...fields, paymentType: 'SD', source: 'SCHEDULER', registrationId },
    });
    const run = [await next(), await next()];
    expect(run.find(({ type }) => type === 'PAYMENT')).toMatchObject({
      payload: {
        ...{ registrationId, paymentType: 'DB', source: 'SCHEDULER' },
        result: { code: APPROVED },
      },
    });
    expect(run.find(({ type }) => type === 'SCHEDULE')).toMatchObject({
      payload: { id: answer.id, plan: { active: false }, source: 'SCHEDULER' },
    });
  });

  it(
    'hears again what he has not acknowledged, though the gateway was killed in between',
    async () => {
      answers.push(500);
      const { id } = await paid();
      const first = await next();
      expect(first.payload.id).toBe(id);
      await sandbox.kill();
      await startAt(2 * MINUTE_MS);
      expect(await next()).toMatchObject({ id: first.id, payload: { id } });
    },
    RESTARTED_WITHIN_MS,
  );

  it(
    'hears again what was under way when the gateway was killed',
    async () => {
      answers.push(undefined);
      const { id } = await paid();
      const first = await next();
      await sandbox.kill();
      await startAt(4 * MINUTE_MS);
      expect(await next()).toMatchObject({ id: first.id, payload: { id } });
    },
    RESTARTED_WITHIN_MS,
  );
});

describe('an operator', () => {
  it('adds a receiver, which is called once and hears from then on', async () => {
    const secretFile = join(folder, 'webhook.secret');
    await writeFile(secretFile, `${SECRET}\n`);
    const url = `${urlOfShop()}/other`;
    const words = [
      'webhooks',
      'add',
      '--node',
      entityId,
      '--url',
      url,
      '--secret-file',
      secretFile,
    ];
    expect(await sluice(...words)).toContain('Nothing was done.');
    const added = await sluice(...words, '--execute');
    expect(added).toContain('Its receiver has answered 200: it is active.');
    expect((await next()).type).toBe('test');
    const { id } = await send(sandbox, ['POST', '/v1/payments'], { ...MONEY, ...CARD });
    const { id: notification, payload } = await next();
    expect(payload.id).toBe(id);
    const shown = await sluice('webhooks', 'show', notification);
    expect(shown).toMatch(/acknowledged +1 +acknowledged 200/);
    await sluice('webhooks', 'resend', notification, '--execute');
    expect(await next()).toMatchObject({ id: notification, payload: { id } });
  });

  it('sees how receivers do', async () => {
    const line = [...COMMAND_LINE, '--data', folder, '--json', 'webhooks', 'health'];
    const { stdout } = await promisify(execFile)(process.execPath, line);
    expect(JSON.parse(stdout)).toMatchObject([
      { nodeId: CHANNEL, standing: 'active' },
      { nodeId: entityId, standing: 'active', attempts: 2, acknowledged: 2, waiting: 0 },
    ]);
  });
});
