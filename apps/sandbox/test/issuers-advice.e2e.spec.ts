import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  launched,
  type SandboxProcess,
  settableDatabaseClock,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { type Body, codeOf, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const HOUR_MS = 3_600_000;
const CARD: Fields = {
  ...{ ...MONEY, paymentBrand: 'MASTER', 'card.number': '5454545454545454', 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const OTHER: Fields = { 'card.number': '5555555555554444' };
const [NO_FUNDS, STOLEN, NOT_SET_UP] = ['800.100.155', '800.100.159', '800.100.190'];

let database: TestDatabase;
let owner: Pool;
let clock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let folder: string;
let sandbox: SandboxProcess;

/** Payments tells the time by its database, whose clock is in the test's hand. */
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

function pay(fields: Fields = {}): Promise<Body> {
  return send(sandbox, ['POST', '/v1/payments'], { ...CARD, ...fields });
}

const declinedWith = (code: string): Fields => ({ 'customParameters[forceResultCode]': code });

function adviceIn({ resultDetails }: Body): string | undefined {
  return (resultDetails as Readonly<Record<string, string>> | undefined)?.['MerchantAdviceCode'];
}

describe("an issuer's advice", () => {
  it('to wait three days is obeyed for three days, and one never to try again is obeyed longer', async () => {
    const soft = await pay(declinedWith(NO_FUNDS));
    expect([soft.result.code, adviceIn(soft)]).toEqual([NO_FUNDS, '02']);
    const hard = await pay({ ...OTHER, ...declinedWith(STOLEN) });
    expect([hard.result.code, adviceIn(hard)]).toEqual([STOLEN, '03']);
    expect((await pay()).result).toMatchObject({
      code: '700.600.002',
      description: 'retry blocked by merchant advice code 02 (please wait 72 hours)',
    });
    expect(await codeOf(pay(OTHER))).toBe('700.601.003');

    await sandbox.stop();
    await startAt(71 * HOUR_MS);
    expect(await codeOf(pay())).toBe('700.600.002');

    await sandbox.stop();
    await startAt(73 * HOUR_MS);
    expect(await codeOf(pay())).toBe('000.100.110');
    expect(await codeOf(pay(OTHER))).toBe('700.601.003');
  }, 240_000);

  it('that the shopper has ended an agreement is obeyed there alone, whatever else is paid', async () => {
    const number = { 'card.number': '5105105105105100' };
    const agreed = (fields: Fields): Fields =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
      );
    const initial = agreed({ type: 'RECURRING', mode: 'INITIAL', source: 'CIT' });
    const first = await pay({ ...number, ...initial });
    const { initialTransactionId = '', agreementId = '' } = first['standingInstruction'] as Fields;
    const later = agreed({
      ...{ type: 'RECURRING', mode: 'REPEATED', source: 'MIT', initialTransactionId, agreementId },
    });
    const ended = await pay({
      ...{ ...number, ...later, ...declinedWith('800.100.501') },
      'customParameters[simulator.advice]': '21',
    });
    expect([ended.result.code, adviceIn(ended)]).toEqual(['800.100.501', '21']);
    expect((await pay({ ...number, ...later })).result).toMatchObject({
      ...{ code: '700.601.003', description: expect.stringContaining('21') },
    });
    expect(await codeOf(pay(number))).toBe('000.100.110');
  });

  it('of VISA is obeyed as VISA numbers it', async () => {
    const visa = { paymentBrand: 'VISA', 'card.number': '4111111111111111' };
    const advised = { 'customParameters[simulator.advice]': '01', ...declinedWith(NO_FUNDS) };
    expect(adviceIn(await pay({ ...visa, ...advised }))).toBe('01');
    expect(await codeOf(pay(visa))).toBe('700.601.003');
    expect(await codeOf(pay({ ...visa, 'card.number': '4200000000000000' }))).toBe('000.100.110');
  });

  it('to try another route is followed at once by a channel whose routes take declined cards', async () => {
    const management = /^Management on (\S+):/m.exec(sandbox.output())?.[1] ?? '';
    const endpoint = { address: 'installation:simulator', acquirerMerchantId: 'M-1' };
    const names = ['Near', 'Far'];
    const merchantAccounts = names.map((name) => ({
      ...{ name, connector: 'simulator', endpoints: { EXTERNAL: endpoint } },
    }));
    const routes = names.map((merchantAccount, priority) => ({
      ...{ merchantAccount, modes: ['INTERNAL'], priority, takesDeclined: true },
    }));
    const channel = { ...SHOP, name: 'Retrying', merchant: 'Retrying', merchantAccounts, routes };
    const body = JSON.stringify({ channels: [channel] });
    expect((await fetch(`${management}/seed`, { method: 'POST', body })).status).toBe(200);
    const headers = { Authorization: `Bearer ${SHOP.accessTokens[0]}` };
    const form = { ...CARD, entityId: SHOP.entityId, ...declinedWith(NOT_SET_UP) };
    const response = await fetch(`${sandbox.url}/v1/payments`, {
      ...{ method: 'POST', headers, body: new URLSearchParams(form) },
    });
    const declined = (await response.json()) as Body;
    expect([declined.result.code, adviceIn(declined)]).toEqual([NOT_SET_UP, '22']);
    const shown = await sluice('streams', 'show', declined.id);
    expect(shown).toMatch(/TransactionRerouted .*declined 800\.100\.190 to simulator/);
    expect(shown).toMatch(/TransactionDeclined .*800\.100\.190/);
  }, 60_000);
});

const SHOP = {
  entityId: '8ac7a4c97ee0000000000000000000c2',
  accessTokens: ['the-token-of-a-shop-that-retries'],
};

async function sluice(...words: readonly string[]): Promise<string> {
  const run = promisify(execFile);
  const environment = { ...process.env, DATABASE_URL: database.url };
  const settings = { env: environment };
  return (await run(process.execPath, [...COMMAND_LINE, ...words, '--data', folder], settings))
    .stdout;
}
