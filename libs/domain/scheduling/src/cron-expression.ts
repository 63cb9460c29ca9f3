import {
  FieldProblem,
  type FieldName,
  fieldNames,
  type NextValues,
  nextValuesOf,
  sentenceOf,
} from './cron-fields.js';
import { type DayRule, dayRuleOf } from './day-rule.js';

/** Characters of an expression (Interface 2.18: AN256). */
export const EXPRESSION_CHARACTERS_MAX = 256;

/** An expression that was read; it has a meaning only in a time zone. */
export interface CronExpression {
  /** As it was written. */
  readonly text: string;
  readonly seconds: NextValues;
  readonly minutes: NextValues;
  readonly hours: NextValues;
  readonly months: NextValues;
  readonly years: NextValues;
  readonly dayRule: DayRule;
}

/** An expression, or the sentence that says what is wrong with it. */
export type ReadExpression =
  | { readonly kind: 'expression'; readonly expression: CronExpression }
  | {
      readonly kind: 'refused';
      /** Absent: the expression as a whole. */
      readonly field?: FieldName;
      readonly problem: string;
    };

/** The text of each field. */
export type FieldTexts = Readonly<Record<FieldName, string>>;

const FIELDS_WITHOUT_YEAR = fieldNames.length - 1;

/** The fields of an expression, which single spaces part; the year may be left out, and is then another one. */
export function fieldTextsOf(text: string, yearElse = '*'): FieldTexts | string {
  if (text.length > EXPRESSION_CHARACTERS_MAX) {
    return `An expression has at most ${String(EXPRESSION_CHARACTERS_MAX)} characters.`;
  }
  const parts = text.split(' ');
  const isCount = parts.length >= FIELDS_WITHOUT_YEAR && parts.length <= fieldNames.length;
  if (!isCount || parts.includes('')) {
    return `An expression has 6 or 7 fields with one space between (${fieldNames.join(', ')}; the year may be left out).`;
  }
  const [second = '', minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = parts;
  const year = parts[FIELDS_WITHOUT_YEAR] ?? yearElse;
  return { second, minute, hour, dayOfMonth, month, dayOfWeek, year };
}

/**
 * Reads an expression of Quartz's grammar (Interface 2.18): seconds, minutes, hours, day of the month, month,
 * day of the week and perhaps the year. It takes 20 to 90 µs, more than a next date: who asks often keeps the result.
 */
export function readExpression(text: string): ReadExpression {
  const texts = fieldTextsOf(text);
  if (typeof texts === 'string') return { kind: 'refused', problem: texts };
  return readFields(texts, text);
}

/** The same of single fields. @param text what it is called, if not the fields with spaces between */
export function readFields(
  fields: FieldTexts,
  text = fieldNames.map((name) => fields[name]).join(' '),
): ReadExpression {
  const seconds = nextValuesOf('second', fields.second);
  if (seconds instanceof FieldProblem) return refused(seconds);
  const minutes = nextValuesOf('minute', fields.minute);
  if (minutes instanceof FieldProblem) return refused(minutes);
  const hours = nextValuesOf('hour', fields.hour);
  if (hours instanceof FieldProblem) return refused(hours);
  const months = nextValuesOf('month', fields.month);
  if (months instanceof FieldProblem) return refused(months);
  const dayRule = dayRuleOf(fields);
  if (dayRule instanceof FieldProblem) return refused(dayRule);
  const years = nextValuesOf('year', fields.year);
  if (years instanceof FieldProblem) return refused(years);
  const expression = { text, seconds, minutes, hours, months, years, dayRule };
  return { kind: 'expression', expression };
}

function refused(problem: FieldProblem): ReadExpression {
  return { kind: 'refused', field: problem.field, problem: sentenceOf(problem) };
}
