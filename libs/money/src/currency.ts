import { listOne, listOneNumbers } from './iso-4217.js';

/*
 * ISO 4217 as the generated list has it, and our few decisions beside it. Codes to which ISO gives
 * no minor unit (XAU, XDR, XTS, XXX …) are not in that list: nothing can be paid in them.
 */

/** Published after the list; to be removed when a later list has them. */
const addedSince = {
  // Caribbean guilder, of Curaçao and Sint Maarten, since 2025-03-31.
  XCG: 2,
  // Arab accounting dinar, of the Arab Monetary Fund, since 2025-05-12.
  XAD: 2,
} as const;

/** The digits of those. */
const numbersAddedSince: Readonly<Record<keyof typeof addedSince, string>> = {
  XCG: '532',
  XAD: '396',
};

/**
 * No longer money, but payments were made in them that may still be reversed, refunded or charged
 * back. Nothing new is paid in them.
 */
const withdrawn: readonly string[] = [
  // Netherlands Antillean guilder, until 2025-07-01; XCG took its place.
  'ANG',
  // Bulgarian lev, until January 2026; the euro took its place.
  'BGN',
];

/** Withdrawn before anybody could pay in them here. */
const neverServed: readonly string[] = [
  // Cuban convertible peso, until 2021-06-30.
  'CUC',
];

/** How many decimals a minor unit has. */
export type Exponent = 0 | 2 | 3 | 4;

declare const currencyBrand: unique symbol;

/** An ISO 4217 code that has a minor unit, in upper case: active, or refundable (`isWithdrawn`). */
export type Currency = string & { readonly [currencyBrand]: true };

const exponents: ReadonlyMap<string, Exponent> = new Map<string, Exponent>([
  ...([0, 2, 3, 4] as const).flatMap((exponent) =>
    listOne[exponent]
      .split(/\s+/u)
      .filter((code) => !neverServed.includes(code))
      .map((code) => [code, exponent] as const),
  ),
  ...Object.entries(addedSince),
]);

/** All currencies, in alphabetical order. */
export const currencies: readonly Currency[] = [...exponents.keys()].sort() as Currency[];

/** Whether the text is a currency code as Interface 2.3 wants it: ISO 4217, upper case. */
export function isCurrency(text: string): text is Currency {
  return exponents.has(text);
}

/** Whether nothing new is paid in the currency, while older payments in it may be given back. */
export function isWithdrawn(code: string): boolean {
  return withdrawn.includes(code);
}

/**
 * The currency with this code.
 * @throws RangeError when there is none; test texts from outside with `isCurrency` first.
 */
export function currency(code: string): Currency {
  if (!isCurrency(code)) throw new RangeError('not an ISO 4217 currency code');
  return code;
}

/** The decimals of the currency's minor unit (R-MON-06). */
export function exponentOf(code: Currency): Exponent {
  const exponent = exponents.get(code);
  if (exponent === undefined) throw new RangeError('not an ISO 4217 currency code');
  return exponent;
}

const numbers: ReadonlyMap<string, string> = new Map<string, string>([
  ...listOneNumbers
    .trim()
    .split(/\s+/u)
    .map((pair) => pair.split('=') as [string, string]),
  ...Object.entries(numbersAddedSince),
]);

/** The three digits by which ISO 4217 numbers the currency: EUR is `978`. */
export function numberOf(code: Currency): string {
  const number = isCurrency(code) ? numbers.get(code) : undefined;
  if (number === undefined) throw new RangeError('not an ISO 4217 currency code');
  return number;
}
