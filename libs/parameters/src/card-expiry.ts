/** When it has ended everywhere on earth, the last month of a card is over. */
const LATEST_TIME_ZONE_HOURS = 12;
const HOUR_MS = 3_600_000;

/** Whether the last month of a card or token is over, as `yyyy` and `MM`. */
export function isExpired(
  year: string | undefined,
  month: string | undefined,
  nowMs: number,
): boolean {
  const latest = new Date(nowMs - LATEST_TIME_ZONE_HOURS * HOUR_MS).toISOString();
  return `${year ?? ''}-${month ?? ''}` < latest.slice(0, 'yyyy-MM'.length);
}
