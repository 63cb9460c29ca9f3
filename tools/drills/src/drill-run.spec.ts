import { describe, expect, it } from '@jest/globals';
import { faultsOf } from './drill-run.js';

const payments = {
  ...{ sent: 10, failed: 0, failures: {} },
  ...{ p50Ms: 1, p99Ms: 2, maxMs: 3, longestGapMs: 4 },
};
const comparison = { transactions: 10, bookings: 10, projected: 10, violations: [] };
const shoppers = { shoppers: 50, sales: 90, failed: 0, failures: {}, across: 50, widgets: 2 };

describe('the faults of a drill', () => {
  it('are none where nothing failed and all sides agree', () => {
    expect(faultsOf({ mayFail: false }, { payments, comparison, shoppers })).toEqual([]);
  });

  it('are payments that failed, unless they may, and sides that disagree', () => {
    const failed = { ...payments, failed: 2 };
    const violation = { rule: 'booked twice', subject: 'a', sentence: '2 approved bookings' };
    const wrong = { payments: failed, comparison: { ...comparison, violations: [violation] } };
    const disagree = 'The sides disagree in 1 places.';
    expect(faultsOf({ mayFail: false }, wrong)).toEqual(['2 of 10 payments failed.', disagree]);
    expect(faultsOf({ mayFail: true }, wrong)).toEqual([disagree]);
  });

  it('are payments that their issuers asked about and that were not made', () => {
    const counts = { challenges: 50, meanwhile: 25, longestMs: 10 };
    const figures = { payments, comparison, challenges: { ...counts, failed: 0, failures: {} } };
    expect(faultsOf({ mayFail: false }, figures)).toEqual([]);
    const lost = { ...counts, failed: 2, failures: { 'return: HTTP 503': 2 } };
    expect(faultsOf({ mayFail: false }, { ...figures, challenges: lost })).toEqual([
      '2 of 50 challenged payments failed.',
    ]);
  });

  it('are shoppers who could not pay, and a drill that none of them has noticed', () => {
    const unnoticed = { ...shoppers, failed: 3, across: 0 };
    expect(faultsOf({ mayFail: false }, { payments, comparison, shoppers: unnoticed })).toEqual([
      "3 of 90 shoppers' payments failed.",
      'No checkout was open while anything was updated.',
    ]);
  });
});
