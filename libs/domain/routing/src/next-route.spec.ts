import { describe, expect, it } from '@jest/globals';
import { notPerformedReasons, type NodeRouting } from '@sluice/contracts';
import { chooseRoute } from './choose-route.js';
import {
  type Attempt,
  type AttemptOutcome,
  ATTEMPTS_MAX,
  DECLINES_MAX,
  nextRoute,
} from './next-route.js';
import { type RoutedPayment, routesOf } from './routed-payment.js';
import { account, accountId, installation, node, payment, route } from './routing-fixture.js';

const path: readonly NodeRouting[] = [
  node('1', route('a', { priority: 0 }), route('b', { priority: 1 }), route('c', { priority: 2 })),
  node('2', route('d'), route('e', { brands: ['AMEX'] })),
];
const failed = (outcome: AttemptOutcome, digit = 'a'): Attempt => ({
  merchantAccountId: accountId(digit),
  outcome,
});
const notReachable = { kind: 'notPerformed', reason: 'notReachable' } as const;
const next = (
  attempts: readonly Attempt[],
  changes: Partial<RoutedPayment> = {},
  nodes: readonly NodeRouting[] = path,
) => nextRoute({ ...payment, ...changes }, routesOf(nodes), installation, attempts);
const none = (reason: string) => ({ kind: 'none', reason });

describe('a payment that was not attempted', () => {
  it('goes where a new one goes', () => {
    expect(next([])).toEqual(chooseRoute(payment, routesOf(path), installation));
    expect(next([], { mode: 'INTERNAL' }).kind).toBe('simulator');
    expect(next([], {}, [])).toMatchObject({ kind: 'refused', resultCode: '600.200.700' });
  });
});

describe('a payment whose attempt certainly booked nothing', () => {
  it.each([
    ...([
      'notReachable',
      'givenUpBeforeSending',
      'sendWindowOver',
      'refused',
      'unsupported',
    ] as const),
    'bulkheadFull' as const,
  ])('goes to the next account: %s', (reason) => {
    expect(next([failed({ kind: 'notPerformed', reason })])).toMatchObject({
      ...{ kind: 'route', merchantAccountId: accountId('b') },
      reason: { rule: 'priority', candidates: 3 },
    });
  });

  it('goes on, also to accounts of nodes above', () => {
    expect(next([failed(notReachable), failed(notReachable, 'b')])).toMatchObject({
      merchantAccountId: accountId('c'),
    });
    const two = [node('1', route('a')), node('2', route('d'))];
    expect(next([failed(notReachable)], {}, two)).toMatchObject({
      ...{ merchantAccountId: accountId('d'), reason: { rule: 'onlyRoute', candidates: 1 } },
    });
  });

  it('goes to no account a second time, by whatever route', () => {
    const twice = [node('1', route('a'), route('b', { merchantAccountId: accountId('a') }))];
    expect(next([failed(notReachable)], {}, twice)).toEqual(none('noOtherRoute'));
  });

  it('goes nowhere where it does not meet the conditions', () => {
    const two = [node('1', route('a'), route('b', { brands: ['AMEX'] }))];
    expect(next([failed(notReachable)], {}, two)).toEqual(none('noOtherRoute'));
    expect(next([failed(notReachable)], { brand: 'AMEX' }, two)).toMatchObject({
      merchantAccountId: accountId('b'),
    });
  });

  it('is attempted a limited number of times', () => {
    const attempts = ['a', 'b', 'c'].map((digit) => failed(notReachable, digit));
    expect(attempts).toHaveLength(ATTEMPTS_MAX);
    expect(next(attempts)).toEqual(none('attemptsExceeded'));
  });

  it.each(['expired', 'cardGone', 'registrationForgotten', 'neverSent'] as const)(
    'ends if no other route would help: %s',
    (reason) => {
      expect(next([failed({ kind: 'notPerformed', reason })])).toEqual(none('wouldNotHelp'));
    },
  );

  it('has nowhere else to go from the simulator', () => {
    expect(next([failed(notReachable)], { mode: 'INTERNAL' })).toEqual(none('noOtherRoute'));
  });

  it('draws anew where routes share a place, and the same at a repetition', () => {
    const shared = [node('1', ...['a', 'b', 'c', 'd'].map((digit) => route(digit)))];
    const first = next([], {}, shared);
    if (first.kind !== 'route') throw new Error(first.kind);
    const attempt = { merchantAccountId: first.merchantAccountId, outcome: notReachable };
    const second = next([attempt], {}, shared);
    expect(second).toMatchObject({ kind: 'route', reason: { rule: 'weight', candidates: 3 } });
    expect(second).not.toMatchObject({ merchantAccountId: first.merchantAccountId });
    expect(next([attempt], {}, shared)).toEqual(second);
  });
});

describe('a payment that may be booked', () => {
  it.each<AttemptOutcome>([
    { kind: 'approved' },
    { kind: 'pending' },
    { kind: 'unknown' },
    { kind: 'notPerformed', reason: 'notFound' },
  ])('goes nowhere else: %j', (outcome) => {
    expect(next([failed(outcome)])).toEqual(none('mayBeBooked'));
    // Whatever became of the others, and in whichever order.
    const declined = failed({ kind: 'declined', mayTakeOtherRoute: false }, 'b');
    expect(next([failed(outcome), declined])).toEqual(none('mayBeBooked'));
    expect(next([declined, failed(outcome)])).toEqual(none('mayBeBooked'));
  });

  it('is said of every reason why nothing was performed whether another route is taken', () => {
    const after = notPerformedReasons.map((reason) => [
      reason,
      next([failed({ kind: 'notPerformed', reason })]).kind,
    ]);
    const elsewhere = after.filter(([, kind]) => kind === 'route').map(([reason]) => reason);
    expect(elsewhere).toEqual([
      ...['bulkheadFull', 'sendWindowOver', 'notReachable', 'givenUpBeforeSending'],
      ...['refused', 'unsupported'],
    ]);
  });
});

describe('a declined payment', () => {
  const declined = { kind: 'declined', mayTakeOtherRoute: true } as const;
  const takesDeclined = { takesDeclined: true };
  const open = [
    node('1', ...['a', 'b', 'c', 'd'].map((digit) => route(digit, takesDeclined))),
    node('2', route('e', takesDeclined)),
  ];

  it('goes elsewhere only as the network advises', () => {
    expect(next([failed(declined)], {}, open).kind).toBe('route');
    expect(next([failed({ ...declined, mayTakeOtherRoute: false })], {}, open)).toEqual(
      none('declined'),
    );
  });

  it('goes to no route that does not say that it takes what was declined', () => {
    expect(next([failed(declined)])).toEqual(none('noOtherRoute'));
    const routes = [route('b', { takesDeclined: false }), route('c', takesDeclined)];
    const mixed = [node('1', route('a', takesDeclined), ...routes)];
    const choice = { merchantAccountId: accountId('c'), reason: { candidates: 1 } };
    expect(next([failed(declined)], {}, mixed)).toMatchObject(choice);
    // Nor after a later attempt that booked nothing: it has been declined all the same.
    expect(next([failed(declined), failed(notReachable, 'c')], {}, mixed)).toEqual(
      none('noOtherRoute'),
    );
    expect(next([failed(notReachable), failed(declined, 'c')], {}, mixed)).toEqual(
      none('noOtherRoute'),
    );
  });

  it('goes there under the conditions of every route, and to no account twice', () => {
    const other = route('b', { ...takesDeclined, brands: ['AMEX'] });
    const same = route('c', { ...takesDeclined, merchantAccountId: accountId('a') });
    const two = [node('1', route('a'), other, same)];
    expect(next([failed(declined)], {}, two)).toEqual(none('noOtherRoute'));
    expect(next([failed(declined)], { brand: 'AMEX' }, two)).toMatchObject({
      merchantAccountId: accountId('b'),
    });
  });

  it('is asked of one more acquirer, and ends with what that one says', () => {
    const twice = [failed(declined), failed(declined, 'b')];
    expect(twice).toHaveLength(DECLINES_MAX);
    expect(next(twice, {}, open)).toEqual(none('attemptsExceeded'));
    expect(next([failed(declined), failed(notReachable, 'b')], {}, open).kind).toBe('route');
  });

  it('needs no such route to begin, nor after an attempt that booked nothing', () => {
    expect(next([]).kind).toBe('route');
    expect(next([failed(notReachable)]).kind).toBe('route');
  });
});

describe('a payment that failed and was then declined', () => {
  it('goes nowhere else', () => {
    const refusal = failed({ kind: 'declined', mayTakeOtherRoute: false }, 'b');
    expect(next([failed(notReachable), refusal])).toEqual(none('declined'));
  });
});

describe('routes that changed since the first attempt', () => {
  it('are taken as they are now', () => {
    const now = [{ ...node('1', route('b')), merchantAccounts: [account('a'), account('b')] }];
    expect(next([failed(notReachable)], {}, now)).toMatchObject({
      merchantAccountId: accountId('b'),
    });
    expect(next([failed(notReachable)], {}, [node('1')])).toEqual(none('noOtherRoute'));
  });
});

describe('a payment in installments', () => {
  it('goes on to no account whose acquirer charges all of it at once', () => {
    const here = { ...installation, atOnceOnly: new Set([accountId('b'), accountId('c')]) };
    const on = (changes: Partial<RoutedPayment>) =>
      nextRoute({ ...payment, ...changes }, routesOf(path), here, [failed(notReachable)]);
    expect(on({})).toMatchObject({ merchantAccountId: accountId('b') });
    expect(on({ inInstallments: true })).toMatchObject({ merchantAccountId: accountId('d') });
  });
});
