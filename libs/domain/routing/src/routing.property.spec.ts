import { describe, expect, it } from '@jest/globals';
import type { Mode, NodeRouting, Route } from '@sluice/contracts';
import { isKnown } from '@sluice/result-codes';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { chooseRoute } from './choose-route.js';
import { type Attempt, type AttemptOutcome, nextRoute } from './next-route.js';
import { type Installation, type RoutedPayment, routesOf } from './routed-payment.js';
import { account, accountId, endpoint, node, of, paymentId, routeId } from './routing-fixture.js';

const RUNS = 3_000;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed, as in the other tests that draw; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();

const DIGITS = Array.from({ length: 16 }, (_, number) => number.toString(16));
/** Most conditions are absent, or hardly a payment would have two routes to choose from. */
const mostlyAbsent = { nil: undefined, freq: 2 } as const;
const modes = fc.uniqueArray(fc.constantFrom<Mode>('INTERNAL', 'EXTERNAL', 'LIVE'), {
  minLength: 1,
});
const someOf = <Value>(...values: readonly Value[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), mostlyAbsent);
const currencyCode = fc.constantFrom('EUR', 'EUR', 'EUR', 'USD');
const bound = fc.option(
  fc.record({ code: currencyCode, minor: fc.bigInt({ min: 0n, max: 9n }) }),
  mostlyAbsent,
);

const drawnRoute = fc.record({
  account: fc.constantFrom(...DIGITS),
  modes,
  methods: someOf('CC', 'DD'),
  brands: someOf('VISA', 'MASTER'),
  binCountries: someOf('DE', 'FR'),
  from: bound,
  to: bound,
  takesDeclined: fc.boolean(),
  priority: fc.nat(1),
  weight: fc.integer({ min: 1, max: 5 }),
});
const drawnPath = fc.array(fc.array(drawnRoute, { maxLength: 5, size: 'max' }), {
  ...{ maxLength: 3, size: 'max' as const },
});
const drawnPayment = fc.record(
  {
    id: fc.nat().map(paymentId),
    mode: fc.constantFrom<Mode>('INTERNAL', 'EXTERNAL', 'LIVE'),
    method: fc.constantFrom('CC', 'DD'),
    amount: fc
      .record({ code: currencyCode, minor: fc.bigInt({ min: 1n, max: 9n }) })
      .map(({ code, minor }) => of(code, minor)),
    brand: fc.constantFrom('VISA', 'MASTER'),
    binCountry: fc.constantFrom('DE', 'FR'),
  },
  { requiredKeys: ['id', 'mode', 'method', 'amount'] },
) as fc.Arbitrary<RoutedPayment>;
const drawnInstallation = fc.record({
  connectors: fc
    .uniqueArray(fc.constantFrom(...DIGITS))
    .map((digits) => digits.map((digit) => `acquirer-${digit}`)),
  simulator: fc.constant('simulator'),
});
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Accounts with an odd digit have no endpoint for tests. */
function nodesOf(path: Drawn<typeof drawnPath>): readonly NodeRouting[] {
  return path.map((routes, level) => {
    const made = routes.map(({ account: digit, from, to, ...others }, index): Route => {
      const drawn = {
        ...others,
        amountFrom: from && of(from.code, from.minor),
        amountTo: to && of(to.code, to.minor),
      };
      const said = Object.entries(drawn).filter(([, value]) => value !== undefined);
      const ids = {
        id: routeId(DIGITS[level * 5 + index]!),
        merchantAccountId: accountId(digit),
      };
      return { ...ids, ...Object.fromEntries(said) } as unknown as Route;
    });
    const { nodeId } = node(DIGITS[level]!);
    const merchantAccounts = DIGITS.map((digit, number) =>
      account(digit, number % 2 === 0 ? {} : { endpoints: { LIVE: endpoint } }),
    );
    return { nodeId, merchantAccounts, routes: made };
  });
}

/** The conditions of a route, said a second time. */
function mayTake(route: Route, payment: RoutedPayment, { connectors }: Installation): boolean {
  const { mode, method, brand, binCountry, amount } = payment;
  const digit = route.merchantAccountId[0]!;
  if (!route.modes.includes(mode)) return false;
  if (mode === 'EXTERNAL' && DIGITS.indexOf(digit) % 2 === 1) return false;
  if (mode !== 'INTERNAL' && !connectors.includes(`acquirer-${digit}`)) return false;
  if (route.methods && !route.methods.includes(method)) return false;
  if (route.brands && !(brand && route.brands.includes(brand))) return false;
  if (route.binCountries && !(binCountry && route.binCountries.includes(binCountry))) return false;
  const { amountFrom: from, amountTo: to } = route;
  if (from && (from.currency !== amount.currency || amount.minor < from.minor)) return false;
  return !(to && (to.currency !== amount.currency || amount.minor > to.minor));
}

const outcome = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constant<AttemptOutcome>({ kind: 'notPerformed', reason: 'refused' }),
  },
  {
    weight: 2,
    arbitrary: fc.constant<AttemptOutcome>({ kind: 'declined', mayTakeOtherRoute: true }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<AttemptOutcome>(
      { kind: 'notPerformed', reason: 'notFound' },
      { kind: 'declined', mayTakeOtherRoute: false },
      { kind: 'unknown' },
      { kind: 'pending' },
    ),
  },
);

describe(`any payment among any routes (TEST_SEED=${SEED} repeats them)`, () => {
  it('takes a route that it may take, of the nearest node and the first place, always the same', () => {
    const seen = { route: 0, refused: 0, simulator: 0, drawn: 0 };
    const check = (path: Drawn<typeof drawnPath>, payment: RoutedPayment, here: Installation) => {
      const nodes = nodesOf(path);
      const open = nodes.map(({ routes }) => routes.filter((each) => mayTake(each, payment, here)));
      const routes = routesOf(nodes);
      const choice = chooseRoute(payment, routes, here);
      seen[choice.kind] += 1;
      expect(chooseRoute(payment, [...routes].reverse(), here)).toEqual(choice);
      switch (choice.kind) {
        case 'route': {
          const nearest = open.find((each) => each.length > 0)!;
          const first = Math.min(...nearest.map(({ priority }) => priority));
          const taken = nearest.find(({ id }) => id === choice.routeId);
          expect(taken).toMatchObject({
            ...{ merchantAccountId: choice.merchantAccountId, priority: first },
          });
          expect(choice.connector === 'simulator').toBe(payment.mode === 'INTERNAL');
          expect(choice.reason.candidates).toBe(open.flat().length);
          if (choice.reason.rule === 'weight') seen.drawn += 1;
          break;
        }
        case 'refused':
          expect(open.flat()).toEqual([]);
          expect(isKnown(choice.resultCode)).toBe(true);
          break;
        case 'simulator':
          expect(payment.mode).toBe('INTERNAL');
          expect(
            nodes.some((each) => each.routes.some(({ modes: of }) => of.includes('INTERNAL'))),
          ).toBe(false);
      }
    };
    fc.assert(fc.property(drawnPath, drawnPayment, drawnInstallation, check), {
      ...{ numRuns: RUNS, seed: SEED_NUMBER },
    });
    // The drawn payments must be worth something: all of this happened to many of them.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(RUNS / 60);
  }, 60_000);

  it('goes on only while nothing can be booked, and to no account twice', () => {
    let [failovers, retries] = [0, 0];
    const check = (
      path: Drawn<typeof drawnPath>,
      payment: RoutedPayment,
      outcomes: readonly AttemptOutcome[],
    ) => {
      const routes = routesOf(nodesOf(path));
      const here = { connectors: DIGITS.map((digit) => `acquirer-${digit}`), simulator: 's' };
      const attempts: Attempt[] = [];
      for (const each of outcomes) {
        const choice = nextRoute(payment, routes, here, attempts);
        if (choice.kind !== 'route') break;
        if (attempts.length > 0) failovers += 1;
        const declines = attempts.filter(({ outcome: { kind } }) => kind === 'declined').length;
        if (declines > 0) retries += 1;
        expect(declines).toBeLessThan(2);
        const taken = routes.find(({ route }) => route.id === choice.routeId);
        expect(declines === 0 || taken?.route.takesDeclined === true).toBe(true);
        const tried = attempts.map(({ merchantAccountId }) => merchantAccountId);
        expect(tried).not.toContain(choice.merchantAccountId);
        const isClear = attempts.every(
          ({ outcome: { kind, ...more } }) =>
            (kind === 'notPerformed' && 'reason' in more && more.reason === 'refused') ||
            (kind === 'declined' && 'mayTakeOtherRoute' in more && more.mayTakeOtherRoute),
        );
        expect(isClear).toBe(true);
        attempts.push({ merchantAccountId: choice.merchantAccountId, outcome: each });
      }
      expect(attempts.length).toBeLessThanOrEqual(3);
    };
    const drawnOutcomes = fc.array(outcome, { minLength: 1, maxLength: 6 });
    fc.assert(fc.property(drawnPath, drawnPayment, drawnOutcomes, check), {
      ...{ numRuns: RUNS, seed: SEED_NUMBER },
    });
    expect(failovers).toBeGreaterThan(RUNS / 20);
    expect(retries).toBeGreaterThan(RUNS / 60);
  }, 60_000);
});
