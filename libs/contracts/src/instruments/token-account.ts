import { closed, oneOf, text } from '../schema.js';

const paymentMethod = oneOf(['NT', 'ET'], 'A token of a card network, or of another provider.');

/** A token in place of a card number (Interface 2.8). */
export const tokenAccount = {
  request: 'tokenPayment',
  isServed: false,
  refused: closed({ kind: oneOf(['tokenAccount']), paymentMethod }, { brand: text }),
} as const;
