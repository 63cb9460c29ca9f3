import { describe, expect, it } from '@jest/globals';
import { operations } from '@sluice/contracts';
import { isKnown } from '@sluice/result-codes';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { adviceTable } from './advice-table.js';
import {
  type EarlierAttempt,
  type Initiator,
  retryAllowed,
  type WantedAttempt,
} from './retry-allowed.js';
import { accountId } from './routing-fixture.js';

const RUNS = 5_000;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed, as in the other tests that draw; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 15, 12);
const DAYS_MAX = 45;
/** Most attempts lie a few days back, as the times of most advice do. */
const ageMs = fc
  .oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 24 * DAYS_MAX }))
  .map((hours) => hours * HOUR_MS);
const attempt = {
  operation: fc.oneof(
    { weight: 3, arbitrary: fc.constant('debit' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...operations) },
  ),
  brand: fc.constantFrom('MASTER', 'MASTER', 'MASTER', 'VISA', 'AMEX'),
  by: fc.constantFrom<Initiator>('gateway', 'merchant', 'shopper'),
  account: fc.constantFrom(accountId('a'), accountId('b')),
  details: fc.constantFrom('2027-05', '2031-01'),
  isAuthenticated: fc.boolean(),
  agreementId: fc.constantFrom('1', '2'),
};
const earlierAttempt: fc.Arbitrary<EarlierAttempt> = fc
  .record({
    ...attempt,
    ageMs,
    adviceCode: fc.constantFrom(...adviceTable.map(({ code }) => code)),
    isApproved: fc.nat(9).map((number) => number === 0),
  })
  .map(({ isApproved, ageMs: age, ...drawn }) => ({
    ...{ ...drawn, decidedAtMs: NOW_MS - age },
    ...(isApproved
      ? { outcome: 'approved', resultCode: '000.000.000' }
      : { outcome: 'declined', resultCode: '800.100.155' }),
  }));
const wantedAttempt: fc.Arbitrary<WantedAttempt> = fc.record({
  ...attempt,
  nowMs: fc.constant(NOW_MS),
});

describe(`any retry after any attempts (TEST_SEED=${SEED} repeats them)`, () => {
  it('is blocked until its time and no longer, and is retried by the gateway only as advised', () => {
    const seen = { allowed: 0, blocked: 0, notAutomatic: 0 };
    const check = (earlier: readonly EarlierAttempt[], wanted: WantedAttempt) => {
      const ruling = retryAllowed(wanted, earlier);
      seen[ruling.kind] += 1;
      if (ruling.kind === 'blocked') {
        const { untilMs, resultCode, advice } = ruling;
        expect(isKnown(resultCode)).toBe(true);
        expect(untilMs ?? Infinity).toBeGreaterThan(wanted.nowMs);
        expect(earlier.some((each) => each.adviceCode === advice.code)).toBe(true);
        if (untilMs === undefined) return;
        const then = retryAllowed({ ...wanted, nowMs: untilMs }, earlier);
        expect(then.kind).not.toBe('blocked');
        expect(retryAllowed({ ...wanted, nowMs: untilMs - 1 }, earlier).kind).toBe('blocked');
      }
      // Whoever is free to retry stays free if less was declined.
      if (ruling.kind === 'allowed' && wanted.by !== 'gateway') {
        const fewer = earlier.filter(
          ({ outcome }, index) => outcome === 'approved' || index % 2 === 0,
        );
        expect(retryAllowed(wanted, fewer).kind).toBe('allowed');
      }
      if (wanted.by === 'gateway' && ruling.kind === 'allowed') {
        expect(['waited', 'otherRoute']).toContain(ruling.reason);
        // What the gateway may do by itself, the merchant may do as well.
        expect(retryAllowed({ ...wanted, by: 'merchant' }, earlier).kind).toBe('allowed');
      }
    };
    const drawnAttempts = fc.array(earlierAttempt, { maxLength: 4, size: 'max' });
    fc.assert(fc.property(drawnAttempts, wantedAttempt, check), {
      ...{ numRuns: RUNS, seed: SEED_NUMBER },
    });
    // The drawn attempts must be worth something: each ruling came up often.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(RUNS / 20);
  }, 60_000);
});
