/** The fields of an expression in their order; the year may be left out. */
export const fieldNames = [
  'second',
  'minute',
  'hour',
  'dayOfMonth',
  'month',
  'dayOfWeek',
  'year',
] as const;

/** One of the seven fields. */
export type FieldName = (typeof fieldNames)[number];

/** What a field cannot be read for, as the end of a sentence. */
export class FieldProblem {
  constructor(
    readonly field: FieldName,
    readonly problem: string,
  ) {}
}

/** The first and the last year of the interface's `job.year` (Interface 2.18). */
export const YEAR_FIRST = 1970;
/** Nothing runs after it. */
export const YEAR_LAST = 2099;

/** More items in one list than any field has values say nothing new; as many as the parameters take. */
export const LIST_ITEMS_MAX = 63;

/** What a field is called, and what its numbers are. */
interface FieldRange {
  readonly label: string;
  readonly low: number;
  readonly high: number;
  /** In the order of the numbers. */
  readonly names?: readonly string[];
  /** What may be written beside numbers, lists, ranges and steps. */
  readonly beside?: string;
}

/** The numbers of each field; the weekdays are Quartz's, so that 1 is Sunday (Interface 2.18). */
export const fieldRanges: Readonly<Record<FieldName, FieldRange>> = {
  second: { label: 'seconds', low: 0, high: 59 },
  minute: { label: 'minutes', low: 0, high: 59 },
  hour: { label: 'hours', low: 0, high: 23 },
  dayOfMonth: {
    ...{ label: 'day of the month', low: 1, high: 31 },
    beside:
      '? for none, L for the last day, L-n for n days before it, nW for the working day nearest to n, LW for the last working day',
  },
  month: {
    ...{ label: 'months', low: 1, high: 12 },
    names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  },
  dayOfWeek: {
    ...{ label: 'day of the week', low: 1, high: 7 },
    names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
    beside: '? for none, L for Saturday, nL for the last n of the month, n#k for its kth n',
  },
  year: { label: 'years', low: YEAR_FIRST, high: YEAR_LAST },
};

/** The whole sentence: which field is wrong, why, and what is allowed. It repeats nothing of the value. */
export function sentenceOf({ field, problem }: FieldProblem): string {
  const { label, low, high, names, beside } = fieldRanges[field];
  const numbers = `numbers ${String(low)}-${String(high)}`;
  const named = names ? ` or ${String(names[0])}-${String(names.at(-1))}` : '';
  const special = beside === undefined ? '' : `; ${beside}`;
  return `The field ${field} (${label}) is wrong: ${problem}. Allowed: *, ${numbers}${named}, lists a,b, ranges a-b, steps a/b, a-b/c and */b${special}.`;
}

/** The number that digits say: of times and counts, which no money is made of. */
export function wholeNumberOf(digits: string): number {
  // eslint-disable-next-line sluice/no-float-money -- never of an amount
  return Number.parseInt(digits, 10);
}

const NUMBER = /^[0-9]{1,4}$/;

/** A number or a name of a field as its number. */
export function valueOf(field: FieldName, text: string): number | FieldProblem {
  const { low, high, names } = fieldRanges[field];
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return low + named;
  if (!NUMBER.test(text)) return new FieldProblem(field, 'it has something that is not allowed');
  const value = wholeNumberOf(text);
  if (value >= low && value <= high) return value;
  return new FieldProblem(field, `a number is outside ${String(low)}-${String(high)}`);
}

/** The items of a list. */
export function itemsOf(field: FieldName, text: string): readonly string[] | FieldProblem {
  const items = text.split(',', LIST_ITEMS_MAX + 1);
  if (items.length <= LIST_ITEMS_MAX) return items;
  return new FieldProblem(field, `a list has at most ${String(LIST_ITEMS_MAX)} items`);
}

const ITEM = /^(\*|[A-Z0-9]{1,4})(?:-([A-Z0-9]{1,4}))?(?:\/([0-9]{1,4}))?$/;

/**
 * The numbers of one item without special letters: `*`, `5`, `5-9`, `22-2`, `5/10`, `5-9/2`, names. A range
 * that ends before it begins goes over the end (22-2 is 22, 23, 0, 1, 2), except of years; a number with
 * a step goes on to the end.
 */
export function numbersOf(field: FieldName, item: string): readonly number[] | FieldProblem {
  const [, from = '', to, stepText] = ITEM.exec(item) ?? [];
  if (from === '' || (from === '*' && to !== undefined)) return syntaxProblem(field, item);
  const { low, high } = fieldRanges[field];
  const step = stepText === undefined ? 1 : wholeNumberOf(stepText);
  if (stepText !== undefined) {
    const wrong = stepProblem(field, [from, to ?? ''], step);
    if (wrong) return wrong;
  }
  if (from === '*') return progression(low, high, step);
  const first = valueOf(field, from);
  if (typeof first !== 'number') return first;
  if (to === undefined) return stepText === undefined ? [first] : progression(first, high, step);
  const last = valueOf(field, to);
  if (typeof last !== 'number') return last;
  if (first <= last) return progression(first, last, step);
  if (field === 'year') return new FieldProblem(field, 'a range of years ends before it begins');
  const count = high - low + 1;
  return progression(first, last + count, step).map((value) => ((value - low) % count) + low);
}

function syntaxProblem(field: FieldName, item: string): FieldProblem {
  if (item === '') return new FieldProblem(field, 'there is nothing before or after a comma');
  if (item === '?') return new FieldProblem(field, '? stands only for a day, and alone');
  return new FieldProblem(field, 'it has something that is not allowed');
}

/** Quartz overlooks the step behind a name without a word, so nobody could tell what was meant. */
function stepProblem(
  field: FieldName,
  ends: readonly string[],
  step: number,
): FieldProblem | undefined {
  if (ends.some((end) => /[A-Z]/.test(end))) {
    return new FieldProblem(field, 'a step stands behind numbers, not behind names');
  }
  const { high } = fieldRanges[field];
  const stepMax = field === 'year' ? YEAR_LAST - YEAR_FIRST : high;
  if (step >= 1 && step <= stepMax) return undefined;
  return new FieldProblem(field, `a step is from 1 to ${String(stepMax)}`);
}

function progression(first: number, last: number, step: number): readonly number[] {
  return Array.from(
    { length: Math.floor((last - first) / step) + 1 },
    (_, index) => first + index * step,
  );
}

/**
 * For each number from 0 to the field's highest, the smallest of the field's values that is not below it;
 * -1 where there is none. Looked up instead of searched: this is what next dates are made of.
 */
export type NextValues = Int16Array;

/** The values of a field without special letters. */
export function nextValuesOf(field: FieldName, text: string): NextValues | FieldProblem {
  const items = itemsOf(field, text);
  if (items instanceof FieldProblem) return items;
  const { high } = fieldRanges[field];
  const next = new Int16Array(high + 1).fill(-1);
  for (const item of items) {
    const values = numbersOf(field, item);
    if (values instanceof FieldProblem) return values;
    for (const value of values) next[value] = value;
  }
  for (let value = high - 1; value >= 0; value -= 1) {
    if (next[value] === -1) next[value] = next[value + 1] ?? -1;
  }
  return next;
}
