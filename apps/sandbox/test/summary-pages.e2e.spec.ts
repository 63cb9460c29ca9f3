import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY, send } from './demo-merchant-fixture.js';
import { ShopPageVisit } from './shop-page-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';

const visit = new ShopPageVisit();
const PENDING = '000.200.000';
const TYPED = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const DECLINED_HOLDER = '800.100.152';

/** The page replaces itself with a summary, which has nothing but HTML in it. */
const options = () => `{useSummaryPage: true, onSaveTransactionData(data) {
  window.saved = JSON.stringify(data);
  document.body.innerHTML = '<h1>Your order</h1><form method="POST" action="${visit.sandbox.url}' +
    data.resourcePath + '"><input type="submit" value="Pay now"></form>';
}}`;

/** The same, and its form says what was shown. */
const shownOptions = () =>
  options().replace(
    '\'"><input type',
    `'"><input type="hidden" name="amount" value="92.00">' +
    '<input type="hidden" name="currency" value="EUR">' +
    '<input type="hidden" name="saved" value="' + data.saved + '"><input type`,
  );

const payNow = () => visit.page.getByRole('button', { name: 'Pay now', exact: true });
const summary = () => visit.page.getByRole('heading', { name: 'Your order' });
const saved = async () =>
  JSON.parse(await visit.host.evaluate<string>('window.saved')) as Readonly<
    Record<string, unknown>
  >;
const statusOf = async (id: string): Promise<string> =>
  (await send(visit.sandbox, ['GET', `/v1/checkouts/${id}/payment`])).result.code;

/** All payments of a merchant's reference. */
async function payments(merchantTransactionId: string): Promise<number> {
  const found = await send(visit.sandbox, ['GET', '/v1/query'], { merchantTransactionId });
  return ((found['payments'] ?? []) as readonly unknown[]).length;
}

describe('a page with a summary of its own', () => {
  it(
    'is told what was saved, without a digit, and pays it by a form that says what was shown',
    async () => {
      const merchantTransactionId = 'summary of a card';
      const { id } = await visit.create({ ...MONEY, merchantTransactionId });
      await visit.openForm(id, { options: shownOptions() });
      expect(await visit.payButton.innerText()).toBe('Continue');
      await visit.fill();
      await visit.payButton.click();
      await summary().waitFor();
      expect(await saved()).toEqual({
        ...{ id, resourcePath: `/v1/checkouts/${id}/payment`, paymentBrand: 'VISA' },
        saved: expect.stringMatching(/^[0-9a-f]{32}$/),
        card: { holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      });
      expect(await statusOf(id)).toBe(PENDING);
      expect(await payments(merchantTransactionId)).toBe(0);
      // Each press sends the form, and the window shows the answer to the last one.
      await payNow().dblclick();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      expect(await payments(merchantTransactionId)).toBe(1);
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays the amount that its shop has set by then',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: options() });
      await visit.fill();
      await visit.payButton.click();
      await summary().waitFor();
      await send(visit.sandbox, ['POST', `/v1/checkouts/${id}`], { amount: '40.00' });
      await payNow().click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ amount: '40.00', result: { code: APPROVED } });
    },
    BROWSER_WITHIN_MS,
  );

  it.each(['another card', 'another amount'])(
    'charges nothing where %s is there by now',
    async (what) => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: shownOptions() });
      await visit.fill();
      await visit.payButton.click();
      await summary().waitFor();
      if (what === 'another card') {
        // In another window of the shopper.
        const body = new URLSearchParams({ ...TYPED, saveTransactionData: 'true' });
        await fetch(`${visit.sandbox.url}/v1/checkouts/${id}/payment`, { method: 'POST', body });
      } else {
        await send(visit.sandbox, ['POST', `/v1/checkouts/${id}`], { amount: '150.00' });
      }
      await payNow().click();
      await visit.page.getByRole('heading', { name: 'Your order has changed' }).waitFor();
      expect(await statusOf(id)).toBe(PENDING);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has a shopper come back to the shop with a decline, who pays with another card then',
    async () => {
      const { id } = await visit.create();
      const pay = async (holder: string) => {
        await visit.openForm(id, { options: options() });
        await visit.fill({ holder });
        await visit.payButton.click();
        await summary().waitFor();
        await payNow().click();
        await visit.isBack();
        return (await visit.read()).result.code;
      };
      expect(await pay(DECLINED_HOLDER)).toBe(DECLINED_HOLDER);
      expect(await pay('Jane Jones')).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has a form that stays as it is where the gateway refuses it',
    async () => {
      const { id } = await visit.create();
      const heard = options().replace('{', '{onError(error) { window.heard = error.name; }, ');
      await visit.openForm(id, { options: heard });
      await visit.fill();
      // In another window of the shopper.
      await fetch(`${visit.sandbox.url}/v1/checkouts/${id}/payment`, {
        ...{ method: 'POST', body: new URLSearchParams(TYPED) },
      });
      expect(await statusOf(id)).toBe(APPROVED);
      await visit.payButton.click();
      await visit.form.getByRole('alert').waitFor();
      expect(await visit.host.evaluate('[window.heard, window.saved]')).toEqual([
        ...['InvalidCheckoutIdError', undefined],
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays from an account at a provider, where the shopper confirms it, pressed twice or not',
    async () => {
      const merchantTransactionId = 'summary of an account';
      const { id } = await visit.create({ ...MONEY, merchantTransactionId });
      await visit.openAccountForm(id, 'virtualAccount-PAYPAL', {
        ...{ brands: 'PAYPAL', options: options() },
      });
      expect(await visit.payButton.innerText()).toBe('Continue');
      await visit.control('accountId').fill('jane.jones@example.org');
      await visit.payButton.click();
      await summary().waitFor();
      expect(await saved()).toMatchObject({ id, paymentBrand: 'PAYPAL' });
      await payNow().dblclick();
      await visit.choose('Pay');
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ ndc: id, result: { code: APPROVED } });
      expect(await payments(merchantTransactionId)).toBe(1);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays by direct debit and by an order at a bank',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, 'directDebit-DIRECTDEBIT_SEPA', {
        ...{ brands: 'DIRECTDEBIT_SEPA', options: options() },
      });
      await visit.fillDebit();
      await visit.payButton.click();
      await summary().waitFor();
      expect(JSON.stringify(await saved())).not.toMatch(/DE23|567890/);
      await payNow().click();
      await visit.isBack();
      const { id: other } = await visit.create();
      await visit.openAccountForm(other, 'onlineTransfer-IDEAL', {
        ...{ brands: 'IDEAL', options: options() },
      });
      await visit.payButton.click();
      await summary().waitFor();
      await payNow().click();
      await visit.choose('Pay');
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays with a stored card and the code that is typed for it',
    async () => {
      const { 'card.cvv': _, ...card } = TYPED;
      const stored = await send(visit.sandbox, ['POST', '/v1/registrations'], card);
      const { id } = await visit.create({ ...MONEY, 'registrations[0].id': stored.id });
      const asksCode = options().replace('{', '{registrations: {requireCvv: true}, ');
      const form = await visit.openAccountForm(id, 'registrations', { options: asksCode });
      await visit.page
        .frameLocator('.wpwl-form-registrations iframe.wpwl-control-cvv')
        .getByRole('textbox')
        .pressSequentially('123');
      await form.locator('.wpwl-button-pay').click();
      await summary().waitFor();
      expect(await saved()).toMatchObject({ registrationId: stored.id, paymentBrand: 'VISA' });
      await payNow().click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ registrationId: stored.id, result: { code: APPROVED } },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told on the console that wallets pay at once',
    async () => {
      const { id } = await visit.create();
      await visit.open(id, { brands: 'GOOGLEPAY', options: options() });
      await visit.page.locator('.wpwl-form-virtualAccount-GOOGLEPAY [aria-busy="false"]').waitFor();
      expect(visit.said).toEqual([
        'Sluice: GOOGLEPAY pays at once, without a summary (useSummaryPage).',
      ]);
      await visit.page
        .locator('.wpwl-wrapper-submit')
        .getByRole('button', { name: 'Google Pay', exact: true })
        .and(visit.page.locator(':enabled'))
        .click();
      await visit.page
        .getByRole('dialog', { name: /, simulated$/ })
        .getByRole('button', { name: 'Pay', exact: true })
        .click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told that nothing is paid where the checkout only stores',
    async () => {
      const { id } = await visit.create({ createRegistration: 'true' });
      await visit.openForm(id, { options: options(), isRegistration: true });
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect(visit.said).toEqual([
        'Sluice: nothing is paid here, so wpwlOptions.useSummaryPage has no effect.',
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'leads to a page that says what to do where nothing is saved',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: options() });
      await visit.host.evaluate(
        `document.body.innerHTML = '<form method="POST" action="${visit.sandbox.url}/v1/checkouts/${id}/payment"><input type="submit" value="Pay now"></form>'`,
      );
      await payNow().click();
      await visit.page.getByRole('heading', { name: 'We do not know what you pay with' }).waitFor();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page by React with a summary of its own', () => {
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
  const text = (words: string) => visit.page.getByText(words, { exact: true });

  it(
    'pays nothing by that, and its server pays by sending nothing',
    async () => {
      await visit.goTo('single-page-react');
      await button('Go to payment').click();
      await visit.isReady();
      await visit.fill();
      await button('Review').click();
      await text('€92.00 by VISA').waitFor();
      const id = await visit.host.evaluate<string>(
        "document.forms[0].action.split('/checkouts/')[1].split('/')[0]",
      );
      const status = await send(visit.sandbox, ['GET', `/v1/checkouts/${id}/payment`]);
      expect(status.result.code).toBe(PENDING);
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
      // With another card, which is in the place of the first.
      await button('Change').click();
      await visit.isReady();
      await visit.fill({ number: '5454545454545454' });
      await button('Review').click();
      await text('€92.00 by MASTER').waitFor();
      await button('Have the shop pay').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, paymentBrand: 'MASTER', result: { code: APPROVED } },
      });
    },
    BROWSER_WITHIN_MS,
  );
});
