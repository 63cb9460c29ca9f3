import { cardNumberPlaces, digitRuns, numberPlaces, replacedIn } from '@sluice/secrets';
import { detectedBrand } from './brands.js';
import { passesLuhn } from './luhn.js';

const KEPT_DIGITS = 4;
/** Shorter numbers are no card numbers, and may well be part of a reference. */
const OWN_DIGITS_LEAST = 8;
const MASK = '*';

/**
 * The text with every card number in it masked but for its last four digits. A card number is a run
 * of 13 to 19 digits of any script, encoding and grouping (see `cardNumberPlaces`) that passes the
 * Luhn test and lies in a known issuer range (D-43); other long numbers, such as references, stay
 * as they are.
 */
export function cardNumbersMasked(text: string): string {
  return withoutCardNumber(text, undefined);
}

/**
 * The text with card numbers masked, and the given number of the same request as well, whatever its
 * length and range.
 */
export function withoutCardNumber(text: string, ownNumber: string | undefined): string {
  const masked = [...cardNumberPlaces(text, isCardNumber, KEPT_DIGITS)];
  for (const own of ownDigits(ownNumber)) {
    masked.push(...numberPlaces(text, own, isCardNumber(own) ? KEPT_DIGITS : 0));
  }
  const result = masked.length === 0 ? text : replacedIn(text, masked, stars);
  // What was sent as a number need not be one.
  if (ownNumber === undefined || ownNumber === '') return result;
  return result.replaceAll(ownNumber, stars);
}

/** Whether the text holds the card number of the same request, in whatever spelling (D-43). */
export function holdsOwnNumber(text: string, ownNumber: string | undefined): boolean {
  return ownDigits(ownNumber).some((own) => numberPlaces(text, own).length > 0);
}

/** Digits in a row, separators not counted: what a card holder's name must not have. */
export function longestDigitRun(text: string): number {
  return Math.max(0, ...digitRuns(text, 1).map(({ digits }) => digits.length));
}

/** What was sent as card number, separators left out, in every reading of it. */
function ownDigits(ownNumber: string | undefined): readonly string[] {
  if (ownNumber === undefined) return [];
  return digitRuns(ownNumber, OWN_DIGITS_LEAST).map(({ digits }) => digits);
}

function isCardNumber(digits: string): boolean {
  return passesLuhn(digits) && detectedBrand(digits) !== undefined;
}

/** The mask keeps the length of the text. */
function stars(hidden: string): string {
  return MASK.repeat(hidden.length);
}
