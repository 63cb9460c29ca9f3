import { describe, expect, it } from '@jest/globals';
import type { ReferenceOperation } from '@sluice/contracts';
import type { PaymentCommand } from './commands.js';
import { decide } from './decide.js';
import {
  eur,
  given,
  id,
  initiate,
  metadata,
  MIDNIGHT_MS,
  outcome,
  refer,
  requested,
  rules,
  stateAfter,
} from './payment-fixture.js';
import { authorized, debited } from './payment-states-fixture.js';

describe('the order of the checks (D-29)', () => {
  const foreign = { amount: { minor: 1n, currency: 'USD' } };
  const live = { metadata: { ...metadata, mode: 'LIVE' } };
  it('asks whether it is pending before its type', () => {
    given(...authorized, refer('reversal', id(2), id(1)))
      .when(refer('capture', id(3), id(2), { minor: 1, ...foreign, ...live }))
      .thenRejected('700.400.570');
  });
  it('asks for the type before the currency', () => {
    given(...debited)
      .when(refer('capture', id(3), id(1), { minor: 1, ...foreign, ...live }))
      .thenRejected('700.400.510');
  });
  it('asks for the currency before the mode', () => {
    given(...authorized)
      .when(refer('capture', id(3), id(1), { minor: 1, ...foreign, ...live }))
      .thenRejected('700.100.500');
  });
  it('asks for the currency of a reversal without an amount too', () => {
    given(...authorized)
      .when(refer('reversal', id(3), id(1), { currency: 'USD', ...live }))
      .thenRejected('700.100.500');
    given(...authorized)
      .when(refer('reversal', id(3), id(1), { currency: 'EUR' }))
      .then({ type: 'TransactionRequested', data: { amount: eur(10_000) } });
  });
  it('asks for the mode before the chargeback', () => {
    given(...debited, refer('chargeback', id(2), id(1), 10))
      .when(refer('refund', id(3), id(1), { minor: 99_999, ...live }))
      .thenRejected('700.100.600');
  });
  it('asks for a chargeback before the cut-off', () => {
    const late = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS } };
    given(...debited, refer('chargeback', id(2), id(1), 10))
      .when(refer('reversal', id(3), id(1), { minor: 99_999, ...late }))
      .thenRejected('700.300.600');
    given(...debited, refer('chargeback', id(2), id(1), 10))
      .when(refer('refund', id(3), id(1), 99_999))
      .thenRejected('700.300.600');
  });
  it('asks for the cut-off before the amount', () => {
    const late = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS } };
    given(...debited)
      .when(refer('reversal', id(3), id(1), { minor: 99_999, ...late }))
      .thenRejected('700.300.700');
    const inTime = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS - 1 } };
    given(...debited)
      .when(refer('reversal', id(3), id(1), inTime))
      .then({ type: 'TransactionRequested', data: { amount: eur(10_000) } });
  });
  it('records a command that came with its refusal before all others', () => {
    given(...authorized, refer('reversal', id(2), id(1)))
      .when(refer('capture', id(3), id(2), { minor: 0, rejection: '100.550.300' }))
      .thenRejected('100.550.300');
  });
});

describe('the cut-off of reversals', () => {
  it('is none of refunds', () => {
    const late = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS } };
    given(...debited)
      .when(refer('refund', id(2), id(1), { minor: 10_000, ...late }))
      .then(requested);
  });

  it('counts from when the transaction was requested, however late it was approved', () => {
    const nextMidnight = (atMs: number) => (atMs < MIDNIGHT_MS ? MIDNIGHT_MS : Infinity);
    const past = {
      rules: { ...rules, reversalCutOffMs: nextMidnight },
      metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS + 2 },
    };
    given(initiate('debit', 10_000), outcome(id(1), 'approved', MIDNIGHT_MS + 1))
      .when(refer('reversal', id(2), id(1), past))
      .thenRejected('700.300.700');
  });
});

describe('a command that comes again', () => {
  it.each<[ReferenceOperation, readonly PaymentCommand[], referenced: number]>([
    ['capture', authorized, 1],
    ['refund', debited, 1],
    ['chargeback', debited, 1],
    ['chargebackReversal', [...debited, refer('chargeback', id(2), id(1), 4_000)], 2],
  ])('adds no second %s', (operation, before, referenced) => {
    const command = refer(operation, id(9), id(referenced), 100);
    given(...before, command)
      .when(command)
      .thenNothing();
  });
});

describe('what a reference says', () => {
  const said = { parameters: { merchantTransactionId: 'order-2' }, personal: 'sealed' };
  const chargedBack = [...debited, refer('chargeback', id(2), id(1), 4_000)];

  it.each<[ReferenceOperation, minor: number, readonly PaymentCommand[], referenced: number]>([
    ['refund', 100, debited, 1],
    ['refund', 10_001, debited, 1],
    ['chargeback', 100, debited, 1],
    ['chargeback', 10_001, debited, 1],
    ['chargebackReversal', 100, chargedBack, 2],
    ['chargebackReversal', 4_001, chargedBack, 2],
  ])('is kept, done or refused: %s of %s', (operation, minor, before, referenced) => {
    const command = refer(operation, id(9), id(referenced), { minor, ...said });
    const [event] = decide(command, stateAfter(...before));
    expect(event?.data).toMatchObject({
      ...said,
      amount: eur(minor),
      referencedId: id(referenced),
    });
    const plain = refer(operation, id(9), id(referenced), minor);
    expect(decide(plain, stateAfter(...before))[0]?.data).not.toHaveProperty('personal');
  });

  it('has nothing where it says nothing', () => {
    const [refund] = decide(refer('refund', id(2), id(1), 100), stateAfter(...debited));
    expect(refund?.data).not.toHaveProperty('releases');
    const wholly = refer('reversal', id(2), id(1), { rejection: '100.550.300' });
    expect(decide(wholly, stateAfter(...debited))[0]?.data).not.toHaveProperty('amount');
    const [first] = decide(initiate('authorization', 100), { kind: 'none' });
    expect(first?.data).not.toHaveProperty('numberOfCaptures');
  });
});

describe('a command of a broken program', () => {
  it('is none without an amount', () => {
    const state = stateAfter(...debited);
    for (const source of ['merchant', 'settlement']) {
      const chargeback = refer('chargeback', id(2), id(1), { source });
      expect(() => decide(chargeback, state)).toThrow('without an amount');
    }
    expect(() => decide(refer('refund', id(2), id(1)), state)).toThrow('without an amount');
  });
});
