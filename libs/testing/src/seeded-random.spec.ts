import { describe, expect, it } from '@jest/globals';
import { seededRandom } from './seeded-random.js';

describe('seeded random', () => {
  it('makes the same choices from the same seed and other choices from another', () => {
    const draws = (seed: string): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.integer(0, 1_000_000));
    };
    expect(draws('one')).toEqual(draws('one'));
    expect(draws('one')).not.toEqual(draws('two'));
  });

  it('reaches both ends of a range and nothing outside', () => {
    const random = seededRandom('range');
    const seen = new Set(Array.from({ length: 500 }, () => random.integer(3, 6)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
  });

  it('gives every subject its own stream', () => {
    const random = seededRandom('seed');
    const before = random.fork('faults').fraction();
    random.fraction();
    expect(random.fork('faults').fraction()).toBe(before);
    expect(random.fork('kills').fraction()).not.toBe(before);
  });

  it('spreads its fractions evenly', () => {
    const random = seededRandom('even');
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw++) {
      const slot = Math.floor(random.fraction() * 10);
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
