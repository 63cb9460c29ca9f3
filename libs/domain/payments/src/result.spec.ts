import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand } from './commands.js';
import { findTransaction, initialState, initialTransaction } from './payment.js';
import { approved, id, initiate, NOON_MS, refer, stateAfter } from './payment-fixture.js';
import { outcomeOf } from './result.js';

const debited = approved(initiate('debit', 10_000));

function outcomeAfter(number: number, ...commands: readonly PaymentCommand[]) {
  return outcomeOf(findTransaction(stateAfter(...commands), id(number))!);
}

describe('the outcome of a transaction, as replies carry it', () => {
  it('has all that the acquirer said, and what it refers to', () => {
    const found = {
      connectorTxId: 'acq-7',
      resultDetails: { AcquirerResponse: '00' },
      avsResponse: 'F',
      cvvResponse: 'M',
    } as const;
    const refunded = outcomeAfter(2, ...debited, refer('refund', id(2), id(1), 100), {
      type: 'RecordOutcome',
      transactionId: id(2),
      nowMs: NOON_MS,
      outcome: { kind: 'approved', ...found },
    });
    expect(refunded).toStrictEqual({
      ...{ id: id(2), referencedId: id(1), operation: 'refund', status: 'approved' },
      ...{ resultCode: '000.100.110', amount: { minor: '100', currency: 'EUR' }, ...found },
    });
  });

  it('says why a reference is refused where its code does not say it', () => {
    const refused = { rejection: '600.200.500', resultDescription: 'no 3-D Secure' };
    expect(
      outcomeAfter(2, ...debited, refer('rebill', id(2), id(1), { minor: 100, ...refused })),
    ).toMatchObject({ resultCode: '600.200.500', resultDescription: 'no 3-D Secure' });
    const { rejection: _, ...described } = refused;
    const served = refer('rebill', id(2), id(1), { minor: 100, ...described });
    expect(outcomeAfter(2, ...debited, served)).not.toHaveProperty('resultDescription');
  });

  it('has no fields for what nobody said', () => {
    const refused = refer('reversal', id(2), id(1), { rejection: '100.550.300' });
    expect(outcomeAfter(2, ...debited, refused)).toStrictEqual({
      ...{ id: id(2), referencedId: id(1), operation: 'reversal' },
      ...{ status: 'rejected', resultCode: '100.550.300' },
    });
    expect(outcomeAfter(1, initiate('debit', 10_000))).not.toHaveProperty('referencedId');
  });

  it.each([
    ['notReachable', true],
    ['bulkheadFull', true],
    ['refused', undefined],
    ['registrationForgotten', undefined],
    ['notFound', undefined],
  ] as const)('says whether something could still arrive: %s, %s', (reason, wasNeverSent) => {
    const ended = outcomeAfter(1, initiate('debit', 10_000), {
      ...{ type: 'RecordOutcome', transactionId: id(1), nowMs: NOON_MS },
      outcome: { kind: 'notPerformed', reason },
    });
    expect(ended).toMatchObject({ status: 'notPerformed' });
    expect(ended.wasNeverSent).toBe(wasNeverSent);
  });
});

describe('a transaction that closes nothing', () => {
  it.each<[string, number, readonly PaymentCommand[]]>([
    ['a first one', 1, debited],
    ['a refused one', 2, [...debited, refer('refund', id(2), id(1), { minor: 0, final: true })]],
    ['a chargeback', 2, [...debited, refer('chargeback', id(2), id(1), { minor: 1, final: true })]],
  ])('is %s', (_, number, commands) => {
    expect(findTransaction(stateAfter(...commands), id(number))?.final).toBe(false);
  });
});

describe('a payment before its first event', () => {
  it('has no first transaction', () => {
    expect(() => initialTransaction(initialState)).toThrow('without events');
  });
});
