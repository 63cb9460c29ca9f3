import { closed, oneOf, text } from '../schema.js';

const kind = oneOf(['bankAccount']);
const paymentMethod = oneOf(['DD', 'OT'], "Direct debit, or the shopper's own order at the bank.");

/** A bank account (Interface 2.7). Its number or IBAN is in the vault. */
export const bankAccount = {
  request: 'bankAccountPayment',
  isServed: false,
  paid: closed({ kind, vaultReference: text, paymentMethod }, { brand: text }),
  refused: closed({ kind, paymentMethod }, { vaultReference: text, brand: text }),
} as const;
