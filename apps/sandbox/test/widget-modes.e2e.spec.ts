import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { APPROVED } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const STC_PAY = 'virtualAccount-STC_PAY';
const brands = 'STC_PAY';
const JQUERY = readFileSync(createRequire(import.meta.url).resolve('jquery'), 'utf8');

const mode = (name: string) =>
  visit.page.locator(`.wpwl-wrapper-radio-${name} > .wpwl-control-radio-${name}`);
const mobile = () => visit.control('mobilePhone');

/** As plugins of shops have it: what they do not want to ask is hidden, and they choose by script. */
const hiding = (more: string) => `{onReady() {
  const inForm = (name) => $('.wpwl-form-virtualAccount-STC_PAY ' + name);
  inForm('.wpwl-wrapper-radio-qrcode').hide();
  inForm('.wpwl-wrapper-radio-mobile').hide();
  inForm('.wpwl-group-paymentMode').hide();
  ${more}
}}`;
const BY_SCRIPT = `
  inForm('.wpwl-group-mobilePhone').show();
  inForm('.wpwl-wrapper-radio-mobile .wpwl-control-radio-mobile').attr('checked', true);
  inForm('.wpwl-wrapper-radio-mobile .wpwl-control-radio-mobile').trigger('click');`;

/** Back at the shop, it is paid, and the shop is told how the shopper was asked. */
async function expectPaidBy(way: 'qrcode' | 'mobile'): Promise<void> {
  await visit.choose('Pay');
  await visit.isBack();
  expect(await visit.read()).toMatchObject({
    ...{ paymentBrand: brands, result: { code: APPROVED } },
    customParameters: { SHOPPER_paymentMode: way },
  });
  expect(visit.said).toEqual([]);
}

describe('an account whose provider asks in several ways', () => {
  it(
    'is paid from by a code, unless the shopper wants to be asked on his telephone',
    async () => {
      const { id } = await visit.create();
      const form = await visit.openAccountForm(id, STC_PAY, { brands });
      const group = form.locator('> .wpwl-group.wpwl-group-paymentMode');
      expect(await group.getByRole('radio').count()).toBe(2);
      expect(await mode('qrcode').isChecked()).toBe(true);
      expect(await mobile().isVisible()).toBe(false);
      await visit.payButton.click();
      await visit.page.getByText('a QR code on this page').waitFor();
      expect(await visit.page.getByText('Mobile number', { exact: true }).count()).toBe(0);
      await expectPaidBy('qrcode');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told the mobile number where he does, by the keyboard',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, STC_PAY, { brands });
      await mode('qrcode').focus();
      await visit.page.keyboard.press('ArrowDown');
      await mobile().waitFor();
      await visit.payButton.click();
      await visit.hint('mobilePhoneError').getByText('Check the mobile number').waitFor();
      await mobile().fill('+966 50 000 0678');
      await visit.payButton.click();
      await visit.page.getByText('a message to the mobile number').waitFor();
      await visit.page.getByText('•••• 678').waitFor();
      await expectPaidBy('mobile');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told a mobile number in Arabic digits',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, STC_PAY, { brands, options: '{locale: "ar"}' });
      await mode('mobile').check();
      await mobile().fill('٠٥٠٠٠٠٠٦٧٨');
      await visit.payButton.click();
      await visit.page.getByText('•••• 678').waitFor();
      await expectPaidBy('mobile');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid from by a code on a page that hides the choice',
    async () => {
      const { id } = await visit.create();
      const head = `<script>${JQUERY}</script>`;
      await visit.openAccountForm(id, STC_PAY, { head, brands, options: hiding('') });
      expect(await mode('qrcode').isVisible()).toBe(false);
      await visit.payButton.click();
      await visit.page.getByText('a QR code on this page').waitFor();
      await expectPaidBy('qrcode');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is asked for the mobile number where a page has chosen that by script',
    async () => {
      const { id } = await visit.create();
      const head = `<script>${JQUERY}</script>`;
      await visit.openAccountForm(id, STC_PAY, { head, brands, options: hiding(BY_SCRIPT) });
      await mobile().fill('0500000678');
      expect(await mode('mobile').isVisible()).toBe(false);
      await visit.payButton.click();
      await visit.page.getByText('•••• 678').waitFor();
      await expectPaidBy('mobile');
    },
    BROWSER_WITHIN_MS,
  );

  it.each(['en', 'ar'])(
    'can be used with a screen reader (%s)',
    async (locale) => {
      const { id } = await visit.create();
      const options = `{locale: "${locale}"}`;
      await visit.openAccountForm(id, STC_PAY, { brands, options });
      await mode('mobile').check();
      await visit.payButton.click();
      await visit.hint('mobilePhoneError').waitFor();
      if (locale === 'en') {
        await visit.page.getByRole('radiogroup', { name: 'How to pay' }).waitFor();
        await visit.page.getByRole('radio', { name: 'By mobile number' }).waitFor();
      }
      const { violations } = await new AxeBuilder({ page: visit.page })
        .options({ resultTypes: ['violations'] })
        .disableRules(['landmark-one-main', 'region']) // of the shop's page
        .analyze();
      expect(violations.map(({ id: name, nodes }) => [name, nodes[0]?.html])).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
