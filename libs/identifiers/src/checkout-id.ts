import { random } from './random.js';

declare const checkoutIdBrand: unique symbol;

/**
 * The id of a checkout (Interface 2.1, wire contract 2): 32 uppercase hex digits, a dot, and the
 * label of the installation, 48 characters at the most. All digits are random, because whoever has
 * the id may complete the checkout.
 */
export type CheckoutId = string & { readonly [checkoutIdBrand]: true };

/** Wider than what is made here: clients and the interface allow these characters. */
const CHECKOUT_ID = /^[A-Za-z0-9.-]{32,48}$/;
const RANDOM_BYTES = 16;
/** What is left of 48 characters after 32 digits and a dot. */
const LABEL = /^[a-z0-9-]{1,15}$/;

/** Whether the text has the shape of a checkout's id; it says nothing about existence. */
export function isCheckoutId(text: string): text is CheckoutId {
  return CHECKOUT_ID.test(text);
}

/**
 * A new id.
 * @param label of the installation: 1 to 15 of a-z, 0-9 and hyphens. @throws RangeError for others
 */
export function newCheckoutId(label: string): CheckoutId {
  if (!LABEL.test(label)) throw new RangeError(`Not a label of checkouts: ${label}`);
  return `${random(RANDOM_BYTES).toString('hex').toUpperCase()}.${label}` as CheckoutId;
}
