import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from './chromium.js';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, ShopVisit, SOON } from './shop-visit-fixture.js';

export { BROWSER_WITHIN_MS, PHONE } from './shop-visit-fixture.js';

/**
 * Pages that there are not, payments that are declined, what a test has lost or changed, and a nonce that
 * browsers ignore because it has a dot; and an issuer's page in a frame, which does not get the focus by itself.
 */
export const EXPECTED_FAULTS =
  /the server responded with a status of (?:40[04]|503)\b|Failed to find a valid digest|invalid source: ''nonce-|^Blocked autofocusing on a <input> element in a cross-origin subframe/;

interface Pending extends Body {
  readonly redirect: {
    readonly url: string;
    readonly method: string;
    readonly parameters: unknown;
    readonly preconditions?: readonly {
      readonly url: string;
      readonly parameters: readonly { readonly name: string; readonly value: string }[];
    }[];
  };
}

/** A shop, and a shopper in a browser of its own; suites with the same settings share a sandbox. */
export class ShopperVisit extends ShopVisit {
  page!: Page;
  /** What a shopper must never meet; empty at the end of each test. */
  private readonly faults: string[] = [];
  private browser!: Browser;

  /** @param settings of the sandbox, beside a short schedule */
  constructor(settings: Record<string, string> = {}) {
    const sandbox = testSandbox({ ...SOON, ...settings });
    super(() => sandbox);
    beforeAll(async () => {
      this.browser = await startChromium();
    }, BROWSER_WITHIN_MS);
    afterAll(async () => {
      await this.browser.close();
    }, BROWSER_WITHIN_MS);
    beforeEach(async () => {
      this.faults.length = 0;
      await this.openBrowser();
    });
    afterEach(async () => {
      await this.page.context().close();
      expect(this.faults).toEqual([]);
    });
  }

  /** Another browser in place of the one before. */
  async openBrowser(options: BrowserContextOptions = {}): Promise<void> {
    const context = await this.browser.newContext(options);
    this.page = await context.newPage();
    this.page.on('pageerror', (error) => this.faults.push(error.message));
    this.page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED_FAULTS.test(message.text()))
        this.faults.push(message.text());
    });
  }

  /** A payment that waits for its shopper. */
  async pay(fields: Fields): Promise<Pending> {
    const sent = { ...MONEY, shopperResultUrl: this.resultUrl, ...fields };
    return (await send(this.sandbox, ['POST', '/v1/payments'], sent)) as Pending;
  }

  /** A payment that waits, with its shopper on the acquirer's page. */
  async begin(fields: Fields): Promise<Pending> {
    const payment = await this.pay(fields);
    await this.page.goto(payment.redirect.url);
    await this.page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
    return payment;
  }

  async choose(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  /** The shopper is at the shop again. */
  async isBack(): Promise<void> {
    await this.page.getByText('Thank you').waitFor();
  }

  /** The page says so once it is loaded often enough: the acquirer is told by and by. */
  async shows(text: string): Promise<void> {
    do await this.page.reload();
    while (!(await this.page.getByText(text).isVisible()));
  }
}
