import type { Format } from './format.js';
import { pattern } from './formats.js';

/** What one field of a schedule may hold. */
interface FieldGrammar {
  /** The inside of a group that matches one number or name. */
  readonly unit: string;
  /** Alternatives beside lists, ranges and steps: `?`, `L`, `W`, `#`. */
  readonly special?: string;
  /** The values in words, as the patterns are nothing to read: `0-23`. */
  readonly values: string;
  readonly accepted: string;
  readonly refused: string;
}

/** Lists in one field: more than a field has values. */
const LIST_MAX = 62;

/**
 * One field of a cron expression, as job schedulers of the Quartz family have it (Interface 2.18):
 * `*`, numbers, ranges `a-b`, steps `a/b`, lists with commas.
 */
function field({ unit, special, values, accepted, refused }: FieldGrammar): Format {
  const form = pattern(`^${sourceOf({ unit, special })}$`);
  return { ...form, text: 'AN64', message: messageOf(values), accepted, refused };
}

function messageOf(values: string): string {
  return `must be * or of ${values}: a number, a list a,b, a range a-b or a step a/b`;
}

function sourceOf({
  unit,
  special,
}: Pick<FieldGrammar, 'unit'> & { special?: string | undefined }): string {
  const range = `(?:${unit})(?:-(?:${unit}))?`;
  const item = String.raw`(?:(?:\*|${range})(?:/[0-9]{1,4})?${special === undefined ? '' : `|${special}`})`;
  return String.raw`${item}(?:,${item}){0,${LIST_MAX}}`;
}

const SIXTY = '[1-5]?[0-9]';
const WEEKDAYS = '[1-7]|SUN|MON|TUE|WED|THU|FRI|SAT';
const MONTHS = '[1-9]|1[0-2]';
const grammars = {
  year: { unit: '19[7-9][0-9]|20[0-9]{2}', values: '1970-2099' },
  month: { unit: MONTHS, values: '1-12' },
  dayOfMonth: {
    unit: '[1-9]|[12][0-9]|3[01]',
    special: String.raw`\?|L|L-(?:[12]?[0-9]|30)|LW|(?:[1-9]|[12][0-9]|3[01])W`,
    values: '1-31, ?, L, L-3, LW, 15W',
  },
  dayOfWeek: {
    unit: WEEKDAYS,
    special: String.raw`\?|(?:${WEEKDAYS})?L|(?:${WEEKDAYS})#[1-5]`,
    values: '1-7, SUN-SAT, ?, L, 6L, 6#3',
  },
  hour: { unit: '1?[0-9]|2[0-3]', values: '0-23' },
  minute: { unit: SIXTY, values: '0-59' },
  second: { unit: SIXTY, values: '0-59' },
} as const;

/** The years of a schedule; empty is every year. */
export const scheduleYear: Format = {
  ...pattern(`^(?:${sourceOf(grammars.year)})?$`),
  text: 'AN64',
  message: messageOf(grammars.year.values),
  accepted: '2026-2030',
  refused: '1969',
};

/** The months of a schedule, 1 to 12. */
export const scheduleMonth: Format = field({ ...grammars.month, accepted: '1,7', refused: '13' });

/** The days of the month: numbers, `L` the last one, `L-3` three days before it, `15W` the working day nearest to the 15th. */
export const scheduleDayOfMonth: Format = field({
  ...grammars.dayOfMonth,
  accepted: 'LW',
  refused: '32',
});

/** The days of the week: 1 is Sunday, `6L` the last Friday, `6#3` the third one. */
export const scheduleDayOfWeek: Format = field({
  ...grammars.dayOfWeek,
  accepted: 'MON-FRI',
  refused: '8',
});

/** The hours, 0 to 23. */
export const scheduleHour: Format = field({ ...grammars.hour, accepted: '0/6', refused: '24' });

/** The minute, 0 to 59. */
export const scheduleMinute: Format = {
  ...pattern(`^(?:${SIXTY})$`),
  text: 'AN64',
  message: 'must be one minute, 0-59',
  accepted: '30',
  refused: '60',
};

/** The seconds, 0 to 59. */
export const scheduleSecond: Format = field({
  ...grammars.second,
  accepted: '0,30',
  refused: '60',
});

const EXPRESSION_CHARACTERS_MAX = 256;
/** Beside the numbers of `job.month`, as Quartz has them. */
const MONTH_NAMES = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const grammarsOfParts = { ...grammars, month: { unit: `${MONTHS}|${MONTH_NAMES}` } };
const PART_SOURCES: readonly string[] = (
  ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'] as const
).map((part) => sourceOf(grammarsOfParts[part]));
const PARTS: readonly RegExp[] = PART_SOURCES.map((source) => new RegExp(`^${source}$`, 'u'));

/** A whole expression: seconds, minutes, hours, day of month, month, day of week and perhaps year. */
export const scheduleExpression: Format = {
  text: 'AN256',
  accepts: (value) => {
    if (value.length > EXPRESSION_CHARACTERS_MAX) return false;
    const parts = value.split(' ');
    if (parts.length !== PARTS.length && parts.length !== PARTS.length - 1) return false;
    return parts.every((part, index) => PARTS[index]?.test(part));
  },
  message:
    'must be 6 or 7 fields with one space between: seconds 0-59, minutes 0-59, hours 0-23, day of month 1-31 (?, L, L-3, LW, 15W), ' +
    'month 1-12 or JAN-DEC, day of week 1-7 or SUN-SAT (?, L, 6L, 6#3) and perhaps years 1970-2099, each as *, a number, a list a,b, a range a-b or a step a/b',
  schema: {
    type: 'string',
    maxLength: EXPRESSION_CHARACTERS_MAX,
    pattern: `^${PART_SOURCES.slice(0, -1).join(' ')}(?: ${PART_SOURCES.at(-1) ?? ''})?$`,
  },
  accepted: '0 0 12 1 * ? 2030',
  refused: '0 0 12 1 *',
  parse: (value) => value,
};
