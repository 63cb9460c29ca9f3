import { describe, expect, it } from '@jest/globals';
import {
  approved,
  eur,
  given,
  id,
  initiate,
  metadata,
  MIDNIGHT_MS,
  outcome,
  refer,
  stateAfter,
} from './payment-fixture.js';
import { totals } from './totals.js';
import { authorized, captured, debited } from './payment-states-fixture.js';

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

describe('captured 60.00 of 100.00', () => {
  it('refuses what exceeds the rest, and refunds beyond the capture', () => {
    given(...captured)
      .when(refer('capture', id(3), id(1), 4_001))
      .thenRejected('700.400.100');
    given(...captured)
      .when(refer('refund', id(3), id(2), 6_001))
      .thenRejected('700.400.200');
  });
  it('takes the rest and the whole refund', () => {
    given(...captured)
      .when(refer('capture', id(3), id(1), 4_000))
      .then({
        type: 'TransactionRequested',
      });
    given(...captured)
      .when(refer('refund', id(3), id(2), 6_000))
      .then({
        type: 'TransactionRequested',
      });
  });
  it('releases the rest of the authorization only', () => {
    given(...captured)
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { amount: eur(4_000) } });
    given(...captured)
      .when(refer('reversal', id(3), id(1), 4_001))
      .thenRejected('700.400.300');
  });
  it('undoes the capture as a whole, giving neither authorization nor capture count back', () => {
    given(...captured)
      .when(refer('reversal', id(3), id(2), 5_999))
      .thenRejected('700.400.300');
    const undone = [...captured, ...approved(refer('reversal', id(3), id(2)))];
    expect(totals(stateAfter(...undone))).toMatchObject({ captured: 0n, reversed: 6_000n });
    given(...undone)
      .when(refer('capture', id(4), id(1), 4_001))
      .thenRejected('700.400.100');
    given(...undone)
      .when(refer('refund', id(4), id(2), 1))
      .thenRejected('700.400.200');
    given(...undone)
      .when(refer('reversal', id(4), id(2)))
      .thenRejected('700.400.300');
  });
  it('has nothing left to reverse once a refund is done or in flight', () => {
    given(...captured, refer('refund', id(3), id(2), 1))
      .when(refer('reversal', id(4), id(2)))
      .thenRejected('700.400.300');
  });
});

describe('a capture whose outcome is open', () => {
  const open = [...authorized, refer('capture', id(2), id(1), 6_000)];
  it.each([[], [outcome(id(2), 'unknown')], [outcome(id(2), 'pending')]])(
    'counts as used and blocks the reversal %#',
    (...more) => {
      given(...open, ...more)
        .when(refer('capture', id(3), id(1), 4_001))
        .thenRejected('700.400.100');
      given(...open, ...more)
        .when(refer('reversal', id(3), id(1)))
        .thenRejected('700.400.570');
    },
  );
  it('gives its amount back when it is declined', () => {
    given(...open, outcome(id(2), 'declined'))
      .when(refer('capture', id(3), id(1), 10_000))
      .then({ type: 'TransactionRequested' });
  });
});

describe('a debit whose reversal is open', () => {
  const open = [...debited, refer('reversal', id(2), id(1))];
  it('can be neither refunded, charged back by hand, nor reversed again', () => {
    for (const more of [[], [outcome(id(2), 'unknown')]]) {
      given(...open, ...more)
        .when(refer('refund', id(3), id(1), 1))
        .thenRejected('700.400.200');
      given(...open, ...more)
        .when(refer('chargeback', id(3), id(1), 1))
        .thenRejected('700.400.400');
      given(...open, ...more)
        .when(refer('reversal', id(3), id(1)))
        .thenRejected('700.400.300');
    }
  });
  it('is whole again when the reversal is declined', () => {
    given(...open, outcome(id(2), 'declined'))
      .when(refer('refund', id(3), id(1), 10_000))
      .then({ type: 'TransactionRequested' });
  });
});

describe('a refund whose outcome is unknown', () => {
  const open = [...debited, refer('refund', id(2), id(1), 6_000), outcome(id(2), 'unknown')];
  it('counts as used', () => {
    given(...open)
      .when(refer('refund', id(3), id(1), 4_001))
      .thenRejected('700.400.200');
    given(...open)
      .when(refer('chargeback', id(3), id(1), 4_001))
      .thenRejected('700.400.400');
    given(...open)
      .when(refer('refund', id(3), id(1), 4_000))
      .then({
        type: 'TransactionRequested',
      });
  });
});

describe('numberOfCaptures=2', () => {
  const two = approved(initiate('authorization', 10_000, { numberOfCaptures: 2 }));
  it('counts captures in flight and unknown, but not declined ones', () => {
    given(...two, refer('capture', id(2), id(1), 1), refer('receipt', id(3), id(1), 1))
      .when(refer('capture', id(4), id(1), 1))
      .thenRejected('700.400.100');
    given(
      ...two,
      refer('capture', id(2), id(1), 1),
      outcome(id(2), 'declined'),
      refer('capture', id(3), id(1), 1),
      outcome(id(3), 'unknown'),
    )
      .when(refer('capture', id(4), id(1), 1))
      .then({ type: 'TransactionRequested' });
  });
});

describe('sequence=FINAL', () => {
  const final = { final: true };
  it('closes captures while it is open and once it succeeded, not when it was declined', () => {
    const open = [...authorized, refer('capture', id(2), id(1), { minor: 10, ...final })];
    given(...open)
      .when(refer('capture', id(3), id(1), 1))
      .thenRejected('700.400.100');
    given(...open, outcome(id(2), 'approved'))
      .when(refer('capture', id(3), id(1), 1))
      .thenRejected('700.400.100');
    given(...open, outcome(id(2), 'declined'))
      .when(refer('capture', id(3), id(1), 1))
      .then({ type: 'TransactionRequested' });
  });
  it('reverses nothing by itself: the rest can be released', () => {
    given(...authorized, ...approved(refer('capture', id(2), id(1), { minor: 10, ...final })))
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { amount: eur(9_990) } });
  });
  it('ends refunds of the same transaction and partial reversals alike', () => {
    given(...debited, ...approved(refer('refund', id(2), id(1), { minor: 10, ...final })))
      .when(refer('refund', id(3), id(1), 1))
      .thenRejected('700.400.200');
    given(...authorized, ...approved(refer('reversal', id(2), id(1), { minor: 10, ...final })))
      .when(refer('reversal', id(3), id(1), 1))
      .thenRejected('700.400.300');
  });
});

describe('charged back', () => {
  const chargedBack = [...debited, refer('chargeback', id(2), id(1), 4_000)];
  it('is a fact of one event with its code', () => {
    given(...debited)
      .when(refer('chargeback', id(2), id(1), 4_000))
      .then({ type: 'ChargebackReceived', data: { resultCode: '000.100.200' } });
    given(...debited)
      .when(refer('chargeback', id(2), id(1), { minor: 4_000, resultCode: '000.100.222' }))
      .then({ type: 'ChargebackReceived', data: { resultCode: '000.100.222' } });
  });
  it('is not for channels without manual chargebacks', () => {
    given(...debited)
      .when(refer('chargeback', id(2), id(1), { minor: 4_000, manualChargebacks: false }))
      .thenRejected('700.400.402');
  });
  it('refuses a second open one', () => {
    given(...chargedBack)
      .when(refer('chargeback', id(3), id(1), 1))
      .thenRejected('700.400.400');
  });
  it('refuses more than was captured', () => {
    given(...debited)
      .when(refer('chargeback', id(2), id(1), 10_001))
      .thenRejected('700.400.400');
  });
  it('is given back once, and can come again', () => {
    given(...chargedBack)
      .when(refer('chargebackReversal', id(3), id(2), 4_001))
      .thenRejected('700.400.410');
    given(...chargedBack)
      .when(refer('chargebackReversal', id(3), id(2), 4_000))
      .then({ type: 'ChargebackReversed', data: { resultCode: '000.100.110' } });
    const back = [...chargedBack, refer('chargebackReversal', id(3), id(2), 4_000)];
    given(...back)
      .when(refer('chargebackReversal', id(4), id(2), 1))
      .thenRejected('700.400.410');
    given(...back)
      .when(refer('chargeback', id(4), id(3), 10_000))
      .then({
        type: 'ChargebackReceived',
      });
    given(...back)
      .when(refer('refund', id(4), id(1), 10_000))
      .then({
        type: 'TransactionRequested',
      });
  });
  it('is always recorded from a settlement file; an excess opens a case', () => {
    const settlement = { source: 'settlement' };
    const refunded = [...debited, ...approved(refer('refund', id(2), id(1), 10_000))];
    given(...refunded)
      .when(refer('chargeback', id(3), id(1), { minor: 10_000, ...settlement }))
      .then(
        { type: 'ChargebackReceived', data: { excess: eur(10_000) } },
        { type: 'CaseOpened', data: { reason: 'chargebackExcess', amount: eur(10_000) } },
      );
  });
  it('lowers what the rest of the chain may refund', () => {
    const two = [
      ...captured,
      ...approved(refer('capture', id(3), id(1), 4_000)),
      ...approved(refer('refund', id(4), id(2), 6_000)),
      refer('chargeback', id(5), id(2), { minor: 3_000, source: 'settlement' }),
    ];
    given(...two)
      .when(refer('refund', id(6), id(3), 1_001))
      .thenRejected('700.400.200');
    given(...two)
      .when(refer('refund', id(6), id(3), 1_000))
      .then({
        type: 'TransactionRequested',
      });
  });
});

describe('rebilled', () => {
  it('adds to authorized and captured, and can be refunded by itself', () => {
    const rebilled = [...debited, ...approved(refer('rebill', id(2), id(1), 500))];
    expect(totals(stateAfter(...rebilled))).toMatchObject({
      authorized: 10_500n,
      captured: 10_500n,
    });
    given(...rebilled)
      .when(refer('refund', id(3), id(2), 501))
      .thenRejected('700.400.200');
    given(...rebilled)
      .when(refer('refund', id(3), id(2), 500))
      .then({
        type: 'TransactionRequested',
      });
  });
});
