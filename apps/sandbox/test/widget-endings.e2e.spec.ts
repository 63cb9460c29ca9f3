import { describe, expect, it } from '@jest/globals';
import { APPROVED } from './demo-merchant-fixture.js';
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
