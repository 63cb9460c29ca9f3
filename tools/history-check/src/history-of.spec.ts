import { describe, expect, it } from '@jest/globals';
import { historyOf } from './history-of.js';
import { verdictOn } from './linearization.js';
import type { Answer, Observed, SentRequest } from './observations.js';

const APPROVED = '000.100.110';
const PENDING = '000.200.000';
const NOT_FOUND: Answer = { status: 404, code: '700.400.580' };

function answered(fromMs: number, toMs: number, code: string, minor?: number): Observed {
  const status = code === APPROVED || code === PENDING ? 200 : 400;
  const answer = { status, code, id: 'id', ...(minor === undefined ? {} : { minor }) };
  return { fromMs, toMs, answer };
}

function request(
  type: SentRequest['type'],
  attempts: Observed[],
  more: Partial<SentRequest> = {},
): SentRequest {
  return { reference: type, type, minor: 100, attempts, reads: [], ...more };
}

const lost: Observed = { fromMs: 20, toMs: 30 };
const debit = request('DB', [answered(0, 10, APPROVED)]);
const judged = (...requests: SentRequest[]) => verdictOn(historyOf({ name: 'payment', requests }));

describe('what merchants saw, as a history', () => {
  it('has one operation for all tries under one key', () => {
    const attempts = [lost, answered(40, 50, APPROVED)];
    const { operations } = historyOf({ name: 'payment', requests: [request('DB', attempts)] });
    expect(operations).toMatchObject([{ fate: 'approved', fromMs: 20, begunByMs: 50, toMs: 50 }]);
  });

  it('leaves out what was never answered and cannot be found', () => {
    const refund = request('RF', [lost], {
      on: debit,
      reads: [{ fromMs: 60, toMs: 61, answer: NOT_FOUND }],
    });
    expect(historyOf({ name: 'payment', requests: [debit, refund] }).operations).toHaveLength(1);
  });

  it('leaves out what was not executed because the gateway was busy', () => {
    const refund = request('RF', [answered(20, 30, '800.120.100')], { on: debit });
    expect(historyOf({ name: 'payment', requests: [debit, refund] }).operations).toHaveLength(1);
  });

  it('knows by a later look what a lost answer would have said', () => {
    const refund = request('RF', [lost], { on: debit, reads: [answered(60, 61, APPROVED)] });
    expect(judged(debit, refund)).toBe('linearizable');
    expect(judged(debit, refund, request('RF', [answered(70, 80, APPROVED)], { on: debit }))).toBe(
      'impossible',
    );
  });

  it.each([
    ['an approval that a later look does not find', NOT_FOUND],
    ['an approval that a later look finds declined', { status: 200, code: '800.100.152' }],
    ['an approval that a later look finds pending', { status: 200, code: PENDING }],
    ['an approval that was not performed', { status: 200, code: '900.100.310' }],
  ])('cannot have %s', (_, answer) => {
    const reads = [{ fromMs: 60, toMs: 61, answer }];
    expect(judged(request('DB', [answered(0, 10, APPROVED)], { reads }))).toBe('impossible');
  });

  it('cannot have two answers to one key', () => {
    const attempts = [answered(0, 10, '800.100.152'), answered(20, 30, APPROVED)];
    expect(judged(request('DB', attempts))).toBe('impossible');
  });

  it('holds a reversal of everything to the amount that was answered', () => {
    const authorization = request('PA', [answered(0, 10, APPROVED)]);
    const { minor: _, ...reversal } = request('RV', [], { on: authorization });
    const released = (minor: number) => ({
      ...reversal,
      attempts: [answered(20, 30, APPROVED, minor)],
    });
    expect(judged(authorization, released(100))).toBe('linearizable');
    expect(judged(authorization, released(60))).toBe('impossible');
  });
});
