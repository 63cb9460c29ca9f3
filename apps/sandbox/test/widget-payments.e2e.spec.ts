import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const DECLINED_HOLDER = '800.100.152';
const summary = () => visit.form.locator('.wpwl-group-summary');

/** How often a form was sent since. */
function countSent(): () => number {
  let sent = 0;
  visit.page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  return () => sent;
}

async function faultsOfAccessibility(): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page: visit.page })
    .options({ resultTypes: ['violations'] })
    .disableRules(['landmark-one-main', 'region']) // of the shop's page
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

describe('what is paid', () => {
  it(
    'is said by the button of each form that pays, as the checkout has it',
    async () => {
      const { id } = await visit.create();
      const options = '{total: "92,00 EUR", locale: "de"}';
      const brands = 'VISA DIRECTDEBIT_SEPA PAYPAL';
      await visit.openForm(id, { options, brands });
      const texts = await visit.payButton.allInnerTexts();
      expect(texts.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
        ...['92,00 € bezahlen', '92,00 € bezahlen', 'Weiter zu PayPal'],
      ]);
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is never what the page says',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{total: 9.2, labels: {submit: "Buy"}}' });
      expect(await visit.payButton.innerText()).toBe('Buy €92.00');
      expect(visit.said).toEqual([
        expect.stringContaining('wpwlOptions.total is 9.2; the checkout charges €92.00'),
      ]);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a summary before the payment', () => {
  it(
    'shows what is paid and with what, leads back, and sends once it is confirmed',
    async () => {
      const { id } = await visit.create();
      const options = `{useSummaryPage: true, billingAddress: {country: "DE"},
        onBeforeSubmitCard() { window.asked = (window.asked ?? 0) + 1; }}`;
      await visit.openForm(id, { options });
      const sent = countSent();
      expect(await visit.payButton.innerText()).toBe('Continue');
      await visit.payButton.click();
      await visit.hint('cardNumberError').waitFor();
      await visit.fill();
      await visit.control('street1').fill('Hauptstr. 1');
      await visit.control('postcode').fill('10115');
      await visit.control('city').fill('Berlin');
      await visit.payButton.click();
      await visit.page.locator('.wpwl-label-summary:focus').waitFor();
      const rows = summary().locator('.wpwl-summary');
      expect(await rows.allInnerTexts()).toEqual([
        ...['Amount\n€92.00', 'Brand\nVisa', 'Expiry date\n05 / 34', 'Name on card\nJane Jones'],
        ...['Street and house number\nHauptstr. 1', 'Postal code\n10115', 'City\nBerlin'],
        'Country\nGermany',
      ]);
      expect(await visit.page.locator('.wpwl-control:visible').count()).toBe(0);
      expect(await faultsOfAccessibility()).toEqual([]);
      expect([sent(), await visit.host.evaluate('window.asked')]).toEqual([0, undefined]);
      await visit.page.getByRole('button', { name: 'Change details' }).click();
      // What was typed into frames is there still.
      expect(await visit.number.inputValue()).toBe('4200 0000 0000 0000');
      await visit.control('cardHolder').fill(DECLINED_HOLDER);
      await visit.payButton.click();
      await visit.page.getByRole('button', { name: 'Pay now' }).click();
      await visit.form.getByRole('alert').getByText('The payment was declined').waitFor();
      expect(await summary().count()).toBe(0);
      await visit.control('cardHolder').fill('Jane Jones');
      await visit.control('cardHolder').press('Enter');
      await summary().waitFor();
      await visit.payButton.dblclick();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
      expect(sent()).toBe(2);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is none where nothing is paid',
    async () => {
      const { id } = await visit.create({ createRegistration: 'true' });
      await visit.openForm(id, { options: '{useSummaryPage: true}', isRegistration: true });
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      expect(visit.said).toEqual([
        'Sluice: nothing is paid here, so wpwlOptions.useSummaryPage has no effect.',
      ]);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('whoever is billed', () => {
  it(
    'says a tax number, which is sent as what it is',
    async () => {
      // Interface 2.9: a customer has a name.
      const name = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
      const { id } = await visit.create({ ...MONEY, ...name });
      await visit.openForm(id, { options: '{showTaxNumberField: true}' });
      await visit.fill();
      await visit.control('taxNumber').fill('1234');
      await visit.payButton.click();
      await visit.hint('taxNumberError').waitFor();
      expect(await faultsOfAccessibility()).toEqual([]);
      await visit.control('taxNumber').fill('123.456.789-09');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ ...MONEY, result: { code: APPROVED } },
        customer: {
          ...{ identificationDocType: 'TAXSTATEMENT', identificationDocId: '123.456.789-09' },
        },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says none where it is left empty',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{showTaxNumberField: true}' });
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
      const { customer } = await visit.read();
      // The browser's own words, which issuers want to know.
      expect(Object.keys(customer ?? {})).toEqual(['browser']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is named on the card, where the shop wants that',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{forceCardHolderEqualsBillingName: true}' });
      await visit.fill({ holder: 'Joe Jones' });
      await visit.control('surname').fill('Jones');
      await visit.payButton.click();
      await visit.hint('givenNameError').waitFor();
      await visit.control('givenName').fill('Jané');
      await visit.payButton.click();
      await visit.hint('cardHolderError').getByText('must be the billing name').waitFor();
      await visit.control('cardHolder').fill('JANE JONES');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ card: { holder: 'JANE JONES' }, customer: { givenName: 'Jané', surname: 'Jones' } },
      });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('while a form is sent', () => {
  it(
    'the shop is told, and something turns on the button where the shop wants it',
    async () => {
      const { id } = await visit.create();
      const options = `{spinner: {color: "rgb(1, 2, 3)", lines: 8},
        onBeforeSubmitCard() { (window.calls = window.calls ?? []).push("before"); },
        onSubmit(event) { calls.push(event.type); },
        onAfterSubmit() { calls.push("after"); }}`;
      await visit.openForm(id, { options });
      await visit.fill();
      expect(await visit.page.locator('.wpwl-spinner').count()).toBe(0);
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await visit.page.route('**/v1/checkouts/**', async (route) => {
        await held;
        await route.continue();
      });
      await visit.payButton.click();
      await visit.payButton.locator('.wpwl-spinner').waitFor();
      expect(await visit.page.locator('.wpwl-spinner rect').count()).toBe(8);
      expect(await visit.page.locator('.wpwl-spinner g').getAttribute('fill')).toBe('rgb(1, 2, 3)');
      expect(await visit.page.locator('.wpwl-spinner animateTransform').count()).toBe(1);
      expect(await visit.host.evaluate('window.calls')).toEqual(['before', 'submit', 'after']);
      goOn();
      await visit.isBack();
      await visit.openBrowser({ reducedMotion: 'reduce' });
      const other = await visit.create();
      await visit.openForm(other.id, { options: '{spinner: true}' });
      await visit.fill();
      await visit.page.route('**/v1/checkouts/**', () => undefined);
      await visit.payButton.click();
      await visit.payButton.locator('.wpwl-spinner').waitFor();
      expect(await visit.page.locator('.wpwl-spinner animateTransform').count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('installments', () => {
  const NAME = 'recurring.numberOfInstallments';
  const options = `{onReady() {
    document.querySelector('.wpwl-form-card .wpwl-button').insertAdjacentHTML('beforebegin',
      '<select name="${NAME}" aria-label="Payments"><option value="0">at once</option><option>3</option></select>');
  }}`;

  it.each(['3', '0'])(
    'that the shopper chooses in an input of the page are those of the payment: %s',
    async (number) => {
      const { id } = await visit.create();
      await visit.openForm(id, { options });
      await visit.fill();
      await visit.page.getByLabel('Payments').selectOption(number);
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        result: { code: APPROVED },
        recurring: { numberOfInstallments: number },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'that the gateway refuses are said in the form, where others can be chosen',
    async () => {
      const { id } = await visit.create({ ...MONEY, [NAME]: '3' });
      await visit.openForm(id, { options });
      await visit.fill();
      await visit.payButton.click();
      await visit.form.getByRole('alert').getByText('Some details cannot be accepted').waitFor();
      expect(visit.said).toEqual([expect.stringContaining(`refuses ${NAME}`)]);
      await visit.page.getByLabel('Payments').selectOption('3');
      await visit.payButton.click();
      await visit.isBack();
      expect((await visit.read()).result.code).toBe(APPROVED);
    },
    BROWSER_WITHIN_MS,
  );
});
