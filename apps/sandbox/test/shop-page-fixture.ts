import { expect } from '@jest/globals';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { rowsUsedBy } from '../../../tools/widget-reference.mjs';
import { APPROVED, type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { SIGNS, TELLS_SIGN } from './page-signs.js';
import { filledPage, libraryAt, shopPageText } from './shop-page-files.js';
import { WidgetVisit } from './widget-fixture.js';

/** A shopper on a page that is written as shops write theirs, and what takes effect there. */
export class ShopPageVisit extends WidgetVisit {
  /** What has taken effect since the browser was opened, and by name each input that was sent. */
  private readonly signs = new Set<string>();
  private text = '';
  /** The checkout that the page has last got from its shop. */
  private fields: Fields = MONEY;

  override async openBrowser(options: BrowserContextOptions = {}): Promise<void> {
    await super.openBrowser(options);
    this.signs.clear();
    this.otherPages.clear();
    await this.page.exposeBinding(TELLS_SIGN, (_source, sign: string) => this.signs.add(sign));
    await this.page.addInitScript(SIGNS);
    await this.page.route('**/lib/*.js', (route) =>
      route.fulfill({ path: libraryAt(route.request().url()) }),
    );
    await this.page.route('**/checkout.json', async (route) =>
      route.fulfill({ json: { id: (await this.create(this.fields)).id } }),
    );
    // The shop's server, which pays what was saved by sending nothing.
    await this.page.route('**/pay-saved.json*', async (route) => {
      const id = new URL(route.request().url()).searchParams.get('id') ?? '';
      const target = `${this.sandbox.url}/v1/checkouts/${id}/payment`;
      const response = await fetch(target, { method: 'POST' });
      return route.fulfill({ json: await response.json() });
    });
    this.page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().includes('/v1/checkouts/')) return;
      for (const name of new URLSearchParams(request.postData() ?? '').keys())
        this.signs.add(`input ${name}`);
    });
  }

  /**
   * The page with a new checkout.
   * @param name of its file, without the ending
   * @param fields of the checkout, also of those that the page asks its shop for
   */
  async goTo(name: string, fields: Fields = MONEY): Promise<Body> {
    this.fields = fields;
    const checkout = await this.create({ ...fields, integrity: 'true' });
    this.shopPage = this.filled(name, checkout);
    await this.page.goto(`${this.shopUrl}/pay`);
    return checkout;
  }

  /** What the page says in exactly these words. */
  words(words: string): Locator {
    return this.page.getByText(words, { exact: true });
  }

  /** A button of the page or the form with exactly this name. */
  namedButton(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The shopper is back at the shop, and it is paid: what the shop reads. */
  async isPaid(): Promise<Body> {
    await this.isBack();
    const body = await this.read();
    expect(body).toMatchObject({ result: { code: APPROVED } });
    return body;
  }

  /** The ids of two cards of a shopper, of VISA and AMEX. */
  async storedCards(): Promise<readonly string[]> {
    const expiry = { 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
    const cards = [
      { paymentBrand: 'VISA', 'card.number': '4200000000000000' },
      { paymentBrand: 'AMEX', 'card.number': '377777777777770' },
    ];
    const stored = cards.map(async (card) => {
      const fields = { ...card, ...expiry, 'card.holder': 'Jane Jones' };
      return (await send(this.sandbox, ['POST', '/v1/registrations'], fields)).id;
    });
    return Promise.all(stored);
  }

  /** The same in a frame of another page of the shop. */
  async goToFramed(name: string): Promise<Body> {
    const checkout = await this.create({ ...MONEY, integrity: 'true' });
    this.otherPages.set('/step', this.filled(name, checkout));
    this.shopPage = `<!doctype html><html lang="en"><title>Shop</title><h1>Last step</h1>
      <iframe id="step" src="/step" width="500" height="700" title="Payment"></iframe>`;
    await this.page.goto(`${this.shopUrl}/pay`);
    this.place = this.page.frameLocator('#step');
    return checkout;
  }

  /** What a style makes of the first such element. */
  async styleOf(selector: string, property: string): Promise<string> {
    const of = `document.querySelector(${JSON.stringify(selector)})`;
    return this.host.evaluate<string>(`getComputedStyle(${of})[${JSON.stringify(property)}]`);
  }

  /** All that the page uses has taken effect, or has told that it has none yet; and nothing else has. */
  expectAllToTakeEffect(): void {
    const rows = rowsUsedBy(this.text);
    const notYet = rows.filter((row) => row.notYet !== undefined);
    const complaints = notYet.filter(({ sign = '' }) => !sign.startsWith('class '));
    const says = (text: string, { name }: { readonly name: string }) =>
      text.includes(name.split(/[.:]/)[0] ?? name);
    const classes = [...this.text.matchAll(/\.(wpwl-[\w-]+)/g)].map(([, name = '']) => name);
    const isLater = (name: string) => notYet.some((row) => row.name === name);
    expect({
      withoutEffect: names(
        rows.filter((row) => row.notYet === undefined && !this.hasTold(row.sign)),
      ),
      withoutElement: classes.filter((name) => !isLater(name) && !this.hasTold(`class ${name}`)),
      // Whoever serves one of them takes the reason out of its row.
      served: names(notYet.filter(({ name }) => this.signs.has(`class ${name}`))),
      inSilence: names(complaints.filter((row) => !this.said.some((text) => says(text, row)))),
      unexpected: this.said.filter((text) => !complaints.some((row) => says(text, row))),
    }).toEqual({
      ...{ withoutEffect: [], withoutElement: [], served: [], inSilence: [], unexpected: [] },
    });
    for (const { name, notYet: reason = '' } of complaints) {
      const told = this.said.find((text) => text.includes(`wpwlOptions.${name} is not served yet`));
      if (told !== undefined) expect(told).toContain(reason);
    }
  }

  /** Some names are of the beginnings of others: `billing.`. */
  private hasTold(sign: string | undefined): boolean {
    if (sign === undefined || this.signs.has(sign)) return true;
    return /[._]$/.test(sign) && [...this.signs].some((one) => one.startsWith(sign));
  }

  private filled(name: string, checkout: Body): string {
    this.text = shopPageText(name);
    const addresses = { gateway: this.sandbox.url, resultUrl: this.resultUrl };
    return filledPage(this.text, checkout, addresses);
  }
}

function names(rows: readonly { readonly name: string }[]): readonly string[] {
  return rows.map(({ name }) => name);
}
