import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand, RecordOutcome } from './commands.js';
import { findTransaction } from './payment.js';
import { eur, given, id, initiate, NOON_MS, outcome, stateAfter } from './payment-fixture.js';
import { inquiryOnReturn, nextDue, recoverySteps } from './recovery.js';
import { capabilities, HOUR_MS, MINUTE_MS, schedule } from './recovery-fixture.js';
import { outcomeOf } from './result.js';

const redirect = {
  url: 'https://bank.example/pay',
  method: 'POST',
  parameters: { TransactionId: '7' },
  preconditions: [{ url: 'https://bank.example/frame', method: 'POST', parameters: {} }],
} as const;
const instrument = { kind: 'virtualAccount', brand: 'PAYPAL' } as const;
const sentToBank: RecordOutcome = {
  ...{ type: 'RecordOutcome', transactionId: id(1), nowMs: NOON_MS },
  outcome: { kind: 'pending', connectorTxId: 'acq-1', redirect },
};
const waiting = [initiate('debit', 10_000, { instrument }), sentToBank];
const cancelled = [...waiting, outcome(id(1), 'declined', NOON_MS + MINUTE_MS)];
const paid = [...waiting, outcome(id(1), 'approved', NOON_MS + MINUTE_MS)];

const outcomeAfter = (...commands: readonly PaymentCommand[]) =>
  outcomeOf(findTransaction(stateAfter(...commands), id(1))!);

describe('a payment that waits for its shopper at the acquirer', () => {
  it('says where the shopper has to go, until it is decided', () => {
    expect(outcomeAfter(...waiting)).toMatchObject({ status: 'pending', redirect });
    for (const decided of [cancelled, paid]) {
      expect(outcomeAfter(...decided)).not.toHaveProperty('redirect');
    }
  });

  it('is asked about when the shopper is back, whatever else is due', () => {
    expect(inquiryOnReturn(stateAfter(...waiting), id(1))).toEqual({
      ...{ kind: 'inquire', transactionId: id(1), acquirerReference: id(1) },
      original: { operation: 'debit', amount: eur(10_000), mode: 'INTERNAL' },
      ...{ last: false, notFoundIsDefinitive: false },
    });
  });

  it.each<[string, readonly PaymentCommand[]]>([
    ['is paid', paid],
    ['never needed a shopper', [initiate('debit', 10_000), outcome(id(1), 'pending')]],
    ['was paid too late, which is being undone', [...cancelled, outcome(id(1), 'approved')]],
  ])('is not asked about if it %s', (_, commands) => {
    expect(inquiryOnReturn(stateAfter(...commands), id(1))).toBeUndefined();
    expect(inquiryOnReturn(stateAfter(...commands), id(2))).toBeUndefined();
  });
});

describe('a payment that its shopper cancelled', () => {
  it('is asked about if the shopper is back again, who may have gone back and paid', () => {
    expect(inquiryOnReturn(stateAfter(...cancelled), id(1))).toMatchObject({ kind: 'inquire' });
    given(...cancelled)
      .when(outcome(id(1), 'approved', NOON_MS + HOUR_MS))
      .then({ type: 'LateApprovalReceived', data: { connectorTxId: 'acq-1' } });
  });

  it('is asked about once more, who may have paid and not come back', () => {
    const state = stateAfter(...cancelled);
    const dueMs = NOON_MS + MINUTE_MS + schedule.lateInquiryAfterMs;
    expect(nextDue(state, NOON_MS + MINUTE_MS, capabilities, schedule)).toBe(dueMs);
    expect(recoverySteps(state, dueMs, capabilities, schedule)).toMatchObject([
      { kind: 'inquireLate', transactionId: id(1) },
    ]);
    const answered: PaymentCommand = {
      type: 'RecordLateAnswer',
      ...{ transactionId: id(1), nowMs: dueMs, answer: 'declined' },
    };
    const after = stateAfter(...cancelled, answered);
    expect(nextDue(after, dueMs, capabilities, schedule)).toBeNull();
  });

  it('is not asked about by card, where the issuer has the last word', () => {
    const declined = [initiate('debit', 10_000), outcome(id(1), 'declined')];
    expect(nextDue(stateAfter(...declined), NOON_MS, capabilities, schedule)).toBeNull();
  });
});
