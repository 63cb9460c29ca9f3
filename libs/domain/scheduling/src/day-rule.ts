import { dayNumberOf, daysInMonth, WEEK_DAYS, weekdayOf } from './calendar.js';
import { FieldProblem, itemsOf, numbersOf, valueOf, wholeNumberOf } from './cron-fields.js';

/**
 * On which days a schedule runs: bit n of `days` is the nth of a month, bit n of `weekdays` a weekday from
 * 1, Sunday. The special ones are worked out for each month.
 */
export interface DayRule {
  readonly days: number;
  readonly weekdays: number;
  readonly special: readonly SpecialDay[];
}

/** A day that is another one in each month. */
type SpecialDay =
  /** `L` and `L-n`. */
  | { readonly kind: 'beforeLast'; readonly days: number }
  /** `LW`. */
  | { readonly kind: 'lastWorkingDay' }
  /** `nW`: the working day of the same month that is nearest to the nth. */
  | { readonly kind: 'nearestWorkingDay'; readonly day: number }
  /** `nL`. */
  | { readonly kind: 'lastWeekday'; readonly weekday: number }
  /** `n#k`. */
  | { readonly kind: 'nthWeekday'; readonly weekday: number; readonly nth: number };

/** Both fields of days as they were written. */
export interface DayFields {
  readonly dayOfMonth: string;
  readonly dayOfWeek: string;
}

/** How far before the last day `L-n` may reach, as in Quartz. */
export const DAYS_BEFORE_LAST_MAX = 30;

const DAYS_MAX = 31;
const SUNDAY = 1;
const SATURDAY = 7;
/** Bits 1 to 31. */
const EVERY_DAY: DayRule = { days: 0xff_ff_ff_fe | 0, weekdays: 0, special: [] };

/**
 * The rule of both fields. One of them decides: a day of the month and a day of the week together are
 * refused, since schedulers disagree about what that means. `?` and `*` leave the decision to the other
 * field; two times `*`, or one with `?`, is every day, and two times `?` says nothing.
 *
 * A month that does not have the day has no run: the 31st is in seven months, the 29th of February in
 * leap years, `31W` only where there is a 31st, `5#5` only where there is a fifth Thursday. Whoever
 * means the end of each month writes `L`.
 */
export function dayRuleOf({ dayOfMonth, dayOfWeek }: DayFields): DayRule | FieldProblem {
  const isOfMonth = saysDay(dayOfMonth);
  const isOfWeek = saysDay(dayOfWeek);
  if (isOfMonth && isOfWeek) {
    const problem = 'one of dayOfMonth and dayOfWeek says the day, and the other one is ?';
    return new FieldProblem('dayOfWeek', problem);
  }
  if (isOfMonth) return daysOfMonthRule(dayOfMonth);
  if (isOfWeek) return daysOfWeekRule(dayOfWeek);
  if (dayOfMonth === '*' || dayOfWeek === '*') return EVERY_DAY;
  return new FieldProblem('dayOfMonth', 'one of dayOfMonth and dayOfWeek must say a day, not ?');
}

/** Whether a field of days decides. */
export function saysDay(field: string): boolean {
  return field !== '?' && field !== '*';
}

const BEFORE_LAST = /^L(?:-([0-9]{1,2}))?$/;
const NEAREST = /^([0-9]{1,2})W$/;

function daysOfMonthRule(text: string): DayRule | FieldProblem {
  const field = 'dayOfMonth';
  const items = itemsOf(field, text);
  if (items instanceof FieldProblem) return items;
  const special: SpecialDay[] = [];
  let days = 0;
  for (const item of items) {
    const before = BEFORE_LAST.exec(item);
    const nearest = NEAREST.exec(item)?.[1];
    if (before) {
      const count = wholeNumberOf(before[1] ?? '0');
      if (count > DAYS_BEFORE_LAST_MAX) return new FieldProblem(field, 'L-n is from L-0 to L-30');
      special.push({ kind: 'beforeLast', days: count });
    } else if (item === 'LW') {
      special.push({ kind: 'lastWorkingDay' });
    } else if (nearest === undefined) {
      const values = numbersOf(field, item);
      if (values instanceof FieldProblem) return values;
      days = withBits(days, values);
    } else {
      const day = valueOf(field, nearest);
      if (typeof day !== 'number') return day;
      special.push({ kind: 'nearestWorkingDay', day });
    }
  }
  return { days, weekdays: 0, special };
}

const LAST_WEEKDAY = /^([1-9]|[A-Z]{3})L$/;
const NTH_WEEKDAY = /^([0-9]|[A-Z]{3})#([0-9]+)$/;
const NTH_MAX = 5;

function daysOfWeekRule(text: string): DayRule | FieldProblem {
  const field = 'dayOfWeek';
  const items = itemsOf(field, text);
  if (items instanceof FieldProblem) return items;
  const special: SpecialDay[] = [];
  let weekdays = 0;
  for (const item of items) {
    const [, last] = LAST_WEEKDAY.exec(item) ?? [];
    const [, ofMonth, nthText = ''] = NTH_WEEKDAY.exec(item) ?? [];
    const weekday = valueOf(field, last ?? ofMonth ?? String(SATURDAY));
    if (typeof weekday !== 'number') return weekday;
    if (last !== undefined) {
      special.push({ kind: 'lastWeekday', weekday });
    } else if (ofMonth !== undefined) {
      const nth = wholeNumberOf(nthText);
      if (nth < 1 || nth > NTH_MAX) return new FieldProblem(field, 'n#k is from n#1 to n#5');
      special.push({ kind: 'nthWeekday', weekday, nth });
    } else {
      const values = item === 'L' ? [SATURDAY] : numbersOf(field, item);
      if (values instanceof FieldProblem) return values;
      weekdays = withBits(weekdays, values);
    }
  }
  return { days: 0, weekdays, special };
}

function withBits(bits: number, values: readonly number[]): number {
  return values.reduce((all, value) => all | (1 << value), bits);
}

/** The days of a month on which the rule has runs: bit n is the nth, and no bit is beyond its last day. */
export function daysOf({ days, weekdays, special }: DayRule, year: number, month: number): number {
  const last = daysInMonth(year, month);
  let bits = days;
  if (weekdays !== 0 || special.length > 0) {
    const firstWeekday = weekdayOf(dayNumberOf({ year, month, day: 1 }));
    if (weekdays !== 0) bits |= daysOnWeekdays(weekdays, firstWeekday);
    for (const each of special) {
      const day = specialDay(each, last, firstWeekday);
      if (day >= 1 && day <= last) bits |= 1 << day;
    }
  }
  return last === DAYS_MAX ? bits : bits & ((1 << (last + 1)) - 1);
}

function daysOnWeekdays(weekdays: number, firstWeekday: number): number {
  let week = 0;
  for (let day = 1; day <= WEEK_DAYS; day += 1) {
    const weekday = ((firstWeekday + day - 2) % WEEK_DAYS) + 1;
    if ((weekdays & (1 << weekday)) !== 0) week |= 1 << day;
  }
  return week | (week << 7) | (week << 14) | (week << 21) | (week << 28);
}

/** Zero or less, or more than the month has, where it has no such day. */
function specialDay(special: SpecialDay, last: number, firstWeekday: number): number {
  const weekdayOn = (day: number): number => ((firstWeekday + day - 2) % WEEK_DAYS) + 1;
  switch (special.kind) {
    case 'beforeLast':
      return last - special.days;
    case 'lastWorkingDay':
      return nearestWorkingDay(last, last, weekdayOn(last));
    case 'nearestWorkingDay':
      return special.day > last ? 0 : nearestWorkingDay(special.day, last, weekdayOn(special.day));
    case 'lastWeekday':
      return last - ((weekdayOn(last) - special.weekday + WEEK_DAYS) % WEEK_DAYS);
    case 'nthWeekday': {
      const first = 1 + ((special.weekday - firstWeekday + WEEK_DAYS) % WEEK_DAYS);
      return first + (special.nth - 1) * WEEK_DAYS;
    }
  }
}

/** Saturdays go back to Friday and Sundays on to Monday, unless that is another month. */
function nearestWorkingDay(day: number, last: number, weekday: number): number {
  if (weekday === SATURDAY) return day === 1 ? day + 2 : day - 1;
  if (weekday === SUNDAY) return day === last ? day - 2 : day + 1;
  return day;
}
