import { beforeEach, describe, expect, it } from '@jest/globals';
import { ADDRESS, ShopVisit, willing } from './shop-fixture.js';

const visit = new ShopVisit();
const PAYMENTS = /^\/v1\/registrations\/card-0\/payments$/;
const STANDING = {
  ...{ 'standingInstruction.type': 'UNSCHEDULED', 'standingInstruction.source': 'CIT' },
} as const;

/** A shopper whose card is kept, with a print in the basket. */
beforeEach(async () => {
  visit.script = willing();
  await visit.fill('low-tide');
  const order = await visit.order({ keepsCard: 'on' });
  const path = encodeURIComponent('/v1/checkouts/checkout-0/payment');
  await visit.get(`${order}?id=checkout-0&resourcePath=${path}`);
  await visit.fill('rain');
});

describe('a card that is kept', () => {
  it('was asked for with the first payment, by the shopper', () => {
    const [first] = visit.sent('POST', /checkouts$/);
    expect(first?.fields).toMatchObject({
      ...{ ...STANDING, createRegistration: 'true', 'standingInstruction.mode': 'INITIAL' },
    });
  });

  it('is listed, without a number that the shop would have', async () => {
    expect(await (await visit.get('/cards')).text()).toMatch(/Visa[^]*0000[^]*Expires 05\/34/);
  });

  it('pays once by two clicks, with a key that makes a repetition the same payment', async () => {
    const orders = await Promise.all([
      visit.order({ card: 'card-0' }),
      visit.order({ card: 'card-0' }),
    ]);
    expect(new Set(orders).size).toBe(1);
    const [payment, ...others] = visit.sent('POST', PAYMENTS);
    expect(others).toEqual([]);
    const id = orders[0].replace('/orders/', '');
    expect(payment?.fields).toEqual({
      ...{ ...STANDING, 'standingInstruction.mode': 'REPEATED', entityId: 'channel' },
      ...{ amount: '36.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: id },
    });
    expect(payment?.headers['idempotency-key']).toBe(id);
    expect(await (await visit.get(orders[0])).text()).toContain('4444.5555.6666');
  });

  it('is charged under the same key, where the answer was lost and there is no payment', async () => {
    const willingly = visit.script;
    visit.script = (asked) => (PAYMENTS.test(asked.path) ? undefined : willingly(asked));
    const order = await visit.order({ card: 'card-0' });
    visit.script = (asked) => (asked.path === '/v1/query' ? {} : willingly(asked));
    expect(await (await visit.get(order)).text()).toContain('Thank you');
    const keys = visit.sent('POST', PAYMENTS).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('that is declined is not charged again by a reload, and another card may be tried', async () => {
    const willingly = visit.script;
    const declined = { result: { code: '800.100.152' } };
    visit.script = (asked) => (PAYMENTS.test(asked.path) ? declined : willingly(asked));
    const order = await visit.order({ card: 'card-0' });
    for (const _reload of [1, 2]) {
      expect(await (await visit.get(order)).text()).toContain('The payment was declined');
    }
    expect(visit.sent('POST', PAYMENTS)).toHaveLength(1);
    expect(await visit.order()).not.toBe(order);
  });

  it('of somebody else neither pays nor is removed', async () => {
    visit.cookie = undefined;
    await visit.fill('rain');
    const refused = await visit.post('/checkout', { ...ADDRESS, card: 'card-0' });
    expect(await refused.text()).toContain('This card is not saved any more.');
    await visit.post('/cards/card-0/remove');
    expect([...visit.sent('POST', PAYMENTS), ...visit.sent('DELETE', /./)]).toEqual([]);
  });

  it('is removed at the gateway, and from the list', async () => {
    expect((await visit.post('/cards/card-0/remove')).headers.get('location')).toBe('/cards');
    expect(visit.sent('DELETE', /./).map(({ path }) => path)).toEqual(['/v1/registrations/card-0']);
    expect(await (await visit.get('/cards')).text()).toContain('No card is saved');
  });

  it.each([
    ['100.350.101', 303, 'No card is saved'],
    ['800.120.100', 503, 'Saved cards'],
  ])(
    'whose removal is answered with %s is forgotten only if it is gone',
    async (code, status, heading) => {
      const willingly = visit.script;
      const answered = { result: { code } };
      visit.script = (asked) => (asked.method === 'DELETE' ? answered : willingly(asked));
      expect((await visit.post('/cards/card-0/remove')).status).toBe(status);
      expect(await (await visit.get('/cards')).text()).toContain(`<h1>${heading}</h1>`);
    },
  );

  it('that cannot be read for the moment is not forgotten', async () => {
    const willingly = visit.script;
    visit.script = () => ({ result: { code: '800.120.100' } });
    await visit.get('/cards');
    visit.script = willingly;
    expect(await (await visit.get('/cards')).text()).toContain('<h1>Saved cards</h1>');
  });

  it('that the gateway has no more is forgotten', async () => {
    visit.script = () => ({ result: { code: '200.300.404' } });
    expect(await (await visit.get('/cards')).text()).toContain('No card is saved');
  });
});
