import { walletBrands, type WalletName, walletNames } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { brandNamed } from '../brands.js';
import type { Form } from '../form.js';
import type { RejectionCode } from '../rejection.js';
import type { InstrumentForm } from './instrument-form.js';

const BRANDS: ReadonlyMap<string, WalletName> = new Map(
  walletNames.map((wallet) => [walletBrands[wallet], wallet]),
);

/** The encrypted token of a wallet (Interface 2.5). */
export const wallet: InstrumentForm<'wallet'> = {
  structures: walletNames,
  column: 'wal',
  words: 'by wallet',
  hasBrand: (name) => walletOfBrand(name) !== undefined,
  // A wallet that the merchant has decrypted is paid by the card that was in it (D-50).
  holdsCard: (form, structure) =>
    form.has(`${structure}.source`) && !form.has(`${structure}.paymentToken`),
  // The card of a wallet comes with what the wallet says of it: only its token is another account.
  contradicting: (names, structure) => names.filter((name) => name === `${structure}.paymentToken`),
  // What proves the payment is worth nothing for a later one, so a token is spent on a payment.
  isStoredAlone: () => false,
  shownOf: (form, brand) => {
    const meant = tokenOf(form)?.wallet ?? walletOfBrand(brand ?? '');
    const shown = brand ?? (meant && walletBrands[meant]);
    return {
      kind: 'wallet',
      ...(shown !== undefined && { brand: shown }),
      ...(meant !== undefined && { wallet: meant }),
    };
  },
  rejectionOf: tokenRejectionOf,
};

/** The wallet whose payments are called so, in any case. */
export function walletOfBrand(name: string): WalletName | undefined {
  return BRANDS.get(name.toUpperCase());
}

/** The wallet whose token a form has. */
export function tokenOf(
  form: Form,
): { readonly wallet: WalletName; readonly name: string } | undefined {
  for (const wallet of walletNames) {
    const name = `${wallet}.paymentToken`;
    if (form.has(name)) return { wallet, name };
  }
  return undefined;
}

/** The wallet that a form's card came out of, decrypted by the merchant. */
export function walletOfCard(form: Form): WalletName | undefined {
  return walletNames.find((wallet) => form.has(`${wallet}.source`));
}

/** The brand of cards that a form names: a wallet's brand says nothing of the card in it. */
export function cardBrandSent(form: Form): string | undefined {
  const brand = form.get('paymentBrand');
  return brand === undefined || walletOfBrand(brand) !== undefined ? undefined : brand;
}

/** Whether a form names the brand of a wallet, and another one than it pays with. */
export function namesOtherWallet(form: Form, wallet: WalletName | undefined): boolean {
  const named = walletOfBrand(form.get('paymentBrand') ?? '');
  return named !== undefined && named !== wallet;
}

function tokenRejectionOf(form: Form): RejectionCode | undefined {
  const token = tokenOf(form);
  if (token === undefined) return codes.walletMissing;
  const brand = cardBrandSent(form);
  const isNoCard = brand !== undefined && brandNamed(brand) === undefined;
  return isNoCard || namesOtherWallet(form, token.wallet) ? codes.brandMismatch : undefined;
}
