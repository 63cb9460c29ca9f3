import type { Expiry, Instrument } from '@sluice/contracts';

/** Wire contract 4: details are kept for so long after the instrument has expired. */
export const KEPT_MONTHS_AFTER_EXPIRY = 14;
/** Wire contract 4: an extension keeps them for so long after the request at the most. */
export const EXTENSION_MONTHS = 24;

/**
 * Until when the details of an instrument are kept, milliseconds since the epoch: to the end of the
 * fourteenth month after that of its expiry, or after the request for one that never expires.
 */
export function keptUntil(instrument: Instrument | undefined, nowMs: number): number {
  const expiry = expiryMonthOf(instrument) ?? monthOf(nowMs);
  return endOfMonth(expiry + KEPT_MONTHS_AFTER_EXPIRY);
}

/** The same after the instrument has got another expiry, which shortens nothing. */
export function keptUntilWith({ month, year }: Expiry, keptUntilMs: number): number {
  const expiry = monthOf(Date.parse(`${year}-${month}-01T00:00:00Z`));
  return Math.max(keptUntilMs, endOfMonth(expiry + KEPT_MONTHS_AFTER_EXPIRY));
}

/** The same after an extension, which never shortens anything. */
export function extendedUntil(keptUntilMs: number, nowMs: number): number {
  return Math.max(keptUntilMs, endOfMonth(monthOf(nowMs) + EXTENSION_MONTHS));
}

/** Months since the year 0. */
function monthOf(epochMs: number): number {
  const date = new Date(epochMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function expiryMonthOf(instrument: Instrument | undefined): number | undefined {
  if (instrument === undefined || !('expiryYear' in instrument)) return undefined;
  const { expiryYear: year, expiryMonth: month } = instrument;
  return month === undefined ? undefined : monthOf(Date.parse(`${year}-${month}-01T00:00:00Z`));
}

function endOfMonth(month: number): number {
  return Date.UTC(Math.floor(month / 12), (month % 12) + 1);
}
