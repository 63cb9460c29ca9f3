import { describe, expect, it } from '@jest/globals';
import type { NodeRouting, Route } from '@sluice/contracts';
import { currency } from '@sluice/money';
import { chooseRoute, explainRoutes, mayBeTaken } from './choose-route.js';
import { type Installation, type RoutedPayment, routesOf } from './routed-payment.js';
import {
  account,
  accountId,
  endpoint,
  eur,
  installation,
  node,
  nodeId,
  of,
  payment,
  paymentId,
  route,
  routeId,
} from './routing-fixture.js';

const choose = (
  path: readonly NodeRouting[],
  changes: Partial<RoutedPayment> = {},
  here: Installation = installation,
) => chooseRoute({ ...payment, ...changes }, routesOf(path), here);
/** Of an entity with these routes of its own. */
const among = (routes: readonly Route[], changes: Partial<RoutedPayment> = {}) =>
  choose([node('1', ...routes)], changes);
const refused = (resultCode: string, unmet: string) => ({ kind: 'refused', resultCode, unmet });

describe('a payment with one route', () => {
  it('takes it, with all that the caller needs', () => {
    expect(among([route('a')])).toEqual({
      ...{ kind: 'route', routeId: routeId('a'), merchantAccountId: accountId('a') },
      ...{ connector: 'acquirer-a', endpoint, reason: { rule: 'onlyRoute', candidates: 1 } },
    });
  });

  it('goes to the test endpoint in the mode EXTERNAL', () => {
    expect(among([route('a')], { mode: 'EXTERNAL' })).toMatchObject({
      endpoint: { address: 'https://test.acquirer.example' },
    });
  });

  const conditions: [keyof Route, Partial<Route>, Partial<RoutedPayment>][] = [
    ['modes', { modes: ['LIVE'] }, { mode: 'EXTERNAL' }],
    ['methods', { methods: ['CC'] }, { method: 'DD' }],
    ['brands', { brands: ['VISA', 'MASTER'] }, { brand: 'AMEX' }],
    ['currencies', { currencies: [currency('EUR')] }, { amount: of('USD', 5_000n) }],
    ['binCountries', { binCountries: ['DE'] }, { binCountry: 'FR' }],
    ['amountFrom', { amountFrom: eur(5_000n) }, { amount: eur(4_999n) }],
    ['amountTo', { amountTo: eur(5_000n) }, { amount: eur(5_001n) }],
    ['amountFrom', { amountFrom: eur(1n) }, { amount: of('USD', 5_000n) }],
    ['amountTo', { amountTo: eur(9_999n) }, { amount: of('USD', 5_000n) }],
  ];

  it.each(conditions)('takes it if %s allows, and otherwise not: %p %p', (_, condition, other) => {
    const routes = [route('a', condition)];
    expect(among(routes)).toMatchObject({ kind: 'route' });
    expect(among(routes, other)).toMatchObject({ kind: 'refused' });
  });

  it('does not take it for what is not known of it', () => {
    const { brand: _, binCountry: __, ...unknown } = payment;
    const choice = (condition: Partial<Route>) =>
      chooseRoute(unknown, routesOf([node('1', route('a', condition))]), installation).kind;
    expect(choice({})).toBe('route');
    expect(choice({ brands: ['VISA'] })).toBe('refused');
    expect(choice({ binCountries: ['DE'] })).toBe('refused');
  });

  it('takes it for amounts that no number could hold', () => {
    const minor = 90_071_992_547_409_931n;
    const routes = [route('a', { amountFrom: eur(minor), amountTo: eur(minor) })];
    expect(among(routes, { amount: eur(minor) }).kind).toBe('route');
    expect(among(routes, { amount: eur(minor - 1n) }).kind).toBe('refused');
    expect(among(routes, { amount: eur(minor + 1n) }).kind).toBe('refused');
  });
});

describe('a payment with several routes', () => {
  it('takes the one that comes first, and says among how many', () => {
    const routes = [route('a', { priority: 2 }), route('b', { priority: 1 })];
    expect(among(routes)).toMatchObject({
      ...{ merchantAccountId: accountId('b'), reason: { rule: 'priority', candidates: 2 } },
    });
  });

  it('takes the next one if it does not meet the conditions of the first', () => {
    const routes = [route('a', { priority: 2 }), route('b', { priority: 1, brands: ['AMEX'] })];
    expect(among(routes)).toMatchObject({
      ...{ merchantAccountId: accountId('a'), reason: { rule: 'onlyRoute', candidates: 1 } },
    });
  });

  it('draws by weight among those of one place, and says what it drew', () => {
    const routes = [route('a', { weight: 70 }), route('b', { weight: 30 })];
    const choice = among([...routes, route('c', { priority: 1 })]);
    if (choice.kind !== 'route') throw new Error(choice.kind);
    const { rule, candidates, weight, weights, drawn } = choice.reason;
    expect({ rule, candidates, weights }).toEqual({ rule: 'weight', candidates: 3, weights: 100 });
    expect(drawn).toBeGreaterThanOrEqual(0);
    expect([choice.merchantAccountId, weight]).toEqual(
      (drawn ?? 0) < 70 ? [accountId('a'), 70] : [accountId('b'), 30],
    );
  });

  it('draws the same again, in whichever order the routes come', () => {
    const routes = [route('a'), route('b'), route('c')];
    for (let number = 0; number < 50; number += 1) {
      const id = paymentId(number);
      expect(among([...routes].reverse(), { id })).toEqual(among(routes, { id }));
    }
  });

  it('draws what it drew in every release: a repetition may come after an update', () => {
    const routes = [route('a'), route('b'), route('c'), route('d')];
    const accounts = Array.from({ length: 12 }, (_, number) => {
      const choice = among(routes, { id: paymentId(number) });
      return choice.kind === 'route' ? choice.merchantAccountId[0] : choice.kind;
    });
    // The first 6 bytes of SHA-256 of "<id>:0", modulo 4, computed elsewhere.
    expect(accounts.join('')).toBe('caccdaacbadb');
  });

  it('is spread by weight', () => {
    const routes = [
      route('a', { weight: 700 }),
      route('b', { weight: 250 }),
      route('c', { weight: 50 }),
    ];
    const taken = new Map<string, number>();
    for (let number = 0; number < 10_000; number += 1) {
      const choice = among(routes, { id: paymentId(number) });
      const digit = choice.kind === 'route' ? (choice.merchantAccountId[0] ?? '') : choice.kind;
      taken.set(digit, (taken.get(digit) ?? 0) + 1);
    }
    // Four standard deviations of so many draws are below 200; the draws are always the same.
    expect(Math.abs((taken.get('a') ?? 0) - 7_000)).toBeLessThan(200);
    expect(Math.abs((taken.get('b') ?? 0) - 2_500)).toBeLessThan(200);
    expect(Math.abs((taken.get('c') ?? 0) - 500)).toBeLessThan(100);
  });
});

describe('an entity below others', () => {
  it('takes its own route before one of a node above, whatever their priority', () => {
    const path = [node('1', route('a', { priority: 9 })), node('2', route('b', { priority: 0 }))];
    expect(choose(path)).toMatchObject({
      ...{ merchantAccountId: accountId('a'), reason: { rule: 'priority', candidates: 2 } },
    });
  });

  it('takes one of a node above if it meets the conditions of none of its own', () => {
    const path = [node('1', route('a', { brands: ['AMEX'] })), node('2'), node('3', route('b'))];
    expect(choose(path)).toMatchObject({ merchantAccountId: accountId('b') });
  });

  it('may use an account of a node above', () => {
    const own = { nodeId: nodeId('1'), merchantAccounts: [], routes: [route('a')] };
    const above = { nodeId: nodeId('2'), merchantAccounts: [account('a')], routes: [] };
    expect(choose([own, above])).toMatchObject({ merchantAccountId: accountId('a') });
  });

  it('never lends its account to a node above, nor takes one that is beside it', () => {
    const own = { nodeId: nodeId('1'), merchantAccounts: [account('a')], routes: [] };
    const above = { nodeId: nodeId('2'), merchantAccounts: [], routes: [route('a')] };
    expect(choose([own, above])).toEqual(refused('600.200.500', 'merchantAccount'));
    expect(choose([above])).toEqual(refused('600.200.500', 'merchantAccount'));
  });

  it('has its own account where one above has the same id', () => {
    const own = { ...node('1', route('a')), merchantAccounts: [account('a', { name: 'own' })] };
    const [placed] = routesOf([own, node('2', route('a'))]);
    expect(placed?.account?.name).toBe('own');
  });
});

describe('a refused payment is told how far its configuration goes', () => {
  const refusals: readonly [string, readonly Partial<Route>[], string, string][] = [
    ['has no route', [], '600.200.700', 'mode'],
    ['has none of its mode', [{ modes: ['EXTERNAL'] }], '600.200.700', 'mode'],
    ['has none of its method', [{ methods: ['DD'] }], '600.200.201', 'method'],
    ['has none of its brand', [{ brands: ['AMEX'] }], '600.200.800', 'brand'],
    ['has none of its currency', [{ currencies: [currency('USD')] }], '600.200.500', 'currency'],
    ['has none of its country', [{ binCountries: ['FR'] }], '600.200.500', 'binCountry'],
    ['is too small', [{ amountFrom: eur(5_001n) }], '100.550.300', 'amount'],
    ['is too large', [{ amountTo: eur(4_999n) }], '100.550.301', 'amount'],
    [
      'lies between two routes',
      [{ amountTo: eur(4_999n) }, { amountFrom: eur(5_001n) }],
      ...(['600.200.500', 'amount'] as const),
    ],
  ];

  it.each(refusals)('that %s', (_, conditions, resultCode, unmet) => {
    const routes = conditions.map((condition, index) => route('abc'[index] ?? '', condition));
    expect(among(routes)).toEqual(refused(resultCode, unmet));
  });

  it('that has nothing for the mode EXTERNAL', () => {
    const live = [route('a', { modes: ['LIVE'] })];
    expect(among(live, { mode: 'EXTERNAL' })).toEqual(refused('600.200.700', 'mode'));
  });

  it('that has routes, each with another obstacle: by the furthest', () => {
    const routes = [
      route('a', { modes: ['EXTERNAL'] }),
      route('b', { methods: ['DD'] }),
      route('c', { methods: ['CC'], brands: ['AMEX'] }),
    ];
    expect(among(routes)).toEqual(refused('600.200.800', 'brand'));
  });

  it('whose accounts have no endpoint for its mode', () => {
    const liveOnly = account('a', { endpoints: { LIVE: endpoint } });
    const path = [{ ...node('1', route('a')), merchantAccounts: [liveOnly] }];
    expect(choose(path).kind).toBe('route');
    expect(choose(path, { mode: 'EXTERNAL' })).toEqual(refused('600.200.700', 'endpoint'));
  });

  it('whose connector this installation does not have, or not for its instrument', () => {
    const here = { ...installation, connectors: ['acquirer-b'] };
    const path = [node('1', route('a'))];
    expect(choose(path, {}, here)).toEqual(refused('500.100.401', 'connector'));
    expect(choose([node('1', route('a'), route('b', { priority: 1 }))], {}, here)).toMatchObject({
      merchantAccountId: accountId('b'),
    });
  });
});

describe('a payment in the mode INTERNAL', () => {
  const internal = { mode: 'INTERNAL' } as const;

  it('goes to the simulator if no route names the mode', () => {
    expect(among([route('a')], internal)).toEqual({
      ...{ kind: 'simulator', connector: 'simulator' },
      reason: { rule: 'simulator', candidates: 0 },
    });
    expect(choose([], internal).kind).toBe('simulator');
  });

  it('tries the routes that name it: the simulator plays their acquirers', () => {
    const routes = [route('a', { modes: ['INTERNAL', 'LIVE'], brands: ['VISA'] })];
    expect(among(routes, internal)).toEqual({
      ...{ kind: 'route', routeId: routeId('a'), merchantAccountId: accountId('a') },
      ...{ connector: 'simulator', reason: { rule: 'onlyRoute', candidates: 1 } },
    });
    expect(among(routes, { ...internal, brand: 'AMEX' })).toEqual(refused('600.200.800', 'brand'));
  });

  it('is refused where there is no simulator', () => {
    const { simulator: _, ...here } = installation;
    const missing = refused('500.100.401', 'connector');
    expect(choose([], internal, here)).toEqual(missing);
    expect(choose([node('1', route('a', { modes: ['INTERNAL'] }))], internal, here)).toEqual(
      missing,
    );
  });

  it('never reaches an acquirer, whose connector is here or not', () => {
    const routes = [node('1', route('a', { modes: ['INTERNAL'] }))];
    for (const connectors of [['acquirer-a'], []]) {
      const choice = choose(routes, internal, { ...installation, connectors });
      expect(choice).toMatchObject({ kind: 'route', connector: 'simulator' });
      expect(choice).not.toHaveProperty('endpoint');
    }
  });
});

describe('a payment to come', () => {
  const { id: _id, binCountry: _country, ...known } = payment;
  const may = (routes: readonly Route[], changes = {}, here = installation) =>
    mayBeTaken({ ...known, ...changes }, routesOf([node('1', ...routes)]), here);

  it('may be taken by any route whose conditions it meets', () => {
    const routes = [route('a', { brands: ['MASTER'] }), route('b', { amountTo: eur(5_000n) })];
    expect(may(routes)).toBe(true);
    expect(may(routes, { amount: eur(5_001n) })).toBe(false);
    expect(may(routes, { amount: eur(5_001n), brand: 'MASTER' })).toBe(true);
    expect(may(routes, { mode: 'EXTERNAL', method: 'DD' })).toBe(true);
    expect(may([route('a', { methods: ['CC'] })], { method: 'DD' })).toBe(false);
    expect(may([])).toBe(false);
  });

  it('may be by a card of a country that the route is for: nobody knows yet', () => {
    expect(may([route('a', { binCountries: ['FR'] })])).toBe(true);
  });

  it('may not where no connector takes what it is made with', () => {
    const notTaking = new Set([accountId('a')]);
    expect(may([route('a')], {}, { ...installation, notTaking })).toBe(false);
  });

  it('may in the mode INTERNAL where there is a simulator', () => {
    const { simulator: _, ...without } = installation;
    expect(may([route('a')], { mode: 'INTERNAL' })).toBe(true);
    expect(may([route('a')], { mode: 'INTERNAL' }, without)).toBe(false);
  });
});

describe('an explanation', () => {
  it('says of every route what a payment does not meet', () => {
    const routes = [
      route('a'),
      route('b', { brands: ['AMEX'] }),
      route('c', { modes: ['EXTERNAL'] }),
    ];
    expect(explainRoutes(payment, routesOf([node('1', ...routes)]), installation)).toStrictEqual([
      { routeId: routeId('a'), nodeId: nodeId('1') },
      { routeId: routeId('b'), nodeId: nodeId('1'), unmet: 'brand' },
      { routeId: routeId('c'), nodeId: nodeId('1'), unmet: 'mode' },
    ]);
  });
});

describe('an account whose acquirer does not take what is paid with', () => {
  const here: Installation = { ...installation, notTaking: new Set([accountId('a')]) };

  it('is passed over', () => {
    const path = [node('1', route('a'), route('b', { priority: 1 }))];
    expect(choose(path, {}, here)).toMatchObject({ merchantAccountId: accountId('b') });
  });

  it('is said to be so, where there is no other', () => {
    expect(choose([node('1', route('a'))], {}, here)).toEqual(refused('600.200.500', 'instrument'));
  });
});

describe('an account whose acquirer charges all of it at once', () => {
  const here: Installation = { ...installation, atOnceOnly: new Set([accountId('a')]) };
  const inInstallments = { inInstallments: true };

  it('is passed over where a shopper pays in installments', () => {
    const path = [node('1', route('a'), route('b', { priority: 1 }))];
    expect(choose(path, inInstallments, here)).toMatchObject({ merchantAccountId: accountId('b') });
    expect(choose(path, {}, here)).toMatchObject({ merchantAccountId: accountId('a') });
  });

  it('is said to be so, where there is no other', () => {
    const path = [node('1', route('a'))];
    const none = refused('600.200.500', 'installments');
    expect(choose(path, inInstallments, here)).toEqual(none);
    expect(choose(path, inInstallments)).toMatchObject({ merchantAccountId: accountId('a') });
  });
});

describe('an account whose endpoint cannot be used', () => {
  const here: Installation = { ...installation, unusable: new Set([accountId('a')]) };

  it('is passed over', () => {
    const path = [node('1', route('a'), route('b', { priority: 1 }))];
    expect(choose(path, {}, here)).toMatchObject({ merchantAccountId: accountId('b') });
  });

  it('is as if its connector were not there, where there is no other', () => {
    expect(choose([node('1', route('a'))], {}, here)).toEqual(refused('500.100.401', 'connector'));
  });
});
