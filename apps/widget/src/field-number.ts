import { brandNamed, isOfBrand, passesLuhn } from '@sluice/parameters/cards';
import { detectedBrands, listedBrands } from './brand-detection.js';

/** Longer ones no card has (Interface 2.4). */
export const NUMBER_DIGITS_MAX = 19;
const NUMBER_DIGITS_MIN = 12;
/** The longest code; of a known brand its own. */
export const CODE_DIGITS_MAX = 4;
const CODE_DIGITS_MIN = 3;

/** What a number is judged by. */
export interface NumberContext {
  readonly brands: readonly string[];
  readonly priority: readonly string[];
  /** That was chosen; empty: none. */
  readonly brand: string;
  /** What a list says of the card; empty: nothing. */
  readonly listed: readonly string[];
}

/** Whether a number can be one of the chosen brand, or of any where none is chosen. */
export function isNumber(digits: string, { brand }: Pick<NumberContext, 'brand'>): boolean {
  if (!passesLuhn(digits)) return false;
  const known = brandNamed(brand);
  if (known !== undefined) return isOfBrand(digits, known);
  return digits.length >= NUMBER_DIGITS_MIN && digits.length <= NUMBER_DIGITS_MAX;
}

/** The brands that a number may be of: what a list says, or else what its digits do. */
export function brandsOf(
  digits: string,
  { brands, priority, listed }: NumberContext,
): readonly string[] {
  const found = listedBrands(digits, listed, { brands, priority });
  return found.length > 0 ? found : detectedBrands(digits, { brands, priority });
}

/** Whether a security code is one of the brand. */
export function isCode(digits: string, brand: string): boolean {
  const known = brandNamed(brand)?.securityCodeDigits;
  if (known !== undefined) return digits.length === known;
  return digits.length >= CODE_DIGITS_MIN && digits.length <= CODE_DIGITS_MAX;
}
