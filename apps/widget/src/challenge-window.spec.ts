import { describe, expect, it } from '@jest/globals';
import { challengeSize } from './challenge-window.js';

describe('the size of a window for a challenge', () => {
  it('is one of five, as a number or as 3-D Secure writes it', () => {
    expect([1, 5, '3', '04'].map(challengeSize)).toEqual([1, 5, 3, 4]);
  });

  it.each([0, 6, 1.5, '', '005', '6', true, null, {}])('is not %j', (said) => {
    expect(challengeSize(said)).toBeUndefined();
  });
});
