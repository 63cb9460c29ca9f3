import { AxeBuilder } from '@axe-core/playwright';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Body, type Fields, MONEY } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';
import { WidgetVisit } from './widget-fixture.js';

const visit = new WidgetVisit();
const token = 'the-token-of-a-shop-whose-shoppers-delete';
const entityId = '8ac7a4c97ee0000000000000000000c3';
const VISA = { paymentBrand: 'VISA', 'card.number': '4200000000000000' } as const;
const AMEX = { paymentBrand: 'AMEX', 'card.number': '377777777777770' } as const;
/** A holder who is declined by this. */
const DECLINED = '800.100.155';

/** Brings the shop to what it says of its shoppers. */
async function seed(shoppersMayDelete: boolean): Promise<void> {
  const management = /^Management on (\S+):/m.exec(visit.sandbox.output())?.[1] ?? '';
  const shop = { entityId, name: 'Deleting', merchant: 'Deleting', accessTokens: [token] };
  const body = JSON.stringify({ channels: [{ ...shop, shoppersMayDelete }] });
  const { status } = await fetch(`${management}/seed`, { method: 'POST', body });
  expect(status).toBe(200);
}

beforeAll(() => seed(true), BROWSER_WITHIN_MS);

async function ask(path: string, fields?: Fields): Promise<Body> {
  const query = new URLSearchParams({ entityId, ...fields });
  const url = `${visit.sandbox.url}${path}${fields === undefined ? `?${query.toString()}` : ''}`;
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${token}` },
    ...(fields !== undefined && { method: 'POST', body: query }),
  });
  return (await response.json()) as Body;
}

const CARD = {
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;

async function stored(fields: Fields): Promise<string> {
  return (await ask('/v1/registrations', { ...CARD, ...fields })).id;
}

/** As a form of the shopper's that is elsewhere. */
async function shopperPays(id: string, fields: Fields): Promise<Body> {
  const url = `${visit.sandbox.url}/v1/checkouts/${id}/payment`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Body;
}

/** A checkout that offers them, with the form there. */
async function offering(ids: readonly string[], options = '{}'): Promise<string> {
  const named = Object.fromEntries(ids.map((id, at) => [`registrations[${at}].id`, id]));
  const { id } = await ask('/v1/checkouts', { ...MONEY, ...named });
  await visit.openAccountForm(id, 'registrations', { options });
  return id;
}

const form = () => visit.page.locator('form.wpwl-form-registrations');
const choice = (id: string) => visit.page.locator(`input[type="radio"][value="${id}"]`);
const remove = (name: string) => form().getByRole('button', { name });
const ending = (digits: string) => new RegExp(`^Delete .*${digits}`);
/** Presses the button of the account with this ending, and says that it is meant. */
async function deleteNamed(digits: string): Promise<void> {
  await form()
    .getByRole('button', { name: ending(digits) })
    .click();
  await form().locator('[data-action="confirm-delete-registration"]').click();
}
const focused = () => visit.page.locator(':focus');
const isStored = async (id: string) =>
  (await ask(`/v1/registrations/${id}`)).result.code.startsWith('000.');

async function faultsOfAccessibility(): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page: visit.page })
    .options({ resultTypes: ['violations'] })
    .disableRules(['landmark-one-main', 'region']) // of the shop's page
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

describe('a stored card that the shopper may delete', () => {
  it(
    'is asked about in its place, by keyboard, and stays where that is not meant',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      await offering([visa, amex]);
      const button = form().getByRole('button', { name: ending('7770') });
      expect(await button.getAttribute('data-action')).toBe('delete-registration');
      expect(await button.getAttribute('class')).toContain('wpwl-button-delete');
      await button.press('Enter');
      const group = form().getByRole('group', {
        name: 'Delete this saved payment method for good?',
      });
      await group.waitFor();
      expect(await focused().innerText()).toBe('Cancel');
      expect(await faultsOfAccessibility()).toEqual([]);
      await visit.page.keyboard.press('Enter');
      await group.waitFor({ state: 'detached' });
      expect(await focused().getAttribute('data-action')).toBe('delete-registration');
      // Nothing was chosen by it.
      expect(await choice(visa).isChecked()).toBe(true);
      expect([await isStored(visa), await isStored(amex)]).toEqual([true, true]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is deleted at the second word, and gone from the form and from the merchant',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      const id = await offering([visa, amex], '{registrations: {requireCvv: true}}');
      await form()
        .getByRole('button', { name: ending('0000') })
        .click();
      await form().locator('[data-action="confirm-delete-registration"]').click();
      await form().getByRole('status').getByText('The saved payment method was deleted.').waitFor();
      expect(await choice(visa).count()).toBe(0);
      expect(await choice(amex).isChecked()).toBe(true);
      expect(await focused().getAttribute('value')).toBe(amex);
      expect([await isStored(visa), await isStored(amex)]).toEqual([false, true]);
      expect(await faultsOfAccessibility()).toEqual([]);
      const shown = await fetch(`${visit.sandbox.url}/v1/checkouts/${id}/form`);
      expect(((await shown.json()) as Body)['registrations']).toHaveLength(1);
      // What is left is paid with.
      const code = visit.page
        .frameLocator('.wpwl-form-registrations iframe.wpwl-control-cvv')
        .getByRole('textbox');
      await code.pressSequentially('1234');
      await form().locator('.wpwl-button-pay').click();
      await visit.isBack();
      expect(visit.said).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it.each([true, false])(
    'was the last: the other forms are there then (hidden before: %s)',
    async (hidden) => {
      const visa = await stored(VISA);
      await offering([visa], `{registrations: {hideInitialPaymentForms: ${String(hidden)}}}`);
      await form()
        .getByRole('button', { name: ending('0000') })
        .click();
      await form().locator('[data-action="confirm-delete-registration"]').click();
      await visit.page.getByRole('status').getByText('was deleted').waitFor();
      expect(await form().count()).toBe(0);
      await visit.form.waitFor();
      expect(await visit.page.locator('.wpwl-form-card :focus').count()).toBe(1);
      await visit.fill();
      await visit.payButton.click();
      await visit.isBack();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says so where nothing came of it, and can be tried again',
    async () => {
      const visa = await stored(VISA);
      await offering([visa]);
      const lost = { status: 503, headers: { 'access-control-allow-origin': '*' }, json: {} };
      await visit.page.route('**/registrations/*', (route) => route.fulfill(lost), { times: 1 });
      for (const attempt of ['lost', 'again']) {
        await form()
          .getByRole('button', { name: ending('0000') })
          .click();
        const meant = form().locator('[data-action="confirm-delete-registration"]');
        await meant.click();
        await meant.waitFor({ state: 'detached' });
        if (attempt === 'again') break;
        await form().getByRole('alert').getByText('could not be deleted').waitFor();
        expect(await focused().getAttribute('data-action')).toBe('delete-registration');
      }
      await visit.page.getByRole('status').getByText('was deleted').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is deleted after a decline, in the form that was declined and in one that is loaded then',
    async () => {
      const [visa, amex] = [await stored(VISA), await stored(AMEX)];
      await offering([visa, amex]);
      await visit.fill({ holder: DECLINED });
      await visit.form.locator('.wpwl-button-pay').click();
      await visit.form.getByRole('alert').getByText('declined').waitFor();
      await deleteNamed('0000');
      await visit.page.getByRole('status').getByText('was deleted').waitFor();
      expect([await isStored(visa), await isStored(amex)]).toEqual([false, true]);
      await form().locator('.wpwl-button-pay').click();
      await visit.isBack();
      const id = await offering([amex]);
      const declined = { ...VISA, ...CARD, 'card.holder': DECLINED, 'card.cvv': '123' };
      expect((await shopperPays(id, declined)).result.code).toBe(DECLINED);
      await visit.openAccountForm(id, 'registrations');
      await remove('Delete').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'stays while the checkout is being paid, and so does the form',
    async () => {
      const visa = await stored(VISA);
      const id = await offering([visa]);
      const elsewhere = { paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' };
      expect((await shopperPays(id, elsewhere)).result.code).toBe('000.200.000');
      await deleteNamed('0000');
      await form().getByRole('alert').getByText('Try again in a moment').waitFor();
      expect(await form().locator('.wpwl-button-pay').isEnabled()).toBe(true);
      expect(await isStored(visa)).toBe(true);
      await form().locator('.wpwl-button-pay').click();
      await visit.isBack();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'fits on a phone, in Arabic',
    async () => {
      await visit.openBrowser(PHONE);
      await offering([await stored(VISA)], '{locale: "ar"}');
      await remove('حذف').click();
      await form().getByRole('group').waitFor();
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await visit.host.evaluate(wide)).toBeLessThanOrEqual(0);
      expect(await faultsOfAccessibility()).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a stored card of a shop that has not allowed it', () => {
  it(
    'has no such button, and is not deleted by a page that asks all the same',
    async () => {
      const visa = await stored(VISA);
      await seed(false);
      try {
        const id = await offering([visa]);
        const resource = `${visit.sandbox.url}/v1/checkouts/${id}`;
        const mayDelete = async () =>
          ((await (await fetch(`${resource}/form`)).json()) as Body)['mayDelete'];
        // Edge learns of it within moments.
        while ((await mayDelete()) === true) await new Promise((again) => setTimeout(again, 50));
        await visit.openAccountForm(id, 'registrations');
        expect(await form().locator('.wpwl-button-delete').count()).toBe(0);
        const url = `${resource}/registrations/${visa}`;
        const refused = `fetch('${url}', { method: 'DELETE' }).then((answer) => answer.json())`;
        expect(await visit.host.evaluate(refused)).toMatchObject({
          result: { code: '600.200.500' },
        });
        expect(await isStored(visa)).toBe(true);
      } finally {
        await seed(true);
      }
    },
    BROWSER_WITHIN_MS,
  );
});
