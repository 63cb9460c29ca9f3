import { describe, expect, it } from '@jest/globals';
import type { ReferenceOperation } from '@sluice/contracts';
import type { PaymentCommand } from './commands.js';
import { decide } from './decide.js';
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
  rules,
  stateAfter,
} from './payment-fixture.js';

const authorized = approved(initiate('authorization', 10_000));
const captured = [...authorized, ...approved(refer('capture', id(2), id(1), 6_000))];
const debited = approved(initiate('debit', 10_000));
const requested = { type: 'TransactionRequested' };

describe('what uses or changes the rest of an authorization', () => {
  it.each<[ReferenceOperation, ReferenceOperation]>([
    ['reversal', 'reauthorization'],
    ['capture', 'reauthorization'],
    ['receipt', 'reauthorization'],
    ['incrementalAuthorization', 'reauthorization'],
    ['reauthorization', 'reauthorization'],
    ['reauthorization', 'reversal'],
    ['reauthorization', 'incrementalAuthorization'],
    ['reauthorization', 'receipt'],
  ])('waits: no %s while a %s is open', (operation, open) => {
    for (const more of [[], [outcome(id(2), 'unknown')]]) {
      given(...authorized, refer(open, id(2), id(1), 100), ...more)
        .when(refer(operation, id(3), id(1), 100))
        .thenRejected('700.400.570');
    }
  });

  it('counts a release whose outcome is open as used', () => {
    const open = [...authorized, refer('reversal', id(2), id(1), 4_000)];
    given(...open)
      .when(refer('capture', id(3), id(1), 6_001))
      .thenRejected('700.400.100');
    given(...open)
      .when(refer('capture', id(3), id(1), 6_000))
      .then(requested);
  });
});

describe('an acquirer that releases no part', () => {
  const whole = { rules: { ...rules, partialReversal: false } };

  it('releases all that is open, with and without its amount', () => {
    given(...captured)
      .when(refer('reversal', id(3), id(1), whole))
      .then({ ...requested, data: { amount: eur(4_000) } });
    given(...captured)
      .when(refer('reversal', id(3), id(1), { minor: 4_000, ...whole }))
      .then({ ...requested, data: { amount: eur(4_000) } });
    given(...captured)
      .when(refer('reversal', id(3), id(1), { minor: 3_999, ...whole }))
      .thenRejected('700.400.300');
  });
});

describe('a reversal', () => {
  it('undoes a capture by its whole amount, and by no amount that is not', () => {
    given(...captured)
      .when(refer('reversal', id(3), id(2), 6_000))
      .then({ ...requested, data: { amount: eur(6_000) } });
    given(...captured)
      .when(refer('reversal', id(3), id(2), 6_001))
      .thenRejected('700.400.300');
  });

  it.each([0, -1])('releases no %s', (minor) => {
    given(...authorized)
      .when(refer('reversal', id(2), id(1), minor))
      .thenRejected('700.400.300');
  });

  it('has nothing to release of what was captured wholly', () => {
    const all = [...authorized, ...approved(refer('capture', id(2), id(1), 10_000))];
    given(...all)
      .when(refer('reversal', id(3), id(1)))
      .thenRejected('700.400.300');
  });
});

describe('the cut-off of reversals', () => {
  it('is none of refunds', () => {
    const late = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS } };
    given(...debited)
      .when(refer('refund', id(2), id(1), { minor: 10_000, ...late }))
      .then(requested);
  });
});

describe.each(['incrementalAuthorization', 'reauthorization'] as const)('%s', (operation) => {
  it('needs an acquirer that can', () => {
    given(...authorized)
      .when(refer(operation, id(2), id(1), { minor: 1, rules: { ...rules, [operation]: false } }))
      .thenRejected('900.100.202');
  });

  it.each([0, -1])('is of a positive amount, not of %s', (minor) => {
    given(...authorized)
      .when(refer(operation, id(2), id(1), minor))
      .thenRejected('700.300.300');
  });

  it('is possible as long as something of the authorization is left, or was captured', () => {
    const partly = [...authorized, ...approved(refer('reversal', id(2), id(1), 9_999))];
    given(...partly)
      .when(refer(operation, id(3), id(1), 500))
      .then(requested);
    const all = [...authorized, ...approved(refer('capture', id(2), id(1), 10_000))];
    given(...all)
      .when(refer(operation, id(3), id(1), 500))
      .then(requested);
  });

  it('is impossible once the authorization was given back, or closed by FINAL', () => {
    const ends: readonly (readonly PaymentCommand[])[] = [
      approved(refer('reversal', id(2), id(1))),
      approved(refer('capture', id(2), id(1), { minor: 10, final: true })),
    ];
    for (const end of ends) {
      given(...authorized, ...end)
        .when(refer(operation, id(3), id(1), 500))
        .thenRejected('700.300.300');
    }
  });
});

describe('a reauthorization of what was used beyond its rest', () => {
  it('releases nothing', () => {
    const overused = [
      ...authorized,
      refer('capture', id(2), id(1), 6_000),
      outcome(id(2), 'notPerformed'),
      ...approved(refer('capture', id(3), id(1), 10_000)),
      outcome(id(2), 'approved'),
    ];
    given(...overused)
      .when(refer('reauthorization', id(4), id(1), 500))
      .then({ ...requested, data: { amount: eur(500), releases: eur(0) } });
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

  it('is recorded once', () => {
    given(...debited, refer('chargeback', id(2), id(1), { minor: 4_000, ...settlement }))
      .when(refer('chargeback', id(2), id(1), { minor: 4_000, ...settlement }))
      .thenNothing();
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

  it('initiates no payment in another one', () => {
    const second = initiate('debit', 10_000, { transactionId: id(2) });
    expect(() => decide(second, stateAfter(...debited))).toThrow('once');
  });
});
