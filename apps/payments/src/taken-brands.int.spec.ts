import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode, TakenBrandsAnswer, TakenBrandsQuery } from '@sluice/contracts';
import { ENTITY_ID, PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { accountWith, routeTo, ScriptedAccounts } from '../test/routes-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;
let accounts: ScriptedAccounts;

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(() => {
  accounts = new ScriptedAccounts();
});
afterEach(() => payments.die());
afterAll(() => world.close());

async function start(): Promise<void> {
  const connectors = [new ScriptedConnector('first'), new ScriptedConnector('simulator')];
  payments = await PaymentsProcess.start(world, { connectors, queries: accounts });
}

/** The brands with which a payment of so many cents may be paid. */
async function taken(minor: string, mode: Mode = 'LIVE'): Promise<readonly string[] | undefined> {
  const amount = { minor, currency: 'EUR' };
  const query: TakenBrandsQuery = { entityId: ENTITY_ID, mode, amount };
  const { queries } = payments.bus;
  return (await queries.ask<TakenBrandsAnswer>('payments', 'payments.takenBrands', query)).brands;
}

describe('the brands that a shopper may choose', () => {
  it('are those that the routes of the channel take', async () => {
    const to = { minor: '5000', currency: 'EUR' };
    const routes = [
      routeTo('a', { brands: ['VISA'] }),
      routeTo('a', { id: 'b'.repeat(32) as never, brands: ['MASTER'], amountTo: to }),
    ];
    accounts.say([accountWith('a', 'first')], routes);
    await start();
    expect(await taken('5000')).toEqual(['VISA', 'MASTER']);
    expect(await taken('5001')).toEqual(['VISA']);
  });

  it('are all that the acquirer takes where there are no routes', async () => {
    accounts.say([], []);
    await start();
    const brands = await taken('5000');
    expect(brands).toEqual(expect.arrayContaining(['VISA', 'MADA']));
  });

  it('are not told while nobody knows the routes', async () => {
    accounts.isAway = true;
    await start();
    expect(await taken('5000')).toBeUndefined();
  });
});
