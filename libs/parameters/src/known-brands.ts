import { type ShownInstrument, walletBrands, walletNames } from '@sluice/contracts';
import { bankBrands } from './bank-methods.js';
import { cardBrands } from './brands.js';
import { Form } from './form.js';
import { instrumentForms, instrumentOfBrand } from './instruments.js';
import { virtualAccountBrands } from './virtual-account-brands.js';

/** A brand that a shopper may choose. */
export interface KnownBrand {
  /** `paymentBrand`; with a star, how it begins. */
  readonly brand: string;
  /** What it is paid with, as far as the brand alone says it. */
  readonly instrument: ShownInstrument;
}

const names: readonly string[] = [
  ...cardBrands.map(({ name }) => name),
  ...walletNames.map((wallet) => walletBrands[wallet]),
  ...virtualAccountBrands,
  ...bankBrands,
];

/** Every brand that the hosted form may offer: of cards, wallets, providers and banks. */
export const knownBrands: readonly KnownBrand[] = names.map((brand) => {
  const name = brand.replace('*', '');
  const { shownOf } = instrumentForms[instrumentOfBrand(name)];
  return { brand, instrument: shownOf(new Form(new Map([['paymentBrand', name]])), name) };
});
