import { describe, expect, it } from '@jest/globals';
import { random } from './random.js';

describe('random bytes from stock', () => {
  it('are as many as asked for, across the end of the stock', () => {
    for (let round = 0; round < 2_000; round += 1) expect(random(13)).toHaveLength(13);
    expect(random(8_192)).toHaveLength(8_192);
  });

  it('do not repeat', () => {
    const seen = new Set(Array.from({ length: 20_000 }, () => random(12).toString('hex')));
    expect(seen.size).toBe(20_000);
  });

  it('belong to the caller: changing them changes no later ones', () => {
    const first = random(32);
    first.fill(0);
    expect(random(32).equals(Buffer.alloc(32))).toBe(false);
  });

  it('have a bound', () => {
    expect(() => random(8_193)).toThrow(RangeError);
  });
});
