import { closed, oneOf, text } from '../schema.js';

/** An account at a provider, who asks the shopper to log in (Interface 2.6). */
export const virtualAccount = {
  request: 'virtualAccountPayment',
  isServed: false,
  paymentMethod: 'VA',
  refused: closed({ kind: oneOf(['virtualAccount']) }, { brand: text }),
} as const;
