import { getCountrySpecifications } from 'ibantools';
import { isDigit, isLetter, type TextRange } from './digit-runs.js';
import { type PlainText, plainTexts } from './plain-text.js';

/** An IBAN as its country has it: all of its characters, and the form of those behind the check digits. */
interface CountryForm {
  readonly characters: number;
  readonly account: RegExp;
}

const COUNTRY_LETTERS = 2;
/** Country and check digits. */
const HEAD_CHARACTERS = 4;
const MODULUS = 97;
const DIGITS_OF_A_LETTER = 100;
const DIGITS_OF_A_DIGIT = 10;
const ZERO = 48;
/** A is 10. */
const BEFORE_LETTERS = 55;

/** How an IBAN is printed. */
const PRINTED_GROUP = 4;
/** As between the digits of card numbers: a hyphen between spaces. */
const SEPARATOR_CHARACTERS_MAX = 3;

const countryForms: ReadonlyMap<string, CountryForm> = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars, bban_regexp: form }]) =>
    chars === null || form === null
      ? []
      : [[country, { characters: chars, account: new RegExp(form) }]],
  ),
);
/** Norway's, which is the shortest. */
const CHARACTERS_LEAST = Math.min(...Array.from(countryForms.values(), (one) => one.characters));

/** Nearly no text has it, and a text without it has no IBAN, unless in an escape or another script. */
const HEAD = /[A-Za-z]{2}[0-9]{2}/;
const HEADS = /(?=([A-Z]{2})[0-9]{2})/gi;
const ESCAPED_OR_OTHER = /[%\\]|[^\0-\x7f]/;
/** Of any script; a circled 50 is two digits. */
const NUMBER = /\p{N}/u;
const LETTERS_AND_DIGITS = /^[0-9A-Za-z]+$/;
const BLANKS = /[\0- \x7f]/g;

/**
 * Where a text holds IBANs: a known country, so many letters and digits as its IBANs have, in their form, and
 * right check digits. They stand together or in groups of four, in either case and whatever is around them;
 * where all behind the country are digits, they may be grouped in any way with one mark between. Takes time in
 * proportion to the text.
 */
export function ibanPlaces(text: string): readonly TextRange[] {
  if (!mayHold(text)) return [];
  return plainTexts(text).flatMap((reading) => placesIn(reading));
}

/** Whether letters and digits, the letters capitals, are an IBAN. */
export function isIban(bare: string): boolean {
  const form = countryForms.get(bare.slice(0, COUNTRY_LETTERS));
  return (
    form?.characters === bare.length &&
    form.account.test(bare.slice(HEAD_CHARACTERS)) &&
    hasRightCheckDigits(bare)
  );
}

function mayHold(text: string): boolean {
  return HEAD.test(text) || (ESCAPED_OR_OTHER.test(text) && NUMBER.test(text));
}

function placesIn({ text, origins }: PlainText): readonly TextRange[] {
  const found: TextRange[] = [];
  if (text.length < CHARACTERS_LEAST) return found;
  let end = 0;
  for (const { index, 1: country = '' } of text.matchAll(HEADS)) {
    // What is hidden already hides no second one.
    if (index < end) continue;
    const form = countryForms.get(country.toUpperCase());
    const places = form && placesFrom(text, index, form.characters);
    if (places === undefined) continue;
    for (const at of places) {
      found.push({ start: origins?.starts[at] ?? at, end: origins?.ends[at] ?? at + 1 });
    }
    end = (places.at(-1) ?? index) + 1;
  }
  return found;
}

/** Where the characters of an IBAN stand that begins there; undefined if none does. */
function placesFrom(text: string, first: number, characters: number): number[] | undefined {
  const unbroken = text.slice(first, first + characters);
  if (unbroken.length < characters) return undefined;
  if (!LETTERS_AND_DIGITS.test(unbroken)) return separatedPlaces(text, first, characters);
  if (!isIban(unbroken.toUpperCase())) return undefined;
  return Array.from({ length: characters }, (_, index) => first + index);
}

function separatedPlaces(text: string, first: number, characters: number): number[] | undefined {
  const places: number[] = [];
  const groups: number[] = [];
  const marks = new Set<string>();
  let read = '';
  let last = first - 1;
  for (let at = first; at < text.length && read.length < characters; at += 1) {
    const unit = text.charCodeAt(at);
    if (!isDigit(unit) && !isLetter(unit)) {
      if (at - last > SEPARATOR_CHARACTERS_MAX) return undefined;
      continue;
    }
    if (read === '' || at > last + 1) {
      groups.push(0);
      if (read !== '') marks.add(text.slice(last + 1, at).replace(BLANKS, ''));
    }
    groups.push((groups.pop() ?? 0) + 1);
    places.push(at);
    read += text.charAt(at);
    last = at;
  }
  const isWritten = areAsPrinted(groups) || isNumber(read, marks);
  return isWritten && isIban(read.toUpperCase()) ? places : undefined;
}

function areAsPrinted(groups: readonly number[]): boolean {
  return groups.every((length, index) => length === PRINTED_GROUP || index === groups.length - 1);
}

/** In words there are letters, and dates and times have several marks. */
function isNumber(read: string, marks: ReadonlySet<string>): boolean {
  return marks.size <= 1 && /^[0-9]*$/.test(read.slice(COUNTRY_LETTERS));
}

/** ISO 13616: the head last, letters as numbers from 10 on. */
function hasRightCheckDigits(bare: string): boolean {
  let rest = 0;
  for (let index = 0; index < bare.length; index += 1) {
    const unit = bare.charCodeAt((index + HEAD_CHARACTERS) % bare.length);
    rest = isDigit(unit)
      ? (rest * DIGITS_OF_A_DIGIT + unit - ZERO) % MODULUS
      : (rest * DIGITS_OF_A_LETTER + unit - BEFORE_LETTERS) % MODULUS;
  }
  return rest === 1;
}
