import type { MerchantAccountId, notPerformedReasons } from '@sluice/contracts';
import { type Choice, chooseRoute, picked } from './choose-route.js';
import { unmetCondition } from './route-conditions.js';
import type { Installation, PlacedRoute, RoutedPayment } from './routed-payment.js';

/** Why nothing was performed, as events say it. */
export type NotPerformedReason = (typeof notPerformedReasons)[number];

/** What became of one attempt to pay. */
export type AttemptOutcome =
  | { readonly kind: 'notPerformed'; readonly reason: NotPerformedReason }
  | {
      readonly kind: 'declined';
      /** Whether another route may be asked at once (`mayTakeOtherRoute` of the decline, B12). */
      readonly mayTakeOtherRoute: boolean;
    }
  | { readonly kind: 'approved' | 'pending' | 'unknown' };

/** One attempt to pay. */
export interface Attempt {
  readonly merchantAccountId: MerchantAccountId;
  readonly outcome: AttemptOutcome;
}

/** Why a payment takes no further route: the outcome of its last attempt is its own. */
export type NoFurtherRoute =
  /** An attempt has booked, may have, or still may. */
  | 'mayBeBooked'
  /** The issuer said no, and the network does not advise to ask again elsewhere. */
  | 'declined'
  /** Nothing was booked, and another route would not help. */
  | 'wouldNotHelp'
  | 'attemptsExceeded'
  /** Every account that it may go to was tried. */
  | 'noOtherRoute';

/**
 * Each may take seconds before it is known that nothing was sent, and the merchant's request waits
 * for 25 s at most (D-03).
 */
export const ATTEMPTS_MAX = 3;

/**
 * How many acquirers may decline a payment: after the first one, one more is asked. Networks count
 * every attempt, those of the merchant too: VISA lets a card be tried fifteen times in thirty days,
 * and charges for more.
 */
export const DECLINES_MAX = 2;

/**
 * After which failures another route may be tried: only where it is certain that nothing was booked,
 * and will not be. `mayBeBooked` of `notFound`: an acquirer that knows nothing of a request may still
 * be about to receive it (D-27).
 */
export const failovers: Readonly<
  Record<NotPerformedReason, 'otherRoute' | 'wouldNotHelp' | 'mayBeBooked'>
> = {
  notReachable: 'otherRoute',
  givenUpBeforeSending: 'otherRoute',
  sendWindowOver: 'otherRoute',
  refused: 'otherRoute',
  unsupported: 'otherRoute',
  bulkheadFull: 'otherRoute',
  // The command is too old: nobody waits for it any more.
  expired: 'wouldNotHelp',
  cardGone: 'wouldNotHelp',
  registrationForgotten: 'wouldNotHelp',
  // Found out by recovery, long after the request.
  neverSent: 'wouldNotHelp',
  notFound: 'mayBeBooked',
};

/**
 * Where a payment goes after attempts that failed: to an account that has not been tried. None is
 * tried again, or one that refuses at once would take all attempts. Once an acquirer has declined it,
 * only routes are left that take what was declined.
 */
export function nextRoute(
  payment: RoutedPayment,
  routes: readonly PlacedRoute[],
  installation: Installation,
  attempts: readonly Attempt[],
): Choice | { readonly kind: 'none'; readonly reason: NoFurtherRoute } {
  if (attempts.length === 0) return chooseRoute(payment, routes, installation);
  const reasons = attempts.map(({ outcome }) => endedBy(outcome));
  if (reasons.includes('mayBeBooked')) return { kind: 'none', reason: 'mayBeBooked' };
  const reason = reasons.find((each) => each !== undefined);
  if (reason !== undefined) return { kind: 'none', reason };
  const declines = attempts.filter(({ outcome }) => outcome.kind === 'declined').length;
  if (attempts.length >= ATTEMPTS_MAX || declines >= DECLINES_MAX) {
    return { kind: 'none', reason: 'attemptsExceeded' };
  }
  const left = routes.filter(
    (placed) =>
      unmetCondition(placed, payment, installation) === undefined &&
      (declines === 0 || placed.route.takesDeclined === true) &&
      !attempts.some(({ merchantAccountId }) => merchantAccountId === placed.account?.id),
  );
  return left.length === 0
    ? { kind: 'none', reason: 'noOtherRoute' }
    : picked(payment, left, installation, attempts.length);
}

function endedBy(outcome: AttemptOutcome): NoFurtherRoute | undefined {
  switch (outcome.kind) {
    case 'notPerformed': {
      const failover = failovers[outcome.reason];
      return failover === 'otherRoute' ? undefined : failover;
    }
    case 'declined':
      return outcome.mayTakeOtherRoute ? undefined : 'declined';
    case 'approved':
    case 'pending':
    case 'unknown':
      return 'mayBeBooked';
  }
}
