import {
  cardNumberPlaces,
  digitRuns,
  ibanPlaces,
  numberPlaces,
  replacedIn,
  type TextRange,
} from '@sluice/secrets';
import { detectedBrand } from './brands.js';
import { passesLuhn } from './luhn.js';

const KEPT_DIGITS = 4;
/** Shorter numbers are no card numbers, and may well be part of a reference. */
const OWN_DIGITS_LEAST = 8;
const MASK = '*';
/** What most ids are made of: nothing in it stands between digits, so they are there as they are. */
const ALPHANUMERIC = /^[0-9A-Za-z]*$/;

/**
 * The text with every card number in it masked but for its last four digits, and every IBAN as a whole,
 * as the request's own is. A card number is a run of 13 to 19 digits of any script, encoding and grouping
 * (see `cardNumberPlaces`) that passes the Luhn test and lies in a known issuer range; an IBAN has the form
 * of its country and right check digits (D-43). Other long numbers, such as references, stay as they are.
 */
export function accountNumbersMasked(text: string): string {
  return withoutCardNumber(text, undefined);
}

/**
 * The text with card numbers and IBANs masked, and the given number of the same request as well, whatever its
 * length and range.
 */
export function withoutCardNumber(text: string, ownNumber: string | undefined): string {
  return cardNumberSearch(ownNumber).masked(text);
}

/** Looks for card numbers, and IBANs, in the texts of one request. */
export interface CardNumberSearch {
  /**
   * The text without card numbers and IBANs, and without the number of the request.
   * @param others what else is to be hidden of it
   */
  readonly masked: (text: string, others?: readonly TextRange[]) => string;
  /** Whether the text holds the number of the request, in whatever spelling (D-43). */
  readonly findsOwn: (text: string) => boolean;
}

/** What is known of the request's own number is found out once, not for each of its texts. */
export function cardNumberSearch(ownNumber: string | undefined): CardNumberSearch {
  const owns = ownDigits(ownNumber).map((digits) => ({
    digits,
    kept: isCardNumber(digits) ? KEPT_DIGITS : 0,
  }));
  // What was sent as a number need not be one.
  const verbatim = ownNumber === undefined || ownNumber === '' ? undefined : ownNumber;
  return {
    masked: (text, others = []) => {
      // All at once: of two that overlap, the second is not seen any more when the first is hidden.
      const cards = cardNumberPlaces(text, isCardNumber, KEPT_DIGITS);
      const places = [...others, ...cards, ...ibanPlaces(text)];
      for (const { digits, kept } of owns) places.push(...numberPlaces(text, digits, kept));
      const result = places.length === 0 ? text : replacedIn(text, places, stars);
      return verbatim === undefined ? result : result.replaceAll(verbatim, stars);
    },
    findsOwn: (text) =>
      ALPHANUMERIC.test(text)
        ? owns.some(({ digits }) => text.includes(digits))
        : owns.some(({ digits }) => numberPlaces(text, digits).length > 0),
  };
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
export function stars(hidden: string): string {
  return MASK.repeat(hidden.length);
}
