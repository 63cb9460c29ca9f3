import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Body, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const SHOP = {
  entityId: '8ac7a4c97ee0000000000000000000c2',
  token: 'the-token-of-a-shop-with-few-brands',
};
const endpoint = { address: 'installation:simulator', acquirerMerchantId: 'M-1' };
const ROUTED = {
  ...{ entityId: SHOP.entityId, name: 'Few brands', merchant: 'Few', accessTokens: [SHOP.token] },
  merchantAccounts: [{ name: 'Test', connector: 'simulator', endpoints: { EXTERNAL: endpoint } }],
  routes: [
    { merchantAccount: 'Test', modes: ['EXTERNAL'], brands: ['VISA'] },
    ...[
      { merchantAccount: 'Test', modes: ['EXTERNAL'], brands: ['PAYPAL'], amountTo: '50.00 EUR' },
    ],
  ],
};
const PAGE = { brands: 'VISA MASTER PAYPAL', options: '{ activePaymentMethods: true }' };

beforeAll(async () => {
  const management = /^Management on (\S+):/m.exec(visit.sandbox.output())?.[1] ?? '';
  const body = JSON.stringify({ channels: [ROUTED] });
  const { status } = await fetch(`${management}/seed`, { method: 'POST', body });
  expect(status).toBe(200);
}, BROWSER_WITHIN_MS);

/** A checkout of the shop that has routes. */
async function create(amount: string): Promise<Body> {
  const fields = { ...MONEY, amount, entityId: SHOP.entityId, testMode: 'EXTERNAL' };
  const headers = { Authorization: `Bearer ${SHOP.token}` };
  const body = new URLSearchParams(fields);
  const response = await fetch(`${visit.sandbox.url}/v1/checkouts`, {
    ...{ method: 'POST', headers, body },
  });
  return (await response.json()) as Body;
}

/** Which brands the form has: those of the list, and forms of their own. */
async function shown(amount: string, page = PAGE): Promise<readonly string[]> {
  const { id } = await create(amount);
  await visit.openForm(id, page);
  const options = await visit.control('brand').locator('option').all();
  const values = await Promise.all(options.map((option) => option.getAttribute('value')));
  const cards = values.filter((brand) => brand !== null && brand !== '') as string[];
  const providers = await visit.page.locator('form.wpwl-form-virtualAccount-PAYPAL').count();
  return providers > 0 ? [...cards, 'PAYPAL'] : cards;
}

describe('a form with activePaymentMethods', () => {
  it(
    'has the brands that the routes of the channel take with this amount',
    async () => {
      expect(await shown('50.00')).toEqual(['VISA', 'PAYPAL']);
      expect(await shown('50.01')).toEqual(['VISA']);
      expect(visit.said).toEqual([]);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'without it has those of the page',
    async () => {
      expect(await shown('50.01', { ...PAGE, options: '{}' })).toEqual([
        'VISA',
        'MASTER',
        'PAYPAL',
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says so where none is left',
    async () => {
      const options = `{ activePaymentMethods: true, onError: (error) => console.warn(error.name, error.message) }`;
      const { id } = await create('50.01');
      await visit.open(id, { brands: 'MASTER PAYPAL', options });
      await visit.page.locator('form.paymentWidgets').waitFor({ state: 'attached' });
      await expectSaid('WidgetError No brand of a form is active.');
    },
    BROWSER_WITHIN_MS,
  );
});

/** The console is told soon after the script has begun. */
async function expectSaid(sentence: string): Promise<void> {
  if (!visit.said.includes(sentence)) {
    await visit.page.waitForEvent('console', (message) => message.text() === sentence);
  }
}
