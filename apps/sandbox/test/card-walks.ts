import { testSandbox } from '@sluice/testing';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import type { PublicCard } from './authentication-cards.js';
import { CHALLENGED } from './authentication-ends.js';
import { type Authenticated, RIGHT_CODE, SHOPPER, untilDecided } from './authentication-fixture.js';
import { type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { formPage } from './form-page.js';
import { ShopVisit, SOON } from './shop-visit-fixture.js';
import { EXPECTED_FAULTS } from './shopper-fixture.js';

/**
 * How a shopper comes to an issuer: sent there by the shop's server, in the form with a frame for challenges, or
 * with the form in a window that the shop has opened, which goes there itself.
 */
export const ways = ['redirect', 'frame', 'popup'] as const;
export type Way = (typeof ways)[number];

/** What came of a card that was paid with. */
export interface Walk {
  /** As it is read at the end; absent where the form has sent nothing. */
  readonly read: Authenticated | undefined;
  /** Where pages of a challenge were loaded: `frame` or `window`, each once. */
  readonly askedIn: readonly string[];
  /** Whether the form's place for challenges was there to be seen. */
  readonly isPlaceSeen: boolean;
  /** Whether the gateway has shown a page of its own until the issuer had answered: who is slow sees it. */
  readonly hasWaited: boolean;
  /** The addresses at which the shopper came back to the shop. */
  readonly returns: readonly string[];
  /** What a shopper must never meet. */
  readonly faults: readonly string[];
}

interface Order {
  readonly card: PublicCard;
  readonly way: Way;
  readonly more: Fields;
  readonly name: string;
  readonly resultUrl: string;
}

/** What the shop's server tells of a shopper with a checkout; the form tells of the browser. */
const TOLD = Object.fromEntries(
  Object.entries(SHOPPER).filter(([name]) => !name.startsWith('customer.browser.')),
);
const SEEN = 'The place for challenges is seen.';
const LOOKS = `setInterval(() => {
  const place = document.querySelector('.wpwl-popover');
  if (place !== null && place.getClientRects().length > 0) console.info('${SEEN}');
}, 10)`;

/** The gateway's page that comes again while an issuer is being asked, once it has come again. */
const AGAIN = /\/redirects\/[0-9a-f]+\?waits=/;

/** Where the form sends a card to. */
const SENT = /\/v1\/checkouts\/[^/]+\/payment$/;

/** A shop whose shoppers pay with many cards, in several windows at once. */
export class CardWalks extends ShopVisit {
  #orders = 0;

  constructor() {
    const sandbox = testSandbox(SOON);
    super(() => sandbox);
  }

  /** Of another site than the gateway, which is at 127.0.0.1. */
  override get shopUrl(): string {
    return super.shopUrl.replace('127.0.0.1', 'localhost');
  }

  /** Pays with a card, says the right thing where the issuer asks, and goes wherever that leads. */
  async walk(context: BrowserContext, card: PublicCard, way: Way, more: Fields): Promise<Walk> {
    this.#orders += 1;
    const name = `order=${String(this.#orders)}`;
    const order = { card, way, more, name, resultUrl: `${this.shopUrl}/result?${name}` };
    const page = await context.newPage();
    const seen = new Seen();
    seen.watch(page);
    try {
      const path =
        way === 'redirect' ? await this.#sent(page, order) : await this.#typed(page, order, seen);
      const read = path === undefined ? undefined : await this.#read(path);
      return { read, returns: this.#returnsOf(name), ...seen.all };
    } finally {
      for (const one of seen.pages) await one.close();
    }
  }

  /** By the shop's server; where the payment is read. */
  async #sent(page: Page, { card, more, name, resultUrl }: Order): Promise<string> {
    const { id, redirect } = (await send(this.sandbox, ['POST', '/v1/payments'], {
      ...{ ...MONEY, ...SHOPPER, paymentBrand: card.brand, shopperResultUrl: resultUrl },
      ...{ 'card.number': card.number, 'card.holder': 'Jane Jones', 'card.cvv': codeOf(card) },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', ...more },
    })) as Authenticated;
    if (redirect === undefined) return `/v1/payments/${id}`;
    await page.goto(redirect.url);
    await answered(page, card);
    await page.getByText('Thank you').waitFor();
    return this.#pathIn(name);
  }

  /** In the form; where the payment is read, undefined where the form sends nothing. */
  async #typed(page: Page, order: Order, seen: Seen): Promise<string | undefined> {
    const { card, way, more, name, resultUrl } = order;
    const { id } = await this.create({ ...MONEY, ...TOLD, ...more });
    const options = way === 'frame' ? '{browser: {threeDChallengeWindow: 2}}' : '{}';
    const addresses = { gateway: this.sandbox.url, resultUrl };
    this.otherPages.set(`/pay?${name}`, formPage(id, addresses, { brands: card.brand, options }));
    const place = way === 'popup' ? await this.#opened(page, name, seen) : page;
    if (way === 'frame') await page.goto(`${this.shopUrl}/pay?${name}`);
    const answers = place.waitForResponse(SENT);
    answers.catch(() => undefined);
    await typed(place, card);
    const complaint = place.locator('.wpwl-hint-cardNumberError, .wpwl-message-error');
    const isRefused = await Promise.race([
      complaint.waitFor().then(() => true),
      this.#paid(place, order).then(() => false),
    ]);
    if (!isRefused) return this.#pathIn(name);
    if ((await complaint.getAttribute('class'))?.includes('cardNumber') === true) return undefined;
    const { id: paymentId } = (await (await answers).json()) as Authenticated;
    return `/v1/payments/${paymentId}`;
  }

  /** Wherever the form leads to, and back. */
  async #paid(place: Page, { card, way }: Order): Promise<void> {
    await answered(way === 'frame' ? place.frameLocator('iframe.wpwl-target') : place, card);
    await place.getByText('Thank you').waitFor();
  }

  /** As the shop is told to; what is still pending by its own id, which may be read as often as one likes. */
  async #read(path: string): Promise<Authenticated> {
    const read: Authenticated = await send(this.sandbox, ['GET', path]);
    return untilDecided(read, () => send(this.sandbox, ['GET', `/v1/payments/${read.id}`]));
  }

  /** Where the shop is told to read what has become of it. */
  #pathIn(name: string): string {
    const { searchParams } = new URL(this.#returnsOf(name)[0] ?? '', this.shopUrl);
    return searchParams.get('resourcePath') ?? '';
  }

  #returnsOf(name: string): readonly string[] {
    return this.returns.filter((path) => path.includes(`?${name}&`));
  }

  /** The window that the shop opens for the form. */
  async #opened(page: Page, name: string, seen: Seen): Promise<Page> {
    await page.goto(this.shopUrl);
    const opens = page.waitForEvent('popup');
    const words = `'/pay?${name}', '_blank', 'popup,width=500,height=600'`;
    await page.mainFrame().evaluate(`void window.open(${words})`);
    const popup = await opens;
    seen.watch(popup);
    return popup;
  }
}

/** What is seen in the windows of one shopper. */
class Seen {
  readonly pages: Page[] = [];
  readonly #askedIn = new Set<string>();
  readonly #faults: string[] = [];
  #isPlaceSeen = false;
  #hasWaited = false;

  watch(page: Page): void {
    this.pages.push(page);
    page.on('pageerror', ({ message }) => this.#faults.push(message));
    page.on('console', (message) => {
      const text = message.text();
      if (text === SEEN) this.#isPlaceSeen = true;
      if (message.type() === 'error' && !EXPECTED_FAULTS.test(text)) this.#faults.push(text);
    });
    page.on('framenavigated', (frame) => {
      if (AGAIN.test(frame.url())) this.#hasWaited = true;
      if (!/\/3ds\/[a-z]+\/challenge/.test(frame.url())) return;
      this.#askedIn.add(frame === page.mainFrame() ? 'window' : 'frame');
    });
  }

  get all(): Pick<Walk, 'askedIn' | 'faults' | 'hasWaited' | 'isPlaceSeen'> {
    return {
      ...{ askedIn: [...this.#askedIn], faults: this.#faults },
      ...{ hasWaited: this.#hasWaited, isPlaceSeen: this.#isPlaceSeen },
    };
  }
}

/** A browser's windows for such shoppers, where the form's place for challenges is looked for. */
export async function watchPlaces(context: BrowserContext): Promise<void> {
  await context.addInitScript(LOOKS);
}

/** The form is filled and sent. */
async function typed(place: Page, card: PublicCard): Promise<void> {
  const inFrame = (field: string) => place.frameLocator(`iframe.wpwl-control-${field}`);
  await inFrame('cardNumber').locator('input[autocomplete^="cc-"]').fill(card.number);
  await place.locator('.wpwl-control-expiry').fill('0534');
  await place.locator('.wpwl-control-cardHolder').fill('Jane Jones');
  await inFrame('cvv').locator('input[autocomplete^="cc-"]').fill(codeOf(card));
  await place.locator('.wpwl-button-pay').click();
}

/** The issuer is told what it wants to hear, where it asks. */
async function answered(place: Page | FrameLocator, { column }: PublicCard): Promise<void> {
  if (!CHALLENGED.has(column)) return;
  await place.getByRole('textbox', { name: 'Code from your text message' }).fill(RIGHT_CODE);
  await place.getByRole('button', { name: 'Confirm' }).click();
}

function codeOf({ brand }: PublicCard): string {
  return brand === 'AMEX' ? '1234' : '123';
}
