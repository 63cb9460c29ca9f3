import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { call } from './http-client.js';
import { startChromium } from './chromium.js';
import { entityId, personalOf, replying, ScriptedEdge, token } from './scripted-edge.js';

/** The machine runs other suites meanwhile. */
const BROWSER_WITHIN_MS = 120_000;

const demo = { demoEntityId: entityId, demoAccessToken: token };

const test = new ScriptedEdge();
const live = new ScriptedEdge();
beforeAll(async () => {
  await test.start(demo);
  await live.start({ ...demo, gatewayEnvironment: 'live' });
});
afterAll(() => Promise.all([test.close(), live.close()]));
beforeEach(() => test.reset());

describe('/openapi.json', () => {
  const committed = JSON.parse(
    readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8'),
  ) as object;

  it('is the committed document, served by whoever is asked', async () => {
    const { status, headers, text } = await call(`${test.url}/openapi.json`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(JSON.parse(text)).toEqual({
      ...committed,
      servers: [{ url: '/', description: 'This installation' }],
    });
  });

  it('need not be sent twice', async () => {
    const first = await fetch(`${test.url}/openapi.json`);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const again = (ifNoneMatch: string) =>
      fetch(`${test.url}/openapi.json`, { headers: { 'If-None-Match': ifNoneMatch } });
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const { status, headers } = await again(known);
      expect([known, status, headers.get('etag')]).toEqual([known, 304, tag]);
    }
    expect((await again('"other"')).status).toBe(200);
  });

  it('is compressed for those who can read that, under a tag of its own', async () => {
    const plain = await received('/openapi.json', 'identity');
    const compressed = await received('/openapi.json', 'br, gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.headers.vary).toBe('accept-encoding');
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 5);
  });
});

describe('/docs', () => {
  it.each([
    '/docs',
    '/docs/',
    '/docs/operations',
    '/docs/result-codes',
    '/docs/interface',
    '/docs/wire-contract',
  ])('%s is a page that runs nothing foreign', async (path) => {
    const { status, headers, text } = await got(`${test.url}${path}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('is where the bare address leads', async () => {
    for (const { url } of [test, live]) {
      const { status, headers } = await fetch(`${url}/`, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([302, '/docs']);
    }
  });

  it('links nothing that is not there', async () => {
    const targets = new Map<string, Set<string>>();
    const idsOf = async (path: string): Promise<Set<string>> => {
      const { status, text } = await got(`${live.url}${path}`);
      expect([path, status]).toEqual([path, 200]);
      return new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
    };
    const missing: string[] = [];
    for (const from of ['/docs', '/docs/result-codes', '/docs/interface', '/docs/wire-contract']) {
      const { text } = await got(`${live.url}${from}`);
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const [path = '', anchor] = href.split('#');
        const page = path === '' ? from : path;
        if (!targets.has(page)) targets.set(page, await idsOf(page));
        if (anchor !== undefined && !targets.get(page)?.has(anchor)) missing.push(href);
      }
    }
    expect([...new Set(missing)]).toEqual([]);
    expect([...targets.keys()]).toEqual(
      expect.arrayContaining(['/docs/interface', '/openapi.json']),
    );
  });

  it('shows the demo channel on a test installation', async () => {
    const { text } = await got(`${test.url}/docs`);
    expect(text).toContain(token);
    expect(text).toContain(entityId);
  });

  it('says the limits of requests', async () => {
    const { text: page } = await got(`${test.url}/docs`);
    expect(page).toContain('<summary>Limits of a request</summary>');
    expect(page).toContain('<code>customer.browserFingerprint.value</code>: 16,384 bytes;');
    expect(page).toContain('of all maps together: 1,000;');
  });

  it('says plainly which requests are not served yet', async () => {
    const { text } = await got(`${live.url}/docs`);
    expect(text).toMatch(/<option value="checkout">checkout \(not served yet\)<\/option>/);
    expect(text).toMatch(/<option value="refund">refund<\/option>/);
    expect(text).toMatch(
      /Not served by this version: payment by wallet, [^<]+600\.200\.500[^<]+404/,
    );
  });

  it('shows neither the channel nor a form on a live one, whatever that was told', async () => {
    const { status, text } = await got(`${live.url}/docs`);
    expect(status).toBe(200);
    expect(text).toContain('This is a live installation');
    expect(text).not.toContain(token);
    expect(text).not.toContain(entityId);
    expect(text).not.toContain('try-form');
  });

  it.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/constructor', '/docs/a/b'])(
    '%s is 404',
    async (path) => {
      const { status, body } = await call(`${test.url}${path}`);
      expect([status, body.result.code]).toEqual([404, '200.100.199']);
    },
  );

  it('is read, not written', async () => {
    const { status, body } = await call(`${test.url}/docs`, { method: 'POST' });
    expect([status, body.result.code]).toEqual([404, '200.300.403']);
  });
});

describe('the page in a browser', () => {
  let browser: Browser;
  let page: Page;
  /** What a visitor must never meet: requests to elsewhere, errors, refusals of the policy. */
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await startChromium();
  }, BROWSER_WITHIN_MS);
  afterAll(() => browser.close());
  beforeEach(async () => {
    faults.length = 0;
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== test.url) faults.push(`asked ${request.url()}`);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      const isExpected = message.text().includes('the server responded with a status of 400');
      if (message.type() === 'error' && !isExpected) faults.push(message.text());
    });
    await page.goto(`${test.url}/docs`);
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  const found = () => page.getByRole('article').filter({ visible: true });
  const result = () => page.locator('#try-result');
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
      expect(test.command.data).toMatchObject({ operation: 'debit', amount: { currency: 'EUR' } });
      expect(JSON.stringify(personalOf(test.command))).toContain('10115');
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
          token,
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
      await page.goto(`${test.url}/docs/result-codes?q=800.100.15`);
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
      await page.goto(`${test.url}${path}`);
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
      expect(personalOf(test.command)).toMatchObject({ 'risk.parameters[branch]': 'returning' });
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
      const paid = test.command.data.transactionId;
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.getByLabel('Path').inputValue()).toBe(`/v1/payments/${paid}`);
      await page.keyboard.press('Enter');
      await page.getByText('referencedId').waitFor();
      expect(test.command.data).toMatchObject({ operation: 'refund', referencedId: paid });
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
      const { transactionId, operation } = test.command.data;
      expect(operation).toBe('authorization');
      expect(await page.getByLabel('Path').inputValue()).toBe(`/v1/payments/${transactionId}`);
      expect(await first.isVisible()).toBe(false);
      await send.click();
      await page.getByText('referencedId').waitFor();
      expect(test.command.data).toMatchObject({
        operation: 'capture',
        referencedId: transactionId,
      });
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
        `authentication.entityId=${entityId}`,
      ]);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 200 · 000.100.110').waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows a refusal as one, and what was sent as a command',
    async () => {
      test.script.reply = replying({ status: 'declined', resultCode: '800.100.155' });
      await page
        .getByLabel('Example')
        .selectOption({ label: 'An authorization by card: approved, to be captured later' });
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('HTTP 400 · 800.100.155').waitFor();
      expect(await result().getAttribute('class')).toBe('bad');
      await page.getByText('The same in code').click();
      expect(await page.getByRole('tabpanel', { name: 'curl' }).innerText()).toContain(
        `curl ${test.url}/v1/payments`,
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
      await page.goto(`${test.url}/docs/operations`);
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

/** A page as text. */
async function got(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What axe finds, in short. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** An answer as it went over the wire: `fetch` would decompress it. */
function received(
  path: string,
  encoding: string,
): Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    httpRequest(`${test.url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}
