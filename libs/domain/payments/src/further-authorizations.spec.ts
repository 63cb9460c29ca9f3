import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand } from './commands.js';
import {
  approved,
  eur,
  given,
  id,
  initiate,
  outcome,
  refer,
  requested,
  rules,
  stateAfter,
} from './payment-fixture.js';
import { authorized, captured } from './payment-states-fixture.js';
import { originalReference, totals } from './totals.js';

describe('incremental authorization', () => {
  const increased = [
    ...authorized,
    ...approved(refer('incrementalAuthorization', id(2), id(1), 500)),
  ];
  it('adds to authorized once it is approved', () => {
    const open = [...authorized, refer('incrementalAuthorization', id(2), id(1), 500)];
    given(...open)
      .when(refer('capture', id(3), id(1), 10_001))
      .thenRejected('700.400.100');
    given(...increased)
      .when(refer('capture', id(3), id(1), 10_500))
      .then(requested);
    given(...increased)
      .when(refer('capture', id(3), id(1), 10_501))
      .thenRejected('700.400.100');
  });
  it('and a reversal exclude each other while one is open', () => {
    given(...authorized, refer('incrementalAuthorization', id(2), id(1), 500))
      .when(refer('reversal', id(3), id(1)))
      .thenRejected('700.400.570');
    given(...authorized, refer('reversal', id(2), id(1), 1))
      .when(refer('incrementalAuthorization', id(3), id(1), 500))
      .thenRejected('700.400.570');
  });
  it('is released alone by a reversal of it, and wholly by one of the payment', () => {
    given(...increased)
      .when(refer('reversal', id(3), id(2)))
      .then({ type: 'TransactionRequested', data: { referencedId: id(2), amount: eur(500) } });
    given(...increased)
      .when(refer('reversal', id(3), id(2), 501))
      .thenRejected('700.400.300');
    given(...increased)
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { referencedId: id(1), amount: eur(10_500) } });
  });
  it('is released once, in parts where the acquirer can, and by no more than is left of all', () => {
    const partly = [...increased, ...approved(refer('reversal', id(3), id(2), 200))];
    given(...partly)
      .when(refer('reversal', id(4), id(2)))
      .then({ type: 'TransactionRequested', data: { amount: eur(300) } });
    given(...partly, ...approved(refer('reversal', id(4), id(2), 300)))
      .when(refer('reversal', id(5), id(2), 1))
      .thenRejected('700.400.300');
    given(...increased, ...approved(refer('capture', id(3), id(1), 10_400)))
      .when(refer('reversal', id(4), id(2)))
      .then({ type: 'TransactionRequested', data: { amount: eur(100) } });
    const whole = { rules: { ...rules, partialReversal: false } };
    given(...increased)
      .when(refer('reversal', id(3), id(2), { minor: 500, ...whole }))
      .thenRejected('700.400.300');
  });
  it.each<[string, readonly PaymentCommand[]]>([
    ['is open', []],
    ['is unknown', [outcome(id(3), 'unknown')]],
    ['was approved late', [outcome(id(3), 'notPerformed'), outcome(id(3), 'approved')]],
  ])('is released by no more than a release leaves of it that %s', (_, more) => {
    const partly = [...increased, refer('reversal', id(3), id(2), 200), ...more];
    given(...partly)
      .when(refer('reversal', id(4), id(2), 301))
      .thenRejected('700.400.300');
    given(...partly)
      .when(refer('reversal', id(4), id(2), 300))
      .then(requested);
  });
  it('cannot be released any more once a reauthorization has taken its place', () => {
    const anew = [...increased, ...approved(refer('reauthorization', id(3), id(1), 7_000))];
    given(...anew)
      .when(refer('reversal', id(4), id(2)))
      .thenRejected('700.400.300');
    given(...anew)
      .when(refer('reversal', id(4), id(3)))
      .then({ type: 'TransactionRequested', data: { amount: eur(7_000) } });
  });
  it('never sums up to more than ten digits before the point, open ones counted', () => {
    const most = 999_999_999_999;
    const large = approved(initiate('authorization', most - 500));
    const open = refer('incrementalAuthorization', id(2), id(1), 300);
    given(...large)
      .when(refer('incrementalAuthorization', id(2), id(1), 500))
      .then({ type: 'TransactionRequested', data: { amount: eur(500) } });
    given(...large)
      .when(refer('incrementalAuthorization', id(2), id(1), 501))
      .thenRejected('100.550.301');
    given(...large, open)
      .when(refer('incrementalAuthorization', id(3), id(1), 201))
      .thenRejected('100.550.301');
  });
  it('needs an acquirer that can, and an authorization that lives', () => {
    given(...authorized)
      .when(
        refer('incrementalAuthorization', id(2), id(1), {
          minor: 1,
          rules: { ...rules, incrementalAuthorization: false },
        }),
      )
      .thenRejected('900.100.202');
    given(...authorized, ...approved(refer('reversal', id(2), id(1))))
      .when(refer('incrementalAuthorization', id(3), id(1), 1))
      .thenRejected('700.300.300');
  });
});

describe('reauthorization', () => {
  const open = [...captured, refer('reauthorization', id(3), id(1), 9_000)];
  it('states what it releases and counts the old part until then', () => {
    given(...captured)
      .when(refer('reauthorization', id(3), id(1), 9_000))
      .then({ type: 'TransactionRequested', data: { amount: eur(9_000), releases: eur(4_000) } });
    expect(totals(stateAfter(...open)).authorized).toBe(10_000n);
    given(...open)
      .when(refer('capture', id(4), id(1), 1))
      .thenRejected('700.400.570');
  });
  it('sets a new remainder, on which the acquirer is asked by its own reference', () => {
    const done = [...open, outcome(id(3), 'approved')];
    expect(totals(stateAfter(...done))).toMatchObject({ authorized: 15_000n, captured: 6_000n });
    given(...done)
      .when(refer('capture', id(4), id(3), 9_001))
      .thenRejected('700.400.100');
    given(...done)
      .when(refer('capture', id(4), id(1), 9_000))
      .then(requested);
    expect(originalReference(stateAfter(...done), id(1))).toBe(id(3));
    expect(originalReference(stateAfter(...open), id(1))).toBe(id(1));
    expect(originalReference(stateAfter(...done), id(2))).toBe(id(2));
  });
  it('changes nothing when it is declined', () => {
    given(...open, outcome(id(3), 'declined'))
      .when(refer('capture', id(4), id(1), 4_000))
      .then(requested);
  });
  it('waits for everything that uses the remainder', () => {
    given(...authorized, refer('capture', id(2), id(1), 1))
      .when(refer('reauthorization', id(3), id(1), 9_000))
      .thenRejected('700.400.570');
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
