import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type SandboxProcess,
  settableDatabaseClock,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { APPROVED, type Body, codeOf, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const PENDING = '000.200.000';
const REFUSED = '200.300.404';
const MINUTE_MS = 60_000;
/** When the second of the specs begins. */
const LATER_MS = 30 * MINUTE_MS;
/** Each of them starts the sandbox again, up to twice. */
const RESTARTED_WITHIN_MS = 2 * START_WITHIN_MS;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '12', 'card.expiryYear': '2034', 'card.cvv': '123' },
};

let database: TestDatabase;
let owner: Pool;
let clock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let folder: string;
const shop = createServer();
let sandbox: SandboxProcess;

/** Checkouts tells the time by its database, whose clock is in the test's hand. */
async function startAt(milliseconds: number): Promise<void> {
  await clock.setAhead(milliseconds);
  sandbox = await start(folder, [], { DATABASE_URL: database.url });
}

beforeAll(async () => {
  database = await startTestDatabase();
  owner = new Pool({ connectionString: database.url, max: 1 });
  owner.on('error', () => undefined);
  clock = await settableDatabaseClock(owner);
  folder = newFolder();
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  await startAt(0);
}, START_WITHIN_MS);
afterAll(async () => {
  await endSandboxes();
  shop.close();
  await owner.end();
  await database.drop();
}, START_WITHIN_MS);

/** What a merchant's page of results was asked, and what it read of the checkout before it answered. */
interface Called {
  readonly url: string;
  readonly code: string;
}

/** The next call of a page of results on this server; it may come before the start is over. */
function nextCall(shop: Server, started: Promise<void>): Promise<Called> {
  return new Promise((resolve, reject) => {
    shop.once('request', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      const id = new URLSearchParams(url.split('?')[1]).get('id') ?? '';
      const reading = started.then(() => codeOf(read(id)));
      reading.then((code) => {
        response.end('Thank you.');
        resolve({ url, code });
      }, reject);
    });
  });
}

const read = (id: string): Promise<Body> => send(sandbox, ['GET', `/v1/checkouts/${id}/payment`]);

describe('a checkout that nobody has completed', () => {
  it(
    'is over after thirty minutes, for its merchant and its shopper',
    async () => {
      const { id } = await send(sandbox, ['POST', '/v1/checkouts'], MONEY);
      await sandbox.kill();
      await startAt(28 * MINUTE_MS);
      expect(await codeOf(read(id))).toBe(PENDING);
      await sandbox.kill();
      await startAt(LATER_MS);
      expect(await codeOf(read(id))).toBe(REFUSED);
      const change = send(sandbox, ['POST', `/v1/checkouts/${id}`], { amount: '1.00' });
      expect(await codeOf(change)).toBe(REFUSED);
      const body = new URLSearchParams({ paymentBrand: 'PAYPAL' });
      const target = `${sandbox.url}/v1/checkouts/${id}/payment`;
      const submitted = await fetch(target, { method: 'POST', body });
      expect(((await submitted.json()) as Body).result.code).toBe(REFUSED);
    },
    RESTARTED_WITHIN_MS,
  );
});

describe('a checkout whose result nobody has read', () => {
  it(
    "is told of at the merchant's page after 29 minutes, which reads it",
    async () => {
      const { port } = shop.address() as AddressInfo;
      const { id } = await send(sandbox, ['POST', '/v1/checkouts'], MONEY);
      const shopperResultUrl = `http://127.0.0.1:${port}/done?order=7`;
      const body = new URLSearchParams({ ...CARD, shopperResultUrl });
      await fetch(`${sandbox.url}/v1/checkouts/${id}/payment`, { method: 'POST', body });
      await sandbox.kill();
      const started = startAt(LATER_MS + 29 * MINUTE_MS);
      const called = nextCall(shop, started);
      await started;
      const resourcePath = `%2Fv1%2Fcheckouts%2F${id}%2Fpayment`;
      const url = `/done?order=7&id=${id}&resourcePath=${resourcePath}`;
      expect(await called).toEqual({ url, code: APPROVED });
      expect(await codeOf(read(id))).toBe(REFUSED);
    },
    RESTARTED_WITHIN_MS,
  );
});
