import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const SEPA = 'directDebit-DIRECTDEBIT_SEPA';
const PAYPAL = 'virtualAccount-PAYPAL';
const IDEAL = 'onlineTransfer-IDEAL';
const SOFORT = 'onlineTransfer-SOFORTUEBERWEISUNG';

describe('an account at a provider on the page of a shop', () => {
  const brands = 'PAYPAL';

  it(
    "is paid from on the provider's page, from which the shopper comes back",
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, PAYPAL, { brands });
      expect(await visit.payButton.innerText()).toBe('Continue to PayPal');
      await visit.control('accountId').fill('jane.jones@example.org');
      await visit.payButton.click();
      await visit.choose('Pay');
      await visit.isBack();
      const paid = await visit.read();
      expect(paid).toMatchObject({ ndc: id, paymentBrand: brands, result: { code: APPROVED } });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is cancelled there, and the shopper pays by card in the same checkout',
    async () => {
      const { id } = await visit.create();
      const page = { brands: 'PAYPAL VISA' };
      await visit.openAccountForm(id, PAYPAL, page);
      await visit.page.locator('.wpwl-button-pay-PAYPAL').click();
      await visit.choose('Cancel');
      await visit.isBack();
      expect((await visit.read()).result.code).not.toBe(APPROVED);
      await visit.openForm(id, page);
      await visit.fill();
      await visit.form.locator('.wpwl-button-pay').click();
      await visit.page.getByText('Thank you').waitFor();
      expect(await visit.read()).toMatchObject({
        paymentBrand: 'VISA',
        result: { code: APPROVED },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is stored by its name, which is needed then',
    async () => {
      const { id } = await visit.create({ createRegistration: 'true' });
      await visit.openAccountForm(id, PAYPAL, { brands, isRegistration: true });
      await visit.payButton.click();
      await visit.hint('accountIdError').waitFor();
      await visit.control('accountId').fill('jane.jones@example.org');
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('an order at the bank on the page of a shop', () => {
  it(
    "is given at the bank's page, from which the shopper comes back to the checkout's own address",
    async () => {
      const shopperResultUrl = `${visit.shopUrl}/result?own=1`;
      const { id } = await visit.create({ ...MONEY, shopperResultUrl });
      await visit.openAccountForm(id, IDEAL, { brands: 'IDEAL' });
      expect(await visit.page.locator('.wpwl-control').count()).toBe(0);
      expect(await visit.payButton.innerText()).toBe('Continue to iDEAL');
      await visit.payButton.click();
      await visit.choose('Pay');
      await visit.isBack();
      expect(visit.returns[0]).toMatch(/^\/result\?own=1&id=/);
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, paymentBrand: 'IDEAL', result: { code: APPROVED } },
        bankAccount: { country: 'NL' },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'asks for the country where its method is used in several',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, SOFORT, { brands: 'SOFORTUEBERWEISUNG' });
      await visit.payButton.click();
      await visit.hint('countryError').waitFor();
      await visit.control('country').selectOption({ label: 'Austria' });
      await visit.payButton.click();
      await visit.choose('Pay');
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ result: { code: APPROVED }, bankAccount: { country: 'AT' } },
      });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page with brands of several kinds', () => {
  const brands = 'PAYPAL VISA DIRECTDEBIT_SEPA MASTER SOFORTUEBERWEISUNG';

  it(
    'has a form for each, in its order, and loads for each what only that needs',
    async () => {
      const { id } = await visit.create();
      const scripts: string[] = [];
      visit.page.on('request', (request) => {
        const [, file] = /\/v1\/widget\/\w+\/(form-[\w-]+\.js)$/.exec(request.url()) ?? [];
        if (file !== undefined) scripts.push(file);
      });
      await visit.openForm(id, { brands });
      expect(scripts.sort()).toEqual([
        ...['form-account.js', 'form-direct-debit.js', 'form-online-transfer.js'],
        'form-virtual-account.js',
      ]);
      const names = await visit.host.evaluate(
        "Array.from(document.querySelectorAll('.wpwl-container'), ({ id }) => id.replace(/-[0-9a-f]+$/, ''))",
      );
      expect(names).toEqual([
        'wpwl-container-virtualAccount-PAYPAL',
        'wpwl-container-card',
        'wpwl-container-directDebit-DIRECTDEBIT_SEPA',
        'wpwl-container-onlineTransfer-SOFORTUEBERWEISUNG',
      ]);
      await visit.host.evaluate('wpwl.unload()');
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
      expect(await visit.page.locator('form.paymentWidgets').count()).toBe(1);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'loads nothing of that for cards alone',
    async () => {
      const { id } = await visit.create();
      const scripts: string[] = [];
      visit.page.on('request', (request) => scripts.push(request.url()));
      await visit.openForm(id);
      expect(scripts.filter((url) => url.includes('/form-'))).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told where a form does not come as the gateway made it, and shows the others',
    async () => {
      const { id } = await visit.create();
      await visit.page.route('**/form-direct-debit.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()};` });
      });
      await visit.openForm(id, {
        ...{ brands: 'VISA DIRECTDEBIT_SEPA' },
        options: '{onError({ name, message }) { window.failed = `${name}: ${message}`; }}',
      });
      expect(await visit.host.evaluate('window.failed')).toContain(
        'WidgetError: The form for directDebit is left out',
      );
      expect(await visit.page.locator('.wpwl-container').count()).toBe(1);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may say no to each, and may put inputs into the form, which are sent',
    async () => {
      const { id } = await visit.create();
      const options = `{
        onReady() {
          for (const button of document.querySelectorAll('.wpwl-button')) {
            button.insertAdjacentHTML('beforebegin',
              '<input name="customParameters[SHOPPER_note]" value="a gift">' +
              '<input name="customParameters[note]" value="no">');
          }
        },
        onBeforeSubmitDirectDebit(event) { window.asked = event.type; return window.allowed === true; },
        onBeforeSubmitVirtualAccount() { window.wrong = true; },
      }`;
      await visit.openAccountForm(id, SEPA, { brands: 'DIRECTDEBIT_SEPA PAYPAL', options });
      await visit.fillDebit();
      await visit.page.locator('.wpwl-button-pay-DIRECTDEBIT_SEPA').click();
      expect(await visit.host.evaluate('[window.asked, window.wrong]')).toEqual([
        ...['submit', undefined],
      ]);
      expect(visit.returns).toEqual([]);
      await visit.host.evaluate('window.allowed = true');
      await visit.host.evaluate(`wpwl.executePayment('wpwl-container-${SEPA}')`);
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ customParameters: { SHOPPER_note: 'a gift' } });
      expect(visit.said).toEqual([expect.stringContaining('customParameters[note] is not sent')]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may have a strict policy, and load them all the same',
    async () => {
      const { id } = await visit.create();
      const gateway = visit.sandbox.url;
      const policy = `default-src 'none'; img-src 'self'; script-src 'nonce-ZnJlc2g'; frame-src ${gateway}; connect-src ${gateway}`;
      await visit.openAccountForm(id, SEPA, {
        ...{ brands: 'DIRECTDEBIT_SEPA', attributes: 'nonce="ZnJlc2g" crossorigin="anonymous"' },
        head: `<meta http-equiv="content-security-policy" content="${policy}">`,
      });
      await visit.fillDebit();
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ['light', '#fff', 'en'],
    ['dark', '#121212', 'ar'],
  ])(
    'has no fault of accessibility on a %s page with all of it wrong, on a phone',
    async (scheme, background, locale) => {
      await visit.openBrowser(PHONE);
      const { id } = await visit.create();
      const head = `<meta name="viewport" content="width=device-width">
        <style>:root { color-scheme: ${scheme}; background: ${background} }</style>`;
      await visit.openForm(id, { brands, head, options: `{locale: '${locale}'}` });
      for (const brand of ['DIRECTDEBIT_SEPA', 'SOFORTUEBERWEISUNG']) {
        await visit.page.locator(`.wpwl-button-pay-${brand}`).click();
      }
      await visit.hint('countryError').waitFor();
      const { violations } = await new AxeBuilder({ page: visit.page })
        .options({ resultTypes: ['violations'] })
        .disableRules(['landmark-one-main', 'region']) // of the shop's page
        .analyze();
      expect(violations.map(({ id: rule, nodes }) => [rule, nodes[0]?.html])).toEqual([]);
      const wide = 'document.documentElement.scrollWidth';
      expect(await visit.host.evaluate(wide)).toBeLessThanOrEqual(PHONE.viewport.width);
      const directionOf = (name: string) =>
        visit.host.evaluate(
          `getComputedStyle(document.querySelector('.wpwl-control-${name}')).direction`,
        );
      expect(await directionOf('accountIban')).toBe('ltr');
      expect(await directionOf('accountHolder')).toBe(locale === 'ar' ? 'rtl' : 'ltr');
    },
    BROWSER_WITHIN_MS,
  );
});
