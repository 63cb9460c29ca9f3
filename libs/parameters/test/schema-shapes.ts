import type { Format, FormatSchema } from '../src/format.js';

/*
 * What the published schema of a form takes: the same as the form, or where JSON Schema cannot say it
 * all, what is written down here a second time, by the interface's notation.
 */

const COUNTRY_2 = /^[A-Z]{2}$/;
const COUNTRY_3 = /^[A-Z]{3}$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const ANY_URL = /^(?=[^]{6,2048}$)[A-Za-z][A-Za-z0-9+.-]{1,60}:\/\/\S+$/u;

/** D-51, but for what no reader of patterns in another language can tell apart. */
const BEYOND_ASCII = String.raw`[^\p{ASCII}\u0080-\u009f\u2000-\u2018\u201a-\u206f]`;

function ofAnyScript(most: number): RegExp {
  return new RegExp(`^(?:[A-Za-z0-9 '.-]|${BEYOND_ASCII}){1,${most}}$`, 'u');
}

const WIDER: ReadonlyMap<string, RegExp> = new Map([
  ['A3, uppercase', COUNTRY_3],
  ['A3 ISO 4217', COUNTRY_3],
  ['A3', COUNTRY_3],
  ['AN3, ISO 3166-1 alpha-3', COUNTRY_3],
  ['A2', COUNTRY_2],
  ['A2, ISO 3166-1', COUNTRY_2],
  ['A2, uppercase, ISO 3166-1', COUNTRY_2],
  ['A2, ISO 3166-1 alpha-2', COUNTRY_2],
  ['N3, ISO 3166-1 numeric', /^[0-9]{3}$/],
  ['A2 letters or N3 digits', /^(?:[A-Z]{2}|[0-9]{3})$/],
  [
    'A128, len 3-128',
    // Each character by one way alone: another way would be tried for each of 128.
    /^(?:(?![\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}])[^\u{10000}-\u{10ffff}]|\u200c|\u200d|[\u{10000}-\u{10ffff}]){3,128}$/u,
  ],
  ['A50', new RegExp(`^(?:[A-Za-z '.-]|${BEYOND_ASCII}){1,50}$`, 'u')],
  ['AN80, letters only', new RegExp(`^(?:[A-Za-z '.-]|${BEYOND_ASCII}){1,80}$`, 'u')],
  ['AN50, chars a-z A-Z 0-9 .', ofAnyScript(50)],
  ['AN16, alphanumeric', ofAnyScript(16)],
  ['AN16, alphanumeric and hyphen', ofAnyScript(16)],
  ...[48, 50, 100].map((most): [string, RegExp] => [
    `AN${most}, letters digits whitespace`,
    new RegExp(`^(?:[A-Za-z0-9 \\t'.-]|${BEYOND_ASCII}){1,${most}}$`, 'u'),
  ]),
  ['AN31: 2 letters, 2 digits, 11-27 alphanumerics', /^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,27}$/],
  ['AN11, 8 or 11 alphanumerics', /^(?:[A-Z0-9]{8}|[A-Z0-9]{11})$/],
  ['date yyyy-MM-dd', DATE],
  ['yyyy-mm-dd', DATE],
  [
    'date yyyy-MM-dd, year 19xx or 20xx',
    /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  ],
  ['yyyy-MM-dd HH:mm:ss', INSTANT],
  ['AN19, yyyy-MM-dd HH:mm:ss', INSTANT],
  ['AN19, yyyy-MM-dd HH:mm:ss form', INSTANT],
  ['AN19, yyyy-MM-dd hh:mm:ss 24-hour', INSTANT],
  ['len 1-8', /^(?=.{2,35}$)[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/],
  ['valid URL', /^(?=[^]{0,2048}$)https?:\/\/\S+$/iu],
  ['AN2048, len 6-2048, absolute URL, URL-encoded', ANY_URL],
  // Called by us: of the web.
  ['AN2048, len 6-2048, URL-encoded', /^(?=[^]{6,2048}$)https?:\/\/\S+$/iu],
]);

/** Compiled once: the mutation run asks the same pattern many times. */
const compiled = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const known = compiled.get(source) ?? new RegExp(source, 'u');
  compiled.set(source, known);
  return known;
}

/** Whether a schema takes a value, as JSON Schema 2020-12 has it; `format` is only a note there. */
export function schemaTakes(schema: FormatSchema, value: string): boolean {
  const { pattern, minLength = 0, maxLength = Infinity, enum: values } = schema;
  const characters = Array.from(value).length;
  return (
    (pattern === undefined || patternOf(pattern).test(value)) &&
    (values?.includes(value) ?? true) &&
    characters >= minLength &&
    characters <= maxLength
  );
}

/** What is wrong with the schema of a form, by values that the form has to take and to refuse. */
export function* schemaFaults(
  format: Format<unknown>,
  notation: string,
  {
    accepted,
    refused,
  }: { readonly accepted: readonly string[]; readonly refused: readonly string[] },
): Generator<string> {
  const { schema, schemaIsWider } = format;
  for (const value of [...accepted, format.accepted]) {
    if (!schemaTakes(schema, value)) yield `has a schema that refuses ${JSON.stringify(value)}`;
  }
  const wider = schemaIsWider === undefined ? undefined : WIDER.get(notation);
  if (schemaIsWider !== undefined && wider === undefined)
    yield 'has a schema that need not be wider';
  let isWider = false;
  for (const value of [...refused, format.refused]) {
    const isTaken = schemaTakes(schema, value);
    if (isTaken !== (wider?.test(value) ?? false)) {
      yield `has a schema that ${isTaken ? 'takes' : 'refuses'} ${JSON.stringify(value.slice(0, 80))}`;
    }
    isWider ||= isTaken;
  }
  if (wider !== undefined && !isWider) yield 'has a schema that is not wider';
}
