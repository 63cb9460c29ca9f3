import { type Amount, currency, exponentOf, isCurrency, isoDecimal } from '@sluice/money';

/** The only currency of SEPA's schemes. */
export const EURO = currency('EUR');

/** 999,999,999.99 EUR: the most that SEPA's rulebooks take in one transaction. */
export const EURO_MINOR_MAX = 99_999_999_999n;

/**
 * A decimal of an ISO 20022 file: 18 digits at most. Such amounts have no sign of their own, what
 * they mean says a field beside them; XML Schema would allow a plus, and so do we.
 */
const DECIMAL = /^\+?([0-9]{0,18})(?:\.([0-9]{0,17}))?$/u;
const DIGITS_MAX = 18;

/** The text of an amount that may stand in a SEPA file; undefined for any other one. */
export function euroText(amount: Amount): string | undefined {
  if (amount.currency !== EURO) return undefined;
  return amount.minor > 0n && amount.minor <= EURO_MINOR_MAX ? isoDecimal(amount) : undefined;
}

/** The control sum of many amounts, which is written without a currency. */
export function controlSum(amounts: readonly Amount[]): string {
  return isoDecimal({ minor: amounts.reduce((sum, { minor }) => sum + minor, 0n), currency: EURO });
}

/**
 * The amount that a bank has written, to the last minor unit; undefined where it is none, or has
 * more decimals than the currency.
 */
export function amountIn(text: string, code: string): Amount | undefined {
  const match = DECIMAL.exec(text);
  if (match === null || !isCurrency(code)) return undefined;
  const [, whole = '', fraction = ''] = match;
  const count = whole.length + fraction.length;
  if (count === 0 || count > DIGITS_MAX) return undefined;
  const exponent = exponentOf(code);
  // An amount may have as many zeros as its bank likes, but nothing that would be rounded.
  if (/[^0]/u.test(fraction.slice(exponent))) return undefined;
  const decimals = fraction.slice(0, exponent).padEnd(exponent, '0');
  return { minor: BigInt(whole + decimals), currency: code };
}
