import { closed, oneOf, text } from '../schema.js';

const kind = oneOf(['virtualAccount']);

/** An account at a provider, who asks the shopper to log in (Interface 2.6). */
export const virtualAccount = {
  request: 'virtualAccountPayment',
  isServed: true,
  paymentMethod: 'VA',
  paid: closed({ kind, brand: text }),
  refused: closed({ kind }, { brand: text }),
} as const;
