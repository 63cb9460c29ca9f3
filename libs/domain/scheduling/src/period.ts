import type { periodUnits } from '@sluice/contracts';
import { Temporal } from 'temporal-polyfill';

/** A length of time on the calendar, as durations and notices have it (Interface 2.18). */
export interface Period {
  readonly unit: (typeof periodUnits)[number];
  readonly number: number;
}

/** The interface has 16 digits; more than this is no agreement with anybody. */
export const PERIOD_NUMBER_MAX = 100_000;

const fields = {
  ...{ YEAR: 'years', MONTH: 'months', WEEK: 'weeks', DAY: 'days' },
  ...{ HOUR: 'hours', MINUTE: 'minutes', SECOND: 'seconds' },
} as const satisfies Record<Period['unit'], string>;

/**
 * The end of so many periods from an instant, in the calendar of a zone; both in milliseconds since the
 * epoch. A month after 31 January is the last day of February.
 */
export function endOfPeriods(
  fromMs: number,
  { unit, number }: Period,
  timeZone: string,
  count = 1,
): number {
  return Temporal.Instant.fromEpochMilliseconds(fromMs)
    .toZonedDateTimeISO(timeZone)
    .add({ [fields[unit]]: number * count }).epochMilliseconds;
}

const DATE_TIME = /^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})$/;

/** `yyyy-MM-dd HH:mm:ss` in a zone, milliseconds since the epoch; undefined if there is no such date. */
export function instantOf(text: string, timeZone: string): number | undefined {
  const [, date, time] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  try {
    return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone)
      .epochMilliseconds;
  } catch {
    return undefined;
  }
}
