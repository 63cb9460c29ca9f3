import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand } from './commands.js';
import { invariantViolations } from './invariants.js';
import { evolveAll, type PaymentState, transactionsOf } from './payment.js';
import { approved, id, initiate, refer, stateAfter } from './payment-fixture.js';

/** Writes the events that no rule would let through: the invariants have to see each of them. */
describe('one bad event', () => {
  const captured = [
    ...approved(initiate('authorization', 100, { numberOfCaptures: 2 })),
    ...approved(refer('capture', id(2), id(1), 60)),
  ];
  const injected = (
    operation: Parameters<typeof refer>[0],
    referenced: number,
    minor: number,
    final = false,
    base: readonly PaymentCommand[] = captured,
  ) => {
    const sound = stateAfter(...base);
    expect(invariantViolations(sound)).toEqual([]);
    const template = evolveAll(sound, [
      {
        type: 'TransactionRequested',
        data: {
          transactionId: id(90),
          referencedId: id(referenced),
          operation,
          amount: { ...amountOf(sound), minor: BigInt(minor) },
          final,
          parameters: {},
        },
        metadata: initiate('debit', 1).metadata,
      },
    ]);
    return invariantViolations(template);
  };
  const amountOf = (state: PaymentState) => {
    const amount = transactionsOf(state).get(id(1))?.amount;
    if (amount === undefined) throw new Error('no amount');
    return amount;
  };

  it('is found: captured beyond authorized', () => {
    expect(injected('capture', 1, 41)).not.toEqual([]);
    expect(injected('capture', 1, 40)).toEqual([]);
  });
  it('is found: refunded beyond captured', () => {
    expect(injected('refund', 2, 61)).not.toEqual([]);
    expect(injected('refund', 2, 60)).toEqual([]);
  });
  it('is found: released beyond the rest', () => {
    expect(injected('reversal', 1, 41)).not.toEqual([]);
  });
  it('is found: an amount that is not positive', () => {
    expect(injected('capture', 1, 0)).not.toEqual([]);
    expect(injected('refund', 2, -1)).not.toEqual([]);
  });
  it('is found: one capture too many', () => {
    const two = [...captured, ...approved(refer('capture', id(3), id(1), 1))];
    expect(injected('capture', 1, 1, false, two)).not.toEqual([]);
  });
  it('is found: a capture after sequence=FINAL', () => {
    const closed = [
      ...approved(initiate('authorization', 100)),
      ...approved(refer('capture', id(3), id(1), 1, { final: true })),
    ];
    expect(injected('capture', 1, 1, false, closed)).not.toEqual([]);
  });
});
