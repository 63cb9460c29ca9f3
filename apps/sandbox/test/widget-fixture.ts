import type { BrowserContextOptions, Frame, FrameLocator, Locator } from 'playwright-core';
import { CARD, formPage, type ShopPage } from './form-page.js';
import { ShopperVisit } from './shopper-fixture.js';

const SENT_FORMS = '**/v1/checkouts/*/payment';

export { CARD };

/** A shopper who pays in the widget on a page of the shop, which is of another site than the gateway. */
export class WidgetVisit extends ShopperVisit {
  /** What the console of the page was told. */
  readonly said: string[] = [];
  /** Where the form is: the page, unless a frame of it is said. */
  place: Pick<FrameLocator, 'locator' | 'frameLocator'> | undefined;

  /** Of another site than the gateway, which is at 127.0.0.1. */
  override get shopUrl(): string {
    return super.shopUrl.replace('127.0.0.1', 'localhost');
  }

  override async openBrowser(options: BrowserContextOptions = {}): Promise<void> {
    await super.openBrowser(options);
    this.said.length = 0;
    this.place = undefined;
    this.page.on('console', (message) => {
      if (message.type() === 'warning') this.said.push(message.text());
    });
  }

  /** The page of the shop for a checkout. */
  async open(id: string, page: ShopPage = {}): Promise<void> {
    this.shopPage = formPage(id, { gateway: this.sandbox.url, resultUrl: this.resultUrl }, page);
    await this.page.goto(`${this.shopUrl}/pay`);
  }

  /** The same with the form there, and its frames ready: the number says by what name it goes. */
  async openForm(id: string, page: ShopPage = {}): Promise<void> {
    await this.open(id, page);
    await this.isReady();
  }

  /** The frames of a card form are. */
  async isReady(): Promise<void> {
    for (const field of ['cardNumber', 'cvv'] as const) {
      await this.frameOf(field).locator('input[autocomplete^="cc-"]').waitFor();
    }
  }

  /** The same with a form of another kind there, by its classes: `virtualAccount-PAYPAL`. */
  async openAccountForm(id: string, name: string, page: ShopPage = {}): Promise<Locator> {
    await this.open(id, page);
    const form = this.page.locator(`form.wpwl-form-${name}`);
    await form.waitFor();
    return form;
  }

  private get around(): Pick<FrameLocator, 'locator' | 'frameLocator'> {
    return this.place ?? this.page;
  }

  get form(): Locator {
    return this.around.locator('form.wpwl-form-card');
  }

  get number(): Locator {
    return this.frameOf('cardNumber').getByRole('textbox');
  }

  get code(): Locator {
    // Where it is masked, it has no role.
    return this.frameOf('cvv').locator('input');
  }

  get payButton(): Locator {
    return this.around.locator('.wpwl-button-pay');
  }

  /** What is typed in the page itself, by its class. */
  control(name: string): Locator {
    return this.around.locator(`.wpwl-control-${name}`);
  }

  hint(name: string): Locator {
    return this.around.locator(`.wpwl-hint-${name}`);
  }

  frameOf(field: 'cardNumber' | 'cvv'): FrameLocator {
    return this.around.frameLocator(`iframe.wpwl-control-${field}`);
  }

  /** The page's own frame. */
  get host(): Frame {
    return this.page.mainFrame();
  }

  async fill(card: Partial<Record<keyof typeof CARD, string>> = {}): Promise<void> {
    const { number, expiry, holder, code } = { ...CARD, ...card };
    await this.number.pressSequentially(number);
    await this.around.locator('.wpwl-control-expiry').pressSequentially(expiry);
    await this.around.locator('.wpwl-control-cardHolder').fill(holder);
    await this.code.pressSequentially(code);
  }

  /** A direct debit, with the IBAN as people type it. */
  async fillDebit(): Promise<void> {
    await this.control('accountHolder').fill('Jane Jones');
    await this.control('accountIban').pressSequentially('de23100000001234567890');
  }

  /**
   * A bank asks about the cards that are paid with from here on. No acquirer of the sandbox does, so the
   * answer has the redirect of another payment, whose provider allows no frames, which issuers' pages do.
   * @returns what is sent
   */
  async haveBankAsk(): Promise<string[]> {
    const { id, result, redirect } = await this.pay({ paymentBrand: 'PAYPAL' });
    const bodies: string[] = [];
    await this.page.route(SENT_FORMS, (route) => {
      bodies.push(route.request().postData() ?? '');
      return route.fulfill({ json: { id, result, redirect } });
    });
    // What follows a redirect cannot be changed on its way, and what a page leads to can.
    await this.page.route('**/redirects/*', async (route) => {
      const { location } = (await route.fetch({ maxRedirects: 0 })).headers();
      const body = `<script>location.replace(${JSON.stringify(location)})</script>`;
      await route.fulfill({ contentType: 'text/html', body });
    });
    await this.page.route('**/pages/*', async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    return bodies;
  }

  /** No bank asks any more. */
  async haveNoBankAsk(): Promise<void> {
    await this.page.unroute(SENT_FORMS);
  }
}
