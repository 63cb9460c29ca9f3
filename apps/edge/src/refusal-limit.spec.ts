import { describe, expect, it } from '@jest/globals';
import { RefusalLimit } from './refusal-limit.js';

describe('an address that is refused again and again', () => {
  it('is not listened to after five seconds of its rate, and is again when it slows down', () => {
    let nowMs = 0;
    const limit = new RefusalLimit(2, { monotonicMs: () => nowMs });
    for (let count = 0; count < 10; count += 1) {
      expect(limit.isReached('a')).toBe(false);
      limit.refused('a');
    }
    expect([limit.isReached('a'), limit.isReached('b')]).toEqual([true, false]);
    nowMs = 499;
    expect(limit.isReached('a')).toBe(true);
    nowMs = 500;
    expect(limit.isReached('a')).toBe(false);
  });

  it('is always listened to without a limit', () => {
    const limit = new RefusalLimit(0, { monotonicMs: () => 0 });
    for (let count = 0; count < 1_000; count += 1) limit.refused('a');
    expect(limit.isReached('a')).toBe(false);
  });
});
