import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { APPROVED, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import type { ShopPage } from './form-page.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();

const wallets = [
  ['APPLEPAY', 'Apple Pay', 'form-apple-pay.js'],
  ['GOOGLEPAY', 'Google Pay', 'form-google-pay.js'],
] as const;

/** The sheet of the simulator, in the page. */
const sheet = (): Locator => visit.page.getByRole('dialog', { name: /, simulated$/ });
const onSheet = (name: string): Locator => sheet().getByRole('button', { name, exact: true });
const button = (title: string): Locator =>
  visit.page.locator('.wpwl-wrapper-submit').getByRole('button', { name: title, exact: true });

/** The page with the button there, which can be pressed. */
async function openWith(id: string, brands: string, page: ShopPage = {}): Promise<void> {
  await visit.open(id, { brands, ...page });
  for (const [brand, title] of wallets) {
    if (!brands.includes(brand)) continue;
    await visit.page.locator(`.wpwl-form-virtualAccount-${brand} [aria-busy="false"]`).waitFor();
    await button(title).and(visit.page.locator(':enabled')).waitFor();
  }
}

async function changeAmount(id: string, amount: string): Promise<void> {
  const { result } = await send(visit.sandbox, ['POST', `/v1/checkouts/${id}`], { amount });
  expect(result.code).toBe('000.200.101');
}

const message = (): Promise<string> => visit.page.locator('.wpwl-message-error').innerText();
const CHANGED = 'The amount has changed. Nothing was charged: check it and pay again.';

describe.each(wallets)('%s on the page of a shop', (brand, title, file) => {
  it(
    'opens the sheet with the amount of the checkout, and pays',
    async () => {
      const { id } = await visit.create();
      const scripts: string[] = [];
      visit.page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
      await openWith(id, brand);
      expect(scripts.filter((path) => path.endsWith(`/${file}`))).toHaveLength(1);
      await button(title).click();
      expect(await sheet().locator('dd').allInnerTexts()).toEqual(['localhost', '92.00 EUR']);
      await onSheet('Pay').click();
      await visit.isBack();
      const paid = await visit.read();
      expect(paid).toMatchObject({
        ...{ ndc: id, paymentBrand: brand, amount: '92.00', currency: 'EUR' },
        ...{ paymentMethod: 'WA', card: { last4Digits: '0000' }, result: { code: APPROVED } },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is cancelled, of which the page hears, and is pressed again',
    async () => {
      const { id } = await visit.create();
      const name = brand === 'APPLEPAY' ? 'applePay' : 'googlePay';
      const options = `{
        onCancel() { window.heard = [...(window.heard ?? []), 'any']; },
        ${name}: { onCancel() { window.heard.push('own'); } },
        onAfterSubmit() { window.sent = true; },
      }`;
      await openWith(id, brand, { options });
      await button(title).click();
      await onSheet('Cancel').click();
      await sheet().waitFor({ state: 'detached' });
      await visit.page.waitForFunction('window.heard?.length === 2');
      expect(await visit.host.evaluate('[window.heard, window.sent]')).toEqual([
        ...[['any', 'own'], undefined],
      ]);
      await button(title).click();
      await visit.page.keyboard.press('Escape');
      await sheet().waitFor({ state: 'detached' });
      await button(title).click();
      await onSheet('Pay').click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'charges nothing where the merchant changes the amount while the sheet is open',
    async () => {
      const { id } = await visit.create();
      await openWith(id, brand);
      await button(title).click();
      await onSheet('Pay').and(visit.page.locator(':enabled')).waitFor();
      await changeAmount(id, '95.00');
      await onSheet('Pay').click();
      await visit.page.locator('.wpwl-message-error').waitFor();
      expect(await message()).toBe(CHANGED);
      await sheet().waitFor({ state: 'detached' });
      const { result } = await send(visit.sandbox, ['GET', `/v1/checkouts/${id}/payment`]);
      expect(result.code).toBe('000.200.000');
      await button(title).and(visit.page.locator(':enabled')).click();
      expect(await sheet().locator('dd').last().innerText()).toBe('95.00 EUR');
      await onSheet('Pay').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ amount: '95.00', result: { code: APPROVED } });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the inputs of the page, and opens no sheet where the page says no',
    async () => {
      const { id } = await visit.create();
      const options = `{
        onReady(containers) {
          containers[0].querySelector('form').insertAdjacentHTML('afterbegin',
            '<input name="customParameters[SHOPPER_note]" value="a gift">');
        },
        onBeforeSubmitVirtualAccount() { return window.allowed === true; },
      }`;
      await openWith(id, brand, { options });
      await button(title).click();
      expect(await sheet().count()).toBe(0);
      await visit.host.evaluate('window.allowed = true');
      await button(title).click();
      await onSheet('Pay').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ customParameters: { SHOPPER_note: 'a gift' } });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    "needs the provider's script in the page's policy, and nothing else",
    async () => {
      const { id } = await visit.create();
      const gateway = visit.sandbox.url;
      const policy = `default-src 'none'; img-src 'self'; script-src 'nonce-ZnJlc2g'; connect-src ${gateway}`;
      await openWith(id, brand, {
        attributes: 'nonce="ZnJlc2g" crossorigin="anonymous"',
        head: `<meta http-equiv="content-security-policy" content="${policy}">`,
      });
      await button(title).click();
      await onSheet('Pay').click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is left out where its script does not come, and other forms are there',
    async () => {
      const { id } = await visit.create();
      await visit.page.route('**/wallets/*.js', (route) => route.fulfill({ status: 404 }));
      await visit.openForm(id, {
        brands: `${brand} VISA`,
        options: '{onError({ name, message }) { window.failed = `${name}: ${message}`; }}',
      });
      await visit.page.waitForFunction('window.failed !== undefined');
      expect(await visit.host.evaluate('window.failed')).toMatch(
        new RegExp(`^WidgetError: ${brand} is not shown: .* cannot be loaded\\.$`),
      );
      expect(await button(title).count()).toBe(0);
      await visit.fill();
      await visit.form.locator('.wpwl-button-pay').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ paymentBrand: 'VISA' });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('Apple Pay on the page of a shop', () => {
  it(
    'is declined, and is pressed again',
    async () => {
      const { id } = await visit.create();
      await openWith(id, 'APPLEPAY');
      await button('Apple Pay').click();
      await onSheet('Let it be declined').click();
      await visit.page.locator('.wpwl-message-error').waitFor();
      expect(await message()).toContain('The payment was declined');
      await sheet().waitFor({ state: 'detached' });
      await button('Apple Pay').and(visit.page.locator(':enabled')).click();
      await onSheet('Pay').click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'opens no sheet for an amount that is another one by then, and then one with that',
    async () => {
      const { id } = await visit.create();
      await openWith(id, 'APPLEPAY');
      await changeAmount(id, '95.00');
      await button('Apple Pay').click();
      await visit.page.locator('.wpwl-message-error').waitFor();
      expect(await message()).toBe(CHANGED);
      await sheet().waitFor({ state: 'detached' });
      await button('Apple Pay').and(visit.page.locator(':enabled')).click();
      expect(await sheet().locator('dd').last().innerText()).toBe('95.00 EUR');
      await onSheet('Pay').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ amount: '95.00' });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has a currency without decimals as its sheets have it',
    async () => {
      const { id } = await visit.create({ ...MONEY, currency: 'JPY' });
      await openWith(id, 'APPLEPAY', { options: "{applePay: {total: {label: 'Corner Shop'}}}" });
      await button('Apple Pay').click();
      expect(await sheet().locator('dd').allInnerTexts()).toEqual(['Corner Shop', '92 JPY']);
      await onSheet('Pay').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ amount: '92.00', currency: 'JPY' });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the address that the merchant has set with the checkout',
    async () => {
      const shopperResultUrl = `${visit.shopUrl}/result?own=1`;
      const { id } = await visit.create({ ...MONEY, shopperResultUrl });
      await openWith(id, 'APPLEPAY');
      await button('Apple Pay').click();
      await onSheet('Pay').click();
      await visit.isBack();
      expect(visit.returns[0]).toMatch(/^\/result\?own=1&id=/);
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('wallets beside other forms', () => {
  const brands = 'APPLEPAY VISA GOOGLEPAY';

  it(
    'tell of each option that has no effect, and are taken away with the others',
    async () => {
      const { id } = await visit.create();
      await openWith(id, brands, {
        options: `{
          applePay: {
            displayName: 'Corner Shop', supportedNetworks: ['visa'], merchantCapabilities: ['supportsEMV'],
            total: { label: 'Corner Shop', amount: '1.00' }, currencyCode: 'USD', lineItems: [],
            requiredBillingContactFields: ['email'], onPaymentMethodSelected() {}, buttonStyle: 'red',
          },
          googlePay: {
            gatewayMerchantId: 'other', allowedCardNetworks: 'VISA', amount: '1.00', emailRequired: true,
            buttonColor: 'white', strange: 1,
          },
          clickToPay: {},
        }`,
      });
      const said = visit.said.map((text) => text.replace(/^Sluice: wpwlOptions\./, ''));
      expect(said.map((text) => /^[\w.]+/.exec(text)?.[0]).sort()).toEqual([
        ...['applePay.buttonStyle', 'applePay.currencyCode', 'applePay.lineItems'],
        ...['applePay.merchantCapabilities', 'applePay.onPaymentMethodSelected'],
        ...['applePay.requiredBillingContactFields', 'applePay.total', 'clickToPay'],
        ...['googlePay.allowedCardNetworks', 'googlePay.amount', 'googlePay.emailRequired'],
        ...['googlePay.gatewayMerchantId', 'googlePay.strange'],
      ]);
      await button('Google Pay').click();
      expect(await sheet().locator('dd').last().innerText()).toBe('92.00 EUR');
      await onSheet('Cancel').click();
      const before = await visit.host.evaluate('document.adoptedStyleSheets.length');
      expect(before).toBe(3);
      await visit.host.evaluate('wpwl.unload()');
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
      expect(await visit.page.locator('form.paymentWidgets').count()).toBe(1);
      expect(await visit.host.evaluate('document.adoptedStyleSheets.length')).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'load nothing of a provider where a page has no such button, and say that its options are idle',
    async () => {
      const { id } = await visit.create();
      const paths: string[] = [];
      visit.page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await visit.openForm(id, { brands: 'VISA', options: '{applePay: {version: 3}}' });
      expect(paths.filter((path) => /wallets|form-/.test(path))).toEqual([]);
      expect(visit.said).toEqual([expect.stringContaining('no form has the brand APPLEPAY')]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'are not there where nothing is paid',
    async () => {
      const { id } = await visit.create({ createRegistration: 'true' });
      await visit.openForm(id, { brands, isRegistration: true });
      expect(await visit.page.locator('.wpwl-container').count()).toBe(1);
      expect(visit.said).toEqual([
        expect.stringContaining('the brand APPLEPAY stores nothing by itself'),
        expect.stringContaining('the brand GOOGLEPAY stores nothing by itself'),
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ['light', '#fff', 'en'],
    ['dark', '#121212', 'ar'],
  ])(
    'have no fault of accessibility on a %s page, with and without a sheet, on a phone',
    async (scheme, background, locale) => {
      await visit.openBrowser(PHONE);
      const { id } = await visit.create();
      const head = `<meta name="viewport" content="width=device-width">
        <style>:root { color-scheme: ${scheme}; background: ${background} }</style>`;
      await openWith(id, 'APPLEPAY GOOGLEPAY', { head, options: `{locale: '${locale}'}` });
      const faults = async () => {
        const { violations } = await new AxeBuilder({ page: visit.page })
          .options({ resultTypes: ['violations'] })
          .disableRules(['landmark-one-main', 'region']) // of the shop's page
          .analyze();
        return violations.map(({ id: rule, nodes }) => [rule, nodes[0]?.html]);
      };
      expect(await faults()).toEqual([]);
      await button('Google Pay').press('Enter');
      await onSheet('Pay').and(visit.page.locator(':focus')).waitFor();
      expect(await faults()).toEqual([]);
      const wide = 'document.documentElement.scrollWidth';
      expect(await visit.host.evaluate(wide)).toBeLessThanOrEqual(PHONE.viewport.width);
    },
    BROWSER_WITHIN_MS,
  );
});
