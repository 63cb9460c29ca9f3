import { detectedBrand } from './brands.js';
import { passesLuhn } from './luhn.js';

/** D-43: a card number in text is a run of 13 to 19 digits. */
const DIGITS_LEAST = 13;
const DIGITS_MOST = 19;
const KEPT_DIGITS = 4;
const ASCII_ZERO = 48;
const ASCII_NINE = 57;
const ASCII_LAST = 127;
const MASK = '*';

/** Runs of digits of any script, full-width ones among them (S-PCI-07). */
const DIGIT_GROUP = /\p{Nd}+/gu;
/** What people put between the groups of a card number: one such character. */
const SEPARATOR = /^[\s\-._/\u2010-\u2015\u00b7]$/u;

interface DigitGroup {
  readonly start: number;
  readonly end: number;
  /** The digits as ASCII. */
  readonly digits: string;
}

/**
 * The text with every card number in it masked but for its last four digits. A card number is a run
 * of 13 to 19 digits, single separators between its groups allowed, that passes the Luhn test and
 * lies in a known issuer range (D-43); other long numbers, such as references, stay as they are.
 */
export function cardNumbersMasked(text: string): string {
  if (text.length < DIGITS_LEAST) return text;
  const groups = digitGroups(text);
  const digits = groups.reduce((sum, group) => sum + group.digits.length, 0);
  if (digits < DIGITS_LEAST) return text;
  let masked = text;
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastGroupOfCardNumber(text, groups, first);
    if (last === undefined) continue;
    masked = withMaskedDigits(masked, groups.slice(first, last + 1));
    first = last;
  }
  return masked;
}

/**
 * The text with card numbers masked, and the given number of the same request as well, whatever its
 * length and range.
 */
export function withoutCardNumber(text: string, ownNumber: string | undefined): string {
  const masked = cardNumbersMasked(text);
  if (ownNumber === undefined || ownNumber === '' || !masked.includes(ownNumber)) return masked;
  return masked.replaceAll(ownNumber, MASK.repeat(ownNumber.length));
}

/** Digits in a row, single separators not counted: what a card holder's name must not have. */
export function longestDigitRun(text: string): number {
  let longest = 0;
  let run = 0;
  let previousEnd = -2;
  for (const { start, end, digits } of digitGroups(text)) {
    run = isJoined(text, previousEnd, start) ? run + digits.length : digits.length;
    longest = Math.max(longest, run);
    previousEnd = end;
  }
  return longest;
}

function digitGroups(text: string): DigitGroup[] {
  const groups: DigitGroup[] = [];
  let start = -1;
  for (let index = 0; index <= text.length; index += 1) {
    // Past the end this is not a number, which ends the last group.
    const unit = text.charCodeAt(index);
    if (unit > ASCII_LAST) return digitGroupsOfAnyScript(text);
    const isDigit = unit >= ASCII_ZERO && unit <= ASCII_NINE;
    if (isDigit && start === -1) start = index;
    if (!isDigit && start !== -1) {
      groups.push({ start, end: index, digits: text.slice(start, index) });
      start = -1;
    }
  }
  return groups;
}

function digitGroupsOfAnyScript(text: string): DigitGroup[] {
  const groups: DigitGroup[] = [];
  for (const match of text.matchAll(DIGIT_GROUP)) {
    const start = match.index;
    groups.push({ start, end: start + match[0].length, digits: asciiDigits(match[0]) });
  }
  return groups;
}

/**
 * The index of the group with which a card number that begins with group `first` ends. Numbers
 * begin and end with a group, so "4200 0000 0000 0000 12/30" is found in spite of what follows.
 */
function lastGroupOfCardNumber(
  text: string,
  groups: readonly DigitGroup[],
  first: number,
): number | undefined {
  let number = '';
  for (let last = first; last < groups.length; last += 1) {
    const group = groups[last];
    const before = groups[last - 1];
    if (group === undefined) break;
    if (last > first && !isJoined(text, before?.end ?? -1, group.start)) break;
    number += group.digits;
    if (number.length > DIGITS_MOST) break;
    if (number.length >= DIGITS_LEAST && isCardNumber(number)) return last;
  }
  return undefined;
}

function isJoined(text: string, end: number, nextStart: number): boolean {
  return nextStart === end + 1 && SEPARATOR.test(text.charAt(end));
}

function isCardNumber(digits: string): boolean {
  return passesLuhn(digits) && detectedBrand(digits) !== undefined;
}

function withMaskedDigits(text: string, groups: readonly DigitGroup[]): string {
  let toMask = groups.reduce((sum, group) => sum + group.digits.length, 0) - KEPT_DIGITS;
  let masked = text;
  for (const { start, end, digits } of groups) {
    const count = Math.min(toMask, digits.length);
    toMask -= count;
    // Digits beyond the basic plane take two units; the mask keeps the length of the text.
    const units = Math.round(((end - start) / digits.length) * count);
    masked = masked.slice(0, start) + MASK.repeat(units) + masked.slice(start + units);
  }
  return masked;
}

/** Decimal digits of any script as 0-9: each script's ten stand in a row, and so are counted. */
function asciiDigits(digits: string): string {
  if (/^[0-9]+$/.test(digits)) return digits;
  return Array.from(digits, (digit) => digitValue(digit)).join('');
}

function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let below = 0;
  // Five sets of mathematical digits follow each other, so at most 49 stand below one.
  while (below < 49 && /^\p{Nd}$/u.test(String.fromCodePoint(code - below - 1))) below += 1;
  return String(below % 10);
}
