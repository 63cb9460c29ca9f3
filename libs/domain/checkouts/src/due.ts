import type { Attempt, Checkout, CheckoutState } from './checkout.js';
import {
  CHECKOUT_LIFE_MS,
  PROVIDER_ASKED_WITHIN_MS,
  RESULT_CALL_AFTER_MS,
  RESULT_CALL_AGAIN_MS,
} from './session.js';

/** How soon recovery asks again, in milliseconds. */
export interface RecoveryPauses {
  /**
   * About an attempt that was submitted, and a reversal: longer than both usually take. Each further
   * reversal of a payment waits twice as long as the one before.
   */
  readonly attemptMs: number;
  /** About a shopper who is away. */
  readonly openMs: number;
}

/**
 * When somebody has to look at a checkout without a request, milliseconds since the epoch; null if
 * never. A checkout that nobody submits ends by the clock alone, so a million of them cost nothing.
 */
export function dueAtMs(
  state: CheckoutState,
  nowMs: number,
  { attemptMs, openMs }: RecoveryPauses,
): number | null {
  if (state === undefined || state.attempts.length === 0) return null;
  const times = [callAtMs(state, nowMs), attemptsDueAtMs(state, nowMs, { attemptMs, openMs })];
  return earliestOf(times);
}

function attemptsDueAtMs(
  { attempts }: Checkout,
  nowMs: number,
  { attemptMs, openMs }: RecoveryPauses,
): number | null {
  return earliestOf(attempts.map(pauseOf));

  function pauseOf(attempt: Attempt): number | null {
    switch (attempt.state) {
      case 'submitted':
        return nowMs + attemptMs;
      case 'reversing':
        return Math.max(nowMs + attemptMs, reversalDueAtMs(attempt, attemptMs));
      case 'open':
      case 'superseded':
        return nowMs + openMs;
      case 'succeeded':
      case 'failed':
      case 'reversed':
      case 'unreversed':
        return null;
    }
  }
}

/**
 * From when on a reversal that was requested may be asked for, milliseconds since the epoch, however
 * often somebody looks at the checkout meanwhile: the first one at once.
 * @param attemptMs see `RecoveryPauses`
 */
export function reversalDueAtMs(
  { reversals, reversalAtMs = 0 }: Pick<Attempt, 'reversals' | 'reversalAtMs'>,
  attemptMs: number,
): number {
  return reversals <= 1 ? reversalAtMs : reversalAtMs + attemptMs * 2 ** (reversals - 1);
}

/**
 * Whether somebody else is to be asked what its shopper has done there: those who wait for a shopper are,
 * before the page of results is called, so that it is told of who has paid and lost the way back, and when
 * the checkout is over, so that what was paid too late is not kept for long.
 */
export function isProviderToBeAsked(
  { createdAtMs, purpose }: Pick<Checkout, 'createdAtMs' | 'purpose'>,
  { state }: Pick<Attempt, 'state'>,
  nowMs: number,
): boolean {
  if (purpose !== 'payment' || (state !== 'open' && state !== 'superseded')) return false;
  const ageMs = nowMs - createdAtMs;
  const isBeforeCall =
    ageMs >= RESULT_CALL_AFTER_MS - PROVIDER_ASKED_WITHIN_MS && ageMs < RESULT_CALL_AFTER_MS;
  const isAfterEnd =
    ageMs >= CHECKOUT_LIFE_MS && ageMs < CHECKOUT_LIFE_MS + PROVIDER_ASKED_WITHIN_MS;
  return isBeforeCall || isAfterEnd;
}

function earliestOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Null where it was called, was read or deleted, or is so late that nobody could read a result any more. */
function callAtMs(checkout: Checkout, nowMs: number): number | null {
  const { createdAtMs, isServed, isDeleted, isCalled } = checkout;
  if (isServed || isDeleted || isCalled) return null;
  const firstAtMs = createdAtMs + RESULT_CALL_AFTER_MS;
  const nextAtMs = nowMs < firstAtMs ? firstAtMs : nowMs + RESULT_CALL_AGAIN_MS;
  return nextAtMs < createdAtMs + CHECKOUT_LIFE_MS ? nextAtMs : null;
}
