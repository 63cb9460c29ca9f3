import { describe, expect, it } from '@jest/globals';
import { FetchWait } from './fetch-wait.js';

describe('the wait of a fetch', () => {
  it('is short until nothing has come for 5 s', () => {
    const wait = new FetchWait(100, 0);
    expect(wait.at(4_999)).toBe(100);
    expect(wait.at(5_000)).toBe(1_000);
  });

  it('is short again at once when something stirs', () => {
    const wait = new FetchWait(100, 0);
    wait.stirred(60_000);
    expect(wait.at(60_000)).toBe(100);
    expect(wait.at(64_999)).toBe(100);
    expect(wait.at(65_000)).toBe(1_000);
  });

  it('never becomes shorter by resting', () => {
    expect(new FetchWait(2_000, 0).at(5_000)).toBe(2_000);
  });
});
