import { walletBrands } from '@sluice/contracts';
import { detectedBrand } from './brands.js';
import type { Form } from './form.js';
import { shownInstrumentOf } from './instruments.js';
import type { ParameterError } from './parameter-error.js';
import { paymentKindOf } from './payment-kind.js';
import { usedRegistrationOf } from './registration-checks.js';

/** `overridePaymentType[brand]` is of checkouts alone, and has done its work in one. */
const BY_BRAND = 'overridePaymentType[';

/** Whether a parameter says the type of one brand's payments (Interface 2.3). */
export function isTypeOfBrand(name: string): boolean {
  return name.startsWith(BY_BRAND);
}

/**
 * The type that a merchant has said for the first of these brands of which it says one; in any case, as
 * brands are taken.
 * @param ofMerchant by wire name
 */
export function typeForBrands(
  ofMerchant: Readonly<Record<string, string>>,
  brands: readonly (string | undefined)[],
): string | undefined {
  const types = new Map(
    Object.entries(ofMerchant)
      .filter(([name]) => isTypeOfBrand(name))
      .map(([name, type]) => [brandIn(name), type]),
  );
  const brand = brands.find((each) => each !== undefined && types.has(each.toUpperCase()));
  return brand === undefined ? undefined : types.get(brand.toUpperCase());
}

/**
 * The brands of what a form pays with, the one that the payment has first: the one that was sent, the
 * wallet's, and the one that the number has anyway. Who sends another brand for the same card does not
 * get out of what the merchant has said.
 */
export function brandsOf(form: Form): readonly (string | undefined)[] {
  const shown = shownInstrumentOf(form, paymentKindOf(form).kind);
  const { brand, wallet } = shown as { readonly brand?: string; readonly wallet?: string };
  const ofWallet = Object.entries(walletBrands).find(([name]) => name === wallet)?.[1];
  return [brand, ofWallet, detectedBrand(form.get('card.number') ?? '')?.name];
}

/**
 * The same of a completed checkout, where only the account tells its brand: what is stored, or the card in
 * a wallet, for which the wallet's own brand counts first.
 */
export function typeOfAccount(
  ofMerchant: Readonly<Record<string, string>>,
  form: Form,
  brand: string,
): string | undefined {
  const ofForm = usedRegistrationOf(form) === undefined ? brandsOf(form) : [];
  return typeForBrands(ofMerchant, [...ofForm, brand]);
}

/** Two types of one brand, in other letters: nobody could tell which one holds. */
export function typesTwice(form: Form): readonly ParameterError[] {
  const brands = new Set<string>();
  return [...form.entries()].flatMap(([name]) => {
    if (!isTypeOfBrand(name)) return [];
    const brand = brandIn(name);
    if (brands.has(brand)) return [{ name, message: TWICE }];
    brands.add(brand);
    return [];
  });
}

const TWICE = 'says the type of one brand a second time, in other letters';

function brandIn(name: string): string {
  return name.slice(BY_BRAND.length, -1).toUpperCase();
}
