import { describe, expect, it } from '@jest/globals';
import { MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
/** As shops have it in their styles, for other reasons than to show anything. */
const head = `<style>
  .wpwl-container, .wpwl-form, form { display: block }
  .wpwl-label, .wpwl-group, .wpwl-wrapper { display: flex }
  iframe { display: block }
</style>`;

async function storedCard(): Promise<string> {
  const { id } = await send(visit.sandbox, ['POST', '/v1/registrations'], {
    ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  });
  return id;
}

describe('what the form does not show is not shown by the styles of a shop', () => {
  it(
    'such as other forms, which a script of the shop shows',
    async () => {
      const { id } = await visit.create({ ...MONEY, 'registrations[0].id': await storedCard() });
      const options = '{registrations: {hideInitialPaymentForms: true}}';
      const form = await visit.openAccountForm(id, 'registrations', { options, head });
      expect(await form.isVisible()).toBe(true);
      expect(await visit.form.isVisible()).toBe(false);
      // As jQuery's `show` does it.
      await visit.host.evaluate(
        `document.querySelector('.wpwl-container-card').style.display = ''`,
      );
      expect(await visit.form.isVisible()).toBe(true);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'such as forms of the page beside the account that is the only one, until they are put back',
    async () => {
      const { id } = await visit.create({ ...MONEY, registrationId: await storedCard() });
      const more = `<form action="/result" class="paymentWidgets" style="display: grid" data-brands="PAYPAL">text</form>`;
      await visit.openAccountForm(id, 'registrations', {
        head,
        formText: `</form>${more}<form>`,
      });
      const form = visit.page.locator('form.paymentWidgets');
      expect(await form.count()).toBe(1);
      expect(await form.isVisible()).toBe(false);
      await visit.host.evaluate('wpwl.unload()');
      const displays = `[...document.querySelectorAll('form.paymentWidgets')].map((one) => one.style.display)`;
      expect(await visit.host.evaluate(displays)).toEqual(['', 'grid']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'such as wallets that cannot be used, labels, and the fields of another way to pay',
    async () => {
      const { id } = await visit.create({ ...MONEY, currency: 'SAR' });
      await visit.page.route('**/wallets', (route) => route.fulfill({ json: {} }));
      await visit.openForm(id, {
        ...{ head, brands: 'VISA STC_PAY GOOGLEPAY' },
        options: '{showLabels: false, billingAddress: true}',
      });
      const wallet = visit.page.locator('form.wpwl-form-virtualAccount-GOOGLEPAY');
      await wallet.waitFor({ state: 'hidden' });
      expect(await wallet.count()).toBe(1);
      const labels = visit.page.locator('.wpwl-label');
      expect(await labels.count()).toBeGreaterThan(8);
      expect(await labels.filter({ visible: true }).count()).toBe(0);
      const mobile = visit.page.locator('.wpwl-group-mobilePhone');
      expect(await mobile.isVisible()).toBe(false);
      await visit.page.locator('.wpwl-control-radio-mobile').check();
      expect(await mobile.isVisible()).toBe(true);
    },
    BROWSER_WITHIN_MS,
  );
});
