// Gregorian dates in plain numbers: days since 1970-01-01, which was a Thursday. Date would do the same
// at ten times the cost, and has a time zone of its own.

/** A date of the calendar; `month` from 1, `day` from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Seconds of a day on the calendar, where every day has 24 hours. */
export const DAY_SECONDS = 86_400;

const ERA_DAYS = 146_097;
const ERA_YEARS = 400;
/** Days from 0000-03-01 to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;
/** Days of a week. */
export const WEEK_DAYS = 7;
/** 1970-01-01 in Quartz's numbers, where Sunday is 1. */
const FIRST_WEEKDAY = 5;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether February has 29 days. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % ERA_YEARS === 0);
}

/** 28 to 31. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (monthDays[month - 1] ?? 0);
}

/** Days from 1970-01-01 to the date, negative before. */
export function dayNumberOf({ year, month, day }: CalendarDate): number {
  // Years begin in March here, so that the leap day is the last one.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / ERA_YEARS);
  const yearOfEra = shifted - era * ERA_YEARS;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA_DAYS + dayOfEra - DAYS_BEFORE_1970;
}

/** The date so many days after 1970-01-01. */
export function dateOf(dayNumber: number): CalendarDate {
  const days = dayNumber + DAYS_BEFORE_1970;
  const era = Math.floor(days / ERA_DAYS);
  const dayOfEra = days - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * ERA_YEARS + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

/** 1 is Sunday, 7 is Saturday. */
export function weekdayOf(dayNumber: number): number {
  return ((((dayNumber + FIRST_WEEKDAY - 1) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
}
