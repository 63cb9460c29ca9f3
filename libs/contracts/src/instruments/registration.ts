import { closed, oneOf, text } from '../schema.js';

/**
 * Details that were stored earlier (Interface 2.16): a payment with them is one with the instrument
 * that was stored, so only one that is refused, because there is none, is recorded as this.
 */
export const registration = {
  request: 'payment',
  isServed: true,
  refused: closed({ kind: oneOf(['registration']) }, { brand: text }),
} as const;
