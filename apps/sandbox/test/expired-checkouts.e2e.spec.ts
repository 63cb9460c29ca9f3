import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type SandboxProcess,
  settableDatabaseClock,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { Pool } from 'pg';
import { type Body, codeOf, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const PENDING = '000.200.000';
const REFUSED = '200.300.404';
const MINUTE_MS = 60_000;

let database: TestDatabase;
let owner: Pool;
let clock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let folder: string;
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
  await startAt(0);
}, START_WITHIN_MS);
afterAll(async () => {
  await endSandboxes();
  await owner.end();
  await database.drop();
}, START_WITHIN_MS);

const read = (id: string): Promise<Body> => send(sandbox, ['GET', `/v1/checkouts/${id}/payment`]);

describe('a checkout that nobody has completed', () => {
  it('is over after thirty minutes, for its merchant and its shopper', async () => {
    const { id } = await send(sandbox, ['POST', '/v1/checkouts'], MONEY);
    await sandbox.kill();
    await startAt(28 * MINUTE_MS);
    expect(await codeOf(read(id))).toBe(PENDING);
    await sandbox.kill();
    await startAt(30 * MINUTE_MS);
    expect(await codeOf(read(id))).toBe(REFUSED);
    const change = send(sandbox, ['POST', `/v1/checkouts/${id}`], { amount: '1.00' });
    expect(await codeOf(change)).toBe(REFUSED);
    const body = new URLSearchParams({ paymentBrand: 'PAYPAL' });
    const target = `${sandbox.url}/v1/checkouts/${id}/payment`;
    const submitted = await fetch(target, { method: 'POST', body });
    expect(((await submitted.json()) as Body).result.code).toBe(REFUSED);
  });
});
