import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand } from './commands.js';
import { decide, TRANSACTIONS_MAX } from './decide.js';
import {
  approved,
  eur,
  given,
  id,
  initiate,
  outcome,
  refer,
  requested,
  stateAfter,
} from './payment-fixture.js';
import { authorized, captured, debited } from './payment-states-fixture.js';

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
      .then(requested);
  });
  it('is given back in parts, which together are its amount at most', () => {
    const inParts = [
      ...[...debited, refer('chargeback', id(2), id(1), 3_000)],
      ...[2_000, 500].map((minor, part) => refer('chargebackReversal', id(3 + part), id(2), minor)),
    ];
    given(...inParts)
      .when(refer('chargebackReversal', id(5), id(2), 501))
      .thenRejected('700.400.410');
    given(...inParts)
      .when(refer('chargebackReversal', id(5), id(2), 500))
      .then({ type: 'ChargebackReversed', data: { amount: eur(500) } });
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
      .then(requested);
  });
});

describe('a chargeback from a settlement file', () => {
  const settlement = { source: 'settlement' };

  it.each<[string, readonly PaymentCommand[]]>([
    ['an authorization', authorized],
    ['a declined debit', [initiate('debit', 10_000), outcome(id(1), 'declined')]],
  ])('of %s, which captured nothing, is too much as a whole', (_, before) => {
    given(...before)
      .when(refer('chargeback', id(2), id(1), { minor: 700, ...settlement }))
      .then(
        { type: 'ChargebackReceived', data: { amount: eur(700), excess: eur(700) } },
        { type: 'CaseOpened', data: { reason: 'chargebackExcess', amount: eur(700) } },
      );
  });

  it('is too much by what exceeds the rest alone', () => {
    const refunded = [...debited, ...approved(refer('refund', id(2), id(1), 6_000))];
    given(...refunded)
      .when(refer('chargeback', id(3), id(1), { minor: 4_001, ...settlement }))
      .then(
        { type: 'ChargebackReceived', data: { amount: eur(4_001), excess: eur(1) } },
        { type: 'CaseOpened', data: { amount: eur(1) } },
      );
    const [received, ...more] = decide(
      refer('chargeback', id(3), id(1), { minor: 4_000, ...settlement }),
      stateAfter(...refunded),
    );
    expect(more).toEqual([]);
    expect(received?.data).not.toHaveProperty('excess');
  });

  it('is too much as a whole where more was taken than there was', () => {
    const exceeded = [
      ...debited,
      refer('chargeback', id(2), id(1), { minor: 10_500, ...settlement }),
    ];
    given(...exceeded)
      .when(refer('chargeback', id(3), id(1), { minor: 200, ...settlement }))
      .then(
        { type: 'ChargebackReceived', data: { excess: eur(200) } },
        { type: 'CaseOpened', data: { amount: eur(200) } },
      );
  });

  it('is recorded even of a payment that is full (D-31)', () => {
    const number = (index: number) => id(index + 2);
    const refusals = Array.from({ length: TRANSACTIONS_MAX - 1 }, (_, index) =>
      refer('refund', number(index), id(1), { minor: 1, rejection: '100.550.300' }),
    );
    const another = number(TRANSACTIONS_MAX);
    const full = given(...debited, ...refusals);
    full.when(refer('chargeback', another, id(1), 700)).thenNothing();
    full
      .when(refer('chargeback', another, id(1), { minor: 700, ...settlement }))
      .then({ type: 'ChargebackReceived', data: { amount: eur(700) } });
  });

  it.each<[string, readonly PaymentCommand[]]>([
    ['an authorization', authorized],
    ['a declined debit', [initiate('debit', 10_000), outcome(id(1), 'declined')]],
    ['a debit whose outcome is open', [initiate('debit', 10_000), outcome(id(1), 'unknown')]],
  ])('of %s is given back once as well', (_, before) => {
    const back = [
      ...before,
      refer('chargeback', id(2), id(1), { minor: 700, ...settlement }),
      refer('chargebackReversal', id(3), id(2), 600),
    ];
    given(...back)
      .when(refer('chargebackReversal', id(4), id(2), 101))
      .thenRejected('700.400.410');
    given(...back)
      .when(refer('chargebackReversal', id(4), id(2), 100))
      .then({ type: 'ChargebackReversed', data: { amount: eur(100) } });
  });

  it('is recorded once', () => {
    given(...debited, refer('chargeback', id(2), id(1), { minor: 4_000, ...settlement }))
      .when(refer('chargeback', id(2), id(1), { minor: 4_000, ...settlement }))
      .thenNothing();
  });
});
