/** Of one attempt, together with connecting (R-WH-03, wire contract 9). */
export const ATTEMPT_TIMEOUT_MS = 30_000;
/** Within that. */
export const ATTEMPT_CONNECT_TIMEOUT_MS = 5_000;
/** Of an answer's body, which nobody needs: the rest is not read, and its status counts (S-SSRF-02). */
export const ANSWER_BYTES_MAX = 64 * 1024;
/** How long it may take, once the status is there: it holds up what comes next, and its place among others. */
export const ANSWER_BODY_TIMEOUT_MS = 2_000;
/** Of what is kept of it for whoever looks for the reason, as hostile text (R-WH-09). */
export const KEPT_ANSWER_BYTES_MAX = 4 * 1024;
/** A receiver cannot ask for more patience than this (R-WH-03). */
export const RETRY_AFTER_MAX_MS = 60 * 60_000;

/** What came of one attempt. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** What the receiver has asked for with 429 or 503, in milliseconds from its answer. */
      readonly retryAfterMs?: number;
    }
  /** It may have been read all the same. */
  | { readonly kind: 'lost'; readonly reason: 'timeout' | 'connectionLost' }
  /**
   * Nothing of it was written; `notAllowed`: where the name leads may not be called (S-SSRF-02); `notWanted`:
   * the address was forgotten, or there is nothing left to tell.
   */
  | { readonly kind: 'notSent'; readonly reason: 'notReachable' | 'notAllowed' | 'notWanted' };

const SUCCESS_FROM = 200;
const SUCCESS_BEFORE = 300;
const GONE = 410;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const BROKEN_FROM = 500;

/** Any 2xx is one; a redirect is none, and is not followed (R-WH-03). */
export function isAcknowledgement(statusCode: number): boolean {
  return statusCode >= SUCCESS_FROM && statusCode < SUCCESS_BEFORE;
}

/** Whether that ends the delivery. */
export function isAcknowledged(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && isAcknowledgement(outcome.statusCode);
}

/** Whether nobody is to be told that any more: there is no further attempt. */
export function isNotWanted(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'notSent' && outcome.reason === 'notWanted';
}

/** Whether the receiver wants to hear nothing any more. */
export function isGone(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.statusCode === GONE;
}

/**
 * Whether it shows that its receiver is down or overloaded, so that others should not be tried either. A
 * receiver that refuses one notification may take the next one.
 */
export function isOutage(outcome: AttemptOutcome): boolean {
  if (outcome.kind !== 'answered') return true;
  return outcome.statusCode >= BROKEN_FROM || outcome.statusCode === TOO_MANY;
}

/**
 * Whether a receiver may have refused the secret that was used, so that the other one that is valid is tried
 * at once: known clients answer that with 401, 404 or 500 (wire contract 9).
 */
export function mayKnowOtherSecret(outcome: AttemptOutcome): boolean {
  if (outcome.kind !== 'answered' || isAcknowledged(outcome)) return false;
  return ![GONE, TOO_MANY, UNAVAILABLE].includes(outcome.statusCode);
}

/** How long the receiver wants to be left alone, in milliseconds, within the limit; 0: it has not said. */
export function wantedPauseMs(outcome: AttemptOutcome): number {
  if (outcome.kind !== 'answered') return 0;
  const { statusCode, retryAfterMs = 0 } = outcome;
  if (statusCode !== TOO_MANY && statusCode !== UNAVAILABLE) return 0;
  return Math.min(Math.max(retryAfterMs, 0), RETRY_AFTER_MAX_MS);
}
