import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { APPROVED, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const BERLIN = { street1: 'Hauptstr. 1', postcode: '10115', city: 'Berlin' } as const;

async function fillAddress(): Promise<void> {
  for (const [name, text] of Object.entries(BERLIN)) await visit.control(name).fill(text);
}

describe('a billing address in the card form', () => {
  it(
    'is typed, and sent with the payment',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{locale: "de", billingAddress: true}' });
      const group = 'form.wpwl-form-card > div.wpwl-group.wpwl-group-billing.wpwl-clearfix';
      const controls = visit.page.locator(`${group} .wpwl-control-billing`);
      const names = (await controls.all()).map((one) => one.getAttribute('name'));
      expect(await Promise.all(names)).toEqual(
        ['street1', 'street2', 'postcode', 'city', 'state', 'country'].map(
          (name) => `billing.${name}`,
        ),
      );
      await visit.fill();
      await fillAddress();
      await visit.control('country').selectOption({ label: 'Deutschland' });
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        ...{ ...MONEY, result: { code: APPROVED } },
        billing: { ...BERLIN, country: 'DE' },
      });
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says what is missing, by the rules of the shop, before anything is sent',
    async () => {
      const { id } = await visit.create();
      const options = `{billingAddress: {country: "US", city: "Boston"},
        mandatoryBillingFields: {state: true, postcode: false}}`;
      await visit.openForm(id, { options });
      expect(await visit.control('country').inputValue()).toBe('US');
      let sent = 0;
      visit.page.on('request', (request) => {
        if (request.method() === 'POST') sent += 1;
      });
      await visit.fill();
      await visit.payButton.click();
      for (const name of ['street1', 'state']) await visit.hint(`${name}Error`).waitFor();
      await visit.page.locator('.wpwl-control-street1:focus').waitFor();
      expect(await visit.page.locator('.wpwl-has-error').count()).toBe(2);
      const { violations } = await new AxeBuilder({ page: visit.page })
        .options({ resultTypes: ['violations'] })
        .disableRules(['landmark-one-main', 'region']) // of the shop's page
        .analyze();
      expect(violations.map(({ id: rule, nodes }) => [rule, nodes[0]?.html])).toEqual([]);
      expect(sent).toBe(0);
      await visit.control('street1').fill('Main Street 1');
      await visit.hint('street1Error').waitFor({ state: 'detached' });
      await visit.control('state').fill('MA');
      await visit.payButton.click();
      await visit.isBack();
      expect(await visit.read()).toMatchObject({
        billing: { street1: 'Main Street 1', city: 'Boston', state: 'MA', country: 'US' },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows where the gateway finds something wrong that the form has not',
    async () => {
      const { id } = await visit.create();
      await visit.openForm(id, { options: '{billingAddress: {country: "DE"}}' });
      await visit.fill();
      await fillAddress();
      await visit.control('street1').fill('1234');
      await visit.payButton.click();
      await visit.hint('street1Error').waitFor();
      await visit.form.getByRole('alert').getByText('Some details cannot be accepted').waitFor();
      expect(visit.said).toEqual([expect.stringContaining('refuses billing.street1')]);
    },
    BROWSER_WITHIN_MS,
  );
});
