import {
  CITY_CHARACTERS,
  DIGITS,
  type Examples,
  ofAmount,
  ofList,
  ofNumbers,
  ofShape,
  ofSome,
  OTHER_LETTERS,
  padded,
  UPPER,
} from './example-shapes.js';
import type { InterfaceRow } from './interface-rows.js';
import { byKey, byNotation, countries2, countries3, currencies } from './standard-examples.js';

/*
 * What a notation of the interface accepts and refuses, at its bounds. Nothing here asks the code
 * under test: a check that was loosened while its text stayed the same is told by these values.
 */

/** The examples of a row: of its key, of its list, of its notation. */
export function examplesOf({ name, format, values }: InterfaceRow): Examples {
  const own = byKey[name.replace(/^shipping\./, '')] ?? byKey[name];
  const found =
    own ??
    ofValues(format, values) ??
    byNotation[synonyms.get(format) ?? format] ??
    ofWords(name, format);
  if (found === undefined) throw new Error(`No examples for ${name}, "${format}".`);
  return found;
}

const synonyms: ReadonlyMap<string, string> = new Map([
  ['4 digits, 19xx or 20xx', '4 digits starting 19 or 20'],
]);

/** The column of values, where it is a list, a range or a set of both. */
function ofValues(format: string, values: string): Examples | undefined {
  if (format === 'comma-separated list') return ofSome(values.split('|'));
  const isRange = /^[0-9]+-[0-9]+$/.test(values);
  if (values.includes('|') || (values === format && !isRange)) return ofList(values.split('|'));
  const [, from = '', to = ''] = /^([0-9]+)-([0-9]+)$/.exec(values) ?? [];
  if (from === '' || values === '0-100') return undefined;
  return from.startsWith('0')
    ? ofList(padded(Number(from), Number(to)))
    : ofNumbers(Number(from), Number(to));
}

/** What the words of a notation say: a letter, bounds, characters. */
function ofWords(name: string, format: string): Examples | undefined {
  const [, whole = ''] = /^N([0-9]+)\.N2/.exec(format) ?? [];
  if (whole !== '') return ofAmount(Number(whole), 'optional');
  if (format.startsWith('N13')) return ofAmount(10, format === 'N13' ? 'optional' : 'must');
  if (/^A[23]\b/.test(format)) return ofCode(name, format);
  const [, digits = '', fewest = '', most = ''] =
    /^N([0-9]+)(?:(?:, ([0-9]+)-([0-9]+))?,? digits)?$/.exec(format) ?? [];
  if (digits !== '') {
    const bounds = { least: Number(fewest || 1), most: Number(most || digits) };
    return ofShape({ ...bounds, characters: DIGITS });
  }
  return ofText(format);
}

function ofCode(name: string, format: string): Examples {
  if (/currency$/i.test(name)) return currencies;
  return format.startsWith('A2') ? countries2 : countries3;
}

/** `AN255, len 8-255`, `name AN64 (chars a-z 0-9 _, len 3-64), value AN2048 (len 0-2048)`. */
function ofText(format: string): Examples | undefined {
  const value = /value (.*)$/.exec(format)?.[1] ?? format;
  if (value.startsWith('AN3, ISO 3166-1 alpha-3')) return countries3;
  const head = /^AN([0-9]*)/.exec(value);
  const [, from, to] = /\blen ([0-9]+)-([0-9]+)/.exec(value) ?? [];
  if (head === null && from === undefined) return undefined;
  // Values of a map may be empty; other parameters are then as if they were not sent.
  const least = Number(from ?? (value === format ? 1 : 0));
  const most = to ?? head?.[1] ?? '';
  const characters = setOf(value);
  return ofShape({
    least,
    ...(most !== '' && { most: Number(most) }),
    ...(characters !== undefined && { characters }),
    ...(value.includes('letters digits whitespace') && { others: [...OTHER_LETTERS, '٣', '\t'] }),
  });
}

const NAMED_SETS: ReadonlyMap<string, string> = new Map([
  ['a-z', UPPER.toLowerCase()],
  ['A-Z', UPPER],
  ['0-9', DIGITS],
]);

function setOf(format: string): string | undefined {
  if (format.includes('letters digits whitespace')) return CITY_CHARACTERS + DIGITS;
  const words = /chars ([^,)]*)/.exec(format)?.[1];
  return words
    ?.split(' ')
    .map((word) => NAMED_SETS.get(word) ?? word)
    .reverse()
    .join('');
}

/** What the name in the brackets of a map accepts; undefined for rows that are no maps. */
export function nameExamplesOf({ name, format }: InterfaceRow): Examples | undefined {
  if (!/\[(?:name|key|brand)\]$/.test(name)) return undefined;
  const words = /^(?:name|key|brand) AN([0-9]+)(?: \((chars [^,)]*)(?:, len ([0-9]+)-)?)?/.exec(
    format,
  );
  // Those of risk parameters are AN64 and nothing else (Interface 2.18): any characters.
  const characters = words?.[2] === undefined ? undefined : setOf(words[2]);
  const bounds = { least: Number(words?.[3] ?? 1), most: Number(words?.[1]) };
  return ofShape({ ...bounds, ...(characters !== undefined && { characters }) });
}
