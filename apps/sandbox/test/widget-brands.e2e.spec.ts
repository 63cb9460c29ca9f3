import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const radio = (name: string) => visit.form.getByRole('radio', { name, exact: true });
const brand = (name: string) => visit.page.locator(`.wpwl-brand-${name}`);

async function faultsOfAccessibility(): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page: visit.page })
    .options({ resultTypes: ['violations'] })
    .disableRules(['landmark-one-main', 'region']) // of the shop's page
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

describe('brands as pictures', () => {
  it(
    'are chosen by pointer and keyboard, follow the number, and are sent',
    async () => {
      const { id } = await visit.create();
      const options = `{style: "logos", onChangeBrand(brand) { (window.chosen ??= []).push(brand); }}`;
      await visit.openForm(id, { options });
      const group = visit.form.locator('> div.wpwl-group.wpwl-group-brand.wpwl-group-brandLogo');
      expect(await group.getByRole('radiogroup', { name: 'Brand' }).count()).toBe(1);
      expect(await radio('Visa').isChecked()).toBe(true);
      await brand('AMEX').click();
      expect(await radio('American Express').isChecked()).toBe(true);
      await visit.page.keyboard.press('ArrowLeft');
      expect(await radio('Mastercard').isChecked()).toBe(true);
      expect(await brand('MASTER').getAttribute('class')).toContain('wpwl-selected');
      expect(await visit.page.locator('.wpwl-selected').count()).toBe(1);
      expect(await visit.control('brand').inputValue()).toBe('MASTER');
      await visit.number.pressSequentially('42');
      await visit.page.locator('.wpwl-brand-VISA.wpwl-selected').waitFor();
      expect(await visit.host.evaluate('window.chosen')).toEqual(['AMEX', 'MASTER', 'VISA']);
      await visit.number.fill('377777777777770');
      await visit.page.locator('.wpwl-brand-AMEX.wpwl-selected').waitFor();
      await visit.control('expiry').fill('0534');
      await visit.code.fill('1234');
      await visit.payButton.click();
      await visit.isBack();
      const paid = await visit.read();
      expect(paid).toMatchObject({ paymentBrand: 'AMEX', result: { code: APPROVED } });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ...[
      ['logos', 'light', 'en'],
      ['logos', 'dark', 'en'],
      ['logos', 'light', 'ar'],
      ['card', 'dark', 'ar'],
      ['plain', 'light', 'en'],
      ['none', 'light', 'en'],
    ],
  ])(
    'have no fault of accessibility in style %s on a %s page in %s, on a phone either',
    async (style, scheme, locale) => {
      await visit.openBrowser(PHONE);
      const { id } = await visit.create();
      const background = scheme === 'dark' ? '#121212' : '#fff';
      const head = `<meta name="viewport" content="width=device-width">
        <style>:root { color-scheme: ${scheme}; background: ${background} }</style>`;
      const brands = 'VISA MASTER AMEX MADA MAESTRO DINERS UNIONPAY AXESS';
      await visit.openForm(id, { head, brands, options: JSON.stringify({ style, locale }) });
      await visit.payButton.click();
      await visit.hint('cvvError').waitFor();
      expect(await faultsOfAccessibility()).toEqual([]);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect(await visit.host.evaluate(overflow)).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'are drawn beside the list as well, but for a brand that the shop has a picture of',
    async () => {
      const { id } = await visit.create();
      const head = '<style>.wpwl-brand-MASTER { background: linear-gradient(red, blue) }</style>';
      await visit.openForm(id, { head });
      const mark = visit.page.locator('.wpwl-brand-card svg');
      expect(await mark.isVisible()).toBe(true);
      expect(await mark.textContent()).toBe('VISA');
      await visit.control('brand').selectOption('MASTER');
      await brand('MASTER').locator('svg').waitFor({ state: 'hidden' });
      await visit.control('brand').selectOption('AMEX');
      await brand('AMEX').locator('svg').waitFor();
      expect(await mark.textContent()).toBe('AMEX');
    },
    BROWSER_WITHIN_MS,
  );
});

describe("brands by the gateway's list", () => {
  const options = `{brandDetectionType: "binlist", onDetectBrand(brands) { (window.found ??= []).push(brands.join()); },
    onDetectBin(details) { (window.bins ??= []).push(JSON.stringify(details)); }}`;
  const brands = 'CARTEBANCAIRE VISA MASTER';

  it(
    'are those of the card, where its first digits alone are of several; the page is told of the range',
    async () => {
      const { id } = await visit.create();
      const asked: string[] = [];
      visit.page.on('request', (request) => {
        if (!request.url().endsWith('/card-range')) return;
        asked.push(
          `${request
            .frame()
            .url()
            .replace(/.*\/|\..*/g, '')} ${request.postData()}`,
        );
        expect(request.url()).not.toMatch(/4200/);
      });
      await visit.openForm(id, { brands, options });
      await visit.number.pressSequentially('42000');
      // Cards of both may begin so.
      expect(await visit.control('brand').inputValue()).toBe('CARTEBANCAIRE');
      await visit.number.pressSequentially('00000000000');
      await visit.page.waitForFunction(
        "document.querySelector('.wpwl-control-brand').value === 'VISA'",
      );
      expect(asked).toEqual(['field card.range=420000', 'field card.range=42000000']);
      expect(await visit.host.evaluate('window.bins')).toEqual([
        '{"brands":["VISA"],"country":"DE","type":"CREDIT"}',
      ]);
      expect(await visit.host.evaluate('window.found')).toEqual(['CARTEBANCAIRE,VISA', 'VISA']);
      await visit.control('expiry').fill('0534');
      await visit.code.fill('123');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        paymentBrand: 'VISA',
        result: { code: APPROVED },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'are those of the table of brands where the list says none, or does not answer',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { brands: 'MASTER VISA', options });
      const answered = visit.page.waitForResponse('**/card-range');
      await visit.number.fill('4999990000000000');
      await answered;
      expect(await visit.control('brand').inputValue()).toBe('VISA');
      await visit.page.route('**/card-range', (route) => route.fulfill({ status: 400, json: {} }));
      await visit.number.fill('5454545454545454');
      await visit.page.waitForFunction(
        "document.querySelector('.wpwl-control-brand').value === 'MASTER'",
      );
      expect(await visit.host.evaluate('window.bins')).toBeUndefined();
    },
    BROWSER_WITHIN_MS,
  );
});
