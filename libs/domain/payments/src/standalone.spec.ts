import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResult } from '@sluice/contracts';
import type { InitiatePayment, PaymentCommand } from './commands.js';
import { decide } from './decide.js';
import { id, initiate, metadata, NOON_MS, refer, stateAfter } from './payment-fixture.js';
import { findTransaction, initialState } from './payment.js';
import { nextDue } from './recovery.js';
import { capabilities, schedule } from './recovery-fixture.js';
import { outcomeOf } from './result.js';
import { ledgerOf } from './totals.js';

const authenticated: AuthenticationResult = {
  ...({ status: 'Y', flow: 'frictionless', goesOn: true, resultCode: '000.400.110' } as const),
  ...{ liabilityShifts: true, eci: '05', proofReference: 'vault-0.p1' },
};
const refused: AuthenticationResult = {
  ...({ status: 'N', flow: 'challenge', goesOn: false, resultCode: '100.380.401' } as const),
  liabilityShifts: false,
};
const completed = (result: AuthenticationResult): Partial<InitiatePayment> => ({
  authentication: { kind: 'completed', authenticationId: id(1), result },
});
const pending: Partial<InitiatePayment> = {
  authentication: {
    ...({ kind: 'pending', authenticationId: id(1), resumption: {} } as const),
    expiresAtMs: NOON_MS + 600_000,
  },
};
const ended = (result: AuthenticationResult): PaymentCommand => ({
  ...({ type: 'RecordAuthentication', transactionId: id(1), authenticationId: id(1) } as const),
  ...{ nowMs: NOON_MS + 60_000, result },
});
const types = (command: PaymentCommand, ...before: readonly PaymentCommand[]) =>
  decide(command, before.length === 0 ? initialState : stateAfter(...before)).map(
    ({ type }) => type,
  );
const outcomeAfter = (...commands: readonly PaymentCommand[]) => {
  const transaction = findTransaction(stateAfter(...commands), id(1));
  return transaction && outcomeOf(transaction);
};

describe('an authentication alone', () => {
  const begin = (changes: Partial<InitiatePayment>) => initiate('authentication', 9_200, changes);

  it('that needs no challenge has succeeded, and asks no acquirer', () => {
    expect(types(begin(completed(authenticated)))).toEqual([
      ...['PaymentInitiated', 'AuthenticationCompleted', 'StandaloneCompleted'],
    ]);
    const state = stateAfter(begin(completed(authenticated)));
    expect(findTransaction(state, id(1))).not.toHaveProperty('request');
    expect(outcomeAfter(begin(completed(authenticated)))).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110', operation: 'authentication' },
      authentication: { status: 'Y', eci: '05' },
    });
    expect(nextDue(state, NOON_MS, capabilities, schedule)).toBeNull();
  });

  it('says for how much, where that is less', () => {
    const authentication = { minor: '5000', currency: 'EUR' };
    const short = { ...authenticated, liabilityShifts: false, authenticated: authentication };
    expect(outcomeAfter(begin(completed(short)))).toMatchObject({
      authentication: { liabilityShifts: false, authenticated: authentication },
    });
  });

  it.each([
    ['EXTERNAL', '000.100.112'],
    ['LIVE', '000.000.000'],
  ] as const)('succeeds in mode %s with %s', (mode, code) => {
    const command = begin({ ...completed(authenticated), metadata: { ...metadata, mode } });
    expect(outcomeAfter(command)?.resultCode).toBe(code);
  });

  it('that the issuer refuses at once is rejected with its code', () => {
    expect(types(begin(completed(refused)))).toEqual([
      ...['TransactionRejected', 'AuthenticationCompleted'],
    ]);
    expect(outcomeAfter(begin(completed(refused)))).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.380.401', authentication: { status: 'N' } },
    });
  });

  it('waits for the shopper, and then has succeeded or not', () => {
    expect(types(begin(pending))).toEqual(['PaymentInitiated', 'AuthenticationPending']);
    expect(outcomeAfter(begin(pending))).toMatchObject({
      ...{ status: 'pending', resultCode: '000.200.000' },
    });
    expect(types(ended(authenticated), begin(pending))).toEqual([
      ...['AuthenticationCompleted', 'StandaloneCompleted'],
    ]);
    expect(outcomeAfter(begin(pending), ended(authenticated))).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110' },
    });
    expect(outcomeAfter(begin(pending), ended(refused))).toMatchObject({
      ...{ status: 'declined', resultCode: '100.380.401' },
    });
    expect(types(ended(refused), begin(pending), ended(authenticated))).toEqual([]);
  });

  it('moves no money, and nothing of it can be captured, refunded or reversed', () => {
    const before = begin(completed(authenticated));
    expect(ledgerOf(stateAfter(before)).authorization.authorized).toBe(0n);
    for (const [operation, resultCode] of [
      ...([['capture', '700.400.510'] as const, ['refund', '700.400.520'] as const] as const),
      ...([['reversal', '700.400.530'] as const] as const),
    ]) {
      const [event] = decide(refer(operation, id(2), id(1), 9_200), stateAfter(before));
      expect(event).toMatchObject({ type: 'TransactionRejected', data: { resultCode } });
    }
  });
});

describe('a risk check alone', () => {
  const check = (
    decision: 'accept' | 'challenge' | 'review' | 'reject',
    resultCode?: string,
  ): PaymentCommand =>
    initiate('riskAssessment', 9_200, {
      assessment: { decision, score: 7, ...(resultCode !== undefined && { resultCode }) },
    });

  it.each([
    ['accept', undefined, 'approved', '000.300.100'],
    ['review', undefined, 'approved', '000.400.000'],
    ['review', '000.400.090', 'approved', '000.400.090'],
    ['challenge', undefined, 'rejected', '300.100.100'],
    ['reject', undefined, 'rejected', '100.380.100'],
    ['reject', '800.120.101', 'rejected', '800.120.101'],
  ] as const)('that says %s (%s) is %s with %s', (decision, said, status, resultCode) => {
    expect(outcomeAfter(check(decision, said))).toMatchObject({
      ...{ status, resultCode, riskScore: 7, operation: 'riskAssessment' },
    });
  });

  it('is over at once, and nobody has to look at it before anything goes on', () => {
    expect(types(check('review'))).toEqual([
      ...['PaymentInitiated', 'RiskAssessed', 'StandaloneCompleted'],
    ]);
    const review: PaymentCommand = {
      ...({ type: 'DecideReview', transactionId: id(1), decision: 'released' } as const),
      nowMs: NOON_MS + 60_000,
    };
    expect(types(review, check('review'))).toEqual([]);
  });
});
