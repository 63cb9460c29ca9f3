// The currencies of ISO 4217 as a file of libs/money, made from the list one that the package
// currency-codes ships as it was published. What was published after that list, and what we decide
// otherwise, stands in libs/money/src/currency.ts with its reasons.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Lines of the file, with the blanks before them. */
const LINE_CHARACTERS_MAX = 100;
const INDENT = '    ';
/** Metals, bond units, test codes: the list gives them no minor unit, so no amount can be in them. */
const NO_MINOR_UNIT = 'N.A.';

/**
 * Each code of the list with its decimals; one that several countries use is there several times.
 * @param {string} xml
 * @returns {ReadonlyMap<string, string>}
 */
export function decimalsByCode(xml) {
  const entries = xml.matchAll(/<Ccy>([A-Z]{3})<\/Ccy>[^]*?<CcyMnrUnts>([^<]+)<\/CcyMnrUnts>/g);
  const pairs = [...entries].map(
    ([, code = '', decimals = '']) => /** @type {const} */ ([code, decimals]),
  );
  return new Map(pairs.filter(([, decimals]) => decimals !== NO_MINOR_UNIT));
}

/**
 * The three digits of each code of the list, as messages of ISO 8583 carry them.
 * @param {string} xml
 * @returns {ReadonlyMap<string, string>}
 */
export function numbersByCode(xml) {
  const entries = xml.matchAll(/<Ccy>([A-Z]{3})<\/Ccy>[^]*?<CcyNbr>([0-9]{3})<\/CcyNbr>/g);
  return new Map([...entries].map(([, code = '', number = '']) => [code, number]));
}

/**
 * Words of one length in lines of a template literal.
 * @param {readonly string[]} codes
 */
function wrapped(codes) {
  const characters = (codes[0] ?? '').length + 1;
  const perLine = Math.floor((LINE_CHARACTERS_MAX - INDENT.length + 1) / characters) - 1;
  const lines = [];
  for (let at = 0; at < codes.length; at += perLine) {
    lines.push(codes.slice(at, at + perLine).join(' '));
  }
  return lines.join(`\n${INDENT}`);
}

/** The text of `libs/money/src/iso-4217.ts`. */
export function currencyTable() {
  const xml = readFileSync(require.resolve('currency-codes/iso-4217-list-one.xml'), 'utf8');
  const decimals = decimalsByCode(xml);
  const [, publishedOn = ''] = /Pblshd="([0-9-]+)"/.exec(xml) ?? [];
  const numbers = numbersByCode(xml);
  const numbered = [...decimals.keys()].sort().map((code) => `${code}=${numbers.get(code) ?? ''}`);
  const rows = [...new Set(decimals.values())].sort().map((exponent) => {
    const codes = [...decimals.keys()].filter((code) => decimals.get(code) === exponent);
    return `  ${exponent}: \`${wrapped(codes.sort())}\`,`;
  });
  return [
    '// Generated from the npm package currency-codes by `npm run generate`; do not edit.',
    '',
    '/** When the list was published that the table was made from. */',
    `export const publishedOn = '${publishedOn}';`,
    '',
    '/** The codes of ISO 4217 list one that have a minor unit, by how many decimals it has. */',
    'export const listOne = {',
    ...rows,
    '} as const;',
    '',
    '/** The same codes with the three digits that stand for each. */',
    `export const listOneNumbers = \`\n${INDENT}${wrapped(numbered)}\`;`,
    '',
  ].join('\n');
}
