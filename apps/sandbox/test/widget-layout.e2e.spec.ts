import { beforeEach, describe, expect, it } from '@jest/globals';
import { MONEY, send } from './demo-merchant-fixture.js';
import type { ShopPage } from './form-page.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
/** Frames, marks and the button of a wallet are there by then. */
const SETTLED_MS = 700;

/** What the browser says of all that moves once it was painted. */
const WATCHING = `<script>
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      moved.push([value, sources.map(({ node }) => node?.className ?? node?.nodeName)]);
  }).observe({ type: 'layout-shift', buffered: true });
</script>`;

let visa: string;
beforeEach(async () => {
  const card = { 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' };
  const expiry = { 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  const fields = { paymentBrand: 'VISA', ...card, ...expiry };
  visa = (await send(visit.sandbox, ['POST', '/v1/registrations'], fields)).id;
});

async function movedOn(page: ShopPage): Promise<unknown> {
  const { id } = await visit.create({ ...MONEY, 'registrations[0].id': visa });
  await visit.open(id, { ...page, head: WATCHING });
  await visit.page.locator('.wpwl-form').first().waitFor();
  await visit.page.waitForTimeout(SETTLED_MS);
  return visit.host.evaluate('moved');
}

describe('a page with the form', () => {
  it(
    'would be found if something moved',
    async () => {
      await movedOn({});
      await visit.host.evaluate("document.querySelector('h1').style.marginTop = '200px'");
      await visit.page.waitForFunction('moved.length > 0');
    },
    BROWSER_WITHIN_MS,
  );

  it.each<[string, ShopPage]>([
    ['cards and what is stored', { options: '{registrations: {requireCvv: true}}' }],
    ['brands as pictures', { options: '{style: "logos"}' }],
    ['the address, in German', { options: '{locale: "de", billingAddress: true, total: true}' }],
    ['what is stored alone', { options: '{hideInitialPaymentForms: true}' }],
    ['accounts', { brands: 'STC_PAY DIRECTDEBIT_SEPA IDEAL VISA' }],
    ['wallets', { brands: 'GOOGLEPAY VISA' }],
    ['brands by a list', { options: '{brandDetectionType: "binlist"}' }],
  ])(
    'does not move once it was painted: %s',
    async (_, page) => {
      expect(await movedOn(page)).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
