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
import { lateRefundReferenceOf, nextDue } from './recovery.js';
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
