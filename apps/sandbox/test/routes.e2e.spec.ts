import { beforeAll, describe, expect, it } from '@jest/globals';
import { launched, testSandbox } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Body, codeOf, type Fields, MONEY, send } from './demo-merchant-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const SHOP = {
  entityId: '8ac7a4c97ee0000000000000000000c1',
  token: 'the-token-of-a-shop-with-routes',
};
const EXTERNAL = { testMode: 'EXTERNAL' };
const CARD: Fields = {
  ...{ ...MONEY, paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const MASTER: Fields = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' };

const sandbox = testSandbox();
let management: string;

beforeAll(() => {
  management = /^Management on (\S+):/m.exec(sandbox.output())?.[1] ?? '';
});

/** The shop, with more members; what the sandbox answers to that. */
async function seed(members: object): Promise<{ readonly status: number; readonly body: object }> {
  const { entityId, token } = SHOP;
  const channel = { entityId, name: 'Routed shop', merchant: 'Routed', accessTokens: [token] };
  const body = JSON.stringify({ channels: [{ ...channel, ...members }] });
  const response = await fetch(`${management}/seed`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as object };
}

async function payAtShop(fields: Fields = {}): Promise<Body> {
  const headers = { Authorization: `Bearer ${SHOP.token}` };
  const body = new URLSearchParams({ ...CARD, entityId: SHOP.entityId, ...fields });
  const response = await fetch(`${sandbox.url}/v1/payments`, { method: 'POST', headers, body });
  return (await response.json()) as Body;
}

async function sluice(...words: readonly string[]): Promise<string> {
  const run = promisify(execFile);
  return (await run(process.execPath, [...COMMAND_LINE, ...words, '--data', sandbox.dataFolder]))
    .stdout;
}

/** Payments asks every two seconds; suites run beside this one. */
const LEARNS_WITHIN_MS = 20_000;
/** Two commands, and that. */
const COMMANDS_WITHIN_MS = 60_000;

const endpoint = { address: 'installation:simulator', acquirerMerchantId: 'M-1' };
const merchantAccounts = [
  { name: 'Test system', connector: 'simulator', endpoints: { EXTERNAL: endpoint } },
];
const routes = [{ merchantAccount: 'Test system', modes: ['EXTERNAL'], brands: ['VISA'] }];

describe('the demo channel', () => {
  it('pays with testMode=EXTERNAL by a route to the simulator, captures and refunds included', async () => {
    const post = (path: string, fields: Fields) => send(sandbox, ['POST', path], fields);
    const paid = await post('/v1/payments', { ...CARD, ...EXTERNAL, paymentType: 'PA' });
    expect(paid.result.code).toBe('000.100.112');
    const captured = await post(`/v1/payments/${paid.id}`, { ...MONEY, paymentType: 'CP' });
    expect(captured.result.code).toBe('000.100.112');
    const refunded = post(`/v1/payments/${captured.id}`, { ...MONEY, paymentType: 'RF' });
    expect(await codeOf(refunded)).toBe('000.100.112');
    const shown = await sluice('streams', 'show', paid.id);
    expect(shown).toMatch(/^Merchant account [0-9a-f]{32} \(simulator\)$/m);
    expect(shown).toMatch(/^Route [0-9a-f]{32}: onlyRoute of 1 candidate$/m);
  });

  it('pays without a mode as ever, at the simulator', async () => {
    const paid = await send(sandbox, ['POST', '/v1/payments'], CARD);
    expect(paid.result.code).toBe('000.100.110');
    const shown = JSON.parse(await sluice('streams', 'show', paid.id, '--json')) as {
      readonly events: readonly { readonly data: object }[];
    };
    expect(shown.events[0]?.data).toMatchObject({ route: { rule: 'simulator', candidates: 0 } });
  });
});

describe('a seeded channel', () => {
  it('without routes pays at the simulator, and is told that it has no test system', async () => {
    expect((await seed({})).status).toBe(200);
    expect((await payAtShop()).result.code).toBe('000.100.110');
    expect((await payAtShop(EXTERNAL)).result.code).toBe('600.200.700');
  });

  it('has the routes of the seed from the next request on', async () => {
    expect(await seed({ merchantAccounts, routes })).toEqual({
      status: 200,
      body: { channels: 1 },
    });
    expect((await payAtShop(EXTERNAL)).result.code).toBe('000.100.112');
    expect((await payAtShop({ ...EXTERNAL, ...MASTER })).result.code).toBe('600.200.800');
    expect((await payAtShop(MASTER)).result.code).toBe('000.100.110');
    await seed({ merchantAccounts, routes: [] });
    expect((await payAtShop(EXTERNAL)).result.code).toBe('600.200.700');
  });

  it(
    'has those that an operator sets, and loses those that one removes',
    async () => {
      await seed({ merchantAccounts, routes });
      const listed = JSON.parse(await sluice('routes', 'list', SHOP.entityId, '--json')) as [
        { readonly id: string },
      ];
      await sluice('routes', 'remove', SHOP.entityId, listed[0].id, '--execute');
      const deadline = Date.now() + LEARNS_WITHIN_MS;
      while ((await payAtShop(EXTERNAL)).result.code !== '600.200.700') {
        if (Date.now() > deadline) throw new Error('Payments has not learnt of the removal.');
      }
    },
    COMMANDS_WITHIN_MS,
  );

  it('is refused with a reason if its routes lead nowhere', async () => {
    const nowhere = [{ ...routes[0], merchantAccount: 'f'.repeat(32) }];
    const { status, body } = await seed({ merchantAccounts, routes: nowhere });
    expect(status).toBe(400);
    expect((body as { readonly reason: string }).reason).toContain(
      'neither the node nor one above it has this merchant account',
    );
  });
});
