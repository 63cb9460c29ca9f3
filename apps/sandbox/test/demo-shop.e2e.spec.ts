import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults, startChromium } from './chromium.js';
import { type Body, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, PHONE } from './shopper-fixture.js';

const DECLINED_NAME = '800.100.152';
const PENDING_NAME = '100.400.500';
const DETAILS = {
  ...{ 'First name': 'Jane', 'Last name': 'Jones', Email: 'jane@shop.example' },
  ...{ 'Street and number': '1 Canal Street', Postcode: '10115', City: 'Berlin' },
} as const;

const sandbox = testSandbox();
/** What a shopper must never meet. */
const faults: string[] = [];
let browser: Browser;
let page: Page;

/** As the start prints it. */
const shopUrl = (): string => /^Demo shop: (\S+)$/m.exec(sandbox.output())?.[1] ?? '';

async function openBrowser(options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext(options);
  page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A payment that is declined.
    const isExpected = message.text().includes('the server responded with a status of 400');
    if (['error', 'warning'].includes(message.type()) && !isExpected) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    const isHere = hostname === '127.0.0.1' || protocol === 'data:' || protocol === 'about:';
    if (!isHere) faults.push(`asked ${request.url()}`);
  });
}

beforeAll(async () => {
  browser = await startChromium();
}, BROWSER_WITHIN_MS);
afterAll(() => browser.close(), BROWSER_WITHIN_MS);
beforeEach(async () => {
  faults.length = 0;
  await openBrowser();
});
afterEach(async () => {
  await page.context().close();
  expect(faults).toEqual([]);
});

const click = (role: 'button' | 'link', name: string): Promise<void> =>
  page.getByRole(role, { name }).click();

/** The heading of the page is this. */
const reads = (heading: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading }).waitFor();

/** From a print to the checkout, with the address typed unless the shop knows it. */
async function fillBasket(print: string): Promise<void> {
  await page.goto(`${shopUrl()}/prints/${print}`);
  await click('button', 'Add to basket');
  await click('link', 'Checkout');
  await reads('Checkout');
  for (const [label, text] of Object.entries(DETAILS)) await page.getByLabel(label).fill(text);
}

/** Waits for the form, and types a card into it. */
async function typeCard(holder: string): Promise<void> {
  const typed = { cardNumber: '4200000000000000', cvv: '123' };
  for (const [field, digits] of Object.entries(typed)) {
    const frame = page.frameLocator(`iframe.wpwl-control-${field}`);
    await frame.locator('input[autocomplete^="cc-"]').pressSequentially(digits);
  }
  await page.locator('.wpwl-control-expiry').pressSequentially('0534');
  await page.locator('.wpwl-control-cardHolder').fill(holder);
}

const payButton = (form: 'card' | 'registrations' = 'card') =>
  page.locator(`.wpwl-form-${form} .wpwl-button-pay`);

async function paymentsOfOrder(): Promise<readonly Body[]> {
  const merchantTransactionId = /shop-[0-9a-f-]{36}/.exec(page.url())?.[0] ?? '';
  const found = await send(sandbox, ['GET', '/v1/query'], { merchantTransactionId });
  return (found['payments'] ?? []) as Body[];
}

/** Runs in the page. */
function colorOf(element: unknown): string {
  const { getComputedStyle } = globalThis as unknown as {
    readonly getComputedStyle: (of: unknown) => { readonly color: string };
  };
  return getComputedStyle(element).color;
}

/**
 * What axe finds on the page with the form. It takes the ground of a frame to be white, but here it is
 * the page's: so what is typed into a frame has to look as the expiry date does, which is in the page.
 */
async function faultsOfForm(): Promise<string[]> {
  const expected = await page.locator('.wpwl-control-expiry').evaluate(colorOf);
  for (const field of ['cardNumber', 'cvv']) {
    const input = page.frameLocator(`iframe.wpwl-control-${field}`).locator('input').first();
    expect(await input.evaluate(colorOf)).toBe(expected);
  }
  const checks = [
    new AxeBuilder({ page }).disableRules(['color-contrast']),
    new AxeBuilder({ page }).exclude('iframe').withRules(['color-contrast']),
  ];
  const found: string[] = [];
  for (const check of checks) {
    const { violations } = await check.analyze();
    found.push(...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`));
  }
  return found;
}

describe('the demo shop', () => {
  it(
    'sells: declined, corrected, paid by a double click once, and shown again by a reload',
    async () => {
      await page.goto(shopUrl());
      await click('link', 'Moonrise, Fen');
      await click('button', 'Add to basket');
      await click('button', 'One Moonrise, Fen more');
      await page.getByText('€124.00').first().waitFor();
      await click('link', 'Checkout');
      for (const [label, text] of Object.entries(DETAILS)) await page.getByLabel(label).fill(text);
      await click('button', 'Continue');
      await typeCard(DECLINED_NAME);
      expect(await payButton().innerText()).toBe('Pay €124.00');
      await payButton().click();
      await page.getByText('The payment was declined').waitFor();
      await page.locator('.wpwl-control-cardHolder').fill('Jane Jones');
      await payButton().dblclick();
      await reads('Thank you');
      const payments = await paymentsOfOrder();
      const approved = payments.filter(({ result }) => result.code === '000.100.110');
      expect(approved).toMatchObject([{ amount: '124.00', currency: 'EUR' }]);
      const receipt = String(approved[0]?.['shortId']);
      await page.getByText(receipt).waitFor();
      await page.reload();
      await page.getByText(receipt).waitFor();
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'keeps a card when asked to, offers it in the form, is paid with it, and removes it',
    async () => {
      await fillBasket('low-tide');
      await page.getByLabel('Save the card for next time').check();
      await click('button', 'Continue');
      await typeCard('Jane Jones');
      // What they tell is for one payment.
      expect(await page.locator('.wpwl-container-virtualAccount').count()).toBe(0);
      await payButton().click();
      await reads('Thank you');
      const [first] = await paymentsOfOrder();
      const registrationId = first?.['registrationId'];
      expect(registrationId).toMatch(/^[0-9a-f]{32}$/);
      await fillBasket('weir');
      await click('button', 'Continue');
      await page.getByRole('radio', { name: /^Visa 0000/, checked: true }).waitFor();
      expect(await payButton('card').innerText()).toBe('Pay €42.00');
      await payButton('registrations').dblclick();
      await reads('Thank you');
      const oneClick = { type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' };
      expect(await paymentsOfOrder()).toMatchObject([
        { amount: '42.00', registrationId, standingInstruction: oneClick },
      ]);
      await click('link', 'Saved cards');
      await page.getByText('Expires 05/34').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await click('button', 'Remove Visa ending in 0000');
      await reads('No card is saved');
    },
    BROWSER_WITHIN_MS,
  );

  it.each(['Apple Pay', 'Google Pay'])(
    'is paid by %s, of which the simulator plays the provider',
    async (wallet) => {
      await fillBasket('lock-no-4');
      await click('button', 'Continue');
      await page.getByRole('button', { name: wallet, exact: true, disabled: false }).click();
      const sheet = page.getByRole('dialog', { name: `${wallet}, simulated` });
      await sheet.getByText('54.00 EUR').waitFor();
      expect(await sheet.locator('dd').first().innerText()).toBe('Millrace');
      await sheet.getByRole('button', { name: 'Pay', exact: true }).click();
      await reads('Thank you');
      const paymentBrand = wallet.replace(' ', '').toUpperCase();
      expect(await paymentsOfOrder()).toMatchObject([{ amount: '54.00', paymentBrand }]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is paid by Click to Pay, which knows the address that the shopper has told the shop',
    async () => {
      await fillBasket('lock-no-4');
      await click('button', 'Continue');
      await page.getByRole('button', { name: 'Click to Pay', disabled: false }).click();
      const sheet = page.getByRole('dialog', { name: 'Click to Pay' });
      await sheet.getByLabel('One-time code').fill('123456');
      await sheet.getByRole('button', { name: 'Continue', exact: true }).click();
      await sheet.getByRole('button', { name: /^Mastercard/ }).click();
      const facilitator = sheet.frameLocator('iframe');
      await facilitator.getByText('54.00 EUR').waitFor();
      expect(await facilitator.locator('dd').first().innerText()).toBe('Millrace');
      await facilitator.getByRole('button', { name: 'Pay', exact: true }).click();
      await reads('Thank you');
      expect(await paymentsOfOrder()).toMatchObject([
        { amount: '54.00', paymentBrand: 'CLICK_TO_PAY', brandResult: 'MASTER' },
      ]);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'shows after the back button what has become of the order, and no second form',
    async () => {
      await fillBasket('rain');
      await click('button', 'Continue');
      await typeCard('Jane Jones');
      await payButton().click();
      await reads('Thank you');
      const paidAt = page.url();
      await page.goBack();
      await reads('Thank you');
      expect(page.url()).toBe(paidAt);
      expect(await payButton().count()).toBe(0);
      expect(await paymentsOfOrder()).toHaveLength(1);
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'says so while the bank has not decided',
    async () => {
      await fillBasket('delta');
      await click('button', 'Continue');
      await typeCard(PENDING_NAME);
      await payButton().click();
      await reads('Your payment is being confirmed');
      await click('link', 'Check again');
      await reads('Your payment is being confirmed');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is used by keyboard alone',
    async () => {
      const press = async (...keys: string[]): Promise<void> => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const tabTo = async (selector: string): Promise<void> => {
        for (let steps = 0; steps < 30; steps += 1) {
          await press('Tab');
          if ((await page.locator(`${selector}:focus`).count()) === 1) return;
        }
        throw new Error(`The key Tab does not come to ${selector}.`);
      };
      await page.goto(shopUrl());
      await tabTo('a[href="/prints/rain"]');
      await press('Enter');
      await reads('Rain on the Cut');
      await tabTo('main button');
      await press('Enter');
      await reads('Basket');
      await tabTo('a[href="/checkout"]');
      await press('Enter');
      await reads('Checkout');
      for (const text of Object.values(DETAILS)) {
        await tabTo('.details input');
        await page.keyboard.type(text);
      }
      await press('Enter');
      await reads('Payment');
      await typeCard('Jane Jones');
      await press('Tab', 'Enter');
      await reads('Thank you');
    },
    BROWSER_WITHIN_MS,
  );

  it.each([
    ['in light, at a desk', {}],
    ['in the dark, on a phone', { ...PHONE, colorScheme: 'dark' }],
  ] as const)(
    'is read by everybody %s',
    async (_name, options) => {
      await page.context().close();
      await openBrowser(options);
      const seen = async (): Promise<void> => {
        const width = 'document.documentElement.scrollWidth - window.innerWidth';
        expect([page.url(), await page.evaluate(width)]).toEqual([page.url(), 0]);
        const hasFrames = page.frames().length > 1;
        expect(await (hasFrames ? faultsOfForm() : accessibilityFaults(page))).toEqual([]);
      };
      await page.goto(shopUrl());
      await seen();
      await page.goto(`${shopUrl()}/basket`);
      await seen();
      await fillBasket('weir');
      await seen();
      await page.goto(`${shopUrl()}/basket`);
      await seen();
      await page.goBack();
      await page.getByLabel('City').fill(' ');
      await click('button', 'Continue');
      await page.getByRole('alert').waitFor();
      await seen();
      await page.getByLabel('City').fill('Berlin');
      await page.getByLabel('Save the card for next time').check();
      await click('button', 'Continue');
      await typeCard(DECLINED_NAME);
      await payButton().click();
      await page.getByText('The payment was declined').waitFor();
      await seen();
      await page.locator('.wpwl-control-cardHolder').fill('Jane Jones');
      await payButton().click();
      await reads('Thank you');
      await seen();
      await fillBasket('rain');
      await seen();
      await click('button', 'Continue');
      await payButton('registrations').waitFor();
      await page
        .getByRole('button', { name: 'Google Pay', exact: true, disabled: false })
        .waitFor();
      await seen();
    },
    BROWSER_WITHIN_MS,
  );
});
