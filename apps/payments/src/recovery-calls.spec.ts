import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RecoveryStep } from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import { ScriptedConnector } from '../test/scripted-connector.js';
import { findingsOf } from './recovery-calls.js';

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const transactionId = '0194670a0000abcd0000000000000001' as TransactionId;
const reverse: Extract<RecoveryStep, { kind: 'reverse' }> = {
  kind: 'reverse',
  transactionId,
  acquirerReference: transactionId,
  original: {
    operation: 'debit',
    amount: { minor: 1_000n, currency: currency('EUR') },
    mode: 'INTERNAL',
  },
  last: false,
  inquireFirst: true,
};
const sale = {
  acquirerReference: transactionId,
  operation: 'debit',
  amount: { minor: 1_000n, currency: currency('EUR') },
  mode: 'INTERNAL',
} as const;

let connector: ScriptedConnector;
beforeEach(() => {
  connector = new ScriptedConnector();
});

const findings = (step: RecoveryStep) => findingsOf(step, connector, () => NOW_MS);

describe('a transaction that is due to be reversed (D-27)', () => {
  it.each([
    ['booked', 'approved', { kind: 'approved', connectorTxId: 'acq-1' }],
    ['declined', 'declined', { kind: 'declined', resultCode: '800.100.152' }],
    ['still deciding', 'pending', { kind: 'pending' }],
  ] as const)('is left alone when the acquirer says that it is %s', async (_, kind, decision) => {
    connector.bookAs(sale, decision);
    const late = { ...reverse, last: true } as RecoveryStep;
    expect(await findings(late)).toMatchObject([{ type: 'RecordOutcome', outcome: { kind } }]);
    expect(connector.reversals).toBe(0);
  });

  it('is not performed when the acquirer has never heard of it', async () => {
    const outcome = { kind: 'notPerformed', reason: 'notFound' };
    expect(await findings(reverse)).toMatchObject([{ type: 'RecordOutcome', outcome }]);
    expect(connector.reversals).toBe(0);
  });

  it('is reversed when the acquirer cannot say', async () => {
    connector.bookAs(sale, { kind: 'approved', connectorTxId: 'acq-1' });
    connector.answersQuestions = false;
    expect(await findings(reverse)).toMatchObject([{ type: 'RecordReversal', transactionId }]);
    expect([connector.inquiries, connector.reversals]).toEqual([1, 1]);
  });

  it('is told again, for acquirers that want to know what they undo', async () => {
    const told = jest.spyOn(connector, 'reverse');
    await findings({ ...reverse, inquireFirst: false });
    expect(told.mock.calls).toMatchObject([[transactionId, { original: reverse.original }]]);
  });

  it('is reversed again when it is undone already, so that the answer names it', async () => {
    connector.bookAs(sale, { kind: 'approved', connectorTxId: 'acq-1' });
    await connector.reverse(transactionId);
    expect(await findings(reverse)).toMatchObject([{ type: 'RecordReversal', transactionId }]);
  });

  it('is reversed unasked where nobody can be asked', async () => {
    connector.bookAs(sale, { kind: 'approved', connectorTxId: 'acq-1' });
    const blind = { ...reverse, inquireFirst: false } as RecoveryStep;
    expect(await findings(blind)).toMatchObject([{ type: 'RecordReversal' }]);
    expect(connector.inquiries).toBe(0);
  });

  it('stays unknown when neither is answered, and becomes a case at the last attempt', async () => {
    connector.answersQuestions = false;
    connector.answersReversals = false;
    expect(await findings(reverse)).toEqual([]);
    const last = { ...reverse, last: true } as RecoveryStep;
    expect(await findings(last)).toMatchObject([{ type: 'OpenCase' }]);
  });
});
