import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import {
  type SandboxProcess,
  settableDatabaseClock,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { Pool } from 'pg';
import { type Body, type Fields, MONEY, send } from '../demo-merchant-fixture.js';
import { CARD, formPage, type ShopPage } from '../form-page.js';
import { filledPage, libraryAt, shopPageText } from '../shop-page-files.js';
import { BROWSER_WITHIN_MS, type ShopAnswer, ShopVisit, SOON } from '../shop-visit-fixture.js';
import { endSandboxes, newFolder, start } from '../started-sandboxes-fixture.js';
import { partsOf, type Place, type ShopperBrowser } from './shopper-browser.js';

const SEEN_WITHIN_MS = 40_000;
const LOOK_EVERY_MS = 50;

/** The parts of a card form. */
export const NUMBER = ['iframe.wpwl-control-cardNumber', 'input'] as const;
export const CODE = ['iframe.wpwl-control-cvv', 'input'] as const;
export const EXPIRY = '.wpwl-control-expiry';
export const HOLDER = '.wpwl-control-cardHolder';
export const PAY = '.wpwl-form-card .wpwl-button-pay';

/** By this address a page tells its shop of an error, as a picture: a strict policy allows those. */
const FAULT = '/fault?';
const TELLING_FAULTS = `{
  const tell = (what) => { new Image().src = '${FAULT}' + encodeURIComponent(String(what)); };
  addEventListener('error', (event) => tell(event.message));
  addEventListener('unhandledrejection', (event) => tell(event.reason));
}`;

/** A shopper who pays on the page of a shop, in whatever browser. */
export class BrowserVisit extends ShopVisit {
  browser!: ShopperBrowser;
  /** What has failed on pages of the shop. */
  readonly faults: string[] = [];
  private readonly folder = newFolder();
  private settings: Record<string, string> = {};
  private own!: SandboxProcess;
  private clock: Awaited<ReturnType<typeof settableDatabaseClock>> | undefined;

  constructor(startBrowser: () => Promise<ShopperBrowser>) {
    let database: TestDatabase | undefined;
    let owner: Pool | undefined;
    super(() => this.own);
    beforeAll(async () => {
      database = await startTestDatabase();
      owner = new Pool({ connectionString: database.url, max: 1 });
      owner.on('error', () => undefined);
      this.clock = await settableDatabaseClock(owner);
      this.settings = { ...SOON, DATABASE_URL: database.url };
      this.own = await start(this.folder, [], this.settings);
      this.browser = await startBrowser();
    }, BROWSER_WITHIN_MS);
    beforeEach(() => {
      this.faults.length = 0;
      this.otherPages.clear();
    });
    afterAll(async () => {
      // Whose start has failed was told of already.
      await (this.browser as ShopperBrowser | undefined)?.close();
      await endSandboxes();
      await owner?.end();
      await database?.drop();
    }, BROWSER_WITHIN_MS);
  }

  /** Of another site than the gateway, which is at 127.0.0.1. */
  override get shopUrl(): string {
    return super.shopUrl.replace('127.0.0.1', 'localhost');
  }

  /** Its clock is the database's, which processes that run do not expect to leap: it starts again meanwhile. */
  async letPass(milliseconds: number): Promise<void> {
    await this.own.kill();
    await this.clock?.setAhead(milliseconds);
    this.own = await start(this.folder, [], this.settings);
  }

  /** Has the form for a checkout on the shop's page. */
  async open(id: string, page: ShopPage = {}, gateway = this.sandbox.url): Promise<void> {
    this.serveForm(id, page, gateway);
    await this.browser.open(`${this.shopUrl}/pay`);
  }

  /** The same, but nobody is there yet. */
  serveForm(id: string, page: ShopPage = {}, gateway = this.sandbox.url): void {
    const options = `(() => { ${TELLING_FAULTS}; return ${page.options ?? '{}'}; })()`;
    this.shopPage = formPage(id, { gateway, resultUrl: this.resultUrl }, { ...page, options });
  }

  /** The page of the shop that is written as shops write theirs, which asks for checkouts itself. */
  async openShopPage(name: string): Promise<void> {
    const addresses = { gateway: this.sandbox.url, resultUrl: this.resultUrl };
    this.shopPage = filledPage(shopPageText(name), await this.create(), addresses);
    await this.browser.open(`${this.shopUrl}/pay`);
  }

  /** Both frames of the card form are ready. */
  async isReady(): Promise<void> {
    for (const [frame] of [NUMBER, CODE]) await this.waitFor([frame, 'input[autocomplete^="cc-"]']);
  }

  async fill(card: Partial<Record<keyof typeof CARD, string>> = {}): Promise<void> {
    const { number, expiry, holder, code } = { ...CARD, ...card };
    await this.typeInto(NUMBER, number);
    await this.typeInto(EXPIRY, expiry);
    await this.typeInto(HOLDER, holder);
    await this.typeCode(CODE, code);
  }

  /**
   * Types a code and leaves it, so that the page has heard of every digit from the frame: a click at once
   * may be sooner than the last of them on a busy machine, and the form then asks for the code.
   */
  async typeCode(place: readonly [frame: string, selector: string], code: string): Promise<void> {
    const focused = `${place[0]}.wpwl-control-focused`;
    await this.browser.click(place);
    await this.waitFor(focused);
    await this.browser.selectAll();
    await this.browser.type(code);
    await this.browser.press('Tab');
    await this.until(`document.querySelector(${JSON.stringify(focused)}) === null`);
  }

  /** In place of what is there. */
  async typeInto(place: Place, text: string): Promise<void> {
    await this.browser.click(place);
    await this.browser.selectAll();
    await this.browser.type(text);
  }

  /** The element is shown. */
  async waitFor(place: Place): Promise<void> {
    const { frame, selector } = partsOf(place);
    const found = `document.querySelector(${JSON.stringify(selector)})`;
    await this.until(`(${found}?.getClientRects().length ?? 0) > 0`, frame);
  }

  async waitForText(text: string): Promise<void> {
    await this.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  /** An expression holds in the page; what it says in one that is being left does not count. */
  async until(expression: string, frame?: string): Promise<void> {
    const giveUpAt = Date.now() + SEEN_WITHIN_MS;
    let why = 'it never did';
    while (Date.now() < giveUpAt) {
      try {
        if ((await this.browser.evaluate<unknown>(expression, frame)) === true) return;
      } catch (failure) {
        why = String(failure);
      }
      await new Promise((again) => setTimeout(again, LOOK_EVERY_MS));
    }
    throw new Error(`The page was expected to have ${expression} in ${frame ?? 'it'}: ${why}`);
  }

  /** The value of the first such input. */
  async valueIn(place: Place): Promise<string> {
    const { frame, selector } = partsOf(place);
    return this.browser.evaluate(
      `document.querySelector(${JSON.stringify(selector)}).value`,
      frame,
    );
  }

  /** Chooses on the acquirer's page. */
  async choose(choice: 'approve' | 'cancel'): Promise<void> {
    await this.browser.click(`button[formaction$="/${choice}"]`);
  }

  /** The shopper is at the shop again. */
  async isBack(): Promise<void> {
    await this.waitForText('Thank you');
  }

  /** A stored account's id. */
  async stored(fields: Fields): Promise<string> {
    const card = {
      'card.holder': CARD.holder,
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
    };
    const { id } = await send(this.sandbox, ['POST', '/v1/registrations'], { ...card, ...fields });
    return id;
  }

  /** Every payment of an order. */
  async paymentsOf(merchantTransactionId: string): Promise<readonly unknown[]> {
    const found = await send(this.sandbox, ['GET', '/v1/query'], { merchantTransactionId });
    return (found['payments'] ?? []) as readonly unknown[];
  }

  protected override async answerTo(path: string): Promise<ShopAnswer> {
    if (path.startsWith(FAULT)) {
      this.faults.push(decodeURIComponent(path.slice(FAULT.length)));
      return { type: 'text/plain', text: '' };
    }
    if (path.startsWith('/lib/'))
      return { type: 'text/javascript', text: await readFile(libraryAt(path), 'utf8') };
    if (path === '/checkout.json') {
      const { id }: Body = await this.create(MONEY);
      return { type: 'application/json', text: JSON.stringify({ id }) };
    }
    return super.answerTo(path);
  }
}
