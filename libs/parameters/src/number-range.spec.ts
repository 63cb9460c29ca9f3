import { describe, expect, it } from '@jest/globals';
import { numbersPattern } from './number-range.js';

describe('the pattern of numbers', () => {
  it.each([
    [2, 1, 98],
    [3, 100, 500],
    [3, 1, 999],
    [3, 0, 7],
    [3, 17, 17],
    [3, 109, 291],
    [4, 99, 1000],
    [1, 0, 9],
  ])('in %i digits from %i to %i takes these and no others', (digits, least, most) => {
    const pattern = new RegExp(`^(?:${numbersPattern(digits, least, most)})$`);
    for (let length = 1; length <= digits + 1; length += 1) {
      for (let number = 0; number < 10 ** length; number += 1) {
        const text = String(number).padStart(length, '0');
        const isInside = length <= digits && number >= least && number <= most;
        if (pattern.test(text) !== isInside) expect([text, !isInside]).toEqual([text, isInside]);
      }
    }
    for (const text of ['', ' 1', '1\n', '٣', '+1', '1e1']) expect(pattern.test(text)).toBe(false);
  });
});
