import { describe, expect, it } from '@jest/globals';
import { type CheckoutLoad, checkoutLines, climbLines } from './checkouts.js';

const run = (cpuSeconds: number, changes: Partial<CheckoutLoad['load']> = {}): CheckoutLoad => ({
  cpu: new Map([['node', cpuSeconds]]),
  load: {
    ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: 1_000, errors: 0 },
    ...{ p50Ms: 2, p99Ms: 8, p999Ms: 9, maxMs: 10, ...changes },
  },
});

describe('the table of checkouts', () => {
  const lines = (card: number, create: number, read: number) =>
    checkoutLines(100, [{ card: run(card), create: run(create), read: run(read) }]).join('\n');

  it('compares one made and read with a payment', () => {
    expect(lines(1.5, 0.6, 0.4)).toContain(
      'to payments: 1.50 (1.50 to 1.50), wanted at least 1.5: met',
    );
    expect(lines(1.4, 0.6, 0.4)).toContain('1.40 (1.40 to 1.40), wanted at least 1.5: MISSED');
    expect(lines(1.5, 0.6, 0.4)).toMatch(/POST \/v1\/checkouts \| 600 \| 1667 \| 2\.00 \| 8\.00/);
  });

  it('is not to be quoted where something failed', () => {
    const failed = run(1, { errors: 1, firstError: '503' });
    const text = checkoutLines(100, [{ card: failed, create: run(1), read: run(1) }]).join('\n');
    expect(text).toContain('do not quote this: 503');
  });
});

describe('the climb', () => {
  const at = (perSecond: number, changes: Partial<CheckoutLoad['load']> = {}) => ({
    perSecond,
    ...run(1, { achievedPerSecond: 2 * perSecond, ...changes }),
  });

  it('counts the highest rate that holds', () => {
    const [line] = climbLines([at(1_000), at(3_000), at(3_500, { p99Ms: 51 })]);
    expect(line).toContain('3000 a second on this machine, wanted at least 3000: met');
    const [missed] = climbLines([at(1_000), at(3_000, { achievedPerSecond: 5_000 })]);
    expect(missed).toContain('1000 a second on this machine, wanted at least 3000: MISSED');
  });

  it('says so where none does', () => {
    expect(climbLines([at(250, { errors: 3 })])).toEqual([expect.stringContaining(': 0 a second')]);
  });
});
