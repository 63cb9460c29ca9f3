import { type Format, noted } from './format.js';
import { isLong, pattern } from './formats.js';

const same = (value: string): string => value;

/** Characters of a text, as the insides of two classes of a regular expression. */
interface Characters {
  /** What is taken. */
  readonly taken: string;
  /**
   * What the published pattern refuses: whatever of ASCII, of control characters and of the general
   * punctuation is not taken. Readers of the schema in other languages know no `\p{L}`.
   */
  readonly excluded: string;
}

/** U+0080 to U+009F, and the block of dashes, quotation marks and spaces but for the apostrophe. */
const EXCLUDED_BEYOND_ASCII = String.raw`\u007F-\u009F\u2000-\u2018\u201A-\u206F`;

/**
 * What the interface calls letters (D-51): letters and marks of any script, space, apostrophes,
 * hyphen and dot, so that New York, O'Neill and Łódź are cities.
 */
const LETTERS: Characters = {
  taken: String.raw`\p{L}\p{M} '’.\-`,
  excluded: String.raw`\u0000-\u001F!-&(-,/-@\[-\u0060{-~${EXCLUDED_BEYOND_ASCII}`,
};

/** Numbers of any script as well. */
const LETTERS_AND_DIGITS: Characters = {
  taken: String.raw`${LETTERS.taken}\p{N}`,
  excluded: String.raw`\u0000-\u001F!-&(-,/:-@\[-\u0060{-~${EXCLUDED_BEYOND_ASCII}`,
};

/** What the interface calls whitespace is the space and the tab. */
const LETTERS_DIGITS_AND_TABS: Characters = {
  taken: String.raw`${LETTERS_AND_DIGITS.taken}\t`,
  excluded: String.raw`\u0000-\u0008\u000A-\u001F!-&(-,/:-@\[-\u0060{-~${EXCLUDED_BEYOND_ASCII}`,
};

/** Text of such characters. */
function letters(
  text: string,
  words: string,
  { taken, excluded }: Characters,
  most: number,
): Format {
  const shape = new RegExp(`^[${taken}]+$`, 'u');
  return {
    text,
    accepts: (value) => isLong(value, 1, most) && shape.test(value),
    message: `must be 1 to ${most} ${words}`,
    schema: { type: 'string', minLength: 1, maxLength: most, pattern: `^[^${excluded}]+$` },
    schemaIsWider:
      'not every reader of patterns knows which characters of other scripts are letters',
    accepted: "Łódź-St. John's",
    refused: 'a@b\u0007',
    parse: same,
  };
}

/** A name of a person: any script, digits too (`John Paul 2`). */
export function personName(most: number): Format {
  const text = `AN${most}, letters digits whitespace`;
  return letters(text, 'letters, digits and spaces', LETTERS_DIGITS_AND_TABS, most);
}

/** A city of letters alone. */
export const city: Format = letters('AN80, letters only', 'letters', LETTERS, 80);

/** A nationality in words. */
export const nationality: Format = letters('A50', 'letters', LETTERS, 50);

/** A state or province, by name or by its code. */
export const state: Format = letters(
  'AN50, chars a-z A-Z 0-9 .',
  'letters and digits',
  LETTERS_AND_DIGITS,
  50,
);

/** A postcode: `SW1A 1AA`, `00-950`. */
export function postcode(text: string): Format {
  return {
    ...letters(text, 'letters, digits, spaces and hyphens', LETTERS_AND_DIGITS, 16),
    accepted: 'SW1A 1AA',
    refused: '00950!',
  };
}

/** Starts with + or a digit; then digits and the punctuation in use. */
const PHONE = String.raw`^[+0-9][0-9 .()/\-]{0,24}$`;

/** A telephone number of at most 25 characters. */
export const phone: Format = {
  ...pattern(PHONE),
  text: 'AN25, starts with + or a digit, then digits, space . ( ) / -',
  accepted: '+49 (89) 123-456',
  refused: 'call me',
};

/** A telephone number with a least length; the interface counts its lengths to 26. */
export function longPhone(text: string, least: number, punctuation: string): Format {
  return {
    ...pattern(String.raw`^[+0-9][0-9 ${punctuation}]{${least - 1},25}$`),
    text,
    accepted: '+49 89 123456',
    refused: '+49',
  };
}

/** The numbers of addresses: `+49 89 123456`. */
export const addressPhone: Format = longPhone(
  'AN25, starts with + or digit, len 6-26',
  6,
  String.raw`.()\/\-`,
);

/** The numbers of sender and recipient. */
export const partyPhone: Format = longPhone(
  'AN25, starts with + or digit, then digits space . ( ) - , len 8-26',
  8,
  String.raw`.()\-`,
);

/** Latitude and longitude in any of the ways in use (Interface 2.14 names none): digits, signs, separators. */
export const coordinates: Format = noted('NS20, latitude and longitude', {
  ...pattern(String.raw`^(?=.*[0-9])[0-9+\-.,;:/ ]{1,20}$`),
  text: 'NS20',
  accepted: '48.1372,11.5755',
  refused: 'Munich',
});
