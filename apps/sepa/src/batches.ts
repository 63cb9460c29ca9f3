/*
 * Which orders stand together in a file, and on which day a bank is to carry them out. Pure.
 */

/** An order that waits for a file. */
export interface WaitingOrder {
  readonly reference: string;
  /** `OOFF` or `RCUR`; absent of a transfer. */
  readonly sequence: string | null;
  /** The day on which it is due; absent: as soon as the bank can. */
  readonly dueOn: string | null;
}

/** An order in its batch. */
export interface BatchedOrder {
  readonly reference: string;
  readonly batch: string;
  readonly onDay: string;
}

const DATE_CHARACTERS = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;
const SATURDAY = 6;
const EASTER_MONDAY_AFTER = 1;
const GOOD_FRIDAY_AFTER = -2;
/** On which the banks' common system (TARGET) rests every year, beside Easter. */
const REST_DAYS: readonly string[] = ['01-01', '05-01', '12-25', '12-26'];

/** The day so many days after another one. */
export function daysAfter(day: string, days: number): string {
  const atMs = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return new Date(atMs).toISOString().slice(0, DATE_CHARACTERS);
}

/** The day itself, or the next one on which the banks of SEPA work. */
export function bankDayFrom(day: string): string {
  let found = day;
  while (!isBankDay(found)) found = daysAfter(found, 1);
  return found;
}

/** The day so many days on which banks work after another one, which may be none of these. */
export function bankDaysAfter(day: string, days: number): string {
  let found = bankDayFrom(day);
  for (let left = days; left > 0; left -= 1) found = bankDayFrom(daysAfter(found, 1));
  return found;
}

/** The first day on which what is due on another one goes into a file. */
export function gatheredOn(dueOn: string, leadDays: number): string {
  let found = dueOn;
  while (bankDaysAfter(daysAfter(found, -1), leadDays) >= dueOn) found = daysAfter(found, -1);
  return found;
}

/** Puts orders into batches of one sequence and one day, in an order that is always the same. */
export function batchesOf(
  orders: readonly WaitingOrder[],
  earliestDay: string,
): readonly BatchedOrder[] {
  const days = new Map<string, string>();
  const placed = orders.map(({ reference, sequence, dueOn }) => {
    const wanted = dueOn !== null && dueOn > earliestDay ? dueOn : earliestDay;
    const onDay = days.get(wanted) ?? bankDayFrom(wanted);
    days.set(wanted, onDay);
    return { reference, onDay, key: `${sequence ?? 'TRF'}-${onDay}` };
  });
  return placed.map(({ reference, onDay, key }) => ({ reference, onDay, batch: key }));
}

function isBankDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === SATURDAY || REST_DAYS.includes(day.slice('2026-'.length))) {
    return false;
  }
  const easter = easterOf(date.getUTCFullYear());
  const moving = [GOOD_FRIDAY_AFTER, EASTER_MONDAY_AFTER].map((days) => daysAfter(easter, days));
  return !moving.includes(day);
}

/** Easter Sunday of the Gregorian calendar, by Butcher's rule. */
function easterOf(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const epact = (19 * a + d + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - epact - (c % 4)) % 7;
  const f = Math.floor((a + 11 * epact + 22 * e) / 451);
  const sum = epact + e - 7 * f + 114;
  const month = String(Math.floor(sum / 31)).padStart(2, '0');
  return `${year}-${month}-${String((sum % 31) + 1).padStart(2, '0')}`;
}
