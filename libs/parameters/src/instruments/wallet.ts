import type { InstrumentForm } from './instrument-form.js';

const BRANDS: ReadonlySet<string> = new Set(['APPLEPAY', 'GOOGLEPAY', 'SAMSUNGPAY']);

/** The encrypted token of a wallet (Interface 2.5). */
export const wallet: InstrumentForm<'wallet'> = {
  structures: ['applePay', 'googlePay', 'samsungPay'],
  column: 'wal',
  words: 'by wallet',
  hasBrand: (name) => BRANDS.has(name.toUpperCase()),
  // A wallet that the merchant has decrypted is paid by the card that was in it (D-50).
  holdsCard: (form, structure) =>
    form.has(`${structure}.source`) && !form.has(`${structure}.paymentToken`),
  // The card of a wallet comes with what the wallet says of it: only its token is another account.
  contradicting: (names, structure) => names.filter((name) => name === `${structure}.paymentToken`),
  shownOf: (_form, brand) => ({ kind: 'wallet', ...(brand !== undefined && { brand }) }),
};
