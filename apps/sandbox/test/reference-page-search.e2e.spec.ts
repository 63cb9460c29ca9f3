import { describe, expect, it } from '@jest/globals';
import { BROWSER_WITHIN_MS, ReferencePageVisit } from './reference-page-fixture.js';

const visit = new ReferencePageVisit();

describe('the search of the reference page', () => {
  it(
    'finds a parameter by the name that requests and errors have',
    async () => {
      const { page } = visit;
      const search = page.getByLabel('Search a parameter');
      for (const [written, key] of [
        ['cart.items[0].name', 'cart.items[n].name'],
        ['cart.items[17].recipient.email', 'cart.items[n].recipient.email'],
        ['airline.passengers[3].name', 'airline.passengers[n].name'],
        ['customParameters[branch_id]', 'customParameters[name]'],
        ['risk.parameters[ip', 'risk.parameters[name]'],
        ['threeDSecure.schemeData[CB-USECASE]', 'threeDSecure.schemeData[CB-USECASE]'],
      ] as const) {
        await search.fill(written);
        expect(await visit.found().getByRole('heading').allInnerTexts()).toContain(key);
      }
      await search.fill('cart.items[0].nothing-like-it-at-all');
      expect(await visit.found().count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'ranks names first, knows other words for them, and leaves boilerplate out',
    async () => {
      const { page } = visit;
      const search = page.getByLabel('Search a parameter');
      for (const [typed, ...first] of [
        ['amount', 'amount'],
        ['card.number', 'card.number', 'card.numberType'],
        ['card number', 'card.number'],
        ['iban', 'bankAccount.iban'],
        ['cvc', 'card.cvv'],
        ['zip', 'billing.postcode'],
        ['billing zip', 'billing.postcode'],
        ['3ds', 'threeDSecure.amount'],
        ['3-D Secure version', 'threeDSecure.version'],
        ['expiry month', 'card.expiryMonth'],
        ['swift', 'bankAccount.bic'],
      ] as const) {
        await search.fill(typed);
        expect([typed, ...(await visit.names()).slice(0, first.length)]).toEqual([typed, ...first]);
      }
      for (const boilerplate of ['masked', 'every new payment', 'some receivers']) {
        await search.fill(boilerplate);
        expect([boilerplate, await visit.found().count()]).toEqual([boilerplate, 0]);
      }
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says that nothing fits, and what was perhaps meant',
    async () => {
      const { page } = visit;
      const search = page.getByLabel('Search a parameter');
      for (const [typed, meant, key] of [
        ['card.numbr', 'card.number', 'card.number'],
        ['card numbr', 'card.number', 'card.number'],
        ['custmer.givenname', 'customer.givenName', 'customer.givenName'],
        ['curency', 'currency', 'currency'],
      ] as const) {
        await search.fill(typed);
        expect(await page.locator('#nothing-found').innerText()).toBe(
          `Nothing fits “${typed}”. Did you mean ${meant}?`,
        );
        await page.getByRole('button', { name: meant, exact: true }).click();
        expect((await visit.names())[0]).toBe(key);
      }
      await search.fill('qwertzuiop');
      expect(await page.locator('#nothing-found').innerText()).toBe('Nothing fits “qwertzuiop”.');
      expect(await visit.accessibilityFaults()).toEqual([]);
      await search.fill('iban');
      await page.getByLabel('Structure').selectOption('Cart');
      await page.getByRole('button', { name: 'Search everywhere' }).click();
      expect((await visit.names())[0]).toBe('bankAccount.iban');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'keeps the search in the address, to be sent to somebody',
    async () => {
      const { page } = visit;
      await page.getByLabel('Search a parameter').fill('postcode billing');
      await page.getByLabel('Request', { exact: true }).selectOption('payment');
      const shown = await visit.names();
      expect(new URL(page.url()).search).toBe('?q=postcode+billing&kind=payment');
      await page.goto(page.url());
      expect(await page.getByLabel('Search a parameter').inputValue()).toBe('postcode billing');
      expect(await visit.names()).toEqual(shown);
      // A link to what the search leaves out is followed all the same.
      await page.goto(`${page.url()}#p.card.cvv`);
      await page.getByRole('heading', { name: 'card.cvv' }).waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'filters by structure and by request',
    async () => {
      const { page } = visit;
      const total = await visit.found().count();
      expect(total).toBeGreaterThan(473);
      await page.getByLabel('Structure').selectOption('Card account');
      const shown = await visit.found().getByRole('heading').allInnerTexts();
      expect(shown).toContain('card.number');
      expect(shown.every((name) => name.startsWith('card.'))).toBe(true);
      await page.getByLabel('Request', { exact: true }).selectOption({ label: 'refund' });
      expect(await page.locator('#found').innerText()).toBe(`0 of ${total} parameters`);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'finds result codes by their beginning, by words and by what to do',
    async () => {
      const { page } = visit;
      await page.goto(`${visit.url}/docs/result-codes?q=800.100.15`);
      const codes = page.getByRole('row').filter({ visible: true }).getByRole('link');
      const shown = await codes.allInnerTexts();
      expect(shown.length).toBeGreaterThan(5);
      expect(shown.filter((code) => !code.startsWith('800.100.15'))).toEqual([]);
      const search = page.getByLabel('Search a code');
      await search.fill('insufficient funds');
      expect(await codes.allInnerTexts()).toEqual(['000.100.203', '800.100.203']);
      await search.fill('insuficient funds');
      await page.getByRole('button', { name: 'insufficient funds' }).click();
      await page.getByLabel('Retry').selectOption({ label: 'as the merchant advice code says' });
      expect(await codes.allInnerTexts()).toEqual(['800.100.203']);
      expect(new URL(page.url()).search).toBe('?q=insufficient+funds&retry=followAdvice');
      expect(await visit.accessibilityFaults()).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});
