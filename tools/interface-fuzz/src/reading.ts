import type { SeededRandom } from '@sluice/testing';

/** Makes one value; the same for the same random choices. */
export type MakeValue = (random: SeededRandom) => string;

/** A value that breaks exactly one rule of its form, with the rule in words. */
export interface Broken {
  readonly rule: string;
  readonly value: MakeValue;
  /** The limit is the parser's, which any parameter has, and not the form's. */
  readonly byParser?: true;
}

/**
 * What a notation of the interface means, read a second time: values that have the form and values
 * that miss it by one rule. Nothing of the catalogue's own checks is in here, or the two readings
 * could not disagree.
 */
export interface Reading {
  readonly accepted: readonly MakeValue[];
  readonly broken: readonly Broken[];
}

/** A fixed value. */
export const always =
  (value: string): MakeValue =>
  () =>
    value;

/** A reading of given values alone. */
export function values(
  accepted: readonly string[],
  broken: Readonly<Record<string, readonly string[]>>,
): Reading {
  return {
    accepted: accepted.map(always),
    broken: Object.entries(broken).flatMap(([rule, refused]) =>
      refused.map((value) => ({ rule, value: always(value) })),
    ),
  };
}

/** Both readings' values. */
export function joined(...readings: readonly Reading[]): Reading {
  return {
    accepted: readings.flatMap(({ accepted }) => accepted),
    broken: readings.flatMap(({ broken }) => broken),
  };
}

/**
 * Characters of several scripts, some of two UTF-16 units, which count once. No digits: a run of
 * them could be a card number, and a street of digits is against a rule of its own.
 */
const ANY = Array.from(
  'abcdefghijklmnopqrstuvwxyzABCXYZ .,-_/&=+%#?!:;@()[]{}"\'<>|\\äßçŁøñéΩяЖ漢字한글😀🚲€',
);
const PLAIN_LETTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');
/** Several, drawn one by one: a text of a single one would have every account of that one in it. */
const ASTRAL = Array.from('😀🚲🦊🌍🎈🧭🐙🍀');

/** Bytes that a value may have whose form does not limit it. */
const VALUE_BYTES_MAX = 8 * 1024;

/** A text of so many characters; the first is a letter, so that it is neither empty nor blank. */
export function textOf(random: SeededRandom, length: number, alphabet: readonly string[]): string {
  const first = length === 0 ? '' : random.pick(PLAIN_LETTERS);
  return (
    first + Array.from({ length: Math.max(0, length - 1) }, () => random.pick(alphabet)).join('')
  );
}

/**
 * Text of `least` to `most` characters of an alphabet, tried at both bounds and between. An empty
 * value counts as not sent, so a least length of 1 has nothing below it.
 */
export function text(least: number, most: number, alphabet: readonly string[] = ANY): Reading {
  const ascii = PLAIN_LETTERS;
  const makes = (length: number, from: readonly string[]): MakeValue => {
    return (random) => textOf(random, length, from);
  };
  const astral = (length: number): MakeValue => {
    return (random) => Array.from({ length }, () => random.pick(ASTRAL)).join('');
  };
  return {
    accepted: [
      makes(Math.max(least, 1), alphabet),
      makes(Math.min(Math.max(least, 1) + 1, most), alphabet),
      (random) => textOf(random, random.integer(Math.max(least, 1), Math.min(most, 40)), alphabet),
      makes(most - 1 >= least ? most - 1 : most, alphabet),
      makes(most, alphabet),
      ...(least === 0 ? [always('')] : []),
      ...(alphabet === ANY ? [astral(most)] : []),
    ],
    broken: [
      { rule: `at most ${most} characters`, value: makes(most + 1, ascii) },
      ...(least > 1
        ? [{ rule: `at least ${least} characters`, value: makes(least - 1, ascii) }]
        : []),
      ...(alphabet === ANY
        ? [{ rule: `at most ${most} characters`, value: astral(most + 1) }]
        : []),
    ],
  };
}

/** Text of any length: the parser's limit is the only one. */
export const anyText: Reading = {
  accepted: [
    always('x'),
    (random) => textOf(random, random.integer(2, 300), ANY),
    always('x'.repeat(VALUE_BYTES_MAX)),
  ],
  broken: [
    { rule: 'at most 8 KiB', value: always('x'.repeat(VALUE_BYTES_MAX + 1)), byParser: true },
  ],
};

/** Text of `least` to `most` characters out of a set, and characters that are not of the set. */
export function characters(
  least: number,
  most: number,
  set: string,
  foreign: readonly string[],
): Reading {
  const inside = text(least, most, Array.from(set));
  return {
    accepted: inside.accepted,
    broken: [
      ...inside.broken,
      ...foreign.map((character) => ({
        rule: `no ${JSON.stringify(character)}`,
        value: (random: SeededRandom) => {
          const length = random.integer(Math.max(least, 2), Math.max(2, Math.min(most, 12)));
          return (textOf(random, length - 1, Array.from(set)) + character).slice(-most);
        },
      })),
    ],
  };
}

/** `least` to `most` ASCII digits. */
export function digits(least: number, most: number): Reading {
  const makes = (length: number): MakeValue => {
    return (random) => Array.from({ length }, () => String(random.integer(0, 9))).join('');
  };
  const between = (random: SeededRandom): string => makes(random.integer(least, most))(random);
  return {
    accepted: [makes(least), between, makes(most)],
    broken: [
      { rule: `at most ${most} digits`, value: makes(most + 1) },
      ...(least > 1 ? [{ rule: `at least ${least} digits`, value: makes(least - 1) }] : []),
      { rule: 'digits only', value: (random) => `${makes(most - 1)(random)}x` },
      { rule: 'no sign', value: (random) => `-${makes(Math.max(1, most - 1))(random)}` },
      { rule: 'ASCII digits', value: always('٣'.repeat(least)) },
    ],
  };
}

/** One of a list, exactly as it is written. */
export function oneOf(list: readonly string[]): Reading {
  const unlike = (value: string): string => `${value}X`;
  const otherCase = (value: string): string =>
    value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
  const isNew = (value: string): boolean => value !== '' && !list.includes(value);
  return values(list, {
    'one of the list': [...list.map(unlike), ' ', 'SOMETHING_ELSE'].filter(isNew),
    'in this case of letters': list.map(otherCase).filter(isNew),
    'without spaces': list.map((value) => `${value} `),
  });
}

/** A whole number within bounds, in at most so many digits. */
export function wholeNumber(digitsMost: number, least: number, most: number): Reading {
  return {
    accepted: [
      always(String(least)),
      always(String(most)),
      (random) => String(random.integer(least, most)),
    ],
    broken: [
      { rule: `at least ${least}`, value: always(String(least - 1)) },
      { rule: `at most ${most}`, value: always(String(most + 1)) },
      {
        rule: `at most ${digitsMost} digits`,
        value: always('0'.repeat(digitsMost) + String(most)),
      },
      { rule: 'a number', value: always('x') },
      { rule: 'a whole number', value: always('1.5') },
      { rule: 'no sign', value: always(`+${least}`) },
      { rule: 'no exponent', value: always('1e2') },
    ],
  };
}

/** `N10.N2`: digits, and perhaps a dot and exactly two decimals. */
export function amount(digitsMost: number, decimals: 'optional' | 'required'): Reading {
  const whole = (random: SeededRandom, length: number): string =>
    Array.from({ length }, () => String(random.integer(1, 9))).join('');
  return {
    accepted: [
      (random) => `${random.integer(1, 999)}.${random.integer(10, 99)}`,
      (random) => `${whole(random, digitsMost)}.00`,
      always('0.01'),
      always('0.00'),
      ...(decimals === 'optional' ? [always('7'), (r: SeededRandom) => whole(r, digitsMost)] : []),
    ],
    broken: [
      { rule: 'not more digits', value: (random) => `${whole(random, digitsMost + 1)}.00` },
      ...[
        ...['92.0', '92.000', '92.', '.50', '92,00', '-1.00', '+1.00', '1e2', ' 1.00', '1.00 '],
        ...['0x10', 'NaN', '9٣.00', '1.00.00', '1_0.00', '92.0O'],
        ...(decimals === 'required' ? ['92'] : []),
      ].map((value) => ({ rule: `an amount, not ${JSON.stringify(value)}`, value: always(value) })),
    ],
  };
}
