import { closed, described, oneOf, text } from '../schema.js';

const kind = oneOf(['tokenAccount']);
const paymentMethods = ['NT', 'ET'] as const;
const paymentMethod = oneOf(paymentMethods, 'A token of a card network, or of another provider.');
const ofExpiry = described(text, 'As sent; tokens need not expire.');
const shown = {
  ...{ brand: text, maskedNumber: described(text, 'Its last four digits.') },
  ...{ expiryMonth: ofExpiry, expiryYear: ofExpiry },
};

/** A token in place of a card number (Interface 2.8). Its number is in the vault. */
export const tokenAccount = {
  request: 'tokenPayment',
  isServed: true,
  paymentMethods,
  paid: closed({ kind, vaultReference: text, paymentMethod }, shown),
  refused: closed({ kind, paymentMethod }, { vaultReference: text, ...shown }),
} as const;
