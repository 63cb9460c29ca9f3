import { describe, expect, it } from '@jest/globals';
import type { ReferenceOperation } from '@sluice/contracts';
import { type Amount, currency } from '@sluice/money';
import type { PaymentCommand } from './commands.js';
import type { PaymentEvent } from './events.js';
import { invariantViolations } from './invariants.js';
import { evolveAll, initialState } from './payment.js';
import { approved, eur, id, initiate, metadata, refer, stateAfter } from './payment-fixture.js';

const authorized = approved(initiate('authorization', 100, { numberOfCaptures: 2 }));
const captured = [...authorized, ...approved(refer('capture', id(2), id(1), 60))];
const twice = [...captured, ...approved(refer('capture', id(3), id(1), 40))];

/** Something that no rule would let through. */
interface Bad {
  readonly of: number;
  readonly minor?: number;
  readonly outcome?: 'requested' | 'approved' | 'declined';
  readonly final?: boolean;
  readonly amount?: Amount | undefined;
}

type BadTransaction = readonly [operation: ReferenceOperation, bad: Bad];

/** The events of it, numbered from 90 on. */
function eventsOf(transactions: readonly BadTransaction[]): readonly PaymentEvent[] {
  return transactions.flatMap(([operation, bad], index): PaymentEvent[] => {
    const { of, minor = 0, outcome = 'approved', final = false } = bad;
    const transactionId = id(90 + index);
    const amount = 'amount' in bad ? bad.amount : eur(minor);
    const data = { transactionId, referencedId: id(of), operation, amount, final, parameters: {} };
    const requested = { type: 'TransactionRequested', data, metadata } as PaymentEvent;
    const resultCode = '000.100.110';
    if (outcome === 'requested') return [requested];
    return outcome === 'approved'
      ? [
          requested,
          {
            type: 'TransactionApproved',
            data: { transactionId, resultCode, connectorTxId: 'a' },
            metadata,
          },
        ]
      : [requested, { type: 'TransactionDeclined', data: { transactionId, resultCode }, metadata }];
  });
}

function violations(before: readonly PaymentCommand[], ...bad: readonly BadTransaction[]) {
  const sound = stateAfter(...before);
  expect(invariantViolations(sound)).toEqual([]);
  return invariantViolations(evolveAll(sound, eventsOf(bad)));
}

describe('a payment that broke a rule of money (R-MON-01)', () => {
  it.each(['requested', 'approved'] as const)(
    'captured more than was authorized: %s',
    (outcome) => {
      expect(violations(captured, ['capture', { of: 1, minor: 40, outcome }])).toEqual([]);
      expect(violations(captured, ['capture', { of: 1, minor: 41, outcome }])).toEqual([
        'captured and released 101 exceed authorized 100',
        'captured 101 exceeds 100',
      ]);
    },
  );

  it('used more of its authorization than it had, in whichever ways', () => {
    const used = (open: number) =>
      violations(
        captured,
        ['capture', { of: 1, minor: 10, outcome: 'requested' }],
        ['reversal', { of: 1, minor: 20 }],
        ['reversal', { of: 1, minor: open, outcome: 'requested' }],
      );
    expect(used(10)).toEqual([]);
    expect(used(11)).toEqual(['captured and released 101 exceed authorized 100']);
  });

  it('gave back more than it captured, in whichever ways', () => {
    const returned = (chargedBack: number) =>
      violations(
        captured,
        ['refund', { of: 2, minor: 20 }],
        ['refund', { of: 2, minor: 20, outcome: 'requested' }],
        ['chargeback', { of: 2, minor: chargedBack }],
      );
    expect(returned(20)).toEqual([]);
    expect(returned(21)).toEqual([
      'refunded and charged back 61 exceed captured 60',
      `${id(2)}: more was returned than captured`,
    ]);
  });

  it('gave back more of one capture than that had, though not of all', () => {
    expect(violations(twice, ['refund', { of: 3, minor: 40 }])).toEqual([]);
    expect(violations(twice, ['refund', { of: 3, minor: 41 }])).toEqual([
      `${id(3)}: more was returned than captured`,
    ]);
    expect(violations(twice, ['reversal', { of: 3, minor: 41, outcome: 'requested' }])).toEqual([
      `${id(3)}: more was returned than captured`,
    ]);
  });

  it('took back a part of a capture, or one of which something was refunded', () => {
    expect(violations(twice, ['reversal', { of: 3, minor: 40 }])).toEqual([]);
    const notWhole = `${id(3)}: reversed, yet not as a whole`;
    expect(violations(twice, ['reversal', { of: 3, minor: 39 }])).toEqual([notWhole]);
    for (const outcome of ['requested', 'approved'] as const) {
      const refunded = [
        ['refund', { of: 3, minor: 1, outcome }],
        ['reversal', { of: 3, minor: 40 }],
      ] as const;
      expect(violations(twice, ...refunded)).toEqual([
        `${id(3)}: more was returned than captured`,
        notWhole,
      ]);
    }
    const both = violations(
      twice,
      ['refund', { of: 3, minor: 1 }],
      ['refund', { of: 3, minor: 1, outcome: 'requested' }],
      ['reversal', { of: 3, minor: 40 }],
    );
    expect(both).toContain(notWhole);
  });

  it('gave more of a chargeback back than it was', () => {
    const chargedBack = [...captured, refer('chargeback', id(3), id(2), 10)];
    const back = (minor: number) =>
      violations(chargedBack, ['chargebackReversal', { of: 3, minor }]);
    expect(back(10)).toEqual([]);
    expect(back(11)).toEqual([`${id(2)}: more chargebacks reversed than received`]);
  });

  it.each(['requested', 'approved'] as const)(
    'moved nothing, less, another currency, or nobody knows what: %s',
    (outcome) => {
      const moves = (bad: Omit<Bad, 'of'>) =>
        violations(captured, ['refund', { of: 2, outcome, ...bad }]);
      const notPositive = `${id(90)} moves an amount that is not positive`;
      expect([moves({ minor: 0 }), moves({ minor: -1 })]).toEqual([[notPositive], [notPositive]]);
      const dollar = { minor: 1n, currency: currency('USD') };
      expect(moves({ amount: dollar })).toEqual([`${id(90)} moves another currency`]);
      expect(moves({ amount: undefined })).toEqual([`${id(90)} moves money without an amount`]);
    },
  );

  it('captured more often than it may', () => {
    expect(violations(captured, ['receipt', { of: 1, minor: 1 }])).toEqual([]);
    expect(
      violations(
        twice.slice(0, -2),
        ['receipt', { of: 1, minor: 1 }],
        ['capture', { of: 1, minor: 1 }],
      ),
    ).toEqual(['3 captures of 2']);
  });

  it.each(['capture', 'receipt'] as const)('has a %s after sequence=FINAL', (operation) => {
    const final = { of: 1, minor: 1, final: true };
    const next = (outcome: Bad['outcome'] & string) =>
      violations(authorized, ['capture', final], [operation, { of: 1, minor: 1, outcome }]);
    const violation = [`${id(91)} captures after sequence=FINAL`];
    expect([next('requested'), next('approved'), next('declined')]).toEqual([
      violation,
      violation,
      [],
    ]);
    expect(violations(authorized, [operation, final], ['capture', { of: 1, minor: 1 }])).toEqual(
      violation,
    );
  });
});

describe('a payment is sound', () => {
  it('before its first event', () => {
    expect(invariantViolations(initialState)).toEqual([]);
  });

  it('whatever was declined', () => {
    const declined: readonly BadTransaction[] = [
      ['capture', { of: 1, minor: 1_000, outcome: 'declined' }],
      ['refund', { of: 2, minor: 0, outcome: 'declined' }],
    ];
    expect(violations(captured, ...declined)).toEqual([]);
  });

  it('with a refund after a capture with sequence=FINAL, which closes captures alone', () => {
    const final = [
      ...authorized,
      ...approved(refer('capture', id(2), id(1), { minor: 60, final: true })),
    ];
    expect(violations(final, ['refund', { of: 2, minor: 10 }])).toEqual([]);
    const refunded = ['refund', { of: 2, minor: 10, final: true }] as const;
    expect(violations(captured, refunded, ['capture', { of: 1, minor: 1 }])).toEqual([]);
  });

  it('where a settlement file took more than was left, which is nobody here to blame for', () => {
    const debited = approved(initiate('debit', 100));
    const exceeded = [
      ...[...debited, ...approved(refer('refund', id(2), id(1), 70))],
      refer('chargeback', id(3), id(1), { minor: 50, source: 'settlement' }),
    ];
    expect(violations(exceeded)).toEqual([]);
    expect(violations(exceeded, ['refund', { of: 1, minor: 1 }])).toEqual([
      'refunded and charged back 101 exceed captured 100',
      `${id(1)}: more was returned than captured`,
    ]);
  });
});
