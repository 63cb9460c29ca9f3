import { COMMAND_TIME_TO_LIVE_MS } from '@sluice/contracts';
import { mintedAtMs, newTransactionId, type TransactionId } from '@sluice/identifiers';

/** How long after a command's end its first append may still come to light (D-04). */
const SETTLING_MS = 60_000;

/** An id younger than this may still appear; an older one that is unknown never will (D-04). */
export const YOUNG_MS = COMMAND_TIME_TO_LIVE_MS + SETTLING_MS;

/**
 * The id in an answer about what was not recorded and never will be: old enough that reading it is
 * 404 at once, and not pending (D-04).
 */
export function idOfNothing(nowMs: number): TransactionId {
  return newTransactionId(nowMs - YOUNG_MS);
}

/** Clocks of two machines may differ this much; an id from further ahead is made up. */
const CLOCK_SKEW_MS = 60_000;

/** Whether a transaction of this id may still be on its way. */
export function isYoung(id: TransactionId, nowMs: number): boolean {
  return nowMs - mintedAtMs(id) < YOUNG_MS && isFromHere(id, nowMs);
}

/**
 * Whether an id may have been made here. Other gateways of the family have ids of the same shape, few of
 * which begin with a time that has been.
 */
export function isFromHere(id: TransactionId, nowMs: number): boolean {
  return nowMs - mintedAtMs(id) > -CLOCK_SKEW_MS;
}
