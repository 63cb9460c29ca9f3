import {
  type DigitGroup,
  type DigitRun,
  digitRuns,
  isDigit,
  isLetter,
  type TextRange,
} from './digit-runs.js';
import { type PlainText, plainTexts } from './plain-text.js';

/** D-43: a card number in text is a run of 13 to 19 digits. */
const DIGITS_LEAST = 13;
const DIGITS_MOST = 19;
/**
 * Country codes 36 to 66 begin like cards; hardly any telephone number has more digits, or any card
 * fewer.
 */
const TELEPHONE_DIGITS_MOST = 13;
/** How numbers are printed on cards: in groups of four, or four, six and the rest. */
const PRINTED_GROUP = 4;
const PRINTED_SECOND_GROUP = 6;
const SEPARATORS = /[^0-9A-Za-z]+/g;
/** A circled 50 is one character. */
const CHARACTERS_OF_ONE_MOST = 2;

/**
 * Where a text holds card numbers, but for the last `kept` digits of each: 13 to 19 digits that
 * `isCardNumber` accepts (Luhn and issuer range, D-43), in groups with up to three characters
 * between them that are no letters. A number begins and ends with a group, so adjacent digits do
 * not hide it. If the marks between its groups differ, like the dot and the colon of a date and a
 * time, it must be grouped as on a card. Up to 13 digits after a plus are a telephone number.
 * Places may repeat and come in any order.
 */
export function cardNumberPlaces(
  text: string,
  isCardNumber: (digits: string) => boolean,
  kept = 0,
): readonly TextRange[] {
  const found: TextRange[] = [];
  for (const run of digitRuns(text, DIGITS_LEAST)) {
    let next = 0;
    let places: readonly TextRange[] | undefined;
    run.groups.forEach(({ at }, first) => {
      const end = lastEndFrom(run, first, isCardNumber) - kept;
      const from = Math.max(at, next);
      if (from < end) found.push(...(places ??= run.places).slice(from, end));
      next = Math.max(next, end);
    });
  }
  return found;
}

/**
 * Where a text holds these very digits, but for the last `kept`, whatever separates them and
 * whatever is around them.
 */
export function numberPlaces(text: string, number: string, kept = 0): readonly TextRange[] {
  const found: TextRange[] = [];
  if (number === '') return found;
  for (const run of digitRuns(text, number.length)) {
    const { digits } = run;
    let at = digits.indexOf(number);
    if (at === -1) continue;
    const { places } = run;
    while (at !== -1) {
      found.push(...places.slice(at, at + number.length - kept));
      at = digits.indexOf(number, at + number.length);
    }
  }
  return found;
}

/**
 * An account as it is compared: its letters and digits alone, as capitals. Letters of other scripts
 * are all the same, so an account that consists of them is compared better as it stands.
 */
export function bareAccount(account: string): string {
  return bare(plainTexts(account)[0]?.text ?? '');
}

/**
 * Where a text holds this account, whatever the case of its letters, and whatever separates its
 * letters and digits or is around them.
 * @param account as `bareAccount` makes it
 */
export function accountPlaces(text: string, account: string): readonly TextRange[] {
  if (account === '' || text.length * CHARACTERS_OF_ONE_MOST < account.length) return [];
  return plainTexts(text).flatMap((reading) => placesOfAccount(reading, account));
}

/** The text with other text in the places, which may overlap and come in any order. */
export function replacedIn(
  text: string,
  places: readonly TextRange[],
  replace: (hidden: string) => string,
): string {
  let result = '';
  let copied = 0;
  for (const { start, end } of merged(places)) {
    result += text.slice(copied, start) + replace(text.slice(start, end));
    copied = end;
  }
  return result + text.slice(copied);
}

function bare(plain: string): string {
  return plain.replace(SEPARATORS, '').toUpperCase();
}

function placesOfAccount({ text, origins }: PlainText, account: string): readonly TextRange[] {
  const read = bare(text);
  let at = read.indexOf(account);
  // Nearly every text holds none, and then nobody needs to know where its characters stand.
  if (at === -1) return [];
  const indexes: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isDigit(unit) || isLetter(unit)) indexes.push(index);
  }
  const found: TextRange[] = [];
  while (at !== -1) {
    for (const index of indexes.slice(at, at + account.length)) {
      found.push({
        start: origins?.starts[index] ?? index,
        end: origins?.ends[index] ?? index + 1,
      });
    }
    at = read.indexOf(account, at + account.length);
  }
  return found;
}

/**
 * The position after the last digit of the longest card number that begins with group `first`; or
 * 0.
 */
function lastEndFrom(
  { digits, groups }: DigitRun,
  first: number,
  isCardNumber: (digits: string) => boolean,
): number {
  const from = groups[first]?.at ?? 0;
  const least = groups[first]?.followsPlus === true ? TELEPHONE_DIGITS_MOST + 1 : DIGITS_LEAST;
  const ends: number[] = [];
  for (const { at, length } of groups.slice(first, first + DIGITS_MOST)) {
    if (at + length - from > DIGITS_MOST) break;
    ends.push(at + length);
  }
  // The longest first, so that with adjacent numbers one attempt at each place is enough.
  for (let count = ends.length; count > 0; count -= 1) {
    const end = ends[count - 1] ?? 0;
    if (end - from < least) break;
    if (!isCardNumber(digits.slice(from, end))) continue;
    const last = first + count - 1;
    if (haveOneMark(groups, first, last) || areAsPrinted(groups, first, last)) return end;
  }
  return 0;
}

function haveOneMark(groups: readonly DigitGroup[], first: number, last: number): boolean {
  let seen = '';
  for (let index = first + 1; index <= last; index += 1) {
    const mark = groups[index]?.mark ?? '';
    if (mark !== '' && seen !== '' && mark !== seen) return false;
    if (mark !== '') seen = mark;
  }
  return true;
}

function areAsPrinted(groups: readonly DigitGroup[], first: number, last: number): boolean {
  const lengths = groups.slice(first, last + 1).map(({ length }) => length);
  const rest = lengths.pop() ?? 0;
  const inFours = lengths.every((length) => length === PRINTED_GROUP) && rest <= PRINTED_GROUP;
  const [head, middle, ...others] = lengths;
  const inThree = head === PRINTED_GROUP && middle === PRINTED_SECOND_GROUP && others.length === 0;
  return inFours || inThree;
}

function merged(places: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const place of [...places].sort((left, right) => left.start - right.start)) {
    const before = result.at(-1);
    if (before !== undefined && place.start <= before.end) {
      result[result.length - 1] = { start: before.start, end: Math.max(before.end, place.end) };
    } else result.push(place);
  }
  return result;
}
