import { describe, expect, it } from '@jest/globals';
import { MONEY } from './demo-merchant-fixture.js';
import { ShopPageVisit } from './shop-page-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';

const visit = new ShopPageVisit();
/** Of what a page does not show. */
const HIDDEN = { state: 'attached' } as const;

describe('a page by React, in its strict mode', () => {
  it(
    'mounts one form, begins another checkout, and pays by a button of its own',
    async () => {
      await visit.goTo('single-page-react');
      await visit.namedButton('Go to payment').click();
      await visit.isReady();
      await visit.frameOf('cardNumber').locator('input:focus').waitFor();
      const active = visit.page.locator('.wpwl-wrapper-cardNumber.is-active');
      await active.waitFor();
      expect(await visit.styleOf('.wpwl-wrapper-cardNumber', 'backgroundColor')).toBe(
        'rgb(238, 244, 255)',
      );
      expect(await visit.page.locator('.wpwl-label:visible').count()).toBe(0);
      await visit.control('expiry').focus();
      await active.waitFor({ state: 'detached' });
      const first = await visit.page.locator('.wpwl-container').getAttribute('id');
      await visit.namedButton('Begin again').click();
      await visit.page.locator(`#${String(first)}`).waitFor({ state: 'detached' });
      await visit.isReady();
      expect(await visit.page.locator('.wpwl-container').count()).toBe(1);
      expect(await visit.page.locator('script[src*="paymentWidgets.js"]').count()).toBe(1);
      await visit.fill();
      await visit.page.route('**/v1/checkouts/*/payment', (route) =>
        route.fulfill({ status: 503, body: 'lost' }),
      );
      await visit.namedButton('Review').click();
      await visit.page.getByRole('status').getByText('PciIframeSubmitError').waitFor();
      await visit.page.unroute('**/v1/checkouts/*/payment');
      await visit.namedButton('Review').click();
      await visit.words('€92.00 by VISA').waitFor();
      await visit.namedButton('Pay now').click();
      await visit.isPaid();
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page by Vue, without a style of the form', () => {
  it(
    'follows the brand that is typed, and leaves the form and comes back to it',
    async () => {
      const [visa = ''] = await visit.storedCards();
      await visit.goTo('single-page-vue', { ...MONEY, 'registrations[0].id': visa });
      await visit.namedButton('Check out').click();
      await visit.namedButton('Pay another way').click();
      await visit.isReady();
      await visit.number.pressSequentially('42');
      await visit.page.locator('#brand', { hasText: 'VISA' }).waitFor();
      await visit.number.fill('37');
      await visit.page.locator('.wpwl-control-brand[data-chosen="AMEX"]').waitFor(HIDDEN);
      await visit.number.blur();
      await visit.hint('cardNumberError').waitFor();
      await visit.number.fill('5454545454545454');
      await visit.page.locator('.wpwl-control-brand[data-chosen="MASTER"]').waitFor(HIDDEN);
      expect(await visit.styleOf('.wpwl-brand-card.wpwl-brand-MASTER', 'fontSize')).toBe('12px');
      await visit.control('expiry').fill('0534');
      await visit.control('cardHolder').fill('Jane Jones');
      await visit.code.fill('123');
      await visit.control('cardHolder').focus();
      for (const field of ['number', 'expiry', 'holder', 'code'])
        await visit.page.locator('#fields', { hasText: field }).waitFor();
      await visit.namedButton('Back to the cart').click();
      await visit.words('Cart').waitFor();
      expect(await visit.host.evaluate('typeof wpwl')).toBe('undefined');
      await visit.namedButton('Check out').click();
      await visit.page.locator('[data-action="submit-registration"]').click();
      expect(await visit.isPaid()).toMatchObject({ registrationId: visa });
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});
