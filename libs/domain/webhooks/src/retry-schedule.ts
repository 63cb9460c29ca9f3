import { createHash } from 'node:crypto';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a notification is worth being told: then it is given up (wire contract 9). */
export const DELIVERY_LIFE_MS = 30 * DAY_MS;

/** What comes after the last pause of a schedule. */
const DAILY_MS = DAY_MS;

/**
 * The pauses after the first attempt and each further one, milliseconds; afterwards it is tried daily.
 * `family`: what merchants know (wire contract 9). `dense`: what an installation may choose (R-WH-04).
 */
export const notificationSchedules = {
  family: [...[1, 2, 4, 8, 15, 30].map((minutes) => minutes * MINUTE_MS), HOUR_MS],
  dense: [
    ...[5, 30].map((seconds) => seconds * SECOND_MS),
    ...[2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
    ...[1, 2, 4, 8].map((hours) => hours * HOUR_MS),
  ],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** One of them. */
export type NotificationScheduleName = keyof typeof notificationSchedules;

/**
 * `resultPage`: a result can be read for one minute more when its page is called, so there are four calls within
 * that minute, and none afterwards.
 */
const retrySchedules = {
  ...notificationSchedules,
  resultPage: Array.from({ length: 3 }, () => 15 * SECOND_MS),
};
/** One of all. */
export type RetryScheduleName = keyof typeof retrySchedules;

/** A fifth in both directions, so that what has failed together does not come back together. */
const JITTER_PERCENT = 20;
const PERCENT = 100;
const DRAWN_BYTES = 4;
const DRAWN_BELOW = 2 ** 32;

/**
 * The pause after so many attempts that counted, in whole milliseconds: that of the schedule, 20 % more or
 * less. The id decides which, so that whoever computes it again gets the same. Infinity: there is no further one.
 * @param attempts from 1
 */
export function retryPauseMs(
  name: RetryScheduleName,
  deliveryId: string,
  attempts: number,
): number {
  const lastMs = name === 'resultPage' ? Number.POSITIVE_INFINITY : DAILY_MS;
  const pauseMs = retrySchedules[name][attempts - 1] ?? lastMs;
  const hash = createHash('sha256').update(`${deliveryId}.${attempts}`, 'utf8').digest();
  const drawn = hash.readUIntBE(0, DRAWN_BYTES);
  const percent = PERCENT - JITTER_PERCENT + (2 * JITTER_PERCENT * drawn) / DRAWN_BELOW;
  return Math.round((pauseMs * percent) / PERCENT);
}
