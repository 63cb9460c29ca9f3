import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();

async function faultsOfAccessibility(): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page: visit.page })
    .options({ resultTypes: ['violations'] })
    .disableRules(['landmark-one-main', 'region']) // of the shop's page
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

async function storedCard(): Promise<string> {
  const { id } = await send(visit.sandbox, ['POST', '/v1/registrations'], {
    ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  });
  return id;
}

/** What screen readers say of the forms, and of the buttons that send them. */
async function hasForms(names: readonly (readonly [form: string, button: string])[]) {
  for (const [form, button] of names) {
    const found = visit.page.getByRole('form', { name: form, exact: true });
    await found.getByRole('button', { name: button, exact: true }).waitFor();
  }
}

describe('forms beside one another, to those who do not see them', () => {
  it.each([
    ['en', ['Saved payment methods', 'Card', 'Direct debit'], 'Pay now', 'Continue to PayPal'],
    [
      'de',
      ['Gespeicherte Zahlungsarten', 'Karte', 'Lastschrift'],
      'Jetzt bezahlen',
      'Weiter zu PayPal',
    ],
    ['ar', ['طرق الدفع المحفوظة', 'البطاقة', 'الخصم المباشر'], 'ادفع الآن', 'المتابعة إلى PayPal'],
  ] as const)(
    'have names, and so do their buttons (%s)',
    async (locale, names, pay, goOn) => {
      const { id } = await visit.create({ ...MONEY, 'registrations[0].id': await storedCard() });
      await visit.open(id, {
        brands: 'VISA MASTER PAYPAL DIRECTDEBIT_SEPA',
        options: `{locale: '${locale}', registrations: {requireCvv: true}}`,
      });
      await hasForms([...names.map((name) => [name, `${pay} ${name}`] as const), ['PayPal', goOn]]);
      expect(await faultsOfAccessibility()).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'are told apart by their cards where several take cards',
    async () => {
      const { id } = await visit.create();
      const more = `<form action="/result" class="paymentWidgets" data-brands="AMEX DINERS"></form>
        <form action="/result" class="paymentWidgets" data-brands="JCB"></form>`;
      await visit.open(id, { brands: 'VISA MASTER', formText: `</form>${more}<form>` });
      await hasForms([
        ['Visa, Mastercard', 'Pay now Visa, Mastercard'],
        ['American Express, Diners Club', 'Pay now American Express, Diners Club'],
        ['JCB', 'Pay now JCB'],
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'have what a shop writes on a button in its name, and nothing more where there is one form',
    async () => {
      const { id } = await visit.create();
      const onReady = `onReady() {
        for (const one of document.querySelectorAll('.wpwl-button-pay')) one.textContent = 'Buy';
      }`;
      await visit.openForm(id, { options: `{${onReady}}` });
      await hasForms([['Card', 'Buy']]);
      const brands = 'VISA MASTER DIRECTDEBIT_SEPA';
      await visit.openForm(id, { brands, options: `{${onReady}}` });
      await hasForms([
        ['Card', 'Buy Card'],
        ['Direct debit', 'Buy Direct debit'],
      ]);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('fields without which nothing is sent', () => {
  const required = (): Promise<(string | null)[]> =>
    Promise.all(
      [
        ...['brand', 'expiry', 'cardHolder', 'street1', 'street2', 'accountHolder', 'accountIban'],
        'accountBic',
      ].map((name) => visit.control(name).getAttribute('aria-required')),
    );
  const options = (more: string) => `{billingAddress: true, ${more}}`;
  const brands = 'VISA MASTER DIRECTDEBIT_SEPA';

  it(
    'say so, and no others do',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { brands, options: options('') });
      // A name on a card may be left out, unless the page says that it may not.
      const asked = ['true', 'true', 'false', 'true', 'false', 'true', 'true', 'false'];
      expect(await required()).toEqual(asked);
      expect(await visit.number.getAttribute('aria-required')).toBe('true');
      expect(await visit.code.getAttribute('aria-required')).toBe('true');
      const less = 'allowEmptyCvv: true, allowEmptyCardHolderName: false, style: "logos"';
      await visit.openForm(id, { brands, options: options(less) });
      expect(await visit.control('cardHolder').getAttribute('aria-required')).toBe('true');
      expect(await visit.number.getAttribute('aria-required')).toBe('true');
      expect(await visit.code.getAttribute('aria-required')).toBe('false');
      const choice = visit.page.getByRole('radiogroup', { name: 'Brand' });
      expect(await choice.getAttribute('aria-required')).toBe('true');
    },
    BROWSER_WITHIN_MS,
  );
});
