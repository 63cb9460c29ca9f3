import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const SEPA = 'directDebit-DIRECTDEBIT_SEPA';
const IBAN = 'DE23 1000 0000 1234 5678 90';
const DECLINED_CODE = '800.100.172';

const message = (text: string) => visit.page.getByRole('alert').getByText(text);

describe('a direct debit on the page of a shop', () => {
  const brands = 'DIRECTDEBIT_SEPA';

  it(
    'is paid by holder and IBAN, which is shown as it is printed and says which bank it is',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, SEPA, { brands });
      await visit.fillDebit();
      expect(await visit.control('accountIban').inputValue()).toBe(IBAN);
      await visit.payButton.click();
      await visit.isBack();
      const path = encodeURIComponent(`/v1/checkouts/${id}/payment`);
      expect(visit.returns).toEqual([`/result?order=7&id=${id}&resourcePath=${path}`]);
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, ...MONEY, paymentBrand: brands, result: { code: APPROVED } },
        bankAccount: {
          ...{ holder: 'Jane Jones', iban: 'DE****************7890' },
          ...{ bankCode: '10000000', country: 'DE' },
        },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the nesting and the classes of the card form, with its own fields',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, SEPA, { brands });
      const form =
        `div.wpwl-container.wpwl-container-directDebit.wpwl-container-${SEPA} > ` +
        `form.wpwl-form.wpwl-form-directDebit.wpwl-form-${SEPA}.wpwl-form-has-inputs.wpwl-clearfix`;
      const controls = {
        accountHolder: 'bankAccount.holder',
        accountIban: 'bankAccount.iban',
        accountBic: 'bankAccount.bic',
      };
      for (const [name, parameter] of Object.entries(controls)) {
        const group = `${form} > div.wpwl-group.wpwl-group-${name}.wpwl-clearfix`;
        const input = `input[name="${parameter}"].wpwl-control.wpwl-control-${name}`;
        const found = [
          `${group} > div.wpwl-label.wpwl-label-${name}`,
          `${group} > div.wpwl-wrapper.wpwl-wrapper-${name} > ${input}`,
        ].map((selector) => visit.page.locator(selector).count());
        expect([name, ...(await Promise.all(found))]).toEqual([name, 1, 1]);
      }
      expect(await visit.page.locator('.wpwl-label-accountIban').innerText()).toBe('IBAN');
      expect(await visit.page.locator('.wpwl-label-accountBic').innerText()).toBe('BIC (optional)');
      const last = `${form} > div.wpwl-group-submit:last-child button.wpwl-button.wpwl-button-pay`;
      expect(await visit.page.locator(last).count()).toBe(1);
      const agreed = await visit.page.locator('.wpwl-wrapper-mandate').innerText();
      expect(agreed).toMatch(/^By submitting this form you authorize .* within eight weeks/);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says what is wrong before anything is sent, and takes it back when it is typed',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, SEPA, { brands });
      let sent = 0;
      visit.page.on('request', (request) => {
        if (request.method() === 'POST') sent += 1;
      });
      await visit.payButton.click();
      for (const name of ['accountHolder', 'accountIban']) {
        await visit.hint(`${name}Error`).waitFor();
        expect(await visit.control(name).getAttribute('aria-invalid')).toBe('true');
      }
      expect(await visit.page.locator('.wpwl-control.wpwl-has-error').count()).toBe(2);
      // The first that is wrong has the focus.
      await visit.page.locator('.wpwl-control-accountHolder:focus').waitFor();
      await visit.page.keyboard.type('Jane Jones');
      await visit.hint('accountHolderError').waitFor({ state: 'detached' });
      await visit.control('accountIban').pressSequentially('DE24100000001234567890');
      await visit.hint('accountIbanError').waitFor({ state: 'detached' });
      await visit.control('accountIban').press('Tab');
      expect(await visit.hint('accountIbanError').innerText()).toContain('Check the IBAN');
      await visit.payButton.click();
      await visit.page.locator('.wpwl-control-accountIban:focus').waitFor();
      expect(sent).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'keeps the caret where it is when a digit in the middle of the IBAN is corrected',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, SEPA, { brands });
      await visit.control('accountIban').fill('DE2310000001234567890');
      // One zero is missing in the first group of the account.
      const input = "document.querySelector('.wpwl-control-accountIban')";
      await visit.host.evaluate(`${input}.setSelectionRange(8, 8)`);
      await visit.page.keyboard.type('0');
      expect(await visit.control('accountIban').inputValue()).toBe(IBAN);
      expect(await visit.host.evaluate(`${input}.selectionStart`)).toBe(9);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is declined, says so, and may be sent again; twice clicked it is one payment',
    async () => {
      const merchantTransactionId = 'debit clicked twice';
      const forced = { 'customParameters[forceResultCode]': DECLINED_CODE };
      const { id } = await visit.create({ ...MONEY, merchantTransactionId, ...forced });
      await visit.openAccountForm(id, SEPA, { brands });
      await visit.fillDebit();
      await visit.payButton.click();
      await message('pay in another way').waitFor();
      expect(visit.returns).toEqual([]);
      const approved = { 'customParameters[forceResultCode]': APPROVED };
      await send(visit.sandbox, ['POST', `/v1/checkouts/${id}`], approved);
      await visit.payButton.dblclick();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      const found = await send(visit.sandbox, ['GET', '/v1/query'], { merchantTransactionId });
      expect(found['payments']).toHaveLength(2);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows where the gateway finds something wrong that the form has not',
    async () => {
      const { id } = await visit.create();
      await visit.openAccountForm(id, SEPA, { brands });
      await visit.control('accountHolder').fill('Jane Jones');
      // Right by its check digits, and no account of its country: these are digits there.
      await visit.control('accountIban').fill('DE23ABCD00001234567890');
      await visit.payButton.click();
      await message('Some details cannot be accepted').waitFor();
      await visit.hint('accountIbanError').waitFor();
      expect(visit.said).toEqual([expect.stringContaining('refuses bankAccount.iban')]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'stores an account and takes no money where the checkout is for that',
    async () => {
      const { id } = await visit.create({ createRegistration: 'true' });
      await visit.openAccountForm(id, SEPA, { brands, isRegistration: true });
      expect(await visit.payButton.innerText()).toBe('Save account');
      await visit.fillDebit();
      await visit.control('accountBic').pressSequentially('markdef1100');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, result: { code: APPROVED } },
        bankAccount: { iban: 'DE****************7890', bic: 'MARKDEF1100' },
      });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a checkout with the mandate of a direct debit', () => {
  const mandate = { id: 'SHOP-MANDATE-JONES', dateOfSignature: '2026-03-02' };
  const fields = {
    ...{ ...MONEY, 'bankAccount.mandate.id': mandate.id, transactionDueDate: '2034-12-01' },
    'bankAccount.mandate.dateOfSignature': mandate.dateOfSignature,
  };
  const page = { brands: 'DIRECTDEBIT_SEPA VISA' };

  it(
    'is debited under it, from the account that the shopper tells',
    async () => {
      const { id } = await visit.create(fields);
      await visit.openAccountForm(id, SEPA, page);
      await visit.fillDebit();
      await visit.page.locator('.wpwl-button-pay-DIRECTDEBIT_SEPA').click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ result: { code: APPROVED }, bankAccount: { holder: 'Jane Jones', mandate } },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid by card as if there were none',
    async () => {
      const { id } = await visit.create(fields);
      await visit.openForm(id, page);
      await visit.fill();
      await visit.form.locator('.wpwl-button-pay').click();
      await visit.isBack();
      const paid = await visit.read();
      expect(paid).toMatchObject({ paymentBrand: 'VISA', result: { code: APPROVED } });
      expect(paid).not.toHaveProperty('bankAccount');
    },
    BROWSER_WITHIN_MS,
  );
});
