import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand } from './commands.js';
import { invariantViolations } from './invariants.js';
import {
  approved,
  eur,
  given,
  id,
  initiate,
  NOON_MS,
  outcome,
  refer,
  stateAfter,
} from './payment-fixture.js';
import { ledgerOf, originalReference, totals } from './totals.js';

const authorized = approved(initiate('authorization', 10_000));
const debited = approved(initiate('debit', 10_000));
const settlement = { source: 'settlement' };

/** The transaction was not performed, as far as anybody knew, and then it was approved. */
const approvedLate = (number: number): readonly PaymentCommand[] => [
  outcome(id(number), 'notPerformed'),
  outcome(id(number), 'approved'),
];
const undone = (number: number): PaymentCommand => ({
  type: 'RecordReversal',
  transactionId: id(number),
  nowMs: NOON_MS,
  connectorTxId: 'undone',
});
const captureOf = (...commands: readonly PaymentCommand[]) =>
  ledgerOf(stateAfter(...commands)).captures.get(id(1));

describe('a capture that was approved late', () => {
  const late = [...authorized, refer('capture', id(2), id(1), 6_000), ...approvedLate(2)];

  it('counts as used of the authorization until it is undone', () => {
    given(...late)
      .when(refer('capture', id(3), id(1), 4_001))
      .thenRejected('700.400.100');
    given(...late)
      .when(refer('capture', id(3), id(1), 4_000))
      .then({ type: 'TransactionRequested' });
    given(...late, undone(2))
      .when(refer('capture', id(3), id(1), 10_000))
      .then({ type: 'TransactionRequested' });
  });

  it('leaves its amount out of what can be released', () => {
    given(...late)
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { amount: eur(4_000) } });
  });

  it('is no capture: nobody can refund it, and no total has it', () => {
    given(...late)
      .when(refer('refund', id(3), id(2), 1))
      .thenRejected('700.400.520');
    expect(totals(stateAfter(...late))).toMatchObject({ captured: 0n, captureOpen: 0n });
  });
});

describe('a chargeback beyond what was left', () => {
  // 40.00 are left after the refund, so that 60.00 of the chargeback are too much.
  const exceeded = [
    ...debited,
    ...approved(refer('refund', id(2), id(1), 6_000)),
    refer('chargeback', id(3), id(1), { minor: 10_000, ...settlement }),
  ];

  it('remembers how much was too much', () => {
    expect(captureOf(...exceeded)).toMatchObject({
      chargedBack: 10_000n,
      chargedBackExcess: 6_000n,
    });
  });

  it('adds up what several chargebacks took too much', () => {
    const again = refer('chargeback', id(4), id(1), { minor: 300, ...settlement });
    expect(captureOf(...exceeded, again)).toMatchObject({
      chargedBack: 10_300n,
      chargedBackExcess: 6_300n,
    });
  });

  it.each([
    [2_000, 8_000n, 4_000n],
    [6_000, 4_000n, 0n],
    [7_000, 3_000n, 0n],
    [10_000, 0n, 0n],
  ])('first makes good what was too much when %s come back', (back, chargedBack, excess) => {
    const given = [...exceeded, refer('chargebackReversal', id(4), id(3), back)];
    expect(captureOf(...given)).toMatchObject({ chargedBack, chargedBackExcess: excess });
    expect(invariantViolations(stateAfter(...given))).toEqual([]);
  });
});

describe('the totals of a payment', () => {
  it('have every kind of money under its own name, open apart from done', () => {
    const state = stateAfter(
      ...authorized,
      ...approved(refer('capture', id(2), id(1), 5_000)),
      ...approved(refer('capture', id(3), id(1), 1_000)),
      ...approved(refer('capture', id(4), id(1), 500)),
      ...approved(refer('refund', id(5), id(2), 700)),
      refer('refund', id(6), id(2), 30),
      refer('chargeback', id(7), id(2), 2),
      ...approved(refer('reversal', id(8), id(3))),
      refer('reversal', id(9), id(4)),
      ...approved(refer('reversal', id(10), id(1), 200)),
      refer('reversal', id(11), id(1), 60),
      refer('capture', id(12), id(1), 8),
    );
    expect(totals(state)).toEqual({
      ...{ authorized: 10_000n, captured: 5_500n, captureOpen: 8n },
      ...{ reversed: 1_200n, reversalOpen: 560n },
      ...{ refunded: 700n, refundOpen: 30n, chargedBack: 2n },
    });
  });

  it.each(['declined', 'unknown', 'pending', 'notPerformed'] as const)(
    'have nothing of a first transaction that is %s',
    (kind) => {
      for (const operation of ['authorization', 'debit'] as const) {
        const state = stateAfter(initiate(operation, 10_000), outcome(id(1), kind));
        expect(totals(state)).toMatchObject({ authorized: 0n, captured: 0n });
        expect(ledgerOf(state).captures.size).toBe(0);
      }
    },
  );

  it.each([
    ['debit', debited],
    ['authorization', [...authorized, ...approved(refer('capture', id(3), id(1), 10_000))]],
  ] as const)('add a rebill of a %s to authorized and captured', (first, before) => {
    const charged = first === 'debit' ? id(1) : id(3);
    const state = stateAfter(...before, ...approved(refer('rebill', id(2), charged, 500)));
    expect(totals(state)).toMatchObject({ authorized: 10_500n, captured: 10_500n });
    expect(invariantViolations(state)).toEqual([]);
  });

  it('have no authorization where there is none', () => {
    const state = stateAfter(...debited, ...approved(refer('rebill', id(2), id(1), 500)));
    expect(ledgerOf(state).authorization).toMatchObject({
      ...{ authorized: 0n, captured: 0n, captures: 0, captureOpen: 0n },
    });
    const credit = ledgerOf(stateAfter(...approved(initiate('credit', 10_000))));
    expect([credit.captures.size, credit.authorization.authorized]).toEqual([0, 0n]);
  });

  it.each([
    ['authorization', authorized],
    ['debit', debited],
  ] as const)('have no reversal of a %s that was approved late', (_, before) => {
    const late = [...before, refer('reversal', id(2), id(1)), ...approvedLate(2)];
    expect(totals(stateAfter(...late))).toMatchObject({ reversed: 0n, reversalOpen: 0n });
  });

  it('bear what was refused without an amount', () => {
    const refused = refer('reversal', id(2), id(1), { rejection: '100.550.300' });
    expect(totals(stateAfter(...debited, refused))).toMatchObject({ captured: 10_000n });
  });
});

describe('an increment', () => {
  it('is open, and nothing more, until it is approved', () => {
    const open = [...authorized, refer('incrementalAuthorization', id(2), id(1), 500)];
    const before = ledgerOf(stateAfter(...open));
    expect(before.authorization).toMatchObject({ authorized: 10_000n, increaseOpen: 500n });
    expect([...before.increments]).toEqual([]);
    const after = ledgerOf(stateAfter(...open, outcome(id(2), 'approved')));
    expect(after.authorization).toMatchObject({ authorized: 10_500n, increaseOpen: 0n });
    expect([...after.increments]).toEqual([[id(2), 500n]]);
  });

  it('is not what the payment began with, open or done', () => {
    for (const commands of [[initiate('authorization', 10_000)], authorized]) {
      const { authorization, increments } = ledgerOf(stateAfter(...commands));
      expect([authorization.increaseOpen, increments.size]).toEqual([0n, 0]);
    }
  });
});

describe('the reference by which an acquirer knows what is referred to', () => {
  it('is none of what was never sent, and of what is not there', () => {
    const chargedBack = stateAfter(...debited, refer('chargeback', id(2), id(1), 100));
    expect(originalReference(chargedBack, id(2))).toBeUndefined();
    expect(originalReference(chargedBack, id(3))).toBeUndefined();
    const refused = stateAfter(initiate('authorization', 100, { rejection: '100.550.300' }));
    expect(originalReference(refused, id(1))).toBeUndefined();
  });
});
