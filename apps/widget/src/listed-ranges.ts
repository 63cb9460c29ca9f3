import type { CardRange } from './field-messages.js';
import { isCheckout } from './field-form.js';
import type { CheckoutInBrowser } from './result-address.js';

/** Of how many first digits the gateway's list may be asked, the more the better. */
const ASKED_DIGITS = [8, 6] as const;
/** More than a shopper types; nobody reads the list by one form. */
const ASKED_MAX = 20;
/** The brands are found without it as well. */
const LIST_WITHIN_MS = 5000;

const ANSWERED = 200;

/**
 * What the gateway's list says of the number in a frame. The digits go to the gateway, from its own frame, in
 * a body; the page is told what the list says of them, and none of them.
 */
export class ListedRanges {
  /** By the digits that were asked; undefined: nobody knows, or not yet. */
  readonly #said = new Map<string, CardRange | undefined>();

  constructor(private readonly checkout: CheckoutInBrowser) {}

  /** What is known of a number by now. */
  of(digits: string): CardRange | undefined {
    return keysOf(digits)
      .map((key) => this.#said.get(key))
      .find((range) => range !== undefined);
  }

  /** Asks where nobody has asked yet. Resolves to whether something is known that was not. */
  async learn(digits: string): Promise<boolean> {
    const [key] = keysOf(digits);
    if (key === undefined || this.#said.has(key) || this.#said.size >= ASKED_MAX) return false;
    this.#said.set(key, undefined);
    const range = await this.#asked(key);
    this.#said.set(key, range);
    return range !== undefined;
  }

  async #asked(key: string): Promise<CardRange | undefined> {
    // What the page says of it may be anything.
    if (!isCheckout(this.checkout)) return undefined;
    try {
      const response = await fetch(`../../checkouts/${this.checkout.id}/card-range`, {
        ...{ method: 'POST', body: new URLSearchParams({ 'card.range': key }) },
        ...{ credentials: 'omit', referrerPolicy: 'no-referrer' },
        signal: AbortSignal.timeout(LIST_WITHIN_MS),
      });
      return response.status === ANSWERED ? rangeOf(await response.json()) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The first digits by which a number is asked for; those of a shorter one count until more are typed. */
export function keysOf(digits: string): readonly string[] {
  return ASKED_DIGITS.filter((length) => digits.length >= length).map((length) =>
    digits.slice(0, length),
  );
}

/** What an answer says of a range; undefined where that is nothing. */
export function rangeOf(body: unknown): CardRange | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { brands, country, type } = body as Readonly<Record<string, unknown>>;
  const all: readonly unknown[] = Array.isArray(brands) ? brands : [];
  const known = all.filter((one) => typeof one === 'string');
  const range = {
    brands: known,
    ...(typeof country === 'string' && { country }),
    ...(typeof type === 'string' && { type }),
  };
  return known.length === 0 && Object.keys(range).length === 1 ? undefined : range;
}
