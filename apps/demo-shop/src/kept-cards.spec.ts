import { beforeEach, describe, expect, it } from '@jest/globals';
import { ShopVisit, willing } from './shop-fixture.js';

const visit = new ShopVisit();
const CHECKOUTS = /^\/v1\/checkouts$/;
const FIRST = {
  ...{ createRegistration: 'true', 'standingInstruction.mode': 'INITIAL' },
  ...{ 'standingInstruction.type': 'UNSCHEDULED', 'standingInstruction.source': 'CIT' },
} as const;

/** The order is paid in its form, and the shopper comes back. */
async function pay(order: string, checkout: string): Promise<void> {
  const path = encodeURIComponent(`/v1/checkouts/${checkout}/payment`);
  await visit.get(`${order}?id=${checkout}&resourcePath=${path}`);
}

/** What the last order has told the gateway of cards. */
function toldOfCards(): Readonly<Record<string, string>> {
  const fields = Object.entries(visit.sent('POST', CHECKOUTS).at(-1)?.fields ?? {});
  return Object.fromEntries(
    fields.filter(([name]) => /^(?:registration|createRegistration|standing)/.test(name)),
  );
}

/** A shopper whose card is kept, with a print in the basket. */
beforeEach(async () => {
  visit.script = willing();
  await visit.fill('low-tide');
  await pay(await visit.order({ keepsCard: 'on' }), 'checkout-0');
  await visit.fill('rain');
});

describe('a card that is kept', () => {
  it('was asked for with the first payment, by the shopper', () => {
    expect(toldOfCards()).toEqual(FIRST);
  });

  it('is listed, without a number that the shop would have', async () => {
    expect(await (await visit.get('/cards')).text()).toMatch(/Visa[^]*0000[^]*Expires 05\/34/);
  });

  it('is offered in the form of the next order, which says nothing else of it', async () => {
    await visit.order();
    expect(toldOfCards()).toEqual({ 'registrations[0].id': 'card-0' });
  });

  it('is offered beside another one that is to be kept, and behind it once that is kept', async () => {
    const offered = { 'registrations[0].id': 'card-0' };
    const order = await visit.order({ keepsCard: 'on' });
    expect(toldOfCards()).toEqual({ ...offered, ...FIRST });
    await pay(order, 'checkout-1');
    await visit.fill('low-tide');
    await visit.order();
    expect(toldOfCards()).toEqual({
      ...{ 'registrations[0].id': 'card-1', 'registrations[1].id': 'card-0' },
    });
  });

  it('is kept once, although an order is paid with it that would keep another one', async () => {
    const willingly = visit.script;
    visit.script = (asked) => {
      const answer = willingly(asked);
      return asked.path.endsWith('/payment') ? { ...answer, registrationId: 'card-0' } : answer;
    };
    await pay(await visit.order({ keepsCard: 'on' }), 'checkout-1');
    await visit.fill('low-tide');
    await visit.order();
    expect(toldOfCards()).toEqual({ 'registrations[0].id': 'card-0' });
  });

  it('that the gateway refuses to offer is forgotten, and the order is made without it', async () => {
    const willingly = visit.script;
    const name = 'registrations[0].id';
    visit.script = (asked) =>
      asked.fields[name] === undefined
        ? willingly(asked)
        : { result: { code: '200.300.404', parameterErrors: [{ name }] } };
    expect(await visit.order()).toMatch(/^\/orders\/shop-/);
    expect(toldOfCards()).toEqual({});
    expect(await (await visit.get('/cards')).text()).toContain('No card is saved');
  });

  it('of somebody else is neither offered nor removed', async () => {
    visit.cookie = undefined;
    await visit.fill('rain');
    await visit.order();
    await visit.post('/cards/card-0/remove');
    expect([toldOfCards(), visit.sent('DELETE', /./)]).toEqual([{}, []]);
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
