import { brandNamed, type CardBrand } from '@sluice/parameters/cards';

/** Between which brands a number decides. */
export interface OfferedBrands {
  /** As the shop names them. */
  readonly brands: readonly string[];
  /** Which of them come first where a number fits several. */
  readonly priority: readonly string[];
}

interface Match {
  readonly brand: CardBrand;
  /** Of how many digits the longest range is that fits. */
  readonly length: number;
  /** Whether all digits of that range are typed. */
  readonly isWhole: boolean;
}

/**
 * The offered brands that a number may be of, as far as it is typed; the first is the likeliest. None
 * while it is open between several. A card may be of two brands; which one is used the shopper says.
 */
export function detectedBrands(digits: string, offered: OfferedBrands): readonly string[] {
  if (digits === '') return [];
  const matches = offered.brands.flatMap((name) => matchOf(digits, name));
  const whole = withoutWider(matches.filter(({ isWhole }) => isWhole));
  const found = whole.length > 0 || matches.length > 1 ? whole : matches;
  return [...found]
    .sort(
      (left, right) => rankOf(left, offered) - rankOf(right, offered) || right.length - left.length,
    )
    .map(({ brand }) => brand.name);
}

/**
 * The offered brands of a list that a number may be of, in the list's order, unless the shop says which come
 * first. Those whose numbers are others are left out: with them a payment would be refused.
 */
export function listedBrands(
  digits: string,
  list: readonly string[],
  offered: OfferedBrands,
): readonly string[] {
  const found = list
    .filter((name) => offered.brands.includes(name))
    .flatMap((name) => matchOf(digits, name));
  return [...found]
    .sort((left, right) => rankOf(left, offered) - rankOf(right, offered))
    .map(({ brand }) => brand.name);
}

/** The brand to go on with: the one before, as long as the number can be of it. */
export function followedBrand(detected: readonly string[], before: string): string {
  return detected.includes(before) ? before : (detected[0] ?? before);
}

/** Of schemes that share no cards, the narrow range is right; brands of banks stay beside them. */
function withoutWider(matches: readonly Match[]): readonly Match[] {
  const longest = Math.max(...matches.map(({ brand, length }) => (brand.detected ? length : 0)));
  return matches.filter(({ brand, length }) => !brand.detected || length === longest);
}

function rankOf({ brand }: Match, { priority }: OfferedBrands): number {
  const rank = priority.indexOf(brand.name);
  return rank === -1 ? priority.length : rank;
}

function matchOf(digits: string, name: string): readonly Match[] {
  const brand = brandNamed(name);
  if (brand === undefined) return [];
  const [best] = brand.ranges
    .filter((range) => fits(digits, range))
    .map((range) => range.split('-')[0]?.length ?? 0)
    .sort(
      (left, right) =>
        Number(right <= digits.length) - Number(left <= digits.length) || right - left,
    );
  return best === undefined ? [] : [{ brand, length: best, isWhole: best <= digits.length }];
}

/** Whether a number may go on so that it is in the range. */
function fits(digits: string, range: string): boolean {
  const [from = '', to = from] = range.split('-');
  const length = Math.min(digits.length, from.length);
  const leading = digits.slice(0, length);
  return leading >= from.slice(0, length) && leading <= to.slice(0, length);
}
