import { isExpired } from '@sluice/parameters/cards';
import { digitsOf } from './card-digits.js';

/** As the interface has it (Interface 2.4). */
export interface Expiry {
  /** `01` to `12`. */
  readonly month: string;
  /** In four digits. */
  readonly year: string;
}

/** What is wrong with an expiry date: it is none, or it is over. */
export type ExpiryFault = 'month' | 'year';

const GAP = ' / ';
const LAST_MONTH = 12;

/**
 * What stands in the field once this is typed or pasted: `5` becomes `05 / `, `0534` and `5/2034` become
 * dates. A year that begins with 20 has four digits. Who deletes is not given back what was deleted.
 */
export function expiryText(typed: string, before: string): string {
  const digits = withWholeMonth(typed, digitsOf(typed));
  const month = digits.slice(0, 2);
  const isDeleting = typed.length < before.length;
  if (month.length < 2 || (isDeleting && digits.length === 2)) return month;
  const yearDigits = digits.startsWith('20', 2) ? 4 : 2;
  return month + GAP + digits.slice(2, 2 + yearDigits);
}

/** `5` and `1/` are months already, `1` is not yet one. */
function withWholeMonth(typed: string, digits: string): string {
  const [monthTyped = '', ...rest] = typed.split(/[^0-9\u0660-\u0669\u06f0-\u06f9]+/);
  const isEnded = rest.length > 0 && digitsOf(monthTyped).length === 1;
  const isOneDigit = digits.length === 1 && digits > '1';
  return isEnded || isOneDigit ? `0${digits}` : digits;
}

/** The date that the text says; undefined if it says none. */
export function expiryOf(text: string): Expiry | undefined {
  const digits = digitsOf(text);
  const month = digits.slice(0, 2);
  const year = digits.slice(2);
  if (!isMonth(month) || !(year.length === 2 || year.length === 4)) return undefined;
  return { month, year: year.length === 2 ? `20${year}` : year };
}

function isMonth(digits: string): boolean {
  return digits.length === 2 && Number(digits) >= 1 && Number(digits) <= LAST_MONTH;
}

/** @param nowMs undefined: a card may be over */
export function expiryFault(text: string, nowMs: number | undefined): ExpiryFault | undefined {
  const expiry = expiryOf(text);
  if (expiry === undefined) return 'month';
  const isOver = nowMs !== undefined && isExpired(expiry.year, expiry.month, nowMs);
  return isOver ? 'year' : undefined;
}
