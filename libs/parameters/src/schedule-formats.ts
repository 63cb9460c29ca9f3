import type { Format } from './format.js';
import { pattern } from './formats.js';

/** What one field of a schedule may hold. */
interface FieldGrammar {
  /** The inside of a group that matches one number or name. */
  readonly unit: string;
  /** Alternatives beside lists, ranges and steps: `?`, `L`, `W`, `#`. */
  readonly special?: string;
  readonly accepted: string;
  readonly refused: string;
}

/** Lists in one field: more than a field has values. */
const LIST_MAX = 62;

/**
 * One field of a cron expression, as job schedulers of the Quartz family have it (Interface 2.18):
 * `*`, numbers, ranges `a-b`, steps `a/b`, lists with commas.
 */
function field({ unit, special, accepted, refused }: FieldGrammar): Format {
  return { ...pattern(`^${sourceOf({ unit, special })}$`), text: 'AN64', accepted, refused };
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
const grammars = {
  year: { unit: '19[7-9][0-9]|20[0-9]{2}' },
  month: { unit: '[1-9]|1[0-2]' },
  dayOfMonth: {
    unit: '[1-9]|[12][0-9]|3[01]',
    special: String.raw`\?|L|LW|(?:[1-9]|[12][0-9]|3[01])W`,
  },
  dayOfWeek: { unit: WEEKDAYS, special: String.raw`\?|(?:${WEEKDAYS})?L|(?:${WEEKDAYS})#[1-5]` },
  hour: { unit: '1?[0-9]|2[0-3]' },
  minute: { unit: SIXTY },
  second: { unit: SIXTY },
} as const;

/** The years of a schedule; empty is every year. */
export const scheduleYear: Format = {
  ...pattern(`^(?:${sourceOf(grammars.year)})?$`),
  text: 'AN64',
  accepted: '2026-2030',
  refused: '1969',
};

/** The months of a schedule, 1 to 12. */
export const scheduleMonth: Format = field({ ...grammars.month, accepted: '1,7', refused: '13' });

/** The days of the month: numbers, `L` the last one, `15W` the working day nearest to the 15th. */
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
const PART_SOURCES: readonly string[] = (
  ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'] as const
).map((part) => sourceOf(grammars[part]));
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
  message: 'must be a cron expression of 6 or 7 fields with spaces between',
  schema: {
    type: 'string',
    maxLength: EXPRESSION_CHARACTERS_MAX,
    pattern: `^${PART_SOURCES.slice(0, -1).join(' ')}(?: ${PART_SOURCES.at(-1) ?? ''})?$`,
  },
  accepted: '0 0 12 1 * ? 2030',
  refused: '0 0 12 1 *',
  parse: (value) => value,
};
