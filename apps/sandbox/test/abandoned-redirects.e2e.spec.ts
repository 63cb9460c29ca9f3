import { describe, expect, it } from '@jest/globals';
import { BROWSER_WITHIN_MS, ShopperVisit } from './shopper-fixture.js';

const visit = new ShopperVisit({
  SLUICE_SIMULATOR_PAGE_MS: '2500',
  SLUICE_LATE_INQUIRY_MS: '2500',
});

describe('a payment whose shopper never decides', () => {
  it.each([
    ['provider', { paymentBrand: 'PAYPAL' }, '100.396.103'],
    ['bank', { paymentBrand: 'IDEAL', 'bankAccount.country': 'NL' }, '100.395.501'],
  ])(
    'times out at a %s, whose page then takes nothing more',
    async (_, fields, code) => {
      const { id } = await visit.begin(fields);
      expect(await visit.decided(id)).toBe(code);
      await visit.choose('Pay');
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(code);
      await visit.page.goBack();
      await visit.page.reload();
      await visit.page.getByText('nothing was paid').waitFor();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a payment whose shopper cancels, goes back, pays and never comes back again', () => {
  it(
    'stays cancelled, and what was paid is given back',
    async () => {
      const { id } = await visit.begin({ paymentBrand: 'PAYPAL' });
      await visit.choose('Cancel');
      await visit.isBack();
      await visit.page.goBack();
      await visit.choose('Pay, and lose the way back to the shop');
      await visit.page.getByText('This payment is made.').waitFor();
      expect(await visit.decided(id)).toBe('100.396.101');
      await visit.page.goBack();
      await visit.shows('made and taken back');
    },
    BROWSER_WITHIN_MS,
  );
});
