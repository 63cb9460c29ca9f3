import { isIn, isURL, matches } from 'class-validator';
import { isCurrency } from '@sluice/money';
import { longestDigitRun } from './card-numbers-in-text.js';
import { codePoints, type Format, noted } from './format.js';
import { numbersPattern } from './number-range.js';

/** Length limits in characters; an absent one is the parser's own limit (8 KiB of UTF-8). */
interface Length {
  readonly min?: number;
  readonly max?: number;
}

const same = (value: string): string => value;

/** Refused wherever only a character set is asked for. */
const FOREIGN_CHARACTER = 'contains a character that is not allowed \u20ac';

/** Any characters, `AN`; the length is counted in characters. */
export function text({ min, max }: Length): Format {
  const least = min ?? 1;
  const limits = min === undefined ? '' : `, len ${min}-${max ?? ''}`;
  return {
    text: max === undefined ? 'AN' : `AN${max}${limits}`,
    accepts: (value) => isLong(value, least, max),
    message: lengthMessage(least, max),
    schema: { type: 'string', minLength: least, ...(max !== undefined && { maxLength: max }) },
    accepted: 'x'.repeat(least),
    refused: max === undefined ? '' : 'x'.repeat(max + 1),
    parse: same,
  };
}

/**
 * Characters of one set. `set` is the inside of a regular expression's class and `words` is how the
 * interface writes it.
 */
export function characters(max: number, words: string, set: string, min?: number): Format {
  const least = min ?? 1;
  const limits = min === undefined ? '' : `, len ${min}-${max}`;
  return {
    ...pattern(`^[${set}]{${least},${max}}$`),
    text: `AN${max}, chars ${words}${limits}`,
    accepted: 'a'.repeat(Math.max(least, 1)),
    refused: FOREIGN_CHARACTER.slice(-Math.min(max, FOREIGN_CHARACTER.length)),
  };
}

/** Upper-case letters and digits of a fixed number, `A2`: codes without a published list. */
export function code(length: number, prefix: 'A' | 'AN' = 'A'): Format {
  return {
    ...pattern(`^[A-Z0-9]{${length}}$`),
    text: `${prefix}${length}`,
    accepted: 'AB12'.slice(0, length),
    refused: 'x'.repeat(length),
  };
}

/** ASCII digits, `N4`. */
export function digits(max: number, min?: number): Format {
  const least = min ?? 1;
  const limits = min === undefined ? '' : `, ${min}-${max} digits`;
  return {
    ...pattern(`^[0-9]{${least},${max}}$`),
    text: `N${max}${limits}`,
    accepted: '7'.repeat(least),
    refused: '٣'.repeat(least),
  };
}

/** A decimal number within bounds, `N2, 1 to 98`; its value is the number. */
export function integer(digitsMax: number, least: number, most: number): Format<number> {
  const shape = new RegExp(`^[0-9]{1,${digitsMax}}$`);
  const value = (given: string): number => Number.parseInt(given, 10);
  return {
    text: `N${digitsMax}, ${least} to ${most}`,
    accepts: (given) => shape.test(given) && value(given) >= least && value(given) <= most,
    message: `must be a whole number from ${least} to ${most}`,
    schema: { type: 'string', pattern: `^(?:${numbersPattern(digitsMax, least, most)})$` },
    accepted: String(most),
    refused: String(most + 1),
    parse: value,
  };
}

/** One of a list; its value is the literal. */
export function oneOf<const Values extends readonly string[]>(
  ...values: Values
): Format<Values[number]> {
  return {
    text: values.join(', '),
    accepts: (value) => isIn(value, values),
    message: `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`,
    schema: { type: 'string', enum: values },
    values,
    accepted: values[0] ?? '',
    refused: 'SOMETHING_ELSE',
    parse: (value) => value,
  };
}

/** `true` or `false`; its value is a boolean. */
export function flag(): Format<boolean> {
  return { ...oneOf('true', 'false'), text: 'true or false', parse: (value) => value === 'true' };
}

/** A shape that a regular expression says; error and schema show it as it is. */
export function pattern(source: string): Omit<Format, 'accepted' | 'refused'> {
  const expression = new RegExp(source, 'u');
  return {
    text: source,
    accepts: (value) => matches(value, expression),
    message: `must match ${source}`,
    schema: { type: 'string', pattern: source },
    parse: same,
  };
}

/** A shape with its examples; `source` matches the whole value. */
export function shape(source: string, accepted: string, refused: string): Format {
  return { ...pattern(`^(?:${source})$`), accepted, refused };
}

/**
 * Minutes between UTC and a local time, positive where it is behind. Interface 2.9 limits them by
 * their length alone, so what no clock on earth shows is left to whoever authenticates.
 */
export const timezoneOffset: Format = {
  ...pattern('^(?:[+-]?[0-9]{1,4}|[0-9]{5})$'),
  text: 'len 1-5',
  accepted: '-60',
  refused: 'CET',
};

/** The encrypted token of a wallet: text of up to the parser's own limit for it. */
export const walletToken: Format = {
  text: 'encrypted token as defined by the provider',
  accepts: (value) => value !== '',
  message: 'may not be empty',
  schema: { type: 'string', minLength: 1 },
  accepted: '{"data":"QUJD"}',
  refused: '',
  parse: same,
};

const WHOLE_AMOUNT = /^[0-9]+$/;

/** Answers have two decimals in every amount, also where the request had none (wire contract D3). */
function inAnswers(most: number): NonNullable<Format['answered']> {
  return {
    write: (value) => (WHOLE_AMOUNT.test(value) ? `${value}.00` : value),
    schema: { type: 'string', pattern: String.raw`^[0-9]{1,${most}}\.[0-9]{2}$` },
  };
}

/**
 * An amount on the wire, `N10.N2` (Interface 2.3). Only its shape: what a currency makes of it is
 * for `amountOf` to say.
 */
export const amount: Format = {
  ...pattern(String.raw`^[0-9]{1,10}(\.[0-9]{2})?$`),
  text: 'N10.N2',
  answered: inAnswers(10),
  accepted: '92.00',
  refused: '92.000',
};

/** An amount with fewer digits before the dot: `N9.N2`, `N8.N2`. */
export function amountOfDigits(most: number): Format {
  return {
    ...pattern(String.raw`^[0-9]{1,${most}}(\.[0-9]{2})?$`),
    text: `N${most}.N2`,
    answered: inAnswers(most),
    accepted: '92.00',
    refused: '9'.repeat(most + 1),
  };
}

/** An amount of at most 13 characters, `N13` (Interface 2.15). */
export const amountN13: Format = { ...amountOfDigits(10), text: 'N13' };

/** The same where the interface says that its decimals must be sent: a price, the cost of a shipment. */
export const amountWithDecimals: Format = {
  ...pattern(String.raw`^[0-9]{1,10}\.[0-9]{2}$`),
  text: 'N13',
  accepted: '92.00',
  refused: '92',
};

/** An ISO 4217 code in upper case that has a minor unit. */
export const currencyCode: Format = {
  text: 'A3 ISO 4217',
  // Our own table and not class-validator's: that lacks XCG and ZWG and has metals.
  accepts: isCurrency,
  message: 'must be an ISO 4217 currency code',
  schema: { type: 'string', pattern: '^[A-Z]{3}$' },
  schemaIsWider: 'ISO 4217 has more codes than can be repeated at each parameter',
  accepted: 'EUR',
  refused: 'eur',
  parse: same,
};

const DIGITS_IN_HOLDER_MAX = 11;
/**
 * Nothing that can be printed on a card: characters for control, for format and for private use, and
 * separators of lines and paragraphs. The two joiners stay: Persian and Sinhala names are spelled with them.
 */
const UNPRINTABLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;
/** Neither a blank of any width nor a joiner. */
const VISIBLE = /[^\p{Z}\u200C\u200D]/u;
/**
 * What is not unprintable, by number: readers of the schema in other languages know no classes of
 * characters. Of those beyond U+FFFF not every one can write the numbers.
 */
const PRINTABLE =
  String.raw`^[^\u0000-\u001F\u007F-\u009F\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E` +
  String.raw`\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uE000-\uF8FF\uFEFF\uFFF9-\uFFFB]+$`;

/**
 * A card holder: 3 to 128 printable characters of any script (D-51), although the interface calls
 * them letters. Twelve digits in a row are a card number in the wrong field.
 */
export const cardHolder: Format = {
  text: 'A128, len 3-128',
  accepts: (value) =>
    isLong(value, 3, 128) &&
    !UNPRINTABLE.test(value) &&
    VISIBLE.test(value) &&
    longestDigitRun(value) <= DIGITS_IN_HOLDER_MAX,
  message: 'must be 3 to 128 printable characters without a card number',
  schema: {
    type: 'string',
    minLength: 3,
    maxLength: 128,
    pattern: PRINTABLE,
  },
  schemaIsWider:
    'digits of a card number may have anything between them, and something has to be no blank',
  accepted: "Zoë O'Neill-Łukasz Jr.",
  refused: '4200 0000 0000 0000',
  parse: same,
};

/** A month of a card, `01` to `12`. */
export const month: Format = {
  ...pattern('^(0[1-9]|1[0-2])$'),
  text: '01-12',
  accepted: '12',
  refused: '13',
};

/** The year of a card, four digits. */
export const cardYear: Format = {
  ...pattern('^(19|20)[0-9]{2}$'),
  text: '4 digits starting 19 or 20',
  accepted: '2035',
  refused: '35',
};

const DATE = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/u;

/** A date that is on the calendar, `2035-02-28`. */
export const date: Format = {
  text: 'date yyyy-MM-dd',
  accepts: (value) => DATE.test(value) && isOnCalendar(`${value} 00:00:00`),
  message: 'must be a date yyyy-MM-dd',
  schema: { type: 'string', pattern: DATE.source, format: 'date' },
  schemaIsWider: 'patterns know no calendar',
  accepted: '2035-02-28',
  refused: '2035-02-30',
  parse: same,
};

/** A date of the twentieth or twenty-first century. */
export const dateSince1900: Format = {
  ...date,
  text: 'date yyyy-MM-dd, year 19xx or 20xx',
  accepts: (value) => CENTURY.test(value) && date.accepts(value),
  message: 'must be a date yyyy-MM-dd of 1900 to 2099',
  schema: {
    ...date.schema,
    pattern: '^(?:19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  },
  refused: '1899-12-31',
};
const CENTURY = /^(?:19|20)/u;

const DATE_TIME =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/u;

/** An instant in UTC; its value is in milliseconds since the epoch (Interface 2.19). */
export const dateTime: Format<number> = {
  text: 'yyyy-MM-dd HH:mm:ss',
  accepts: (value) => DATE_TIME.test(value) && isOnCalendar(value),
  message: 'must be a date and time yyyy-MM-dd HH:mm:ss',
  schema: { type: 'string', pattern: DATE_TIME.source },
  schemaIsWider: date.schemaIsWider ?? '',
  accepted: '2035-02-28 23:59:59',
  refused: '2035-02-30 00:00:00',
  parse: instantOf,
};

function instantOf(value: string): number {
  return Date.parse(`${value.replace(' ', 'T')}Z`);
}

/** Date.parse moves the 30th of February into March instead of refusing it. */
function isOnCalendar(value: string): boolean {
  const instant = instantOf(value);
  return (
    !Number.isNaN(instant) &&
    new Date(instant).toISOString().slice(0, 19) === value.replace(' ', 'T')
  );
}

/** Some of a list, with commas between; its value is the list. */
export function someOf(...values: readonly string[]): Format<readonly string[]> {
  return {
    text: 'comma-separated list',
    accepts: (value) => value.split(',').every((part) => isIn(part, values)),
    message: `must be a comma-separated list of ${values.join(', ')}`,
    schema: { type: 'string', pattern: `^(?:${values.join('|')})(?:,(?:${values.join('|')}))*$` },
    values,
    accepted: values.slice(0, 2).join(','),
    refused: `${values[0] ?? ''},SOMETHING_ELSE`,
    parse: (value) => value.split(','),
  };
}

/** 32 lowercase hex digits: entities (Interface 5) and transactions (Interface 2.1). */
export const hexId: Format = {
  ...pattern('^[0-9a-f]{32}$'),
  text: 'AN32, 32 lowercase hex characters',
  accepted: '0123456789abcdef0123456789abcdef',
  refused: '0123456789ABCDEF0123456789ABCDEF',
};

/**
 * Schemes of apps are allowed; those that run or read something in place are not, nor is what browsers
 * read differently from us: a backslash is a slash to them, and some control characters are nothing.
 */
const APP_URL =
  /^(?!(?:javascript|data|vbscript|file|blob|https?):)[a-z][a-z0-9+.-]{1,60}:\/\/[^\s\\\p{Cc}]{1,2000}$/iu;
/** `https://shop.example@evil.example` leads to another host than who reads it believes. */
const WITH_USER = /^[^:]+:\/\/[^/?#]*@/u;
const WEB_URL = /^https?:\/\/[^\s\\\p{Cc}]+$/iu;
const WEB_URL_OPTIONS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  // Hosts of test systems have them, and browsers go there.
  allow_underscores: true,
};

/** An absolute URL, of the web or of an app on the shopper's phone (`shop.example://result`). */
export const absoluteUrl: Format = {
  text: 'AN2048, len 6-2048, absolute URL, URL-encoded',
  accepts: (value) =>
    isLong(value, 6, 2048) &&
    URL.canParse(value) &&
    !WITH_USER.test(value) &&
    (WEB_URL.test(value) ? isURL(value, WEB_URL_OPTIONS) : APP_URL.test(value)),
  message: 'must be an absolute URL of 6 to 2048 characters, without a user',
  schema: {
    type: 'string',
    maxLength: 2048,
    // Six characters are the fewest that it takes.
    pattern: String.raw`^[A-Za-z][A-Za-z0-9+.-]{1,60}://\S+$`,
    format: 'uri',
  },
  schemaIsWider:
    'schemes that run something are refused in capitals as well, and hosts are looked at; a user is refused',
  accepted: 'https://shop.example/result?order=1',
  refused: '/result',
  parse: same,
};

/** An absolute URL of the web: somebody calls it, and no app can be called. */
export const webUrl: Format = {
  ...absoluteUrl,
  accepts: (value) => WEB_URL.test(value) && absoluteUrl.accepts(value),
  message: 'must be an absolute URL of the web, of 6 to 2048 characters, without a user',
  schema: { ...absoluteUrl.schema, pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://\S+$` },
  accepted: 'https://shop.example/notifications?order=1',
  refused: 'com.shop.app://notifications',
};

/** The reason of a chargeback, as the acquirer gave it: any code of that form (D-73). */
export const chargebackCode: Format = {
  ...shape(String.raw`000\.100\.2[0-9]{2}`, '000.100.203', '000.100.110'),
  text: 'pattern 000.100.2xx (three digits after 2 position: 2 then two digits)',
  message: 'must be 000.100.2 and two digits',
};

/** The name inside `customParameters[…]`. */
export const mapName: Format = noted(
  'AN64, chars a-z A-Z 0-9 . _, len 3-64',
  characters(64, 'a-z A-Z 0-9 . _', 'a-zA-Z0-9._', 3),
);

/** The same of what the shopper's browser sends: pages of the shop may not say other things. */
export const shopperMapName: Format = {
  ...shape('SHOPPER_[a-zA-Z0-9._]{0,56}', 'SHOPPER_note', 'note'),
  text: 'AN64, chars a-z A-Z 0-9 . _, begins with SHOPPER_',
  message: 'must begin with SHOPPER_ and have at most 64 of a-z A-Z 0-9 . _',
};

/** Whether a value has a length in characters; an absent greatest one is the parser's own. */
export function isLong(value: string, min: number, max: number | undefined): boolean {
  // A character has one or two units, so most values are decided without counting.
  if (max !== undefined && value.length > 2 * max) return false;
  const count = codePoints(value);
  return count >= min && (max === undefined || count <= max);
}

function lengthMessage(min: number, max: number | undefined): string {
  return max === undefined ? 'may not be empty' : `length must be between ${min} and ${max}`;
}
