import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.js';
import { type Parameter } from './parameter.js';
import { parametersTaken } from './parameters-taken.js';

const parameters = {
  descriptor: 'Shoes',
  merchantTransactionId: 'order-0001',
  'cart.items[0].name': 'Boots',
  'cart.items[0].price': '92.00',
  'cart.items[7].name': 'Laces',
  'customParameters[abc]': 'x',
};
const personal = {
  'billing.street1': 'Main Street 1',
  'billing.city': 'Graz',
  'customer.email': 'zoe@example.org',
  'shipping.customer.email': 'jane@example.org',
};
const taken = (...keys: readonly string[]) => parametersTaken(keys)(parameters, personal);

describe('what is taken of a request', () => {
  it.each([
    [['descriptor'], { descriptor: 'Shoes' }],
    [['billing.*'], { billing: { street1: 'Main Street 1', city: 'Graz' } }],
    [['billing.city', 'billing.*'], { billing: { street1: 'Main Street 1', city: 'Graz' } }],
    [['customer.*'], { customer: { email: 'zoe@example.org' } }],
    [['cart.items[n].name'], { cart: { items: [{ name: 'Boots' }, { name: 'Laces' }] } }],
    [['customParameters[name]'], { customParameters: { abc: 'x' } }],
  ])('%j is %j, and nothing else', (keys, expected) => {
    expect(JSON.parse(JSON.stringify(taken(...keys)))).toEqual(expected);
  });

  it('is nothing where nothing of it was sent, or nothing is taken', () => {
    expect(taken('locale')).toBeUndefined();
    expect(taken()).toBeUndefined();
  });

  it.each(['billing', 'billing*', 'biling.*', '*', '', '.*', 'card.number', 'card.cvv', 'amount'])(
    'cannot be "%s"',
    (key) => {
      expect(() => parametersTaken([key])).toThrow(`No parameter is kept under "${key}".`);
    },
  );

  it('is never account data or a secret, even of a record that holds it', () => {
    const all = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
    const hidden = all.filter(([, row]) => ['accountData', 'secret'].includes(row.sensitivity));
    const record = Object.fromEntries(hidden.map(([key]) => [key, 'hidden']));
    const structures = ['card.*', 'tokenAccount.*', 'applePay.*', 'bankAccount.*', 'customer.*'];
    expect(parametersTaken(structures)(record)).toBeUndefined();
  });
});
