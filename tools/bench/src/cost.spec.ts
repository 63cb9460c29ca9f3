import { describe, expect, it } from '@jest/globals';
import type { Account } from './account-figures.js';
import type { AccountedPair } from './against.js';
import { comparisons, isWithinLimit } from './cost.js';

function accountOf(all: number): Account {
  const switches = { voluntarySwitches: 0, involuntarySwitches: 0 };
  const node = { mainUser: all, mainKernel: 0, helpers: 0, kernel: 0, ...switches };
  const parts = [{ name: 'node', all, ...node }];
  return { rate: 150, parts, counts: new Map(), profiles: new Map() };
}

/** Looks in which a payment costs so many times what it did. */
function looks(...factors: number[]): () => Promise<readonly AccountedPair[]> {
  return () => {
    const factor = factors.shift();
    if (factor === undefined) throw new Error('That was one look too many.');
    return Promise.resolve([{ other: accountOf(2), this: accountOf(2 * factor) }]);
  };
}

const SANDBOX = { profile: 'sandbox', limit: 0.1 } as const;

describe('a payment', () => {
  it.each([
    ['passes when it costs less than a tenth more', [1.09], true],
    ['gets a second look when it costs more', [1.2, 1.05], true],
    ['fails when it costs more twice in a row', [1.2, 1.11], false],
  ])('%s', async (_, factors, passes) => {
    const lines: string[] = [];
    expect(await isWithinLimit(SANDBOX, looks(...factors), (line) => lines.push(line))).toBe(
      passes,
    );
    expect(lines).toHaveLength(factors.length);
  });

  it('has its figures said', async () => {
    const lines: string[] = [];
    await isWithinLimit(SANDBOX, looks(1.2, 1.25), (line) => lines.push(line));
    expect(lines.at(-1)).toBe(
      'CPU of a payment, sandbox: +25.0 % (+25.0 % to +25.0 %), beyond the limit of +10.0 %; attempt 2 of 2.',
    );
  });

  it('of the cluster may cost more, because its pairs are paid in turn', async () => {
    const cluster = comparisons.find(({ profile }) => profile === 'cluster');
    if (cluster === undefined) throw new Error('The cluster is not compared.');
    const said = (...factors: number[]) =>
      isWithinLimit(cluster, looks(...factors), () => undefined);
    expect(cluster.run.isTogether).toBe(false);
    expect([await said(1.24), await said(1.3, 1.26)]).toEqual([true, false]);
  });
});
