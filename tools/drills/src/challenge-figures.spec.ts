import { describe, expect, it } from '@jest/globals';
import { challengeFigures } from './challenge-figures.js';
import type { ChallengedPayment } from './challenges.js';

const paid: ChallengedPayment = {
  ...{ reference: 'drill-1-c00001', amountMinor: 9_201n, attempts: [] },
  ...{ isMeanwhile: true, tookMs: 120 },
};

describe('the figures of challenges', () => {
  it('count those that were answered meanwhile, and tell the longest', () => {
    const later = { ...paid, isMeanwhile: false, tookMs: 300 };
    expect(challengeFigures([paid, later])).toEqual({
      ...{ challenges: 2, meanwhile: 1, failed: 0, failures: {}, longestMs: 300 },
    });
  });

  it('count how others failed, and those that nobody has answered', () => {
    const { tookMs: _, ...unanswered } = paid;
    const failed = { ...unanswered, failure: 'return: HTTP 503' };
    expect(challengeFigures([paid, failed, failed, unanswered])).toMatchObject({
      failed: 3,
      failures: { 'return: HTTP 503': 2, 'its shopper never answered': 1 },
    });
  });
});
