import { brandNamed, isCountry } from '@sluice/parameters';
import { type BinRow, BinTable, type CardIssuer, RANGE_DIGITS } from './bin-table.js';

/**
 * More than all existing BINs need: 300,000 full rows have 72 MB. They are read once, in about 3 s,
 * and take 230 MB of memory.
 */
export const BIN_FILE_BYTES_MAX = 128 * 1024 * 1024;
/** Interface 2.2: the greatest length of a text in the answer's card. */
const TEXT_CHARACTERS_MAX = 2_048;
/** More than any card has. */
const BRANDS_MAX = 8;
const PAN_LENGTH_MIN = 8;
const PAN_LENGTH_MAX = 19;

const DIGITS = /^[0-9]+$/u;

/**
 * The table in the text of a file: `{"bins": [{"prefix": "420000", "type": "CREDIT", …}]}`.
 * Throws an error that says what the file must be, and names the first faulty row.
 */
export function parseBinTable(text: string): BinTable {
  const file = objectOf(jsonOf(text), 'content', ['bins']);
  const bins = file['bins'];
  if (!Array.isArray(bins) || bins.length === 0) throw wrong('bins', 'must be a list of rows');
  const rows = new Map<string, BinRow>();
  bins.forEach((value: unknown, index) => {
    const at = `bins[${index}]`;
    const row = rowOf(value, at);
    if (rows.has(row.prefix)) throw wrong(`${at}.prefix`, 'must not be that of an earlier row');
    rows.set(row.prefix, row);
  });
  return new BinTable(rows.values());
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message would repeat a part of the file.
    throw new Error('names a file that is not JSON', { cause: error });
  }
}

function rowOf(value: unknown, at: string): BinRow {
  const fields = objectOf(value, at, [
    ...['prefix', 'type', 'level', 'country', 'issuer', 'regulated', 'maxPanLength', 'binType'],
    'brands',
  ]);
  const { prefix, country, issuer, regulated, maxPanLength, brands } = fields;
  if (typeof prefix !== 'string' || prefix.length > RANGE_DIGITS || !DIGITS.test(prefix)) {
    throw wrong(`${at}.prefix`, `must be one to ${RANGE_DIGITS} digits`);
  }
  if (country !== undefined && !isCountryCode(country)) {
    throw wrong(`${at}.country`, 'must be two letters of ISO 3166-1');
  }
  if (regulated !== undefined && typeof regulated !== 'boolean') {
    throw wrong(`${at}.regulated`, 'must be true or false');
  }
  if (maxPanLength !== undefined && !isPanLength(maxPanLength)) {
    throw wrong(`${at}.maxPanLength`, `must be ${PAN_LENGTH_MIN} to ${PAN_LENGTH_MAX}`);
  }
  return {
    prefix,
    ...textsOf(fields, at, ['type', 'level', 'binType']),
    ...(country !== undefined && { country: country.toUpperCase() }),
    ...(issuer !== undefined && { issuer: issuerOf(issuer, `${at}.issuer`) }),
    ...(regulated !== undefined && { regulated }),
    ...(maxPanLength !== undefined && { maxPanLength }),
    ...(brands !== undefined && { brands: brandsOf(brands, `${at}.brands`) }),
  };
}

function issuerOf(value: unknown, at: string): CardIssuer {
  const names = ['bank', 'phone', 'website'] as const;
  return textsOf(objectOf(value, at, names), at, names);
}

type Fields = Readonly<Record<string, unknown>>;

function objectOf(value: unknown, at: string, names: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(at, 'must be an object');
  }
  // The name is not repeated, because the file may contain anything.
  if (Object.keys(value).some((name) => !names.includes(name))) {
    throw wrong(at, `must have no other fields than ${names.join(', ')}`);
  }
  return value as Fields;
}

function textsOf<Name extends string>(
  fields: Fields,
  at: string,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = fields[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '' || value.length > TEXT_CHARACTERS_MAX) {
      throw wrong(`${at}.${name}`, `must be text of 1 to ${TEXT_CHARACTERS_MAX} characters`);
    }
    texts[name] = value;
  }
  return texts;
}

/** Lists of brands, of which there are few in many rows. */
const brandLists = new Map<string, readonly string[]>();

function brandsOf(value: unknown, at: string): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const names = given.map((one) => (typeof one === 'string' ? brandNamed(one)?.name : undefined));
  const known = names.filter((name) => name !== undefined);
  const isList = known.length === given.length && new Set(known).size === known.length;
  if (!isList || known.length === 0 || known.length > BRANDS_MAX) {
    throw wrong(at, `must be a list of 1 to ${BRANDS_MAX} brands of cards, each once`);
  }
  const key = known.join(' ');
  const list = brandLists.get(key) ?? Object.freeze(known);
  brandLists.set(key, list);
  return list;
}

/** Countries that were looked up: rows are many, countries few. */
const countries = new Set<unknown>();

function isCountryCode(value: unknown): value is string {
  if (countries.has(value)) return true;
  const isOne = typeof value === 'string' && isCountry(value.toUpperCase());
  if (isOne) countries.add(value);
  return isOne;
}

function isPanLength(value: unknown): value is number {
  return (
    Number.isInteger(value) && Number(value) >= PAN_LENGTH_MIN && Number(value) <= PAN_LENGTH_MAX
  );
}

function wrong(at: string, rule: string): Error {
  return new Error(`names a file whose ${at} ${rule}`);
}
