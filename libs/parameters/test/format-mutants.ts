import { codePoints, type Format } from '../src/format.js';

/** A slip in a form: the rule that takes the place of the right one. */
interface Slip {
  readonly change: string;
  /** What the spoilt form accepts. */
  readonly accepts: (value: string, form: Known) => boolean;
  /** Values of which one is judged otherwise, if the slip is one for this form. */
  readonly witnesses: (form: Known) => readonly string[];
}

/** A form with what can be found out about it by asking, without its notation. */
interface Known {
  readonly accepts: (value: string) => boolean;
  readonly shape: (value: string) => boolean;
  readonly refused: string;
  readonly values: readonly string[];
  readonly seeds: readonly string[];
  readonly longest: string;
  readonly shortest: string;
}

/** Beyond the parser's limit of a value: such a form has no greatest length. */
const LENGTH_ENDLESS = 8_200;
const WIDE = '𝄞';

function knownOf(format: Format<unknown>): Known {
  const { schema } = format;
  const seeds = [format.accepted, ...(format.values ?? [])];
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const { minLength = 0, maxLength = Infinity } = schema;
  return {
    accepts: format.accepts,
    shape: (value) =>
      (pattern?.test(value) ?? true) &&
      (schema.enum?.includes(value) ?? true) &&
      codePoints(value) >= minLength &&
      codePoints(value) <= maxLength,
    refused: format.refused,
    values: format.values ?? [],
    seeds,
    longest: seeds.map((seed) => grown(seed, format)).reduce(longer),
    shortest: seeds
      .map((seed) => shrunk(seed, format))
      .reduce((a, b) => (longer(a, b) === a ? b : a)),
  };
}

/** The longest text that only repeats the end of an accepted one; searched by halves, for it may be long. */
function grown(seed: string, { accepts }: Format<unknown>): string {
  const end = endOf(seed);
  const isAccepted = (count: number): boolean => accepts(seed + end.repeat(count));
  let most = 0;
  let step = 1;
  while (most + step < LENGTH_ENDLESS && isAccepted(most + step)) {
    most += step;
    step *= 2;
  }
  for (; step >= 1; step /= 2) {
    if (most + step < LENGTH_ENDLESS && isAccepted(most + step)) most += step;
  }
  return seed + end.repeat(most);
}

function shrunk(seed: string, { accepts }: Format<unknown>): string {
  let text = seed;
  while (text !== '' && accepts(text.slice(0, -1))) text = text.slice(0, -1);
  return text;
}

function endOf(text: string): string {
  return Array.from(text).at(-1) ?? 'x';
}

function longer(left: string, right: string): string {
  return left.length >= right.length ? left : right;
}

/** The form forgives what `mended` takes away. */
function forgiving(
  change: string,
  mended: (value: string) => string,
  spoilt: (seed: string) => readonly string[],
): Slip {
  return {
    change,
    accepts: (value, { accepts }) => accepts(value) || accepts(mended(value)),
    witnesses: ({ seeds, longest, shortest }) => [...seeds, longest, shortest].flatMap(spoilt),
  };
}

function character(name: string, extra: string): Slip {
  return forgiving(
    `${name} let through`,
    (value) => value.replaceAll(extra, 'a'),
    (seed) => [extra + seed.slice(1), seed.slice(0, -1) + extra],
  );
}

const DIGIT = /[0-9]/g;
const ARABIC_ZERO = 0x660;
const arabic = (text: string): string =>
  text.replace(DIGIT, (digit) => String.fromCharCode(ARABIC_ZERO + Number(digit)));
const european = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO));
const LIKE_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
const ADDED = 'ADDED_VALUE';
const UNASSIGNED = ['ZZ', 'ZZZ', '999', 'ZZZZZZZZ', 'DE00100000001234567890', '2035-02-30'];
const SMALL_NUMBERS_MAX = 1_000;

const slips: readonly Slip[] = [
  { change: 'anything accepted', accepts: () => true, witnesses: ({ refused }) => ['', refused] },
  {
    change: 'one longer accepted',
    accepts: (value, { accepts }) =>
      accepts(value) || accepts(Array.from(value).slice(0, -1).join('')),
    witnesses: ({ longest }) => [longest + endOf(longest)],
  },
  {
    change: 'one shorter accepted',
    accepts: (value, { accepts }) => accepts(value) || accepts(value + endOf(value)),
    witnesses: ({ shortest }) => [shortest.slice(0, -1)],
  },
  {
    change: 'longest refused',
    accepts: (value, { accepts, longest }) => accepts(value) && value.length < longest.length,
    witnesses: ({ longest, accepts }) => (accepts(`${longest}${endOf(longest)}`) ? [] : [longest]),
  },
  {
    change: 'shortest refused',
    accepts: (value, { accepts, shortest }) =>
      accepts(value) && codePoints(value) > codePoints(shortest),
    witnesses: ({ shortest }) => [shortest],
  },
  {
    change: 'units counted for characters',
    accepts: (value, { accepts, longest }) => accepts(value) && value.length <= longest.length,
    witnesses: ({ longest }) =>
      longest.length < LENGTH_ENDLESS ? [WIDE.repeat(codePoints(longest))] : [],
  },
  {
    change: 'other scripts refused',
    accepts: (value, { accepts }) => accepts(value) && !/[^\0-\x7f]/u.test(value),
    witnesses: ({ seeds }) => seeds.map((seed) => `é${seed.slice(1)}`),
  },
  forgiving(
    'other case accepted',
    (value) => (/[a-z]/.test(value) ? value.toUpperCase() : value.toLowerCase()),
    (seed) => [seed.toLowerCase(), seed.toUpperCase()],
  ),
  forgiving('digits of other scripts accepted', european, (seed) => [arabic(seed)]),
  forgiving(
    'spaces around cut off',
    (value) => value.trim(),
    (seed) => [` ${seed}`, `${seed}\n`],
  ),
  character('letter of another script', 'é'),
  character('sign', '€'),
  character('space', ' '),
  character('hyphen', '-'),
  character('underscore', '_'),
  character('dot', '.'),
  character('control character', '\u0007'),
  {
    change: 'value added',
    accepts: (value, { accepts }) => accepts(value) || value === ADDED,
    witnesses: ({ values }) => (values.length > 0 ? [ADDED] : []),
  },
  {
    change: 'first value refused',
    accepts: (value, { accepts, values }) => accepts(value) && value !== values[0],
    witnesses: ({ values }) => values.slice(0, 1),
  },
  {
    change: 'last value refused',
    accepts: (value, { accepts, values }) => accepts(value) && value !== values.at(-1),
    witnesses: ({ values }) => values.slice(-1),
  },
  {
    change: 'number above accepted',
    accepts: (value, { accepts }) => accepts(value) || accepts(String(Number(value) - 1)),
    witnesses: ({ refused }) => [refused],
  },
  {
    change: 'number below accepted',
    accepts: (value, { accepts }) => accepts(value) || accepts(String(Number(value) + 1)),
    witnesses: ({ accepts }) => {
      const least = Array.from({ length: SMALL_NUMBERS_MAX }, (_, at) => String(at)).find(accepts);
      return least === undefined ? [] : [String(Number(least) - 1)];
    },
  },
  {
    change: 'days off the calendar accepted',
    accepts: (value, { accepts }) => accepts(value) || LIKE_DATE.test(value),
    witnesses: ({ seeds }) =>
      seeds.filter((seed) => LIKE_DATE.test(seed)).map((seed) => `2035-02-30${seed.slice(10)}`),
  },
  {
    change: 'shape of the schema accepted',
    accepts: (value, { accepts, shape }) => accepts(value) || shape(value),
    witnesses: ({ refused, shape }) => [refused, ...UNASSIGNED].filter(shape),
  },
];

/** Every form that one slip makes of this one, where the slip changes the verdict on some value. */
export function* formMutants(
  format: Format<unknown>,
): Generator<readonly [change: string, format: Format<unknown>]> {
  yield ['notation changed', { ...format, text: `${format.text}0` }];
  const form = knownOf(format);
  for (const { change, accepts, witnesses } of slips) {
    const spoilt = (value: string): boolean => accepts(value, form);
    if (!witnesses(form).some((value) => spoilt(value) !== format.accepts(value))) continue;
    // A list is spoilt where it is written, so that its values say it too.
    const values = { ...(change === 'value added' && { values: [...form.values, ADDED] }) };
    yield [change, { ...format, ...values, accepts: spoilt }];
  }
}
