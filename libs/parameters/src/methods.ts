import { brandNamed } from './brands.js';
import type { NewPaymentKind } from './kinds.js';

const WALLETS: ReadonlySet<string> = new Set(['APPLEPAY', 'GOOGLEPAY', 'SAMSUNGPAY']);

/** The shopper pays at a bank: the brands of this kind that clients are known to send. */
const ONLINE_TRANSFERS: ReadonlySet<string> = new Set([
  ...['SOFORTUEBERWEISUNG', 'GIROPAY', 'IDEAL', 'EPS', 'ACI_INSTANTPAY'],
]);

/** Whether a brand, in capitals, is a direct debit: `DIRECTDEBIT_SEPA` and the like. */
export function isDirectDebit(brand: string): boolean {
  return brand.startsWith('DIRECTDEBIT');
}

/**
 * What a brand is paid with, where the request does not show it by an account: by no card, unless it
 * is a brand of cards. Of a brand that nobody here knows (PAYPAL and some hundred others) the
 * provider alone knows the shopper's account.
 */
export function methodOfBrand(name: string): NewPaymentKind {
  if (brandNamed(name) !== undefined) return 'payment';
  const brand = name.toUpperCase();
  if (WALLETS.has(brand)) return 'walletPayment';
  const isOfBank = ONLINE_TRANSFERS.has(brand) || isDirectDebit(brand);
  return isOfBank ? 'bankAccountPayment' : 'virtualAccountPayment';
}
