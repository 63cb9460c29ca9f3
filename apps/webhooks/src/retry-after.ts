const SECONDS = /^[0-9]{1,9}$/;
const MS_PER_SECOND = 1_000;

/** How long a receiver wants to be left alone, by its `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  nowMs: number,
): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (SECONDS.test(text)) return Number(text) * MS_PER_SECOND;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
