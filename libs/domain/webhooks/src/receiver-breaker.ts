import { type AttemptOutcome, isAcknowledged, isOutage, wantedPauseMs } from './attempt-outcome.js';
import { ATTEMPT_LAPSES_AFTER_MS } from './delivery-decider.js';

/** So many failures in a row are no chance any more. */
export const OPENS_AFTER_FAILURES = 5;
/** How long it stays open at first, and each further time twice as long, up to the second of them. */
export const OPEN_MS = 30_000;
/** A receiver that is there again is noticed within this. */
export const OPEN_MAX_MS = 10 * 60_000;
/**
 * One that has refused everything for so long has refused us, and not what it was told: its address is wrong, or
 * something before it lets nobody pass. Among acknowledgements refusals are about notifications.
 */
export const REFUSES_ALL_AFTER_MS = 60_000;

/**
 * Keeps a receiver that does not answer from taking places from others, and itself from being overrun when it is
 * there again. It is of a receiver and not of a subscription: several may have the same.
 */
export interface ReceiverBreaker {
  /** In a row, while it is closed. */
  readonly failures: number;
  /** How often it opened since the receiver answered. */
  readonly openings: number;
  /** In a row: it has answered, and acknowledged nothing. */
  readonly refusals?: { readonly count: number; readonly sinceMs: number };
  /** While it is open or half open, milliseconds since the epoch. */
  readonly openUntilMs?: number;
  /** The one attempt that is made while it is half open. */
  readonly probe?: { readonly attemptId: string; readonly begunAtMs: number };
}

/** Of a receiver of which nothing bad is known: such ones need not be kept. */
export const closedBreaker: ReceiverBreaker = { failures: 0, openings: 0 };

/** Who is called, for the breaker: its scheme, host and port. */
export function receiverOf(url: URL): string {
  return url.origin;
}

/** From when on an attempt may begin, milliseconds since the epoch; 0: at once. */
export function opensWayAtMs({ openUntilMs, probe }: ReceiverBreaker): number {
  if (openUntilMs === undefined) return 0;
  return probe === undefined ? openUntilMs : probe.begunAtMs + ATTEMPT_LAPSES_AFTER_MS;
}

/** Whether an attempt may begin: always, not at all, or one at a time to see whether the receiver is there. */
export function mayBegin(breaker: ReceiverBreaker, nowMs: number): boolean {
  return nowMs >= opensWayAtMs(breaker);
}

/** After an attempt began that might. */
export function afterBegin(
  breaker: ReceiverBreaker,
  attemptId: string,
  nowMs: number,
): ReceiverBreaker {
  if (breaker.openUntilMs === undefined) return breaker;
  return { ...breaker, probe: { attemptId, begunAtMs: nowMs } };
}

/** After an attempt ended. Whoever answers anything is there, whoever began the attempt. */
export function afterEnd(
  breaker: ReceiverBreaker,
  { attemptId, outcome }: { readonly attemptId: string; readonly outcome: AttemptOutcome },
  nowMs: number,
): ReceiverBreaker {
  if (isAcknowledged(outcome)) return closedBreaker;
  if (!isOutage(outcome)) {
    const { count = 0, sinceMs = nowMs } = breaker.refusals ?? {};
    return { ...closedBreaker, refusals: { count: count + 1, sinceMs } };
  }
  const { failures, openings, openUntilMs, probe } = breaker;
  const pauseMs = Math.max(Math.min(OPEN_MS * 2 ** openings, OPEN_MAX_MS), wantedPauseMs(outcome));
  const opened = { failures: 0, openings: openings + 1, openUntilMs: nowMs + pauseMs };
  if (openUntilMs !== undefined) {
    // Attempts from before it opened end in the same way, and say nothing new.
    return probe?.attemptId === attemptId ? opened : breaker;
  }
  return failures + 1 >= OPENS_AFTER_FAILURES ? opened : { ...breaker, failures: failures + 1 };
}

/**
 * Whether an attempt shows that a receiver is there again, so that what waits for it is hastened (R-WH-06): the
 * breaker was open, or it has acknowledged nothing for a while.
 * @param breaker before that attempt ended
 */
export function isThereAgain(
  { openUntilMs, refusals }: ReceiverBreaker,
  outcome: AttemptOutcome,
  nowMs: number,
): boolean {
  if (openUntilMs !== undefined) return !isOutage(outcome);
  if (refusals === undefined || !isAcknowledged(outcome)) return false;
  const { count, sinceMs } = refusals;
  return count >= OPENS_AFTER_FAILURES && nowMs - sinceMs >= REFUSES_ALL_AFTER_MS;
}
