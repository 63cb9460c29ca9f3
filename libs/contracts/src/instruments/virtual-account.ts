import { closed, described, oneOf, text } from '../schema.js';

const kind = oneOf(['virtualAccount']);

const held = {
  vaultReference: described(text, 'Absent where nobody but the provider is told the account.'),
};

/** An account at a provider, who asks the shopper to log in (Interface 2.6). Its id is in the vault. */
export const virtualAccount = {
  request: 'virtualAccountPayment',
  isServed: true,
  paymentMethod: 'VA',
  paid: closed({ kind, brand: text }, held),
  refused: closed({ kind }, { ...held, brand: text }),
} as const;
