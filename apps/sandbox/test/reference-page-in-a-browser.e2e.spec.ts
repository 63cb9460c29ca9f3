import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SandboxProcess, startSandbox } from '@sluice/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { startChromium } from './chromium.js';

const DEMO_ENTITY_ID = '8a8294174b7ecb28014b9699220015ca';
const DEMO_ACCESS_TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
/** The machine runs other suites meanwhile. */
const BROWSER_WITHIN_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'sluice-browser-'));
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandbox({ dataFolder: folder, environment: { DATABASE_URL: '' } });
}, BROWSER_WITHIN_MS);
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
}, BROWSER_WITHIN_MS);

describe('the page in a browser', () => {
  let browser: Browser;
  let page: Page;
  /** What a visitor must never meet: requests to elsewhere, errors, refusals of the policy. */
  const faults: string[] = [];
  /** What the page sent to the interface. */
  const sent: { path: string; fields: URLSearchParams }[] = [];
  beforeAll(async () => {
    browser = await startChromium();
  }, BROWSER_WITHIN_MS);
  afterAll(() => browser.close());
  beforeEach(async () => {
    faults.length = 0;
    sent.length = 0;
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.on('request', (request) => {
      const { origin, protocol, pathname: path } = new URL(request.url());
      if (protocol !== 'data:' && origin !== sandbox.url) faults.push(`asked ${request.url()}`);
      if (request.method() === 'POST') {
        sent.push({ path, fields: new URLSearchParams(request.postData() ?? '') });
      }
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      const isExpected = message.text().includes('the server responded with a status of 400');
      if (message.type() === 'error' && !isExpected) faults.push(message.text());
    });
    await page.goto(`${sandbox.url}/docs`);
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  const found = () => page.getByRole('article').filter({ visible: true });
  const result = () => page.locator('#try-result');
  /** The id in the answer that is shown. */
  const answeredId = async (): Promise<string> => {
    const { id } = JSON.parse((await page.locator('#try-answer').textContent()) ?? '') as {
      id: string;
    };
    return id;
  };
  /** Rows are laid out only once they come near the window; until then they have no text. */
  const textOf = async (row: Locator): Promise<string> => {
    await row.scrollIntoViewIfNeeded();
    let text = '';
    while (text === '') text = await row.innerText();
    return text;
  };

  it(
    'finds a parameter, tells its rule, and pays',
    async () => {
      await page.getByLabel('Search a parameter').fill('postcode billing');
      const row = found().filter({
        has: page.getByRole('heading', { name: /^billing\.postcode$/ }),
      });
      expect(await textOf(row)).toMatch(
        /conditional[\s\S]+Required when[\s\S]+Format\s+AN16[\s\S]+Example\s+10115[\s\S]+Taken by\s+conditional: every new payment/,
      );
      await row.getByRole('button', { name: 'Add billing.postcode to the request' }).click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
      const { fields } = sent.at(-1) ?? {};
      expect([fields?.get('paymentType'), fields?.get('currency')]).toEqual(['DB', 'EUR']);
      expect(fields?.get('billing.postcode')).toBe('10115');
      expect(await page.getByLabel('Body of the answer').innerText()).toContain('"000.100.110"');
      expect(await accessibilityFaults(page)).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'finds a parameter by the name that requests and errors have',
    async () => {
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
        expect(await found().getByRole('heading').allInnerTexts()).toContain(key);
      }
      await search.fill('cart.items[0].nothing-like-it-at-all');
      expect(await found().count()).toBe(0);
    },
    BROWSER_WITHIN_MS,
  );

  const names = async (): Promise<string[]> =>
    (await found().getByRole('heading').allTextContents()).map((name) => name.trim());

  it(
    'ranks names first, knows other words for them, and leaves boilerplate out',
    async () => {
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
        expect([typed, ...(await names()).slice(0, first.length)]).toEqual([typed, ...first]);
      }
      for (const boilerplate of ['masked', 'every new payment', 'some receivers']) {
        await search.fill(boilerplate);
        expect([boilerplate, await found().count()]).toEqual([boilerplate, 0]);
      }
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says that nothing fits, and what was perhaps meant',
    async () => {
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
        expect((await names())[0]).toBe(key);
      }
      await search.fill('qwertzuiop');
      expect(await page.locator('#nothing-found').innerText()).toBe('Nothing fits “qwertzuiop”.');
      expect(await accessibilityFaults(page)).toEqual([]);
      await search.fill('iban');
      await page.getByLabel('Structure').selectOption('Cart');
      await page.getByRole('button', { name: 'Search everywhere' }).click();
      expect((await names())[0]).toBe('bankAccount.iban');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'keeps the search in the address, to be sent to somebody',
    async () => {
      await page.getByLabel('Search a parameter').fill('postcode billing');
      await page.getByLabel('Request', { exact: true }).selectOption('payment');
      const shown = await names();
      expect(new URL(page.url()).search).toBe('?q=postcode+billing&kind=payment');
      await page.goto(page.url());
      expect(await page.getByLabel('Search a parameter').inputValue()).toBe('postcode billing');
      expect(await names()).toEqual(shown);
      // A link to what the search leaves out is followed all the same.
      await page.goto(`${page.url()}#p.card.cvv`);
      expect(await page.getByRole('heading', { name: 'card.cvv' }).isVisible()).toBe(true);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows what was refused at the head of the form, with ways to the line and the rule',
    async () => {
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.getByLabel('Example').selectOption('refused');
      await page.getByLabel('Search a parameter').fill('iban');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const errors = page.getByRole('alert');
      await errors.getByText('Refused: 2 parameters').waitFor();
      expect((await errors.boundingBox())?.y).toBeLessThan(360);
      expect(await accessibilityFaults(page)).toEqual([]);
      await errors.getByRole('link', { name: 'card.expiryMonth' }).click();
      await page.keyboard.type('card.expiryMonth=12');
      expect(await page.getByLabel('Parameters, one').inputValue()).toContain(
        'card.expiryMonth=12\ncard.expiryYear',
      );
      await errors.getByRole('link', { name: '01-12' }).click();
      expect(await page.getByRole('heading', { name: 'card.expiryMonth' }).isVisible()).toBe(true);
      await page.getByLabel('Example').selectOption('debit');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
      expect(await errors.isVisible()).toBe(false);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'offers only what may refer to the transaction',
    async () => {
      const next = page.getByRole('group', { name: 'Next requests' }).getByRole('button');
      const offeredAfter = async (example: string): Promise<string[]> => {
        await page.getByLabel('Example').selectOption(example);
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await page.getByText('HTTP 200').waitFor();
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
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(await page.getByRole('tabpanel').textContent());
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'finds result codes by their beginning, by words and by what to do',
    async () => {
      await page.goto(`${sandbox.url}/docs/result-codes?q=800.100.15`);
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
      expect(await accessibilityFaults(page)).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );

  it.each(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [
        ...['/docs?q=card.number', '/docs/interface', '/docs/wire-contract'],
        ...['/docs/result-codes?q=800.100.15', '/docs/operations'],
      ].map((path) => [colorScheme, path] as const),
    ),
  )(
    'is read by everybody in the %s: %s',
    async (colorScheme, path) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${sandbox.url}${path}`);
      if (path === '/docs/operations') {
        await page.getByText('/v1/payments', { exact: true }).waitFor();
      }
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        colorScheme === 'dark' ? 'rgb(18, 24, 30)' : 'rgb(255, 255, 255)',
      );
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'adds a parameter of a map under a name that can be sent, and marks it to be overwritten',
    async () => {
      await page.getByLabel('Search a parameter').fill('risk.parameters');
      await page.getByRole('button', { name: 'Add risk.parameters[name] to the request' }).click();
      await page.keyboard.type('branch');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
      expect(sent.at(-1)?.fields.get('risk.parameters[branch]')).toBe('returning');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is used by the keyboard alone: a payment, then its refund',
    async () => {
      await page.getByLabel('Access token').focus();
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
      const paid = await answeredId();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.getByLabel('Path').inputValue()).toBe(`/v1/payments/${paid}`);
      await page.keyboard.press('Enter');
      await page.getByText('referencedId').waitFor();
      expect(sent.at(-1)?.path).toBe(`/v1/payments/${paid}`);
      expect(sent.at(-1)?.fields.get('paymentType')).toBe('RF');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'pays first for a request about a transaction, and fills its id in',
    async () => {
      const send = page.getByRole('button', { name: 'Send', exact: true });
      const first = page.getByRole('group', { name: 'What comes first' });
      await page.getByLabel('Example').selectOption({ label: 'Read a transaction' });
      expect(await first.getByRole('button').innerText()).toBe('Send a debit by card first');
      await page.getByLabel('Example').selectOption({ label: 'A capture of an authorization' });
      expect(await page.getByLabel('Path').inputValue()).toBe('/v1/payments/ID');
      expect(await send.isDisabled()).toBe(true);
      // All parameters at once would take axe minutes.
      await page.getByLabel('Search a parameter').fill('card.number');
      expect(await accessibilityFaults(page)).toEqual([]);
      await first.getByRole('button', { name: 'Send an authorization by card first' }).click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
      expect(sent.at(-1)?.fields.get('paymentType')).toBe('PA');
      const path = `/v1/payments/${await answeredId()}`;
      expect(await page.getByLabel('Path').inputValue()).toBe(path);
      expect(await first.isVisible()).toBe(false);
      await send.click();
      await page.getByText('referencedId').waitFor();
      expect(sent.at(-1)?.path).toBe(path);
      expect(sent.at(-1)?.fields.get('paymentType')).toBe('CP');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows no older answer where the gateway gives none',
    async () => {
      const send = page.getByRole('button', { name: 'Send', exact: true });
      await send.click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
      await page.route('**/v1/payments', (route) => route.fulfill({ status: 502, body: 'Bad' }));
      await send.click();
      await page.getByText('The gateway did not answer, or not with JSON.').waitFor();
      expect(await page.locator('#try-answer').textContent()).toBe('');
      expect(await page.getByLabel('Body of the answer').isVisible()).toBe(false);
      expect(await page.getByRole('group', { name: 'Next requests' }).isVisible()).toBe(false);
      faults.splice(0, Infinity, ...faults.filter((fault) => !fault.includes('status of 502')));
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'adds the older name of the entity in place of the newer one, as the same',
    async () => {
      await page.getByLabel('Search a parameter').fill('authentication.entityId');
      await page.getByRole('button', { name: 'Add authentication.entityId' }).click();
      const lines = (await page.getByLabel('Parameters, one').inputValue()).split('\n');
      expect(lines.filter((line) => line.includes('entityId='))).toEqual([
        `authentication.entityId=${DEMO_ENTITY_ID}`,
      ]);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows a refusal as one, and what was sent as a command',
    async () => {
      await page.getByLabel('Example').selectOption('declined');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 400 · 800.100.155').waitFor();
      expect(await result().getAttribute('class')).toBe('bad');
      await page.getByText('The same in code').click();
      expect(await page.getByRole('tabpanel', { name: 'curl' }).innerText()).toContain(
        `curl ${sandbox.url}/v1/payments`,
      );
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'filters by structure and by request',
    async () => {
      const total = await found().count();
      expect(total).toBeGreaterThan(473);
      await page.getByLabel('Structure').selectOption('Card account');
      const names = await found().getByRole('heading').allInnerTexts();
      expect(names).toContain('card.number');
      expect(names.every((name) => name.startsWith('card.'))).toBe(true);
      await page.getByLabel('Request', { exact: true }).selectOption({ label: 'refund' });
      expect(await page.locator('#found').innerText()).toBe(`0 of ${total} parameters`);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'fits on a telephone',
    async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByLabel('Search a parameter').fill('customParameters');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows every operation with its answers',
    async () => {
      await page.getByRole('link', { name: 'Operations and answers' }).click();
      await page.getByText('/v3/query/{id}').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page
        .getByRole('button', { name: /GET \/v1\/resultcodes/i })
        .first()
        .click();
      await page.getByText('The table.').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'draws the hundreds of parameters of a payment by structure, when one is opened',
    async () => {
      await page.goto(`${sandbox.url}/docs/operations`);
      await page.getByText('A new payment, or an increment').click();
      const rows = page.locator('tr.parameters');
      await rows.filter({ hasText: 'paymentBrand' }).first().waitFor();
      expect(await rows.count()).toBeLessThan(60);
      await page.locator('summary', { hasText: /^card\.\*$/ }).click();
      await rows.filter({ hasText: 'card.number' }).first().waitFor();
      expect(await rows.filter({ hasText: 'customer.givenName' }).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    },
    BROWSER_WITHIN_MS,
  );
});

/** What axe finds, in short. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
