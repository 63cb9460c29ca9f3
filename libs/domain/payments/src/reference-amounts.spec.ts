import { describe, expect, it } from '@jest/globals';
import type { ReferenceOperation } from '@sluice/contracts';
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
import { authorized, captured, debited } from './payment-states-fixture.js';
import { totals } from './totals.js';

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
      .then(requested);
    given(...captured)
      .when(refer('refund', id(3), id(2), 6_000))
      .then(requested);
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
      .then(requested);
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
      .then(requested);
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
      .then(requested);
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
      .then(requested);
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
      .then(requested);
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

describe('sequence=FINAL of what is open or late', () => {
  const final = { minor: 10, final: true };

  it('closes refunds as long as the refund is open', () => {
    const open = [...debited, refer('refund', id(2), id(1), final)];
    for (const more of [[], [outcome(id(2), 'unknown')], [outcome(id(2), 'pending')]]) {
      given(...open, ...more)
        .when(refer('refund', id(3), id(1), 1))
        .thenRejected('700.400.200');
    }
    given(...open, outcome(id(2), 'declined'))
      .when(refer('refund', id(3), id(1), 1))
      .then(requested);
  });

  it('closes partial reversals as long as the reversal is open, not when it was approved late', () => {
    const open = [...authorized, refer('reversal', id(2), id(1), final)];
    given(...open)
      .when(refer('reversal', id(3), id(1), 1))
      .thenRejected('700.400.300');
    given(...open, outcome(id(2), 'notPerformed'), outcome(id(2), 'approved'))
      .when(refer('reversal', id(3), id(1), 1))
      .then(requested);
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
      .then(requested);
  });
});
