import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';
import {
  after,
  attemptOf,
  attemptsInBooks,
  type CheckoutRecord,
  type Exchange,
  MerchantConnection,
  type MerchantRequest,
  type Told,
} from '@sluice/kill-test';
import { createHash } from 'node:crypto';
import { APPROVED } from './payment-flow.js';

/** One shopper at one checkout. */
export interface Sale {
  readonly record: CheckoutRecord;
  /** What went wrong, and where; absent: all was as it should be. */
  readonly failure?: string;
  /** The builds of the widget that this checkout's pages had: one, or its hash has not held. */
  readonly widgets: readonly string[];
  /** On the clock of `performance.now()`: from the checkout's creation to the status that the shop read. */
  readonly fromMs: number;
  readonly toMs: number;
}

const PENDING = '000.200.000';
const CREATED = '000.200.100';
const AMOUNT = '12.50';
const AMOUNT_MINOR = 1_250n;
const CURRENCY = 'EUR';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
};
/** Some type at once, and some fetch their card first: checkouts stay open while instances go. */
const THINK_MS: readonly number[] = [500, 2_000, 5_000, 11_000, 20_000];
/** Two status reads a minute are allowed for a checkout; one that is pending has one more. */
const READ_AGAIN_AFTER_MS = 5_000;
const READS_MAX = 2;

/** Why this shopper did not pay. */
class SaleFailed extends Error {
  override readonly name = 'SaleFailed';
}

/**
 * People who buy one thing after the other: the shop makes a checkout and asks for the script's hash, the
 * page loads the script and what it brings, is loaded again when its shopper has found his card, sends the
 * form, and the shop reads the status. Nobody tries anything twice: what fails once has failed.
 */
export class Shoppers {
  readonly sales: Sale[] = [];
  readonly #shop = new MerchantConnection({
    ...{ entityId: DEMO_ENTITY_ID, accessToken: DEMO_ACCESS_TOKEN },
  });
  readonly #browsers = new MerchantConnection(undefined);
  readonly #buying: Promise<void>[] = [];
  #count = 0;
  #areLeaving = false;

  constructor(
    private readonly url: string,
    /** References begin with it. */
    private readonly run: string,
  ) {}

  /** So many begin to buy, each as soon as the purchase before has ended. */
  begin(shoppers: number): void {
    for (let number = 0; number < shoppers; number += 1) this.#buying.push(this.#buy(number));
  }

  /** Waits until everybody has ended what he was buying. */
  async stop(): Promise<void> {
    this.#areLeaving = true;
    await Promise.all(this.#buying);
    this.#shop.close();
    this.#browsers.close();
  }

  async #buy(number: number): Promise<void> {
    for (let bought = number; !this.#areLeaving; bought += 1) {
      const thinkMs = THINK_MS[bought % THINK_MS.length] ?? 0;
      this.sales.push(await this.#sale(thinkMs));
    }
  }

  async #sale(thinkMs: number): Promise<Sale> {
    this.#count += 1;
    const reference = `${this.run}-s${String(this.#count).padStart(5, '0')}`;
    const record: Writable<CheckoutRecord> = {
      ...{ reference, submits: [], saves: [], told: [], hasLostRead: false },
    };
    const widgets = new Set<string>();
    const fromMs = performance.now();
    const ended = (failure?: string): Sale => ({
      ...{ record, widgets: [...widgets], fromMs, toMs: performance.now() },
      ...(failure !== undefined && { failure }),
    });
    try {
      const { id, integrity } = await this.#checkout(reference);
      record.id = id;
      widgets.add(await this.#page(id, integrity));
      await after(thinkMs, () => Promise.resolve());
      widgets.add(await this.#page(id, integrity));
      await this.#submit(record, id);
      record.told = [await this.#status(id)];
      return ended();
    } catch (error) {
      if (!(error instanceof SaleFailed)) throw error;
      return ended(error.message);
    }
  }

  async #checkout(reference: string): Promise<{ id: string; integrity: string }> {
    const form = new URLSearchParams({
      ...{ entityId: DEMO_ENTITY_ID, amount: AMOUNT, currency: CURRENCY, paymentType: 'DB' },
      ...{ merchantTransactionId: reference, integrity: 'true' },
    }).toString();
    const exchange = await this.#shop.post(`${this.url}/v1/checkouts`, form, {});
    const body = bodyOf('checkout', exchange, CREATED);
    const { id, integrity } = body;
    if (id === undefined || integrity === undefined) throw new SaleFailed('checkout: no hash');
    return { id, integrity };
  }

  /** Loads what a page with the form loads, as a browser that checks both hashes; which build it was. */
  async #page(id: string, integrity: string): Promise<string> {
    const loader = await this.#script(`/v1/paymentWidgets.js?checkoutId=${id}`, integrity);
    const version = /"version":"([^"]+)"/.exec(loader)?.[1];
    const ofWidget = /"integrity":"([^"]+)"/.exec(loader)?.[1];
    if (version === undefined || ofWidget === undefined) {
      throw new SaleFailed('script: it brings no widget');
    }
    await this.#script(`/v1/widget/${version}/widget.js`, ofWidget);
    return version;
  }

  async #script(path: string, integrity: string): Promise<string> {
    const exchange = await this.#browsers.get(`${this.url}${path}`);
    const [what = ''] = path.split('?');
    if (exchange.kind !== 'answered') throw new SaleFailed(`${what}: ${whyOf(exchange)}`);
    const { status, text } = exchange;
    if (status !== 200) throw new SaleFailed(`${what}: HTTP ${String(status)}`);
    const hash = `sha384-${createHash('sha384').update(text).digest('base64')}`;
    if (hash !== integrity) throw new SaleFailed(`${what}: the hash does not match`);
    return text;
  }

  async #submit(record: Writable<CheckoutRecord>, id: string): Promise<void> {
    const form = new URLSearchParams(CARD).toString();
    const target = `${this.url}/v1/checkouts/${id}/payment`;
    const exchange = await this.#browsers.post(target, form, {});
    record.submits = [attemptOf(exchange)];
    bodyOf('form', exchange, undefined);
  }

  async #status(id: string): Promise<Told> {
    const target = `${this.url}/v1/checkouts/${id}/payment?entityId=${DEMO_ENTITY_ID}`;
    for (let reads = 1; ; reads += 1) {
      const exchange = await this.#shop.get(target);
      const code = reads < READS_MAX ? undefined : APPROVED;
      const body = bodyOf('status', exchange, code);
      if (body.result.code !== PENDING) {
        const { result, id: paymentId = '' } = bodyOf('status', exchange, APPROVED);
        return { kind: 'answered', status: 200, code: result.code, id: paymentId };
      }
      await after(READ_AGAIN_AFTER_MS, () => Promise.resolve());
    }
  }
}

/** A sale as the merchant's books have it. */
export function saleInBooks({ record }: Sale): MerchantRequest {
  return {
    ...{ reference: record.reference, operation: 'DB', isByCheckout: true },
    ...{ amountMinor: AMOUNT_MINOR, currency: CURRENCY, attempts: attemptsInBooks(record) },
  };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Body {
  readonly id?: string;
  readonly integrity?: string;
  readonly result: { readonly code: string };
}

/** What was answered with 200 and, if one is wanted, this code. Throws SaleFailed. */
function bodyOf(step: string, exchange: Exchange, wanted: string | undefined): Body {
  if (exchange.kind !== 'answered') throw new SaleFailed(`${step}: ${whyOf(exchange)}`);
  const { status, text } = exchange;
  let body: Body;
  try {
    body = JSON.parse(text) as Body;
  } catch {
    throw new SaleFailed(`${step}: HTTP ${String(status)} without JSON`);
  }
  const { code } = body.result;
  if (status !== 200 || (wanted !== undefined && code !== wanted)) {
    throw new SaleFailed(`${step}: HTTP ${String(status)} ${code}`);
  }
  return body;
}

function whyOf(exchange: Exclude<Exchange, { readonly kind: 'answered' }>): string {
  return exchange.kind === 'notSent' ? 'connection refused' : exchange.why;
}
