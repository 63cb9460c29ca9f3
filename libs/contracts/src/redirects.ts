import type { CheckoutId, TransactionId } from '@sluice/identifiers';
import { closed, described, listOf, oneOf, text, texts, type ValueOf } from './schema.js';

/** How a browser goes to an address. */
export const redirectMethods = ['GET', 'POST'] as const;

const way = {
  url: described(text, 'An absolute address of the web.'),
  method: oneOf(redirectMethods, 'How a browser goes there.'),
  parameters: described(texts, 'What it brings along, by name.'),
};

const precondition = closed(way, {
  origin: described(text, 'What of the page goes there, e.g. iframe#hidden.'),
  waitUntil: described(text, 'What the redirect waits for, e.g. iframe#load.'),
  description: described(text, 'For people.'),
});

/** Where an acquirer wants the shopper to go before it decides. */
export const redirect = closed(way, {
  preconditions: listOf(precondition, 'What the browser loads before, in this order.'),
});

/** Where an acquirer wants the shopper to go before it decides (Interface 2.2 `redirect`). */
export type Redirect = ValueOf<typeof redirect>;

/** What the browser loads before it goes there, in the merchant's page (wire contract 5). */
export type Precondition = ValueOf<typeof precondition>;

/**
 * The queries `payments.redirect` and `payments.shopperReturn`: asked for a shopper's browser, which
 * has no access, so knowing the id is all that is needed, and no more is answered than where to go.
 */
export interface ShopperQuery {
  readonly transactionId: TransactionId;
  /** What the browser brings back from the issuer (`cres`), as it came: it only wakes. */
  readonly challengeResponse?: string;
  /** What comes before was loaded on our own page, or had the time for it. */
  readonly isPrepared?: true;
}

/** The answer to both; empty for an id that is unknown, or of a payment without a redirect. */
export interface ShopperAnswer {
  /** Where the acquirer wants the shopper; absent once the payment is decided. */
  readonly redirect?: Redirect;
  /** Where the merchant wants the shopper afterwards; absent once it is erased. */
  readonly shopperResultUrl?: string;
  /** The checkout that it was made for, which the merchant is told in place of the payment. */
  readonly checkoutId?: CheckoutId;
  /** Somebody is being asked just now: the browser comes again in a moment. */
  readonly isAsked?: true;
  /** It is decided, and nobody knows, or knows any more, where the merchant wants the shopper. */
  readonly isDecided?: true;
}
