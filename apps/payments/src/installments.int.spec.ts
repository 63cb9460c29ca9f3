import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode, RouteMessage, TakenBrandsAnswer, TakenBrandsQuery } from '@sluice/contracts';
import {
  context,
  ENTITY_ID,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';
import { accountWith, routeTo, ScriptedAccounts } from '../test/routes-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';

const NAME = 'recurring.numberOfInstallments';

let world: PaymentsWorld;
let payments: PaymentsProcess;
let accounts: ScriptedAccounts;
let atOnce: ScriptedConnector;
let inParts: ScriptedConnector;
let simulator: ScriptedConnector;

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(() => {
  accounts = new ScriptedAccounts();
  atOnce = new ScriptedConnector('first');
  inParts = new ScriptedConnector('second');
  inParts.takes = [...inParts.takes, NAME];
  simulator = new ScriptedConnector('simulator');
});
afterEach(() => payments.die());
afterAll(() => world.close());

const to = (digit: string, connector: string) => accountWith(digit, connector);
const both = [routeTo('a'), routeTo('b', { priority: 1 })];

async function start(
  routes: readonly RouteMessage[],
  connectors = [atOnce, inParts, simulator],
): Promise<void> {
  accounts.say([to('a', 'first'), to('b', 'second')], routes);
  payments = await PaymentsProcess.start(world, {
    ...{ connectors, queries: accounts, settings: { sendWindowMs: 3_000 } },
  });
}

function debit(number: string | undefined, changes: object = {}, mode: Mode = 'LIVE') {
  return payments.initiation('debit', 9_000, {
    context: { ...context(), mode },
    parameters: number === undefined ? {} : { [NAME]: number },
    ...changes,
  });
}

describe('a payment in installments', () => {
  it('passes over whoever would charge all of it at once, and says the number to who takes it', async () => {
    await start(both);
    const { id, status } = await payments.outcome(debit('3'));
    expect(status).toBe('approved');
    expect([atOnce.submitted.length, inParts.submitted.length]).toEqual([0, 1]);
    expect(inParts.submitted[0]?.parameters).toEqual({ recurring: { numberOfInstallments: '3' } });
    expect((await payments.view(id))?.parameters).toMatchObject({ [NAME]: '3' });
  });

  it.each(['0', '1', undefined])('of %s is one at once, which anybody takes', async (number) => {
    await start(both);
    expect((await payments.outcome(debit(number))).status).toBe('approved');
    expect([atOnce.submitted.length, inParts.submitted.length]).toEqual([1, 0]);
    expect(atOnce.submitted[0]).not.toHaveProperty('parameters');
  });

  it('is refused before anything is sent where nobody takes it', async () => {
    await start([routeTo('a')]);
    expect(await payments.outcome(debit('3'))).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: expect.stringContaining(
        'no acquirer of this channel takes payments in installments',
      ),
    });
    expect([atOnce.submitted, inParts.submitted, simulator.submitted]).toEqual([[], [], []]);
  });

  it('goes without routes to the first who takes it, and is refused where nobody does', async () => {
    await start([]);
    expect((await payments.outcome(debit('99'))).status).toBe('approved');
    expect([atOnce.submitted.length, inParts.submitted.length]).toEqual([0, 1]);
    await payments.die();
    await start([], [atOnce]);
    const refused = await payments.outcome(debit('99'));
    expect(refused).toMatchObject({ status: 'rejected', resultCode: '600.200.500' });
    expect(refused.resultDescription).toContain('takes the payment in installments');
    expect(atOnce.submitted).toEqual([]);
  });

  it('is by nothing but a card, whatever was stored', async () => {
    const { capabilities } = inParts;
    inParts.capabilities = { ...capabilities, instruments: ['card', 'bankAccount'] };
    await start([routeTo('b')]);
    const instrument = {
      kind: 'bankAccount',
      paymentMethod: 'DD',
      vaultReference: payments.vault.put(),
    };
    const paid = await payments.outcome(debit('1', { instrument }));
    const refused = await payments.outcome(debit('3', { instrument }));
    expect([paid.status, refused.status]).toEqual(['approved', 'rejected']);
    expect(refused.resultCode).toBe('600.200.500');
  });

  it('goes on to nobody who would charge it at once', async () => {
    inParts.behaviour = 'unreachable';
    await start([routeTo('b'), routeTo('a', { priority: 1 })]);
    expect((await payments.outcome(debit('3'))).status).not.toBe('approved');
    expect(atOnce.submitted).toEqual([]);
    expect((await payments.outcome(debit('1'))).status).toBe('approved');
    expect(atOnce.submitted).toHaveLength(1);
  });

  it('is refunded as any other', async () => {
    await start([routeTo('b')]);
    const { id } = await payments.outcome(debit('3'));
    const refund = reference('refund', id, 4_000, { context: { ...context(), mode: 'LIVE' } });
    expect((await payments.outcome(refund)).status).toBe('approved');
    expect(inParts.submitted[1]).not.toHaveProperty('parameters');
  });
});

describe('the brands of a payment to come', () => {
  it('are those that can be paid as the merchant has said', async () => {
    await start([routeTo('a', { brands: ['VISA'] }), routeTo('b', { brands: ['MASTER'] })]);
    const { queries } = payments.bus;
    const taken = async (changes: Partial<TakenBrandsQuery>) => {
      const amount = { minor: '5000', currency: 'EUR' };
      const query: TakenBrandsQuery = { entityId: ENTITY_ID, mode: 'LIVE', amount, ...changes };
      return (await queries.ask<TakenBrandsAnswer>('payments', 'payments.takenBrands', query))
        .brands;
    };
    expect(await taken({})).toEqual(['VISA', 'MASTER']);
    expect(await taken({ inInstallments: true })).toEqual(['MASTER']);
  });
});
