import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from './chromium.js';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start } from './started-sandboxes-fixture.js';

/** The machine runs other suites meanwhile. */
export const BROWSER_WITHIN_MS = 120_000;
/** A phone, which has little room. */
export const PHONE = { viewport: { width: 360, height: 640 } } as const;
/** What the sandbox's own schedule is shortened to, so that nobody waits for minutes. */
const SOON = {
  SLUICE_INQUIRE_AFTER_MS: '200,400,800,1600,3200,6400,12800',
  SLUICE_SWEEP_INTERVAL_MS: '50',
};

/**
 * Pages that there are not, payments that are declined, what a test has lost or changed, and a nonce that
 * browsers ignore because it has a dot.
 */
const EXPECTED =
  /the server responded with a status of (?:40[04]|503)\b|Failed to find a valid digest|invalid source: ''nonce-/;

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

/** A shop, and a shopper in a browser of its own; each suite has one sandbox. */
export class ShopperVisit {
  page!: Page;
  sandbox!: SandboxProcess;
  /** The addresses at which shoppers came back to the shop, without its origin. */
  readonly returns: string[] = [];
  /** What the shop shows everywhere but where shoppers come back. */
  shopPage: string | undefined;
  /** What it shows elsewhere, by path. */
  readonly otherPages = new Map<string, string>();
  /** What a shopper must never meet; empty at the end of each test. */
  private readonly faults: string[] = [];
  private readonly shop: Server = createServer((request, response) => {
    const isResult = request.url?.startsWith('/result') === true;
    if (isResult) this.returns.push(request.url ?? '');
    const other = this.otherPages.get(request.url ?? '');
    const page = isResult ? undefined : (other ?? this.shopPage);
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(page ?? '<title>Shop</title><p>Thank you</p>');
  });
  private browser!: Browser;

  /** @param settings of the sandbox, beside a short schedule */
  constructor(settings: Record<string, string> = {}) {
    beforeAll(async () => {
      this.shop.listen(0, '127.0.0.1');
      await once(this.shop, 'listening');
      this.sandbox = await start(newFolder(), [], { ...SOON, ...settings });
      this.browser = await startChromium();
    }, BROWSER_WITHIN_MS);
    afterAll(async () => {
      await this.browser.close();
      this.shop.closeAllConnections();
      this.shop.close();
      await endSandboxes();
    }, BROWSER_WITHIN_MS);
    beforeEach(async () => {
      this.returns.length = 0;
      this.faults.length = 0;
      await this.openBrowser();
    });
    afterEach(async () => {
      await this.page.context().close();
      expect(this.faults).toEqual([]);
    });
  }

  get shopUrl(): string {
    return `http://127.0.0.1:${(this.shop.address() as AddressInfo).port}`;
  }

  /** Where the shop wants its shoppers back. */
  get resultUrl(): string {
    return `${this.shopUrl}/result?order=7`;
  }

  /** Another browser in place of the one before. */
  async openBrowser(options: BrowserContextOptions = {}): Promise<void> {
    const context = await this.browser.newContext(options);
    this.page = await context.newPage();
    this.page.on('pageerror', (error) => this.faults.push(error.message));
    this.page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text()))
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

  /** What the shop then reads of the payment, by the address that it was given. */
  async read(): Promise<Body> {
    const { searchParams } = new URL(this.returns.at(-1) ?? '', this.shopUrl);
    return send(this.sandbox, ['GET', searchParams.get('resourcePath') ?? '']);
  }

  /** What becomes of a payment without anybody coming back. */
  async decided(id: string): Promise<string> {
    for (;;) {
      const { code } = (await send(this.sandbox, ['GET', `/v1/payments/${id}`])).result;
      if (code !== '000.200.000') return code;
      await new Promise((again) => setTimeout(again, 50));
    }
  }
  /** The page says so once it is loaded often enough: the acquirer is told by and by. */
  async shows(text: string): Promise<void> {
    do await this.page.reload();
    while (!(await this.page.getByText(text).isVisible()));
  }
}
