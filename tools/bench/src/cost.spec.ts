import { describe, expect, it } from '@jest/globals';
import type { Account } from './account-figures.js';
import type { AccountedPair } from './against.js';
import { isWithinLimit } from './cost.js';

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

describe('a payment', () => {
  it.each([
    ['passes when it costs less than a tenth more', [1.09], true],
    ['gets a second look when it costs more', [1.2, 1.05], true],
    ['fails when it costs more twice in a row', [1.2, 1.11], false],
  ])('%s', async (_, factors, passes) => {
    const lines: string[] = [];
    expect(await isWithinLimit(looks(...factors), (line) => lines.push(line))).toBe(passes);
    expect(lines).toHaveLength(factors.length);
  });

  it('has its figures said', async () => {
    const lines: string[] = [];
    await isWithinLimit(looks(1.2, 1.25), (line) => lines.push(line));
    expect(lines.at(-1)).toBe(
      'CPU of a payment: +25.0 % (+25.0 % to +25.0 %), beyond the limit of +10.0 %; attempt 2 of 2.',
    );
  });
});
