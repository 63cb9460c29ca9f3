import { plainTexts, type PlainText } from './plain-text.js';

/** Part of a text, the end not included. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Digits that belong together: only a few characters, none of them a letter, lie between. */
export interface DigitRun {
  /** As 0-9, in whatever script they were written. */
  readonly digits: string;
  /** Where each digit stands in the text. */
  readonly places: readonly TextRange[];
  /** The digits that follow each other directly. */
  readonly groups: readonly DigitGroup[];
}

/** One group of a run. */
export interface DigitGroup {
  /** The position of its first digit within the run. */
  readonly at: number;
  readonly length: number;
  /** The characters between the previous group and this one, without blanks. */
  readonly mark: string;
  /**
   * Whether it begins like an international telephone number: `+49 …`, but not `a+49`, where the
   * plus is a space.
   */
  readonly followsPlus: boolean;
}

/**
 * A comma and a line break of Windows, or a hyphen between spaces; with more there are two numbers.
 */
const SEPARATOR_CHARACTERS_MAX = 3;
const ZERO = 48;
const NINE = 57;
const PLUS = 43;
const ASCII_LAST = 127;
const LOWER_CASE_BIT = 0x20;
const LOWER_A = 97;
const LOWER_Z = 122;
const NUMBERS = /\p{N}/gu;
/** A circled 50 is one character. */
const CIRCLED_DIGITS_MAX = 2;
const FOLLOWED_BY_TELEPHONE = /^(?:|[\s(])\+$/;
const BLANKS = /[\0- \x7f]/g;

/**
 * The runs of at least so many digits in a text, in every reading of it (see plain-text.ts), so
 * one place may be in several. Takes time in proportion to the text.
 */
export function digitRuns(text: string, digitsLeast: number): readonly DigitRun[] {
  if (!mayHold(text, digitsLeast)) return [];
  return plainTexts(text).flatMap((reading) => runsOf(reading, digitsLeast));
}

/** Excludes nearly every text before anything is derived from it. */
function mayHold(text: string, digitsLeast: number): boolean {
  if (text.length < digitsLeast) return false;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > ASCII_LAST) return digitsOfAnyScript(text) >= digitsLeast;
    if (isDigit(unit)) digits += 1;
  }
  // An escape for a digit contains digits itself: `%34`, `\uff14`.
  return digits >= digitsLeast;
}

/** At least as many as the text can stand for. */
function digitsOfAnyScript(text: string): number {
  let digits = 0;
  for (const [number] of text.matchAll(NUMBERS)) {
    digits += number.charCodeAt(0) > ASCII_LAST ? CIRCLED_DIGITS_MAX : 1;
  }
  return digits;
}

function runsOf(reading: PlainText, digitsLeast: number): DigitRun[] {
  const { text } = reading;
  const runs: DigitRun[] = [];
  let first = -1;
  let last = -1;
  let digits = 0;
  const finish = (): void => {
    if (digits >= digitsLeast) runs.push(runBetween(reading, first, last));
    digits = 0;
  };
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isDigit(unit)) {
      if (digits > 0 && index - last > SEPARATOR_CHARACTERS_MAX + 1) finish();
      if (digits === 0) first = index;
      digits += 1;
      last = index;
    } else if (digits > 0 && isLetter(unit)) finish();
  }
  finish();
  return runs;
}

function runBetween(reading: PlainText, first: number, last: number): DigitRun {
  const { text } = reading;
  let digits = '';
  // The end of the previous group; nothing precedes the first one.
  let before = first;
  const groups: DigitGroup[] = [];
  for (let index = first; index <= last;) {
    let end = index;
    while (end <= last && isDigit(text.charCodeAt(end))) end += 1;
    const mark = before === index ? '' : text.slice(before, index).replace(BLANKS, '');
    const followsPlus =
      text.charCodeAt(index - 1) === PLUS &&
      FOLLOWED_BY_TELEPHONE.test(text.slice(Math.max(0, index - 2), index));
    groups.push({ at: digits.length, length: end - index, mark, followsPlus });
    digits += text.slice(index, end);
    before = end;
    index = end;
    while (index <= last && !isDigit(text.charCodeAt(index))) index += 1;
  }
  return {
    digits,
    groups,
    // Most runs are not card numbers, and then nobody needs their places.
    get places() {
      return placesBetween(reading, first, last);
    },
  };
}

function placesBetween({ text, origins }: PlainText, first: number, last: number): TextRange[] {
  const places: TextRange[] = [];
  for (let at = first; at <= last; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    places.push({ start: origins?.starts[at] ?? at, end: origins?.ends[at] ?? at + 1 });
  }
  return places;
}

/** Whether the unit is one of 0-9. */
export function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** Whether the unit is one of A-Z and a-z. */
export function isLetter(unit: number): boolean {
  const lower = unit | LOWER_CASE_BIT;
  return lower >= LOWER_A && lower <= LOWER_Z && unit <= ASCII_LAST;
}
