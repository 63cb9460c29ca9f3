import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const TELLING = '{onError({ name, message }) { (window.failed ??= []).push([name, message]); }}';
const SENT_FORMS = '**/v1/checkouts/*/payment';
const DECLINED_HOLDER = '800.100.152';
const ATTEMPTS_MAX = 10;

const failed = () => visit.host.evaluate<unknown>('window.failed');
const alert = () => visit.form.getByRole('alert');
const OVER = ['InvalidCheckoutIdError', 'This checkout cannot be completed any more.'];

describe('a form that the gateway does not listen to at the moment', () => {
  it(
    'says so, stays, and is sent again',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: TELLING });
      await visit.fill();
      const description = 'Too many requests. Please try again later.';
      await visit.page.route(
        SENT_FORMS,
        (route) =>
          route.fulfill({
            ...{ status: 400, headers: { 'access-control-allow-origin': '*' } },
            json: { result: { code: '800.120.100', description } },
          }),
        { times: 1 },
      );
      await visit.payButton.click();
      await alert().getByText('Too many attempts at the moment').waitFor();
      expect(await failed()).toBeUndefined();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is over where it is the checkout that takes no further attempt',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: TELLING });
      const declined = {
        ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
        ...{ 'card.holder': DECLINED_HOLDER, 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      };
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        await fetch(`${visit.sandbox.url}/v1/checkouts/${id}/payment`, {
          ...{ method: 'POST', body: new URLSearchParams(declined) },
        });
      }
      await visit.fill();
      await visit.payButton.click();
      await alert().getByText('can no longer be completed').waitFor();
      expect(await failed()).toEqual([OVER]);
      expect(await visit.payButton.isDisabled()).toBe(true);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a checkout that is over when its form is shown', () => {
  it(
    'is said by each form at once, and none can be sent',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      const brands = 'VISA PAYPAL DIRECTDEBIT_SEPA APPLEPAY';
      const sent: string[] = [];
      visit.page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url());
      });
      await visit.openForm(id, { options: TELLING, brands });
      await visit.page.waitForFunction('window.failed?.length === 1');
      const names = ['card', 'virtualAccount-PAYPAL', 'directDebit-DIRECTDEBIT_SEPA'];
      for (const name of [...names, 'virtualAccount-APPLEPAY']) {
        const form = visit.page.locator(`form.wpwl-form-${name}`);
        await form.getByRole('alert').getByText('can no longer be completed').waitFor();
        expect(await form.locator('.wpwl-button-pay').isDisabled()).toBe(true);
      }
      await visit.fill();
      for (const name of names)
        await visit.host.evaluate(`wpwl.executePayment('wpwl-container-${name}')`);
      await visit.number.press('Enter');
      expect(await failed()).toEqual([OVER]);
      expect(sent).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a checkout whose page has the script of another kind of checkout', () => {
  it.each([
    ['only stores', { createRegistration: 'true' }, false, '/registration'],
    ['pays', { ...MONEY }, true, ''],
  ])(
    'that %s says which script it is, and is not sent',
    async (does, fields, isRegistration, suffix) => {
      const { id } = await visit.create(fields);
      await visit.openForm(id, { options: TELLING, isRegistration });
      await visit.page.waitForFunction('window.failed?.length === 1');
      const script = `${visit.sandbox.url}/v1/paymentWidgets.js?checkoutId=${id}${suffix}`;
      const message = `This checkout ${does}, so the script of its page is ${script}`;
      expect(await failed()).toEqual([['WidgetError', message]]);
      expect(visit.said).toEqual([`Sluice: ${message}`]);
      expect(await visit.payButton.isDisabled()).toBe(true);
      await visit.openForm(id, { options: TELLING, isRegistration: !isRegistration });
      expect(await failed()).toBeUndefined();
      expect(await visit.payButton.isEnabled()).toBe(true);
    },
    BROWSER_WITHIN_MS,
  );
});
