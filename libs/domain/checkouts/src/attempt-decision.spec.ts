import { describe, expect, it } from '@jest/globals';
import type { TransactionOutcome } from '@sluice/contracts';
import {
  ATTEMPT_UNKNOWN_AFTER_MS,
  isUnknown,
  paymentDecision,
  registrationDecision,
} from './attempt-decision.js';
import type { CheckoutCommand } from './commands.js';
import { after, create, decided, NOON_MS, submit } from './checkout-fixture.js';

const attempt = { submittedAtMs: NOON_MS };
const NEXT_MS = NOON_MS + 1_000;
const redirect: NonNullable<TransactionOutcome['redirect']> = {
  ...{ url: 'https://bank.example/pay', method: 'GET', parameters: {}, preconditions: [] },
};

describe('what payments says of an attempt', () => {
  it.each([
    ['approved', '000.100.110', 'succeeded'],
    ['declined', '800.100.152', 'failed'],
    ['rejected', '100.100.101', 'failed'],
    ['notPerformed', '900.100.310', 'failed'],
    ['reversedAfterUnknown', '900.100.400', 'failed'],
  ] as const)('decides it where it is %s', (status, resultCode, kind) => {
    expect(paymentDecision(attempt, { status, resultCode }, NEXT_MS)).toEqual({ kind, resultCode });
  });

  it.each(['requested', 'unknown'] as const)('decides nothing while it is %s', (status) => {
    const outcome = { status, resultCode: '000.200.000' };
    expect(paymentDecision(attempt, outcome, NEXT_MS)).toBeUndefined();
  });

  it('leaves it open only where the shopper was sent elsewhere', () => {
    const pending = { status: 'pending', resultCode: '000.200.000' } as const;
    expect(paymentDecision(attempt, pending, NEXT_MS)).toBeUndefined();
    expect(paymentDecision(attempt, { ...pending, redirect }, NEXT_MS)).toEqual({
      ...{ kind: 'open', resultCode: '000.200.000' },
    });
  });

  it('of one that it does not know is that it was never performed, once it cannot come any more', () => {
    const lastMs = NOON_MS + ATTEMPT_UNKNOWN_AFTER_MS;
    expect(paymentDecision(attempt, undefined, lastMs)).toBeUndefined();
    const never = { kind: 'failed', resultCode: '900.100.310' };
    expect(paymentDecision(attempt, undefined, lastMs + 1)).toEqual(never);
    expect(registrationDecision(attempt, undefined, lastMs + 1)).toEqual(never);
    expect(registrationDecision(attempt, undefined, lastMs)).toBeUndefined();
  });
});

describe('what registrations says of an attempt', () => {
  it.each([
    ['approved', '000.100.110', 'succeeded'],
    ['rejected', '100.100.101', 'failed'],
    ['notPerformed', '900.100.310', 'failed'],
  ] as const)('decides it where it is %s', (status, resultCode, kind) => {
    const decision = registrationDecision(attempt, { status, resultCode }, NEXT_MS);
    expect(decision).toEqual({ kind, resultCode });
  });

  it.each(['requested', 'awaitsPayment'] as const)('decides nothing while it is %s', (status) => {
    const outcome = { status, resultCode: '000.200.000' };
    expect(registrationDecision(attempt, outcome, NEXT_MS)).toBeUndefined();
  });
});

describe('an attempt', () => {
  it('is one of which others may know more until it is decided', () => {
    const unknownIn = (...commands: readonly CheckoutCommand[]) =>
      after(create(), submit(1), ...commands).attempts.map(isUnknown);
    expect(unknownIn()).toEqual([true]);
    expect(unknownIn(decided(1, 'open'))).toEqual([true]);
    expect(unknownIn(decided(1, 'open'), submit(2))).toEqual([true, true]);
    expect(unknownIn(decided(1, 'failed'))).toEqual([false]);
    expect(unknownIn(decided(1, 'succeeded'))).toEqual([false]);
  });
});
