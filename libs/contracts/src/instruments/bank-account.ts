import { closed, described, oneOf, text } from '../schema.js';

const kind = oneOf(['bankAccount']);
const paymentMethods = ['DD', 'OT'] as const;
const paymentMethod = oneOf(
  paymentMethods,
  "Direct debit, or the shopper's own order at the bank.",
);
const shown = {
  brand: text,
  maskedIban: described(text, 'Its country and its last four characters.'),
  maskedNumber: described(text, 'Its last four characters, of a number that is long enough.'),
};

/** A bank account (Interface 2.7). Its number or IBAN is in the vault. */
export const bankAccount = {
  request: 'bankAccountPayment',
  isServed: true,
  paymentMethods,
  // An order at the bank needs nothing that the vault could hold: the shopper names the account there.
  paid: closed({ kind, paymentMethod }, { vaultReference: text, ...shown }),
  refused: closed({ kind, paymentMethod }, { vaultReference: text, ...shown }),
} as const;
