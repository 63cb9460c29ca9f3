import { dateOf, DAY_SECONDS, dayNumberOf } from './calendar.js';
import type { CronExpression } from './cron-expression.js';
import { YEAR_FIRST, YEAR_LAST } from './cron-fields.js';
import { daysOf } from './day-rule.js';

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;
const MONTHS = 12;

/**
 * The first time on the clock of the wall that the expression has, at or after `from`: both in seconds from
 * 1970-01-01 00:00:00 on that clock. Undefined if there is none until the end of 2099.
 */
export function nextLocalTime(expression: CronExpression, from: number): number | undefined {
  const { months, years, dayRule } = expression;
  const start = Math.max(from, 0);
  const startDay = Math.floor(start / DAY_SECONDS);
  let { year, month, day } = dateOf(startDay);
  let isStart = true;
  while (year <= YEAR_LAST) {
    const nextYear = years[Math.max(year, YEAR_FIRST)] ?? -1;
    if (nextYear < 0) return undefined;
    const nextMonth = nextYear === year ? (months[month] ?? -1) : (months[1] ?? -1);
    if (nextMonth < 0) {
      year = nextYear + 1;
      month = 1;
      day = 1;
      continue;
    }
    if (nextYear !== year || nextMonth !== month) day = 1;
    year = nextYear;
    month = nextMonth;
    let days = daysOf(dayRule, year, month) & (-1 << day);
    while (days !== 0) {
      const found = 31 - Math.clz32(days & -days);
      const dayNumber = dayNumberOf({ year, month, day: found });
      const time = nextTimeOfDay(
        expression,
        isStart && dayNumber === startDay ? start - startDay * DAY_SECONDS : 0,
      );
      if (time >= 0) return dayNumber * DAY_SECONDS + time;
      days &= days - 1;
    }
    isStart = false;
    day = 1;
    month += 1;
    if (month > MONTHS) {
      month = 1;
      year += 1;
    }
  }
  return undefined;
}

/** In seconds of the day, at or after that second; -1 if there is none. */
function nextTimeOfDay({ seconds, minutes, hours }: CronExpression, from: number): number {
  let hour = Math.floor(from / HOUR_SECONDS);
  let minute = Math.floor((from % HOUR_SECONDS) / MINUTE_SECONDS);
  let second = from % MINUTE_SECONDS;
  const firstSecond = seconds[0] ?? 0;
  const firstMinute = minutes[0] ?? 0;
  const nextHour = hours[hour] ?? -1;
  if (nextHour < 0) return -1;
  if (nextHour === hour) {
    const nextMinute = minutes[minute] ?? -1;
    const nextSecond = nextMinute === minute ? (seconds[second] ?? -1) : firstSecond;
    if (nextMinute >= 0 && nextSecond >= 0) return timeOf(hour, nextMinute, nextSecond);
    const laterMinute = nextMinute < 0 || minute === 59 ? -1 : (minutes[minute + 1] ?? -1);
    if (laterMinute >= 0) return timeOf(hour, laterMinute, firstSecond);
    const laterHour = hour === 23 ? -1 : (hours[hour + 1] ?? -1);
    return laterHour < 0 ? -1 : timeOf(laterHour, firstMinute, firstSecond);
  }
  hour = nextHour;
  minute = firstMinute;
  second = firstSecond;
  return timeOf(hour, minute, second);
}

function timeOf(hour: number, minute: number, second: number): number {
  return hour * HOUR_SECONDS + minute * MINUTE_SECONDS + second;
}
