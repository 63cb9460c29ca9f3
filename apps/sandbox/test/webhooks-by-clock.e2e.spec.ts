import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { launched, type SandboxProcess } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ClockedChannel } from './clock-fixture.js';
import { type Body, MONEY } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const SECRET = '000102030405060708090a0b0c0d0e0f'.repeat(2);
const DAY_MS = 86_400_000;
const NEXT_YEAR = new Date().getUTCFullYear() + 1;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': String(NEXT_YEAR + 5) },
};

interface Heard {
  readonly id: string;
  readonly payload: { readonly id: string; readonly timestamp: string };
}

/** As `sluice webhooks show` says it. */
interface Logged {
  readonly id: string;
  readonly transactionId: string;
  readonly acceptedAt: string;
  readonly endedAt: string | null;
  readonly standing: string;
  readonly attempts: number;
}

const folder = newFolder();
let sandbox: SandboxProcess;
const channel = new ClockedChannel('8ac7a4c97ee0000000000000000000d1', () => sandbox);
const heard: Heard[] = [];
/** What is answered. */
let status = 200;
const shop = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = opened(Buffer.concat(chunks).toString('utf8'), request.headers);
    heard.push({ ...(JSON.parse(text) as Heard), id: String(request.headers['webhook-id']) });
    response.writeHead(status).end();
  });
});

function opened(hex: string, headers: IncomingHttpHeaders): string {
  const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
  const key = Buffer.from(SECRET, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
  cipher.setAuthTag(bytesOf('x-authentication-tag'));
  return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
}

async function sluice(...words: readonly string[]): Promise<string> {
  const line = [...COMMAND_LINE, '--data', join(folder, 'data'), '--json', 'webhooks', ...words];
  return (await promisify(execFile)(process.execPath, line)).stdout;
}

/** The latest that was told, as operators see it. */
async function logged(): Promise<readonly Logged[]> {
  const [subscription] = JSON.parse(await sluice('list')) as readonly { readonly id: string }[];
  const shown = await sluice('show', subscription!.id);
  return (JSON.parse(shown) as { readonly deliveries: readonly Logged[] }).deliveries;
}

/** What was told of a transaction. */
async function loggedOf(transactionId: string): Promise<readonly Logged[]> {
  const all = await logged();
  return all.filter((one) => one.transactionId === transactionId);
}

const paid = (): Promise<Body> => channel.send(['POST', '/v1/payments'], { ...CARD, ...MONEY });

beforeAll(async () => {
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook`;
  const webhooks = [{ url, secret: SECRET, types: ['PAYMENT'] }];
  const seed = join(folder, 'seed.json');
  writeFileSync(seed, JSON.stringify({ channels: [{ ...channel.seed, webhooks }] }));
  sandbox = await start(join(folder, 'data'), ['--seed', seed]);
}, START_WITHIN_MS);
afterAll(async () => {
  await endSandboxes();
  shop.closeAllConnections();
  shop.close();
}, START_WITHIN_MS);
beforeEach(() => {
  heard.length = 0;
  status = 200;
});

describe('a receiver of a channel whose clock is moved', () => {
  it('hears of each month of a subscription before the next one begins', async () => {
    const { id: registrationId } = await channel.send(['POST', '/v1/registrations'], CARD);
    await channel.moveTo(Date.UTC(NEXT_YEAR, 0, 1, 12));
    const schedule = {
      ...{ registrationId, amount: '9.90', currency: 'EUR', paymentType: 'SD' },
      ...{ 'job.expression': '0 0 8 1 * ? *' },
    };
    const { id } = await channel.send(['POST', '/scheduling/v1/schedules'], schedule);
    await channel.moveTo(Date.UTC(NEXT_YEAR, 6, 1, 12));
    const dates = [2, 3, 4, 5, 6, 7].map((month) => `${NEXT_YEAR}-0${month}-01 08:00`);
    expect(heard.map(({ payload }) => payload.timestamp.slice(0, 16))).toEqual(dates);
    // Told on the day that it is of, by the clock of its channel.
    const ended = (await logged()).map(({ endedAt }) => endedAt?.slice(0, 10));
    expect(ended).toEqual(dates.map((date) => date.slice(0, 10)).reverse());
    await channel.send(['DELETE', `/scheduling/v1/schedules/${id}`]);
  }, 60_000);

  it('that is away for a week hears what it has missed, in order, once it is there', async () => {
    status = 503;
    const ids: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      ids.push((await paid()).id);
      await channel.daysOn(1);
    }
    await channel.daysOn(4);
    const tried = heard.filter(({ payload }) => payload.id === ids[0]).length;
    // Seven tries within two hours, and one a day.
    expect(tried).toBeGreaterThanOrEqual(11);
    heard.length = 0;
    status = 200;
    await channel.daysOn(2);
    expect(new Set(heard.map(({ payload }) => payload.id))).toEqual(new Set(ids));
    expect(heard).toHaveLength(3);
  }, 60_000);

  it('that stays away is given up after thirty days, and told again by hand', async () => {
    status = 500;
    const { id } = await paid();
    await channel.daysOn(28);
    expect(await loggedOf(id)).toMatchObject([{ standing: 'waiting' }]);
    await channel.daysOn(3);
    const [given] = await loggedOf(id);
    expect(given).toMatchObject({ standing: 'overdue' });
    expect(given!.attempts).toBeGreaterThan(30);
    const lasted = Date.parse(given!.endedAt!) - Date.parse(given!.acceptedAt);
    expect(lasted).toBeGreaterThan(28 * DAY_MS);
    status = 200;
    heard.length = 0;
    await channel.daysOn(60);
    expect(heard).toEqual([]);
    await sluice('resend', given!.id, '--execute');
    await channel.daysOn(1);
    expect(heard.map((one) => one.id)).toEqual([given!.id]);
  }, 60_000);
});
