import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const DECLINED_HOLDER = '800.100.152';
const VISA = { paymentBrand: 'VISA', 'card.number': '4200000000000000' } as const;
const AMEX = { paymentBrand: 'AMEX', 'card.number': '377777777777770' } as const;

/** The id of a card that the shop has stored. */
async function stored(fields: Fields, holder = 'Jane Jones'): Promise<string> {
  const card = { 'card.holder': holder, 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  const { id } = await send(visit.sandbox, ['POST', '/v1/registrations'], { ...card, ...fields });
  return id;
}

/** A checkout that offers them, with the form there. */
async function offering(ids: readonly string[], options = '{}', more: Fields = {}) {
  const named = Object.fromEntries(ids.map((id, at) => [`registrations[${at}].id`, id]));
  const { id } = await visit.create({ ...MONEY, ...named, ...more });
  await visit.openAccountForm(id, 'registrations', { options });
  return id;
}

const form = () => visit.page.locator('form.wpwl-form-registrations');
const choice = (id: string) => form().locator(`input[type="radio"][value="${id}"]`);
const pay = () => form().locator('.wpwl-button-pay');
const code = () =>
  visit.page.frameLocator('.wpwl-form-registrations iframe.wpwl-control-cvv').getByRole('textbox');

describe('a stored card in the form', () => {
  it(
    'is chosen and paid with, and no digit of it is typed',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      const id = await offering([visa, amex]);
      expect(await choice(visa).isChecked()).toBe(true);
      await form().getByText('American Express').click();
      expect(await choice(amex).isChecked()).toBe(true);
      expect(await form().locator('.wpwl-registration.wpwl-selected').innerText()).toMatch(
        /American Express\s+•••• 7770\s+05 \/ 34\s+Jane Jones/,
      );
      await pay().click();
      await visit.isBack();
      const path = encodeURIComponent(`/v1/checkouts/${id}/payment`);
      expect(visit.returns).toEqual([`/result?order=7&id=${id}&resourcePath=${path}`]);
      expect(await visit.read()).toMatchObject({
        ...{ ndc: id, ...MONEY, paymentBrand: 'AMEX', registrationId: amex },
        ...{ result: { code: APPROVED }, card: { last4Digits: '7770', holder: 'Jane Jones' } },
        standingInstruction: { type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has no summary, nor has a debit, which the console says where the page wants one without the callback',
    async () => {
      const { id } = await visit.create({ ...MONEY, 'registrations[0].id': await stored(VISA) });
      const options = '{useSummaryPage: true}';
      const brands = 'VISA DIRECTDEBIT_SEPA';
      await visit.openAccountForm(id, 'registrations', { options, brands });
      await visit.page.locator('.wpwl-form-directDebit').waitFor();
      const idle = (of: string) =>
        `Sluice: wpwlOptions.useSummaryPage has no effect on ${of} without onSaveTransactionData.`;
      expect(visit.said).toEqual([idle('stored accounts'), idle('DIRECTDEBIT_SEPA')]);
      expect(await pay().innerText()).toBe('Pay now');
      await pay().click();
      await visit.isBack();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the nesting and the classes that pages of the interface family look for',
    async () => {
      const visa = await stored(VISA);
      await offering([visa], '{registrations: {requireCvv: true, hideInitialPaymentForms: true}}');
      await code().waitFor();
      const row =
        'div.wpwl-container.wpwl-registrations > form.wpwl-form.wpwl-form-registrations > ' +
        'div.wpwl-registration.wpwl-group-registration.wpwl-selected';
      const cell = (name: string) => `div.wpwl-wrapper-registration-${name}`;
      const details = `${row} > ${cell('details')}`;
      const all = [
        `${row} > ${cell('registrationId')} > input[name="registrationId"][data-action="change-registration"]`,
        `${row} > ${cell('brand')} > div.wpwl-brand.wpwl-brand-card.wpwl-brand-VISA`,
        ...['number', 'expiry', 'holder'].map((name) => `${details} > ${cell(name)}`),
        `${row} > ${cell('cvv')} > iframe.wpwl-control-iframe.wpwl-control-cvv`,
        'button.wpwl-button.wpwl-button-pay[data-action="submit-registration"]',
        'button.wpwl-button[data-action="show-initial-forms"]',
      ];
      const counts = await Promise.all(all.map((one) => visit.page.locator(one).count()));
      expect(counts).toEqual(all.map(() => 1));
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'asks for the code where the shop wants it, in a frame, and by the digits of its brand',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      await offering([visa, amex], '{registrations: {requireCvv: true}}');
      await code().pressSequentially('123');
      // Of another card it is asked anew.
      await choice(amex).check();
      await code().waitFor();
      expect(await code().inputValue()).toBe('');
      await pay().click();
      await visit.hint('cvvError').waitFor();
      await code().pressSequentially('123');
      await pay().click();
      await visit.hint('cvvError').waitFor();
      await code().pressSequentially('4');
      await visit.hint('cvvError').waitFor({ state: 'detached' });
      await pay().click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ registrationId: amex, result: { code: APPROVED } },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is declined, says so, and another one is paid with; twice clicked it is one payment',
    async () => {
      const [bad, good] = [await stored(VISA, DECLINED_HOLDER), await stored(AMEX)];
      const merchantTransactionId = 'stored and declined';
      await offering([bad, good], '{}', { merchantTransactionId });
      await pay().click();
      await form().getByRole('alert').getByText('The payment was declined').waitFor();
      expect(visit.returns).toEqual([]);
      await choice(good).check();
      expect(await form().getByRole('alert').innerText()).toBe('');
      await pay().dblclick();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ registrationId: good, paymentBrand: 'AMEX' });
      const found = await send(visit.sandbox, ['GET', '/v1/query'], { merchantTransactionId });
      expect(found['payments']).toHaveLength(2);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'comes with a script of its own, which a page without one does not load',
    async () => {
      const scripts: string[] = [];
      visit.page.on('request', (request) => {
        const [, file] = /\/(form-[\w-]+\.js)$/.exec(request.url()) ?? [];
        if (file !== undefined) scripts.push(file);
      });
      const { id } = await visit.create({ ...MONEY });
      await visit.openForm(id);
      expect(scripts).toEqual([]);
      await offering([await stored(VISA)]);
      expect(scripts).toEqual(['form-stored.js']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is not shown where its script does not come as the gateway made it, and the other forms are',
    async () => {
      await visit.page.route('**/form-stored.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()};` });
      });
      const { id } = await visit.create({ ...MONEY, 'registrations[0].id': await stored(VISA) });
      const onError = 'onError: ({message}) => (window.told = message)';
      await visit.openForm(id, {
        options: `{registrations: {hideInitialPaymentForms: true}, ${onError}}`,
      });
      expect(await form().count()).toBe(0);
      expect(await visit.host.evaluate<string>('told')).toMatch(
        /^The form for stored is left out: .*form-stored\.js cannot be loaded\.$/,
      );
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'tells the page of the frame of its code as a card form does',
    async () => {
      const told = (name: string) =>
        `${name}() { (window.told ??= []).push(['${name}', this.$iframe[0].className]); }`;
      const names = ['Ready', 'Focus', 'Blur'].map((word) => `on${word}IframeCommunication`);
      const { id } = await visit.create({
        ...{ ...MONEY, 'registrations[0].id': await stored(VISA) },
      });
      const options = `{registrations: {requireCvv: true}, ${names.map(told).join(', ')}}`;
      await visit.openAccountForm(id, 'registrations', { options, brands: 'PAYPAL' });
      const areTold = (count: number) =>
        visit.page.waitForFunction(`window.told?.length === ${count}`);
      await areTold(1);
      await code().fill('123');
      await areTold(2);
      await form().getByRole('radio').focus();
      await areTold(3);
      const all = await visit.host.evaluate<(readonly [string, string])[]>('window.told');
      expect(all.map(([name]) => name)).toEqual(names);
      for (const [, classes] of all) expect(classes).toContain('wpwl-control-cvv');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'may be left for another card, whose form is hidden until it is asked for',
    async () => {
      const visa = await stored(VISA);
      const asked = '{hideInitialPaymentForms: true}';
      await offering([visa], asked, { createRegistration: 'true' });
      expect(await visit.form.isVisible()).toBe(false);
      await form().getByRole('button', { name: 'Pay another way' }).click();
      await visit.form.waitFor();
      expect(await form().getByRole('button', { name: 'Pay another way' }).count()).toBe(0);
      await visit.page.locator('.wpwl-control-brand:focus').waitFor();
      await visit.fill();
      await visit.form.locator('.wpwl-button-pay').click();
      await visit.isBack();
      const { registrationId, card } = await visit.read();
      expect(card).toMatchObject({ last4Digits: '0000' });
      // It is stored beside the other one.
      expect(registrationId).toMatch(/^[0-9a-f]{32}$/);
      expect(registrationId).not.toBe(visa);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'that was deleted since is not offered any more',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      const named = { 'registrations[0].id': visa, 'registrations[1].id': amex };
      const { id } = await visit.create({ ...MONEY, ...named });
      await send(visit.sandbox, ['DELETE', `/v1/registrations/${visa}`], {});
      await visit.openAccountForm(id, 'registrations');
      expect(await form().getByRole('radio').count()).toBe(1);
      expect(await choice(amex).isChecked()).toBe(true);
      const again = await visit.create({ ...MONEY, ...named });
      expect(again.result).toMatchObject({
        ...{ code: '200.300.404', parameterErrors: [{ name: 'registrations[0].id' }] },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is all there is where the merchant has named it',
    async () => {
      const visa = await stored(VISA);
      const { id } = await visit.create({ ...MONEY, registrationId: visa });
      await visit.openAccountForm(id, 'registrations');
      expect(await visit.form.count()).toBe(0);
      await pay().click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ registrationId: visa, paymentBrand: 'VISA' });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is chosen and paid with by the keyboard alone',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      await offering([visa, amex], '{registrations: {requireCvv: true}}');
      await code().waitFor();
      const { keyboard } = visit.page;
      await keyboard.press('Tab');
      await visit.page.locator(`input[value="${visa}"]:focus`).waitFor();
      await keyboard.press('ArrowDown');
      await visit.page.locator(`input[value="${amex}"]:focus`).waitFor();
      // The frame of the card before may still be there, and would take what is typed with it.
      const ofChosen = visit.page.frameLocator('.wpwl-selected iframe.wpwl-control-cvv');
      await ofChosen.getByRole('textbox').waitFor();
      await keyboard.press('Tab');
      await ofChosen.locator('input:focus').waitFor();
      await keyboard.type('1234');
      await keyboard.press('Enter');
      await visit.isBack();
      expect(await visit.read()).toMatchObject({ registrationId: amex });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'goes from right to left in Arabic, with its number from left to right, on a phone',
    async () => {
      await visit.page.context().close();
      await visit.openBrowser(PHONE);
      const visa = await stored(VISA);
      await offering([visa], '{locale: "ar", registrations: {requireCvv: true}}');
      await code().waitFor();
      const container = visit.page.locator('.wpwl-container-registration');
      expect(await container.getAttribute('dir')).toBe('rtl');
      expect(await form().locator('.wpwl-wrapper-registration-number').getAttribute('dir')).toBe(
        'ltr',
      );
      expect(await form().getAttribute('aria-label')).toBe('طرق الدفع المحفوظة');
      const isTooWide = 'document.documentElement.scrollWidth > window.innerWidth';
      expect(await visit.host.evaluate<boolean>(isTooWide)).toBe(false);
      await code().pressSequentially('123');
      await pay().click();
      await visit.isBack();
    },
    BROWSER_WITHIN_MS,
  );

  it.each(['en', 'ar'])(
    'can be used with a screen reader (%s)',
    async (locale) => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      const options = `{locale: "${locale}", registrations: {requireCvv: true}}`;
      await offering([visa, amex], options);
      await pay().click();
      await visit.hint('cvvError').waitFor();
      if (locale === 'en') {
        await form().getByRole('radio', { name: 'Visa 0000 05 / 34 Jane Jones' }).waitFor();
      }
      const { violations } = await new AxeBuilder({ page: visit.page })
        .options({ resultTypes: ['violations'] })
        .disableRules(['landmark-one-main', 'region']) // of the shop's page
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
