import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { BROWSER_WITHIN_MS, ReferencePageVisit } from './reference-page-fixture.js';

const DEMO_ENTITY_ID = '8a8294174b7ecb28014b9699220015ca';
const DEMO_ACCESS_TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
const visit = new ReferencePageVisit();

describe('the form to try a request', () => {
  it(
    'finds a parameter, tells its rule, and pays',
    async () => {
      const { page } = visit;
      await page.getByLabel('Search a parameter').fill('postcode billing');
      const row = visit.found().filter({
        has: page.getByRole('heading', { name: /^billing\.postcode$/ }),
      });
      expect(await textOf(row)).toMatch(
        /conditional[\s\S]+Required when[\s\S]+Format\s+AN16[\s\S]+Example\s+10115[\s\S]+Taken by\s+conditional: every new payment/,
      );
      await row.getByRole('button', { name: 'Add billing.postcode to the request' }).click();
      await visit.send();
      await visit.answerIs('HTTP 200 · 000.100.110');
      const { fields } = visit.sent.at(-1) ?? {};
      expect([fields?.get('paymentType'), fields?.get('currency')]).toEqual(['DB', 'EUR']);
      expect(fields?.get('billing.postcode')).toBe('10115');
      expect(await page.getByLabel('Body of the answer').innerText()).toContain('"000.100.110"');
      expect(await visit.accessibilityFaults()).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows what was refused at the head of the form, with ways to the line and the rule',
    async () => {
      const { page } = visit;
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.getByLabel('Example').selectOption('refused');
      await page.getByLabel('Search a parameter').fill('iban');
      await visit.send();
      const errors = page.getByRole('alert');
      await errors.getByText('Refused: 2 parameters').waitFor();
      expect((await errors.boundingBox())?.y).toBeLessThan(360);
      expect(await visit.accessibilityFaults()).toEqual([]);
      await errors.getByRole('link', { name: 'card.expiryMonth' }).click();
      await page.keyboard.type('card.expiryMonth=12');
      expect(await page.getByLabel('Parameters, one').inputValue()).toContain(
        'card.expiryMonth=12\ncard.expiryYear',
      );
      await errors.getByRole('link', { name: '01-12' }).click();
      await page.getByRole('heading', { name: 'card.expiryMonth' }).waitFor();
      await page.getByLabel('Example').selectOption('debit');
      await visit.send();
      await visit.answerIs('HTTP 200 · 000.100.110');
      expect(await errors.isVisible()).toBe(false);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'offers only what may refer to the transaction',
    async () => {
      const { page } = visit;
      const next = page.getByRole('group', { name: 'Next requests' }).getByRole('button');
      const offeredAfter = async (example: string): Promise<string[]> => {
        await page.getByLabel('Example').selectOption(example);
        await visit.send();
        await visit.answerIs('HTTP 200');
        return next.allInnerTexts();
      };
      expect(await offeredAfter('authorization')).toEqual([
        ...['Capture', 'Reversal', 'Increment', 'Read', 'Query'],
      ]);
      // A refund of what is only reserved begins with a debit.
      await page.getByLabel('Example').selectOption('refund');
      expect(await page.getByLabel('Path').inputValue()).toBe('/v1/payments/ID');
      expect(await offeredAfter('debit')).toEqual([
        ...['Refund', 'Reversal', 'Rebill', 'Chargeback', 'Read', 'Query'],
      ]);
      expect(await offeredAfter('refund')).toEqual(['Read', 'Query']);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'writes the request in five languages, and copies it',
    async () => {
      const { page } = visit;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByLabel('Search a parameter').fill('card.number');
      await page.getByText('The same in code').click();
      const tabs = page.getByRole('tab');
      const written = ['curl', 'JavaScript', 'Python', 'PHP', 'Java'];
      expect(await tabs.allInnerTexts()).toEqual(written);
      await tabs.first().focus();
      for (const name of written) {
        expect(await page.getByRole('tabpanel', { name, exact: true }).innerText()).toContain(
          DEMO_ACCESS_TOKEN,
        );
        await page.keyboard.press('ArrowRight');
      }
      expect(await visit.accessibilityFaults()).toEqual([]);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(await page.getByRole('tabpanel').textContent());
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'adds a parameter of a map under a name that can be sent, and marks it to be overwritten',
    async () => {
      const { page } = visit;
      await page.getByLabel('Search a parameter').fill('risk.parameters');
      await page.getByRole('button', { name: 'Add risk.parameters[name] to the request' }).click();
      await page.keyboard.type('branch');
      await visit.send();
      await visit.answerIs('HTTP 200 · 000.100.110');
      expect(visit.sent.at(-1)?.fields.get('risk.parameters[branch]')).toBe('returning');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is used by the keyboard alone: a payment, then its refund',
    async () => {
      const { page } = visit;
      await page.getByLabel('Access token').focus();
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await visit.answerIs('HTTP 200 · 000.100.110');
      const paid = await answeredId(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.getByLabel('Path').inputValue()).toBe(`/v1/payments/${paid}`);
      await page.keyboard.press('Enter');
      await page.getByText('referencedId').waitFor();
      expect(visit.sent.at(-1)?.path).toBe(`/v1/payments/${paid}`);
      expect(visit.sent.at(-1)?.fields.get('paymentType')).toBe('RF');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays first for a request about a transaction, and fills its id in',
    async () => {
      const { page } = visit;
      const send = page.getByRole('button', { name: 'Send', exact: true });
      const first = page.getByRole('group', { name: 'What comes first' });
      await page.getByLabel('Example').selectOption({ label: 'Read a transaction' });
      expect(await first.getByRole('button').innerText()).toBe('Send a debit by card first');
      await page.getByLabel('Example').selectOption({ label: 'A capture of an authorization' });
      expect(await page.getByLabel('Path').inputValue()).toBe('/v1/payments/ID');
      expect(await send.isDisabled()).toBe(true);
      // All parameters at once would take axe minutes.
      await page.getByLabel('Search a parameter').fill('card.number');
      expect(await visit.accessibilityFaults()).toEqual([]);
      await first.getByRole('button', { name: 'Send an authorization by card first' }).click();
      await visit.answerIs('HTTP 200 · 000.100.110');
      expect(visit.sent.at(-1)?.fields.get('paymentType')).toBe('PA');
      const path = `/v1/payments/${await answeredId(page)}`;
      expect(await page.getByLabel('Path').inputValue()).toBe(path);
      expect(await first.isVisible()).toBe(false);
      await send.click();
      await page.getByText('referencedId').waitFor();
      expect(visit.sent.at(-1)?.path).toBe(path);
      expect(visit.sent.at(-1)?.fields.get('paymentType')).toBe('CP');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows no older answer where the gateway gives none',
    async () => {
      const { page } = visit;
      const send = page.getByRole('button', { name: 'Send', exact: true });
      await send.click();
      await visit.answerIs('HTTP 200 · 000.100.110');
      await page.route('**/v1/payments', (route) => route.fulfill({ status: 502, body: 'Bad' }));
      await send.click();
      await page.getByText('The gateway did not answer, or not with JSON.').waitFor();
      expect(await page.locator('#try-answer').textContent()).toBe('');
      expect(await page.getByLabel('Body of the answer').isVisible()).toBe(false);
      expect(await page.getByRole('group', { name: 'Next requests' }).isVisible()).toBe(false);
      visit.faults.splice(
        0,
        Infinity,
        ...visit.faults.filter((fault) => !fault.includes('status of 502')),
      );
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'adds the older name of the entity in place of the newer one, as the same',
    async () => {
      const { page } = visit;
      await page.getByLabel('Search a parameter').fill('authentication.entityId');
      await page.getByRole('button', { name: 'Add authentication.entityId' }).click();
      const lines = (await page.getByLabel('Parameters, one').inputValue()).split('\n');
      expect(lines.filter((line) => line.includes('entityId='))).toEqual([
        `authentication.entityId=${DEMO_ENTITY_ID}`,
      ]);
      await visit.send();
      await visit.answerIs('HTTP 200 · 000.100.110');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows a refusal as one, and what was sent as a command',
    async () => {
      const { page } = visit;
      await page.getByLabel('Example').selectOption('declined');
      await visit.send();
      await visit.answerIs('HTTP 400 · 800.100.155');
      expect(await page.locator('#try-result').getAttribute('class')).toBe('bad');
      await page.getByText('The same in code').click();
      expect(await page.getByRole('tabpanel', { name: 'curl' }).innerText()).toContain(
        `curl ${visit.url}/v1/payments`,
      );
    },
    BROWSER_WITHIN_MS,
  );
});

/** The id in the answer that is shown. */
async function answeredId(page: Page): Promise<string> {
  const answer = (await page.locator('#try-answer').textContent()) ?? '';
  return (JSON.parse(answer) as { id: string }).id;
}

/** Rows are laid out only once they come near the window; until then they have no text. */
async function textOf(row: Locator): Promise<string> {
  await row.scrollIntoViewIfNeeded();
  let text = '';
  while (text === '') text = await row.innerText();
  return text;
}
