import { describe, expect, it } from '@jest/globals';
import { decide } from './decide.js';
import { findTransaction } from './payment.js';
import {
  approved,
  given,
  id,
  initiate,
  NOON_MS,
  outcome,
  refer,
  stateAfter,
} from './payment-fixture.js';
import { lateRefundReferenceOf, nextDue, recoverySteps } from './recovery.js';
import { capabilities, DAY_MS, HOUR_MS, schedule, silent, sweep } from './recovery-fixture.js';

describe('an approval after the end (D-27)', () => {
  const notFound = [initiate('debit', 10_000), outcome(id(1), 'notPerformed')];
  it('is recorded once, never a success, and reversed at once', () => {
    given(...notFound)
      .when(outcome(id(1), 'approved', NOON_MS + HOUR_MS))
      .then({ type: 'LateApprovalReceived', data: { connectorTxId: 'acq-1' } });
    const late = stateAfter(...notFound, outcome(id(1), 'approved', NOON_MS + HOUR_MS));
    expect(decide(outcome(id(1), 'approved'), late)).toEqual([]);
    expect(findTransaction(late, id(1))?.status).toBe('notPerformed');
    const { state, attempts } = sweep(late, ({ transactionId }, nowMs) => ({
      type: 'RecordReversal',
      transactionId,
      nowMs,
      connectorTxId: 'r',
    }));
    expect(attempts).toEqual([{ afterMs: HOUR_MS, kind: 'undoLateApproval' }]);
    expect(findTransaction(state, id(1))).toMatchObject({
      status: 'notPerformed',
      lateApproval: { undoneBy: 'reversal' },
    });
  });
  it('is due within half a second, and again after each silence', () => {
    const receivedAtMs = NOON_MS + HOUR_MS;
    const late = stateAfter(...notFound, outcome(id(1), 'approved', receivedAtMs));
    const due = (afterMs: number) =>
      (nextDue(late, receivedAtMs + afterMs, capabilities, schedule) ?? 0) - receivedAtMs;
    // The writer asks some milliseconds after the event's own time.
    expect([due(0), due(20), due(600), due(6_000)]).toEqual([500, 500, 5_000, 30_000]);
  });
  it('is found by the inquiry an hour after a not-found', () => {
    const { state, attempts } = sweep(stateAfter(...notFound), (step, nowMs) =>
      step.kind === 'inquireLate'
        ? outcome(step.transactionId, 'approved', nowMs)
        : {
            type: 'RecordReversal',
            transactionId: step.transactionId,
            nowMs,
            connectorTxId: 'r',
          },
    );
    expect(attempts.map((attempt) => attempt.kind)).toEqual(['inquireLate', 'undoLateApproval']);
    expect(findTransaction(state, id(1))?.lateApproval?.undoneBy).toBe('reversal');
  });
  it('is refunded once where a reversal is too late, and the refund is inquired, not repeated', () => {
    const late = stateAfter(...notFound, outcome(id(1), 'approved', NOON_MS + DAY_MS));
    const { state, attempts } = sweep(late, (step, nowMs) => {
      const { transactionId } = step;
      if (step.kind === 'refundLateApproval') {
        const acquirerReference = lateRefundReferenceOf(transactionId);
        const request = { connector: 'simulator', acquirerReference, deadlineMs: nowMs + 22_000 };
        return { type: 'RequestLateApprovalRefund', transactionId, nowMs, request };
      }
      return { type: 'RecordLateApprovalRefund', transactionId, nowMs, connectorTxId: 'rf' };
    });
    expect(attempts.map((attempt) => attempt.kind)).toEqual([
      'refundLateApproval',
      'inquireLateRefund',
    ]);
    expect(findTransaction(state, id(1))?.lateApproval?.undoneBy).toBe('refund');
  });
  it('is no inquiry where we know that nothing was sent', () => {
    const state = stateAfter(initiate('debit', 10_000), {
      type: 'RecordOutcome',
      transactionId: id(1),
      nowMs: NOON_MS,
      outcome: { kind: 'notPerformed', reason: 'cardGone' },
    });
    expect(nextDue(state, NOON_MS, capabilities, schedule)).toBeNull();
  });
  it('is refunded from the cut-off of reversals on, and reversed before', () => {
    const state = stateAfter(...notFound, outcome(id(1), 'approved', NOON_MS + HOUR_MS));
    const kindAt = (afterMs: number) =>
      recoverySteps(state, NOON_MS + afterMs, capabilities, schedule)[0]?.kind;
    expect(kindAt(12 * HOUR_MS - 1)).toBe('undoLateApproval');
    expect(kindAt(12 * HOUR_MS)).toBe('refundLateApproval');
  });
  it('is a case where it can be neither reversed nor refunded', () => {
    const mute = { ...capabilities, canReverse: false };
    const late = stateAfter(
      ...[initiate('authorization', 10_000), outcome(id(1), 'notPerformed')],
      outcome(id(1), 'approved', NOON_MS + HOUR_MS),
    );
    expect(recoverySteps(late, NOON_MS + HOUR_MS, mute, schedule)).toEqual([
      { kind: 'openCase', transactionId: id(1) },
    ]);
  });
  it('has its refund inquired once that has surely arrived, and then on schedule', () => {
    const transactionId = id(1);
    const lateMs = NOON_MS + DAY_MS;
    const acquirerReference = lateRefundReferenceOf(transactionId);
    expect(acquirerReference).toBe(`${transactionId}-late`);
    const request = { connector: 'simulator', acquirerReference, deadlineMs: lateMs + 22_000 };
    const state = stateAfter(...[...notFound, outcome(transactionId, 'approved', lateMs)], {
      type: 'RequestLateApprovalRefund',
      transactionId,
      nowMs: lateMs,
      request,
    });
    const arrivedMs = lateMs + 22_000 + 20_500;
    expect(nextDue(state, lateMs, capabilities, schedule)).toBe(arrivedMs);
    expect(recoverySteps(state, arrivedMs - 1, capabilities, schedule)).toEqual([]);
    expect(nextDue(state, arrivedMs, capabilities, schedule)).toBe(arrivedMs + 5_000);
    const mute = { ...capabilities, canInquire: false };
    expect(recoverySteps(state, arrivedMs, mute, schedule)).toEqual([
      { kind: 'openCase', transactionId },
    ]);
  });
  it('that nobody undoes becomes a case', () => {
    const late = stateAfter(...notFound, outcome(id(1), 'approved', NOON_MS + HOUR_MS));
    const { state } = sweep(late, silent);
    expect(findTransaction(state, id(1))?.openCase).toBe('lateApprovalNotUndone');
  });
  it('counts a late refund as used until it is undone', () => {
    given(
      ...approved(initiate('debit', 10_000)),
      refer('refund', id(2), id(1), 6_000),
      outcome(id(2), 'notPerformed'),
      outcome(id(2), 'approved'),
    )
      .when(refer('refund', id(3), id(1), 4_001))
      .thenRejected('700.400.200');
  });
  it.each([
    ['debit', 'refund', '700.400.200'],
    ['authorization', 'capture', '700.400.100'],
  ] as const)('counts a late reversal of a %s as used until it is undone', (first, next, code) => {
    const late = [
      ...approved(initiate(first, 10_000)),
      refer('reversal', id(2), id(1)),
      outcome(id(2), 'notPerformed'),
      outcome(id(2), 'approved'),
    ];
    given(...late)
      .when(refer(next, id(3), id(1), 1))
      .thenRejected(code);
    const transactionId = id(2);
    const undone = {
      type: 'RecordReversal',
      transactionId,
      nowMs: NOON_MS,
      connectorTxId: 'r',
    } as const;
    given(...late, undone)
      .when(refer(next, id(3), id(1), 10_000))
      .then({ type: 'TransactionRequested' });
  });
});
