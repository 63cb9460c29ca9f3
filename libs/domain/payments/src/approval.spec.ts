import { describe, expect, it } from '@jest/globals';
import type { CardChecks } from '@sluice/contracts';
import type { RecordOutcome, RiskAssessment } from './commands.js';
import { findTransaction } from './payment.js';
import { given, id, initiate, NOON_MS, outcome, refer, stateAfter } from './payment-fixture.js';
import { recoverySteps } from './recovery.js';
import { capabilities, MINUTE_MS, schedule } from './recovery-fixture.js';
import { ledgerOf } from './totals.js';

const review = {
  decision: 'review',
  score: 40,
  resultCode: '000.400.020',
  fired: ['code'],
} as const;
const reject = {
  decision: 'reject',
  score: 90,
  resultCode: '800.400.100',
  fired: ['street'],
} as const;
const assessment: RiskAssessment = {
  ...{ decision: 'accept', score: 7 },
  afterwards: [
    { pairs: ['NM', 'N-', 'NN'], ...reject },
    { pairs: ['FN', '-N'], ...review },
    { pairs: ['UM'], decision: 'accept', score: 9 },
  ],
};
const paid = initiate('authorization', 10_000, { assessment });
const approvedWith = (checks: CardChecks): RecordOutcome => ({
  ...outcome(id(1), 'approved'),
  outcome: { kind: 'approved', connectorTxId: 'a', ...checks },
});

describe("an acquirer's yes that rules look at", () => {
  it('is recorded as it is where they say nothing of what the issuer found', () => {
    given(paid)
      .when(approvedWith({ avsResponse: 'F', cvvResponse: 'M' }))
      .then({ type: 'TransactionApproved', data: { resultCode: '000.100.110' } });
  });

  it('is under review where they say so, with their code', () => {
    given(paid)
      .when(approvedWith({ cvvResponse: 'N' }))
      .then(
        { type: 'RiskAssessed', data: { transactionId: id(1), ...review } },
        { type: 'TransactionApproved', data: { resultCode: '000.400.020', cvvResponse: 'N' } },
      );
    given(paid, approvedWith({ cvvResponse: 'N' }))
      .when(refer('capture', id(2), id(1), 10_000))
      .thenRejected('700.400.570');
  });

  it('only has another score where they add to it alone', () => {
    given(paid)
      .when(approvedWith({ avsResponse: 'U', cvvResponse: 'M' }))
      .then(
        { type: 'RiskAssessed', data: { decision: 'accept', score: 9 } },
        { type: 'TransactionApproved', data: { resultCode: '000.100.110' } },
      );
  });

  it('is declined with their code and undone where they reject it, and reserves nothing', () => {
    const said = approvedWith({ avsResponse: 'N' });
    given(paid)
      .when(said)
      .then(
        { type: 'RiskAssessed', data: { transactionId: id(1), ...reject } },
        {
          type: 'TransactionDeclined',
          data: { resultCode: '800.400.100', connectorTxId: 'a', avsResponse: 'N' },
        },
        { type: 'LateApprovalReceived', data: { connectorTxId: 'a' } },
      );
    const state = stateAfter(paid, said);
    expect(ledgerOf(state).authorization.authorized).toBe(0n);
    const [step] = recoverySteps(state, NOON_MS + MINUTE_MS, capabilities, schedule);
    expect(step?.kind).toBe('undoLateApproval');
  });

  it('is refunded where it took money that can no longer be reversed', () => {
    const state = stateAfter(
      initiate('debit', 10_000, { assessment }),
      approvedWith({ avsResponse: 'N' }),
    );
    const late = { ...capabilities, reversalCutOffMs: () => NOON_MS };
    expect(recoverySteps(state, NOON_MS + MINUTE_MS, late, schedule)[0]?.kind).toBe(
      'refundLateApproval',
    );
  });

  it('is decided once: what is heard again, of whatever kind, changes nothing', () => {
    for (const checks of [{ avsResponse: 'N' }, { cvvResponse: 'N' }, {}] as const) {
      given(paid, approvedWith(checks))
        .when(approvedWith({ avsResponse: 'N', cvvResponse: 'N' }))
        .thenNothing();
    }
  });

  it('is decided alike by an inquiry after nobody knew', () => {
    const unknown: RecordOutcome = {
      ...outcome(id(1), 'approved'),
      outcome: { kind: 'unknown', reason: 'timeout' },
    };
    const found = { ...approvedWith({ avsResponse: 'N', cvvResponse: 'M' }), actor: 'recovery' };
    const transaction = findTransaction(stateAfter(paid, unknown, found), id(1));
    expect(transaction).toMatchObject({
      ...{ status: 'declined', resultCode: '800.400.100' },
      lateApproval: { connectorTxId: 'a' },
    });
  });

  it('has the checks that the acquirer told while it was pending', () => {
    const pending: RecordOutcome = {
      ...outcome(id(1), 'approved'),
      outcome: { kind: 'pending', connectorTxId: 'a', avsResponse: 'N', cvvResponse: 'N' },
    };
    const transaction = findTransaction(stateAfter(paid, pending, approvedWith({})), id(1));
    expect(transaction?.resultCode).toBe('800.400.100');
  });
});
