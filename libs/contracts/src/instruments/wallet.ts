import { walletNames } from '../wallets.js';
import { closed, oneOf, text } from '../schema.js';

/**
 * The encrypted token of a wallet (Interface 2.5). The vault opens it, and what is paid with is the card
 * that was in it, so only a payment that is refused is recorded as this.
 */
export const wallet = {
  request: 'walletPayment',
  isServed: true,
  paymentMethod: 'WA',
  refused: closed({ kind: oneOf(['wallet']) }, { brand: text, wallet: oneOf(walletNames) }),
} as const;
