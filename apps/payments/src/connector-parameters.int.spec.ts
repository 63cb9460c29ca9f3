import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';
import { Connectors } from './connectors.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(async () => {
  world.connector = new ScriptedConnector();
  payments = await PaymentsProcess.start(world);
});
afterEach(() => payments.die());
afterAll(() => world.close());

/** The connector of these tests takes `descriptor`, `billing.*` and `cart.items[n].name`. */
const sent = {
  parameters: {
    descriptor: 'Shoes',
    merchantTransactionId: 'order-0001',
    'customParameters[secret]': 'undeclared',
    'cart.items[0].name': 'Boots',
    'cart.items[0].price': '7.77',
    'cart.items[3].name': 'Laces',
  },
  personal: {
    'billing.street1': 'Main Street 1',
    'billing.country': 'AT',
    'customer.email': 'undeclared@example.org',
    'card.holder': 'Undeclared Jones',
    'merchant.billing.city': 'Undeclared',
  },
};

describe('a connector', () => {
  it('is given what it takes, personal data in clear, and nothing else', async () => {
    await payments.outcome(payments.initiation('debit', 1_000, sent));
    const [request] = world.connector.submitted;
    expect(JSON.parse(JSON.stringify(request?.parameters))).toEqual({
      descriptor: 'Shoes',
      billing: { street1: 'Main Street 1', country: 'AT' },
      cart: { items: [{ name: 'Boots' }, { name: 'Laces' }] },
    });
    const text = JSON.stringify(request, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toMatch(/ndeclared|7\.77|order-0001/);
  });

  it('is given what came with a reference, not what came with the payment', async () => {
    const initiation = payments.initiation('debit', 1_000, sent);
    await payments.outcome(initiation);
    const id = initiation.data.transactionId;
    const refund = { parameters: { descriptor: 'Refund', merchantMemo: 'undeclared' } };
    await payments.outcome(reference('refund', id, 300, refund));
    await payments.outcome(reference('refund', id, 300));
    const [, first, second] = world.connector.submitted;
    expect({ ...first?.parameters }).toEqual({ descriptor: 'Refund' });
    expect(second).not.toHaveProperty('parameters');
  });

  it('that takes nothing is given nothing', async () => {
    await payments.die();
    world.connector = Object.assign(new ScriptedConnector(), { takes: [] });
    payments = await PaymentsProcess.start(world);
    await payments.outcome(payments.initiation('debit', 1_000, sent));
    expect(world.connector.submitted).toHaveLength(1);
    expect(world.connector.submitted[0]).not.toHaveProperty('parameters');
  });

  it.each(['card.number', 'customer', 'no.such.*'])('cannot take "%s"', (key) => {
    const connector = Object.assign(new ScriptedConnector(), { takes: ['descriptor', key] });
    expect(() => new Connectors([connector], 1)).toThrow(`No parameter is kept under "${key}".`);
  });
});
