import { usage } from './exit-codes.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 without years and months, whose length is not fixed. */
const DURATION =
  /^P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,9})(?:\.([0-9]{1,3}))?S)?)?$/;

/** Reads `PnDTnHnMnS`, as `--by-duration` takes it; milliseconds. */
export function parseDuration(text: string): number {
  const match = DURATION.exec(text);
  if (match === null || text.endsWith('T') || text === 'P') {
    throw usage(`"${text}" is no duration; write it like P1DT2H30M or PT90S.`);
  }
  const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  return (
    Number(days) * DAY_MS +
    Number(hours) * HOUR_MS +
    Number(minutes) * MINUTE_MS +
    Number(seconds) * SECOND_MS +
    Number(fraction.padEnd(3, '0'))
  );
}

const SPAN = /^([0-9]{1,6})(s|min|h|d|w)$/;
const SPAN_UNITS_MS: Readonly<Record<string, number>> = {
  ...{ s: SECOND_MS, min: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS },
};

/** Reads `45s`, `90min`, `12h`, `30d` and `2w`, and what `parseDuration` reads; milliseconds. */
export function parseSpan(text: string): number {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (SPAN_UNITS_MS[unit] ?? 0);
  if (text.startsWith('P')) return parseDuration(text);
  throw usage(`"${text}" is no duration; write it like 45s, 90min, 12h, 30d, 2w or P1DT2H.`);
}

const INSTANT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?))?(Z|[+-][0-9]{2}:?[0-9]{2})?$/;

/** Reads an instant, UTC unless it says otherwise; milliseconds since the epoch. */
export function parseInstant(text: string): number {
  const match = INSTANT.exec(text);
  const [, date = '', time = '00:00', zone = 'Z'] = match ?? [];
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const instant = Date.parse(`${date}T${time}${offset}`);
  // 31 February would become 2 March.
  if (match === null || Number.isNaN(instant) || !isRealDate(date)) {
    throw usage(`"${text}" is no date and time; write it like 2031-05-04T13:30:00.000 (UTC).`);
  }
  return instant;
}

function isRealDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

/** How long something takes or took, in two units at most. */
export function durationText(milliseconds: number): string {
  if (milliseconds < SECOND_MS) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / SECOND_MS);
  if (milliseconds < MINUTE_MS) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
