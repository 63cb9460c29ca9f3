import { closed, oneOf, text } from '../schema.js';

/** The encrypted token of a wallet (Interface 2.5); a decrypted one is a card. */
export const wallet = {
  request: 'walletPayment',
  isServed: false,
  paymentMethod: 'WA',
  refused: closed({ kind: oneOf(['wallet']) }, { brand: text }),
} as const;
