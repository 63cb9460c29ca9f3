import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const DECLINED_HOLDER = '800.100.152';

/** Every payment of one order. */
async function paymentsOf(merchantTransactionId: string): Promise<unknown[]> {
  const found = await send(visit.sandbox, ['GET', '/v1/query'], { merchantTransactionId });
  return (found['payments'] ?? []) as unknown[];
}

describe('a card form on the page of a shop', () => {
  it(
    'takes a card, and the shopper comes back to the shop, which reads that it is paid',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      const path = encodeURIComponent(`/v1/checkouts/${id}/payment`);
      expect(visit.returns).toEqual([`/result?order=7&id=${id}&resourcePath=${path}`]);
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, ...MONEY, paymentBrand: 'VISA', result: { code: APPROVED } },
        card: { last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the nesting and the classes that pages of the interface family look for',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      const form =
        'div.wpwl-container.wpwl-container-card > form.wpwl-form.wpwl-form-card.wpwl-clearfix';
      const controls = {
        brand: 'select[name="paymentBrand"]',
        cardNumber: 'iframe.wpwl-control-iframe',
        expiry: 'input[name="card.expiry"]',
        cardHolder: 'input[name="card.holder"]',
        cvv: 'iframe.wpwl-control-iframe',
      };
      for (const [name, control] of Object.entries(controls)) {
        const group = `${form} > div.wpwl-group.wpwl-group-${name}.wpwl-clearfix`;
        const wrapper = `div.wpwl-wrapper.wpwl-wrapper-${name}`;
        const found = [
          `${group} > div.wpwl-label.wpwl-label-${name}`,
          `${group} > ${wrapper} > ${control}.wpwl-control.wpwl-control-${name}`,
        ].map((selector) => visit.page.locator(selector).count());
        expect([name, ...(await Promise.all(found))]).toEqual([name, 1, 1]);
      }
      const last = `${form} > div.wpwl-group-submit:last-child button.wpwl-button.wpwl-button-pay`;
      expect(await visit.page.locator(last).count()).toBe(1);
      expect(await visit.page.locator('.wpwl-brand-card.wpwl-brand-VISA').count()).toBe(1);
      expect(await visit.page.locator('form.paymentWidgets').count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is declined, says so, and can be corrected',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.fill({ holder: DECLINED_HOLDER });
      await visit.payButton.click();
      const alert = visit.form.getByRole('alert');
      await alert.getByText('The payment was declined').waitFor();
      expect(visit.returns).toEqual([]);
      await visit.page.locator('.wpwl-control-cardHolder').fill('Jane Jones');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ ndc: id, result: { code: APPROVED } });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid once by a double click',
    async () => {
      const merchantTransactionId = 'widget clicked twice';
      const { id } = await visit.create({ ...MONEY, merchantTransactionId });
      await visit.openForm(id);
      await visit.fill();
      await visit.payButton.dblclick();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      expect(await paymentsOf(merchantTransactionId)).toHaveLength(1);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says what is wrong before anything is sent, and takes it back when it is typed',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      let sent = 0;
      visit.page.on('request', (request) => {
        if (request.method() === 'POST') sent += 1;
      });
      await visit.payButton.click();
      const hints = ['cardNumberError', 'expiryMonthError', 'cvvError'];
      for (const name of hints) await visit.hint(name).waitFor();
      const wrong = await visit.page.locator('.wpwl-control.wpwl-has-error').count();
      expect([wrong, sent]).toEqual([3, 0]);
      expect(await visit.number.getAttribute('aria-invalid')).toBe('true');
      expect(await visit.frameOf('cardNumber').locator('#fault').textContent()).toBe(
        'Check the card number',
      );
      // The first that is wrong has the focus.
      await visit.frameOf('cardNumber').locator('input:focus').waitFor();
      await visit.page.keyboard.type('4200');
      expect(await visit.number.inputValue()).toBe('4200');
      await visit.hint('cardNumberError').waitFor({ state: 'detached' });
      await visit.number.press('Tab');
      await visit.hint('cardNumberError').waitFor();
      await visit.page.locator('.wpwl-control-expiry').fill('0120');
      await visit.page.locator('.wpwl-control-expiry').blur();
      expect(await visit.hint('expiryYearError').innerText()).toBe('This card has expired');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'finds the brand of a number, shows it as it is printed, and asks for a code of its length',
    async () => {
      const { id } = await visit.create();
      const options = '{onDetectBrand(brands) { (window.detected ??= []).push(brands); }}';
      await visit.openForm(id, { options });
      await visit.number.pressSequentially('377777777777770');
      expect(await visit.number.inputValue()).toBe('3777 777777 77770');
      await visit.page.locator('.wpwl-brand-card.wpwl-brand-AMEX').waitFor({ state: 'attached' });
      expect(await visit.page.locator('.wpwl-control-brand').inputValue()).toBe('AMEX');
      expect(await visit.host.evaluate('window.detected')).toEqual([['AMEX']]);
      await visit.page.locator('.wpwl-control-expiry').pressSequentially('534');
      expect(await visit.page.locator('.wpwl-control-expiry').inputValue()).toBe('05 / 34');
      await visit.code.pressSequentially('123');
      await visit.payButton.click();
      await visit.hint('cvvError').waitFor();
      await visit.code.pressSequentially('4');
      await visit.code.press('Enter');
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        paymentBrand: 'AMEX',
        result: { code: APPROVED },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'stores a card and takes no money where the checkout is for that',
    async () => {
      const { id } = await visit.create({ createRegistration: 'true' });
      await visit.openForm(id, { isRegistration: true });
      expect(await visit.payButton.innerText()).toBe('Save card');
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect(visit.returns[0]).toContain(encodeURIComponent(`/v1/checkouts/${id}/registration`));
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, result: { code: APPROVED }, card: { last4Digits: '0000' } },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'leads to the address of the checkout, where the merchant has set another one than the page has',
    async () => {
      const shopperResultUrl = `${visit.shopUrl}/result?own=1`;
      const { id } = await visit.create({ ...MONEY, shopperResultUrl });
      await visit.openForm(id);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect(visit.returns[0]).toMatch(/^\/result\?own=1&id=/);
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says that it is too late where the checkout is no more',
    async () => {
      const unknown = `${'0'.repeat(32)}.sluice`;
      await visit.openForm(unknown, {
        options: '{onError(error) { window.failed = [...(window.failed ?? []), error.name]; }}',
      });
      await visit.page.waitForFunction('window.failed?.length === 1');
      await visit.form.getByRole('alert').getByText('can no longer be completed').waitFor();
      expect(await visit.payButton.isDisabled()).toBe(true);
      expect(await visit.host.evaluate('window.failed')).toEqual(['InvalidCheckoutIdError']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may be sent again where the network was away, and is paid once',
    async () => {
      const merchantTransactionId = 'widget without network';
      const { id } = await visit.create({ ...MONEY, merchantTransactionId });
      await visit.openForm(id, { options: '{onError(error) { window.failed = error.name; }}' });
      await visit.fill();
      // The gateway gets it, and its answer gets lost.
      await visit.page.route('**/v1/checkouts/**', async (route) => {
        await route.fetch();
        await route.fulfill({ status: 503, body: 'lost' });
      });
      await visit.payButton.click();
      await visit.form.getByRole('alert').getByText('you will not be charged twice').waitFor();
      expect(await visit.host.evaluate('window.failed')).toBe('PciIframeSubmitError');
      await visit.page.unroute('**/v1/checkouts/**');
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      expect(await paymentsOf(merchantTransactionId)).toHaveLength(1);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'sends the shopper on by a form, after what is loaded before, where the answer says so',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id);
      await visit.fill();
      const parameters = [{ name: 'a', value: 'b "c"' }];
      const before = { url: 'http://localhost/before?x=1', method: 'GET', parameters };
      const redirect = {
        ...{ url: `${visit.shopUrl}/result`, parameters },
        preconditions: [before, { ...before, method: 'POST' }],
      };
      await visit.page.route('**/before**', (route) => route.fulfill({ body: 'loaded' }));
      await visit.page.route('**/v1/checkouts/**', (route) =>
        route.fulfill({ json: { id: 'x', result: { code: '000.200.000' }, redirect } }),
      );
      const asked: [string, string, string | null][] = [];
      visit.page.on('request', (request) => {
        if (/\/(?:before|result)/.test(request.url()))
          asked.push([request.method(), request.url(), request.postData()]);
      });
      await visit.payButton.click();
      await visit.isBack();
      expect(asked).toEqual([
        ['GET', 'http://localhost/before?x=1&a=b+%22c%22', null],
        ['POST', before.url, 'a=b+%22c%22'],
        ['POST', redirect.url, 'a=b+%22c%22'],
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is usable on a phone, and in right order where it is written to the left',
    async () => {
      await visit.openBrowser(PHONE);
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{locale: "ar"}' });
      const container = visit.page.locator('.wpwl-container-card');
      expect(await container.getAttribute('dir')).toBe('rtl');
      expect(await visit.payButton.innerText()).toBe('ادفع الآن');
      const { width } = (await container.boundingBox()) ?? { width: 0 };
      expect(width).toBeGreaterThan(0);
      expect(width).toBeLessThanOrEqual(PHONE.viewport.width);
      await visit.number.pressSequentially('\u0664\u0662\u0660\u0660'.repeat(1) + '000000000000');
      expect(await visit.number.inputValue()).toBe('4200 0000 0000 0000');
      expect(await visit.number.getAttribute('inputmode')).toBe('numeric');
      expect(await visit.number.getAttribute('dir')).toBe('ltr');
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ['light', '#fff'],
    ['dark', '#121212'],
  ])(
    'has no fault of accessibility on a %s page, in its frames neither, also where all of it is wrong',
    async (scheme, background) => {
      const { id } = await visit.create();
      const head = `<style>:root { color-scheme: ${scheme}; background: ${background} }</style>`;
      await visit.openForm(id, { head });
      await visit.payButton.click();
      await visit.hint('cvvError').waitFor();
      const { violations } = await new AxeBuilder({ page: visit.page })
        .options({ resultTypes: ['violations'] })
        .disableRules(['landmark-one-main', 'region']) // of the shop's page
        .analyze();
      expect(violations.map(({ id: rule, nodes }) => [rule, nodes[0]?.html])).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
