import { describe, expect, it } from '@jest/globals';
import { Throttles, workOf } from './throttles.js';

const limits = { perSecond: 1, burst: 2 };
const at = (nowMs: number) => ({ monotonicMs: () => nowMs });

describe('reading and paying', () => {
  it('are told apart by the method', () => {
    expect(['GET', 'HEAD', 'POST', 'DELETE'].map(workOf)).toEqual([
      ...['reading', 'reading'],
      ...['paying', 'paying'],
    ]);
  });

  it('have a limit each: reading too much stops no payment', () => {
    const throttles = new Throttles({ paying: limits, reading: { ...limits, burst: 3 } }, at(0));
    const admitted = (work: 'paying' | 'reading') =>
      Array.from({ length: 5 }, () => throttles.admits(work, 'a', 'e')).filter(Boolean).length;
    expect(admitted('reading')).toBe(3);
    expect(admitted('paying')).toBe(2);
  });

  it('are told to the other instances apart, and shared apart', () => {
    let nowMs = 0;
    const clock = { monotonicMs: () => nowMs };
    const wide = { perSecond: 10, burst: 10 };
    const [one, other] = [0, 1].map(() => new Throttles({ paying: wide, reading: wide }, clock));
    for (let count = 0; count < 40; count += 1) one?.admits('reading', 'a', 'e');
    one?.admits('paying', 'a', 'e');
    for (let count = 0; count < 40; count += 1) other?.admits('reading', 'a', 'e');
    nowMs = 2_000;
    const own = one?.demands() ?? {};
    const theirs = other?.demands() ?? {};
    expect([Object.keys(own).length, Object.keys(theirs).length]).toEqual([2, 1]);
    const demands = Object.fromEntries(
      Object.entries(theirs).map(([key, demand]) => [key, [demand]]),
    );
    one?.hear({ instances: 2, demands });
    nowMs = 4_000;
    const admitted = (work: 'paying' | 'reading') =>
      Array.from({ length: 20 }, () => one?.admits(work, 'a', 'e')).filter(Boolean).length;
    expect([admitted('reading'), admitted('paying')]).toEqual([5, 10]);
  });
});
