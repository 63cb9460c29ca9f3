import { closed, described, oneOf, text } from '../schema.js';

const kind = oneOf(['giftCard']);
const shown = {
  maskedNumber: described(text, 'Its last four characters, of a number that is long enough.'),
};

/** A gift card (Interface 2.18). Its number and its PIN are in the vault. */
export const giftCard = {
  request: 'giftCardPayment',
  isServed: true,
  // Of the methods of Interface 2.19 the one that is paid before: the money was, when the card was bought.
  paymentMethod: 'PP',
  paid: closed({ kind, vaultReference: text, brand: text, ...shown }),
  refused: closed({ kind }, { vaultReference: text, brand: text, ...shown }),
} as const;
