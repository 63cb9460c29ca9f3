import { describe, expect, it } from '@jest/globals';
import type { Attempt } from '@sluice/kill-test';
import { failureOf, paymentFigures } from './payment-figures.js';
import { APPROVED, DECLINED, type Sample } from './payment-flow.js';

function sample(attempt: Attempt, times: Partial<Sample> = {}): Sample {
  return { reference: 'drill-1', sentAtMs: 0, tookMs: 10, asked: APPROVED, ...times, attempt };
}

const paid: Attempt = { kind: 'answered', status: 200, code: APPROVED, id: '1' };

describe('a payment', () => {
  it('has not failed when it ended as asked, a decline too', () => {
    expect(failureOf(sample(paid))).toBeUndefined();
    const declined: Attempt = { kind: 'answered', status: 200, code: DECLINED };
    expect(failureOf(sample(declined, { asked: DECLINED }))).toBeUndefined();
  });

  it.each<[string, Attempt]>([
    ['connection refused', { kind: 'notSent' }],
    ['socket hang up', { kind: 'indefinite', why: 'socket hang up' }],
    ['HTTP 503 800.800.800', { kind: 'answered', status: 503, code: '800.800.800' }],
    ['answered 000.200.000', { kind: 'answered', status: 200, code: '000.200.000' }],
    ['answered without a code', { kind: 'answered', status: 200, code: '' }],
    [`answered ${DECLINED}`, { kind: 'answered', status: 200, code: DECLINED }],
  ])('has failed: %s', (failure, attempt) => {
    expect(failureOf(sample(attempt))).toBe(failure);
  });
});

describe('the figures', () => {
  it('count each way to fail', () => {
    const refused = sample({ kind: 'notSent' });
    const figures = paymentFigures([sample(paid), refused, refused]);
    expect(figures).toMatchObject({ sent: 3, failed: 2, failures: { 'connection refused': 2 } });
  });

  it('have the times of all', () => {
    const samples = Array.from({ length: 100 }, (_each, index) =>
      sample(paid, { tookMs: index + 1 }),
    );
    expect(paymentFigures(samples)).toMatchObject({ p50Ms: 50, p99Ms: 99, maxMs: 100 });
  });

  it('have the longest time without an answer as asked', () => {
    const samples = [0, 100, 2_100, 2_200].map((sentAtMs) => sample(paid, { sentAtMs }));
    const between = sample({ kind: 'notSent' }, { sentAtMs: 1_000 });
    expect(paymentFigures([...samples, between]).longestGapMs).toBe(2_000);
  });

  it('are zero of nothing', () => {
    expect(paymentFigures([])).toMatchObject({ sent: 0, p99Ms: 0, maxMs: 0, longestGapMs: 0 });
  });
});
