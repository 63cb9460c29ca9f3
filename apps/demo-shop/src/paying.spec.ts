import { beforeEach, describe, expect, it } from '@jest/globals';
import { ACCESS_TOKEN, ADDRESS, APPROVED, ShopVisit, willing } from './shop-fixture.js';

const visit = new ShopVisit();
const STATUS = /\/payment$/;
const MINUTE_MS = 60_000;
const back = (checkout: string): string =>
  `?id=${checkout}&resourcePath=${encodeURIComponent(`/v1/checkouts/${checkout}/payment`)}`;

beforeEach(async () => {
  visit.script = willing();
  await visit.fill('low-tide', 'rain', 'low-tide');
});

describe('an order', () => {
  it('costs what the server has in the basket, whatever the browser sends', async () => {
    const order = await visit.order({ amount: '0.01', totalCents: '1', currency: 'IDR' });
    const [checkout] = visit.sent('POST', /^\/v1\/checkouts$/);
    expect(checkout?.fields).toEqual({
      ...ADDRESS,
      ...{ entityId: 'channel', amount: '132.00', currency: 'EUR', paymentType: 'DB' },
      ...{ merchantTransactionId: order.replace('/orders/', ''), integrity: 'true' },
    });
    expect(checkout?.headers['authorization']).toBe(`Bearer ${ACCESS_TOKEN}`);
  });

  it('is one, however often it is sent, and another one of another basket', async () => {
    const first = await Promise.all([visit.order(), visit.order()]);
    const again = await visit.order();
    expect(new Set([...first, again]).size).toBe(1);
    await visit.fill('rain');
    expect(await visit.order()).not.toBe(again);
    expect(visit.sent('POST', /^\/v1\/checkouts$/)).toHaveLength(2);
  });

  it('is made anew before its checkout is over', async () => {
    const before = await visit.order();
    visit.nowMs = 20 * MINUTE_MS;
    expect(await visit.order()).not.toBe(before);
  });

  it('is made again where the gateway did not answer, and the basket is as it was', async () => {
    visit.script = () => undefined;
    const refused = await visit.post('/checkout', ADDRESS);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('The gateway does not answer');
    visit.script = willing();
    expect(await visit.order()).toMatch(/^\/orders\/shop-/);
  });

  it('needs every detail, and says which one the gateway refuses', async () => {
    const missing = await visit.post('/checkout', { ...ADDRESS, 'billing.city': ' ' });
    expect([missing.status, await missing.text()]).toEqual([
      400,
      expect.stringContaining('Please look again at: City.'),
    ]);
    const result = { code: '200.300.404', parameterErrors: [{ name: 'customer.email' }] };
    visit.script = () => ({ result });
    const refused = await visit.post('/checkout', ADDRESS);
    expect(await refused.text()).toContain('Please look again at: Email.');
  });

  it('shows what was typed as text, and nothing of it as HTML', async () => {
    const vector = '"><img src=x onerror=alert(1)>';
    const sent = { ...ADDRESS, 'billing.city': '', 'customer.surname': vector };
    const shown = await (await visit.post('/checkout', sent)).text();
    expect(shown).not.toContain('<img src=x');
    expect(shown).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"');
  });
});

describe('the page of the form', () => {
  it('has the script of its checkout, held to its hash, and no access token', async () => {
    const page = await visit.get(`${await visit.order()}/pay`);
    const shown = await page.text();
    expect(shown).toMatch(
      /src="http:\/\/127\.0\.0\.1:\d+\/v1\/paymentWidgets\.js\?checkoutId=checkout-0"\s+integrity="sha384-checkout-0"\s+crossorigin="anonymous"/,
    );
    expect(shown).not.toContain(ACCESS_TOKEN);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a shopper who comes back', () => {
  it('sees the receipt, also after a reload, for which nothing is read again', async () => {
    const order = await visit.order();
    const returned = await visit.get(order + back('checkout-0'));
    expect(returned.headers.get('location')).toBe(order);
    for (const _reload of [1, 2]) {
      expect(await (await visit.get(order)).text()).toContain('1111.2222.3333');
    }
    await visit.get(order + back('checkout-0'));
    expect(visit.sent('GET', STATUS)).toHaveLength(1);
    expect(await (await visit.get('/basket')).text()).toContain('Your basket is empty');
    expect((await visit.get(`${order}/pay`)).headers.get('location')).toBe(order);
  });

  it('twice at once has the status read once', async () => {
    const order = await visit.order();
    await Promise.all([1, 2, 3].map(() => visit.get(order + back('checkout-0'))));
    expect(visit.sent('GET', STATUS)).toHaveLength(1);
    expect(await (await visit.get(order)).text()).toContain('Thank you');
  });

  it.each(['checkout-1', 'x/../../registrations/1'])(
    'with the path of %s has nothing read, and is shown the form',
    async (other) => {
      const order = await visit.order();
      await visit.get(order + back(other));
      expect(visit.sent('GET', /./)).toEqual([]);
      expect((await visit.get(order)).headers.get('location')).toBe(`${order}/pay`);
    },
  );

  it('is found to have paid where the answer that said so was lost', async () => {
    const order = await visit.order();
    const [{ fields } = { fields: {} }] = visit.asked;
    visit.script = ({ path }) => {
      if (path !== '/v1/query') return { result: { code: '200.300.404' } };
      return { payments: [{ ...fields, id: 'found', result: { code: APPROVED } }] };
    };
    await visit.get(order + back('checkout-0'));
    expect(await (await visit.get(order)).text()).toContain('found');
    expect(visit.sent('GET', /query/)[0]?.fields).toMatchObject({
      merchantTransactionId: order.replace('/orders/', ''),
      includeLinkedTransactions: 'true',
    });
  });

  it('is told that it is not decided while nobody knows, and the answer once there is one', async () => {
    const order = await visit.order();
    const willingly = visit.script;
    visit.script = () => undefined;
    await visit.get(order + back('checkout-0'));
    expect(await (await visit.get(order)).text()).toContain('being confirmed');
    visit.script = () => ({ result: { code: '800.120.100' } });
    expect(await (await visit.get(order)).text()).toContain('being confirmed');
    visit.script = willingly;
    expect(await (await visit.get(order)).text()).toContain('Thank you');
  });

  it('is told of a decline, keeps the basket, and begins another order', async () => {
    const order = await visit.order();
    visit.script = ({ path }) =>
      path.endsWith('/payment')
        ? { result: { code: '800.100.152' } }
        : willing()({ path } as never);
    await visit.get(order + back('checkout-0'));
    const shown = await (await visit.get(order)).text();
    expect(shown).toContain('The payment was declined');
    expect(shown).toContain('800.100.152');
    visit.script = willing();
    expect(await visit.order()).not.toBe(order);
  });

  it('sees no order of anybody else', async () => {
    const order = await visit.order();
    visit.cookie = undefined;
    expect((await visit.get(order)).status).toBe(404);
    expect((await visit.get(`${order}/pay`)).status).toBe(404);
  });
});
