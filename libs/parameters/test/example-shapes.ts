/*
 * Values at the bounds of a rule, made of the rule's own words: of a length, of a set of characters,
 * of a list, of numbers. Nothing here asks the code under test.
 */

/** What a form has to accept and to refuse. */
export interface Examples {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  /** All that is accepted, where that is a list, or a list of lists. */
  readonly values?: readonly string[];
}

/** Text of characters of a set, with bounds of its length. */
interface Shape {
  readonly least: number;
  /** Absent where only the parser's own limit holds. */
  readonly most?: number;
  /** Printable ASCII that is accepted; absent is every character of any script. */
  readonly characters?: string;
  /** The same for the first character alone. */
  readonly first?: string;
  /** Characters outside of ASCII that are accepted. */
  readonly others?: readonly string[];
}

/** Latin capitals. */
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Latin letters. */
export const LETTERS = UPPER + UPPER.toLowerCase();
/** European digits. */
export const DIGITS = '0123456789';
const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
/** Letters, marks, a digit and a character of two UTF-16 units of other scripts, and controls. */
const FOREIGN = ['é', 'Ł', 'ǅ', '東', '\u0301', '٣', '€', '’', '𝄞', '\t', '\n', '\u0007', '\u007f'];
/** What stands for one wrong character in a value that is otherwise right. */
export const NEAR_MISSES: readonly string[] = [...FOREIGN, ' ', '-', '_', '.'];
/** D-51: letters and marks of any script, and what stands between them. */
export const OTHER_LETTERS = ['é', 'Ł', 'ǅ', '東', '\u0301', '’'];
/** One character, two UTF-16 units. */
export const WIDE = '𝄞';

/** Letters of cities and names (D-51): what English has no letters for is accepted too. */
export const CITY_CHARACTERS = `${LETTERS} '-.`;

/** The bounds of a length, and each character by itself. */
export function ofShape({ least, most, characters, first, others = [] }: Shape): Examples {
  const accepted: string[] = [];
  const refused: string[] = [];
  const filler = characters?.at(-1) ?? 'x';
  const start = first?.at(-1) ?? filler;
  const ofLength = (length: number): string =>
    length === 0 ? '' : start + filler.repeat(length - 1);
  accepted.push(ofLength(least), ofLength(Math.max(least, 1)));
  if (least > 0) refused.push(ofLength(least - 1));
  if (most !== undefined) {
    accepted.push(ofLength(most));
    refused.push(ofLength(most + 1), ` ${ofLength(most)}`, `${ofLength(most)}\n`);
  }
  const length = Math.max(least, 2);
  const inSet = (text: string): boolean =>
    Array.from(text).every((each) => characters?.includes(each) ?? true);
  for (const text of [ofLength(length).toLowerCase(), ofLength(length).toUpperCase()]) {
    if (first === undefined && most !== 1) (inSet(text) ? accepted : refused).push(text);
  }
  if (characters === undefined) {
    accepted.push(...FOREIGN.map((character) => character + 'x'.repeat(Math.max(least, 1) - 1)));
    if (most !== undefined) accepted.push(WIDE.repeat(most));
    if (most !== undefined) refused.push(WIDE.repeat(most + 1));
    if (least > 1) refused.push(WIDE.repeat(least - 1));
    return { accepted, refused };
  }
  for (const character of [...ASCII, ...FOREIGN]) {
    const isAccepted = characters.includes(character) || others.includes(character);
    const text = start + filler.repeat(length - 2);
    if (most !== 1) (isAccepted ? accepted : refused).push(text + character);
    const begins = first === undefined ? isAccepted : first.includes(character);
    if (most === 1) (begins ? accepted : refused).push(character);
    else (begins ? accepted : refused).push(character + filler.repeat(length - 1));
  }
  return { accepted, refused };
}

/** One of a list, letter by letter. */
export function ofList(values: readonly string[]): Examples {
  const near = values.flatMap((value) => [
    `${value}x`,
    `x${value}`,
    ` ${value}`,
    `${value}\n`,
    value.slice(1),
    value.slice(0, -1),
    value.toLowerCase(),
    value.toUpperCase(),
    value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase(),
    inArabicDigits(value),
    ...NEAR_MISSES.flatMap((each) => [each + value.slice(1), value.slice(0, -1) + each]),
  ]);
  const others = ['', 'SOMETHING_ELSE', '*', '0', '00', '99', values.join(','), values.join('|')];
  return { accepted: values, refused: notIn(values, [...near, ...others]), values };
}

/** Some of a list, with commas between. */
export function ofSome(values: readonly string[]): Examples {
  const [first = '', second = ''] = values;
  return {
    values,
    accepted: [...values, `${first},${second}`, values.join(',')],
    refused: [
      ...['', 'XX', `${first},`, `,${first}`, `${first},,${second}`, `${first}, ${second}`],
      ...[`${first};${second}`, first + second, first.toLowerCase(), `${first}\n`, `${first},XX`],
      ...[`${first}x`, ` ${first}`, first.slice(1), 'ZZ', 'ÄÖ'],
      ...notIn(values, values.map(inArabicDigits)),
    ],
  };
}

/** `01-08`: each number with its zero. */
export function padded(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, '0'));
}

/** Whole numbers between two bounds. */
export function ofNumbers(least: number, most: number): Examples {
  const digits = String(most).length;
  return {
    accepted: [least, least + 1, most - 1, most].map(String),
    refused: [
      ...[String(least - 1), String(most + 1), String(most).padStart(digits + 1, '0')],
      ...['', `-${most}`, `+${least}`, `${least}.0`, ' 7', '7 ', '7\n', '1e1', '0x1', '٧', 'x'],
      ...[`${most}0`, '9'.repeat(digits + 1), `${least}.5`, inArabicDigits(String(most))],
      ...[` ${most}`, `${most}\n`, String(most).slice(0, -1) + 'x', String(least).slice(0, -1)],
    ],
  };
}

/** Amounts with two decimals. */
export function ofAmount(digitsMax: number, decimals: 'optional' | 'must'): Examples {
  const most = '9'.repeat(digitsMax);
  const whole = ['0', '92', most];
  return {
    accepted: ['0.00', '92.00', '007.10', `${most}.99`, ...(decimals === 'must' ? [] : whole)],
    refused: [
      ...[`9${most}`, `9${most}.99`, '92.', '92.0', '92.000', '.50', '', ' 92.00', '92.00 '],
      ...['92.00\n', '-92.00', '+92.00', '92,00', '9 2.00', '9e1', '٩٢.٠٠', '0x92', '92.00€'],
      ...['92.0O', '92.00.00', ...(decimals === 'must' ? whole : [])],
    ],
  };
}

/** The same text in digits of another script. */
export function inArabicDigits(text: string): string {
  return text.replace(/[0-9]/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
}

function notIn(values: readonly string[], candidates: readonly string[]): string[] {
  return candidates.filter((candidate) => !values.includes(candidate));
}
