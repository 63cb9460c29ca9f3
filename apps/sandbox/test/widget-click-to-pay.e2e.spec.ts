import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import type { FrameLocator, Locator } from 'playwright-core';
import { APPROVED, entityId, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import type { ShopPage } from './form-page.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const BRAND = 'CLICK_TO_PAY';
const EMAIL = 'jane@example.org';
/** What the simulator sends to everybody. */
const CODE = '123456';
const WITH_CUSTOMER = {
  ...{ ...MONEY, 'customer.email': EMAIL },
  ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
};

const button = (): Locator =>
  visit.page.locator('.wpwl-wrapper-submit').getByRole('button', { name: 'Click to Pay' });
const sheet = (): Locator => visit.page.getByRole('dialog', { name: 'Click to Pay' });
const onSheet = (name: string): Locator => sheet().getByRole('button', { name, exact: true });
/** Where the card's own system asks. */
const facilitator = (): FrameLocator => sheet().frameLocator('iframe');
const alert = (): Promise<string> => sheet().getByRole('alert').innerText();

async function openWith(id: string, page: ShopPage = {}): Promise<void> {
  await visit.open(id, { brands: BRAND, ...page });
  await button().and(visit.page.locator(':enabled')).waitFor();
}

async function tell(label: string, value: string, go = 'Continue'): Promise<void> {
  await sheet().getByLabel(label).fill(value);
  await onSheet(go).click();
}

/** From the button to the question of the card's system. */
async function choose(card: string): Promise<void> {
  await button().click();
  await tell('E-mail address', EMAIL);
  await tell('One-time code', CODE);
  await onSheet(card).click();
  await facilitator().getByRole('button', { name: 'Pay' }).waitFor();
}

const confirm = (): Promise<void> => facilitator().getByRole('button', { name: 'Pay' }).click();

describe('Click to Pay on the page of a shop', () => {
  it(
    'asks who the shopper is, and pays with a card that he chooses',
    async () => {
      const { id } = await visit.create();
      const scripts: string[] = [];
      visit.page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
      await openWith(id);
      const loaded = scripts.filter((path) => path.includes('click-to-pay'));
      expect(loaded.map((path) => path.split('/').at(-1))).toEqual([
        ...['form-click-to-pay.js', 'click-to-pay.js'],
      ]);
      await choose('Mastercard •••• 5454');
      expect(await sheet().innerText()).toContain('€92.00');
      expect(await facilitator().locator('dd').allInnerTexts()).toEqual([
        ...['localhost', '92.00 EUR', 'Mastercard 5454'],
      ]);
      await confirm();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, paymentBrand: BRAND, brandResult: 'MASTER', amount: '92.00' },
        ...{ paymentMethod: 'WA', card: { last4Digits: '5454' }, result: { code: APPROVED } },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'asks for no address where the page has told it, and the gateway tells none',
    async () => {
      const { id } = await visit.create(WITH_CUSTOMER);
      const answer = visit.page.waitForResponse(/\/wallets$/);
      await openWith(id, { options: `{clickToPay: {email: '${EMAIL}'}}` });
      expect(await (await answer).text()).not.toContain(EMAIL);
      await button().click();
      await sheet().getByText('A code has been sent to j***@example.org.').waitFor();
      await tell('One-time code', CODE);
      await onSheet('Visa •••• 0000').click();
      await confirm();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says what is wrong with address and code, and asks again',
    async () => {
      const { id } = await visit.create();
      await openWith(id, { options: `{clickToPay: {email: 'nobody@example.org'}}` });
      await button().click();
      const none = 'There are no Click to Pay cards for this e-mail address.';
      await sheet().getByText(none).waitFor();
      await tell('E-mail address', 'no address');
      expect(await alert()).toBe(none);
      await tell('E-mail address', 'empty@example.org');
      await tell('One-time code', CODE);
      await sheet().getByText(none).waitFor();
      await tell('E-mail address', EMAIL);
      await tell('One-time code', '000000');
      await sheet().getByText('Check the code').waitFor();
      await onSheet('Send a new code').click();
      await onSheet('Change details').click();
      expect(await sheet().getByLabel('E-mail address').inputValue()).toBe(EMAIL);
      await onSheet('Continue').click();
      await tell('One-time code', CODE);
      await onSheet('American Express •••• 7770').click();
      await facilitator().getByRole('button', { name: 'Another card' }).click();
      await onSheet('Discover •••• 9498').click();
      await confirm();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ brandResult: 'DISCOVER' });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is cancelled at every step, of which the page hears, and is pressed again',
    async () => {
      const { id } = await visit.create();
      const options = `{
        onCancel() { window.heard = [...(window.heard ?? []), 'any']; },
        clickToPay: { onCancel() { window.heard.push('own'); } },
        onAfterSubmit() { window.sent = true; },
      }`;
      await openWith(id, { options });
      await button().click();
      await onSheet('Cancel').click();
      await sheet().waitFor({ state: 'detached' });
      await button().and(visit.page.locator(':focus')).waitFor();
      await visit.page.keyboard.press('Enter');
      await tell('E-mail address', EMAIL);
      await sheet().getByLabel('One-time code').press('Escape');
      await sheet().waitFor({ state: 'detached' });
      await choose('Visa •••• 0000');
      await facilitator().getByRole('button', { name: 'Cancel' }).click();
      await sheet().waitFor({ state: 'detached' });
      const thrice = ['any', 'own', 'any', 'own', 'any', 'own'];
      expect(await visit.host.evaluate('[window.heard, window.sent]')).toEqual([thrice, undefined]);
      await choose('Visa •••• 0000');
      await confirm();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'charges nothing where the merchant changes the amount while the sheet is open',
    async () => {
      const { id } = await visit.create();
      await openWith(id);
      await choose('Visa •••• 0000');
      const change = ['POST', `/v1/checkouts/${id}`] as const;
      expect((await send(visit.sandbox, change, { amount: '95.00' })).result.code).toBe(
        '000.200.101',
      );
      await confirm();
      const message = visit.page.locator('.wpwl-message-error');
      await message.waitFor();
      expect(await message.innerText()).toContain('The amount has changed');
      await sheet().waitFor({ state: 'detached' });
      await button().and(visit.page.locator(':enabled')).waitFor();
      await choose('Visa •••• 0000');
      expect(await facilitator().locator('dd').nth(1).innerText()).toBe('95.00 EUR');
      await confirm();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ amount: '95.00', result: { code: APPROVED } });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    "needs the provider's script in the page's policy, and nothing else",
    async () => {
      const { id } = await visit.create();
      const gateway = visit.sandbox.url;
      const policy = `default-src 'none'; img-src 'self'; script-src 'nonce-ZnJlc2g'; connect-src ${gateway}`;
      await openWith(id, {
        attributes: 'nonce="ZnJlc2g" crossorigin="anonymous"',
        head: `<meta http-equiv="content-security-policy" content="${policy}">`,
      });
      await choose('Visa •••• 0000');
      await confirm();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is left out where no script comes, or what comes is no SRC system',
    async () => {
      for (const [body, reason] of [
        ['', 'is not the script of an SRC system'],
        ['window.SluiceSimulatedSrc = {};', 'is not the script of an SRC system'],
        [undefined, 'cannot be loaded'],
      ] as const) {
        const { id } = await visit.create();
        await visit.page.route('**/wallets/*.js', (route) =>
          route.fulfill(
            body === undefined ? { status: 404 } : { body, contentType: 'text/javascript' },
          ),
        );
        await visit.open(id, {
          brands: `${BRAND} VISA`,
          options: '{onError({ message }) { window.failed = message; }}',
        });
        await visit.page.waitForFunction('window.failed !== undefined');
        expect(await visit.host.evaluate('window.failed')).toMatch(
          new RegExp(`^CLICK_TO_PAY is not shown: .*${reason}`),
        );
        expect(await button().count()).toBe(0);
        await visit.page.unroute('**/wallets/*.js');
      }
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has its options read, and each of the others told of',
    async () => {
      const { id } = await visit.create();
      await openWith(id, {
        options: `{clickToPay: {
          displayName: 'Corner Shop', srcDpaId: 'other', dpaLocale: 'en_GB', email: 1,
          amount: '1.00', billingAddressRequired: true, strange: 1,
        }}`,
      });
      const said = visit.said.map((text) => text.replace(/^Sluice: wpwlOptions\.clickToPay\./, ''));
      expect(said.map((text) => /^\w+/.exec(text)?.[0]).sort()).toEqual([
        ...['amount', 'billingAddressRequired', 'email', 'srcDpaId', 'strange'],
      ]);
      await choose('Visa •••• 0000');
      expect(await facilitator().locator('dd').first().innerText()).toBe('Corner Shop');
      await visit.host.evaluate('wpwl.unload()');
      expect(await sheet().count()).toBe(0);
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ['light', '#fff', 'en', ['E-mail address', 'Continue', 'One-time code']],
    ['dark', '#121212', 'ar', ['البريد الإلكتروني', 'متابعة', 'رمز لمرة واحدة']],
  ] as const)(
    'has no fault of accessibility on a %s page, at any step, on a phone',
    async (scheme, background, locale, [email, go, code]) => {
      await visit.openBrowser(PHONE);
      const { id } = await visit.create();
      const head = `<meta name="viewport" content="width=device-width">
        <style>:root { color-scheme: ${scheme}; background: ${background} }</style>`;
      await openWith(id, { head, options: `{locale: '${locale}'}` });
      const faults = async () => {
        const { violations } = await new AxeBuilder({ page: visit.page })
          .options({ resultTypes: ['violations'] })
          .disableRules(['landmark-one-main', 'region']) // of the shop's page
          .analyze();
        return violations.map(({ id: rule, nodes }) => [rule, nodes[0]?.html]);
      };
      expect(await faults()).toEqual([]);
      await button().press('Enter');
      await sheet().getByLabel(email).and(visit.page.locator(':focus')).waitFor();
      expect(await faults()).toEqual([]);
      await tell(email, EMAIL, go);
      await sheet().getByLabel(code).and(visit.page.locator(':focus')).waitFor();
      expect(await faults()).toEqual([]);
      await tell(code, CODE, go);
      await onSheet('Visa •••• 0000').and(visit.page.locator(':focus')).waitFor();
      expect(await faults()).toEqual([]);
      await onSheet('Visa •••• 0000').press('Enter');
      await facilitator().getByRole('button', { name: 'Pay' }).waitFor();
      expect(await faults()).toEqual([]);
      const wide = 'document.documentElement.scrollWidth';
      expect(await visit.host.evaluate(wide)).toBeLessThanOrEqual(PHONE.viewport.width);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a checkout response of another page', () => {
  it('pays nothing here', async () => {
    const [one, other] = [await visit.create(), await visit.create()];
    const wallets = `${visit.sandbox.url}/v1/checkouts`;
    const transactionOf = async (id: string): Promise<string> => {
      const response = await fetch(`${wallets}/${id}/wallets`);
      const body = (await response.json()) as { clickToPay: { srciTransactionId: string } };
      return body.clickToPay.srciTransactionId;
    };
    const payWith = async (srciTransactionId: string) => {
      const fields = { amount: '92.00', currency: 'EUR', entityId, srciTransactionId };
      const made = await fetch(`${visit.sandbox.url}/simulator/wallets/clickToPay`, {
        ...{ method: 'POST', body: new URLSearchParams(fields) },
      });
      const body = new URLSearchParams({
        ...{ paymentBrand: BRAND, 'clickToPay.paymentToken': await made.text() },
        shopperResultUrl: visit.resultUrl,
      });
      await fetch(`${wallets}/${one.id}/payment`, { method: 'POST', body });
      const { result } = await send(visit.sandbox, ['GET', `/v1/checkouts/${one.id}/payment`]);
      return result;
    };
    const refused = await payWith(await transactionOf(other.id));
    expect(refused.code).toBe('200.100.603');
    expect(refused.description).toContain('of another checkout');
    expect((await payWith(await transactionOf(one.id))).code).toBe(APPROVED);
  });
});
