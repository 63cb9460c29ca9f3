import { describe, expect, it } from '@jest/globals';
import { initialState } from './payment.js';
import type { PaymentCommand } from './commands.js';
import { givingBack, TRY_AGAIN_AFTER_MS } from './giving-back.js';
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

const review = { decision: 'review', score: 9 } as const;
const DAY_MS = 86_400_000;
const first = (operation: 'debit' | 'authorization' | 'credit') =>
  approved(initiate(operation, 10_000, { assessment: review }));
const rejection: PaymentCommand = {
  ...({ type: 'DecideReview', transactionId: id(1) } as const),
  ...{ nowMs: NOON_MS, decision: 'rejected' },
};
const tryIds = [id(2), id(3), id(4)];
const next = (commands: readonly PaymentCommand[], nowMs = NOON_MS) =>
  givingBack(stateAfter(...commands), { transactionId: id(1), tryIds, nowMs });
const declined = (operation: 'reversal' | 'refund', number: number) => [
  refer(operation, id(number), id(1), operation === 'refund' ? 10_000 : {}),
  outcome(id(number), 'declined'),
];
const notPerformed = (number: number) => [
  refer('reversal', id(number), id(1), {}),
  outcome(id(number), 'notPerformed'),
];
const DONE = { kind: 'done' };
const WAIT = { kind: 'wait' };
const giveUp = (minor: number) => ({ kind: 'giveUp', amount: eur(minor) });
const refund = (number: number, minor: number) => ({
  ...{ kind: 'refund', transactionId: id(number), amount: eur(minor) },
});

describe('a debit that was rejected', () => {
  it('is reversed, and then nothing is left', () => {
    expect(next(first('debit'))).toEqual({ kind: 'reverse', transactionId: id(2) });
    expect(next([...first('debit'), refer('reversal', id(2), id(1), {})])).toEqual(WAIT);
    const reversed = approved(refer('reversal', id(2), id(1), {}));
    expect(next([...first('debit'), ...reversed])).toEqual(DONE);
  });

  it('is refunded where the reversal is refused, and a case where the refund is, too', () => {
    const refused = [...first('debit'), ...declined('reversal', 2)];
    expect(next(refused)).toEqual(refund(3, 10_000));
    expect(next([...refused, ...declined('refund', 3)])).toEqual(giveUp(10_000));
  });

  it('of which a part was given back has the rest refunded', () => {
    const partly = [...first('debit'), ...approved(refer('refund', id(9), id(1), 4_000))];
    expect(next(partly)).toEqual(refund(2, 6_000));
    expect(next([...first('debit'), refer('refund', id(9), id(1), 4_000)])).toEqual(WAIT);
  });

  it('that was charged back as a whole has nothing left, in part a rest', () => {
    const back = (minor: number) => [...first('debit'), refer('chargeback', id(9), id(1), minor)];
    expect(next(back(10_000))).toEqual(DONE);
    expect(next(back(4_000))).toEqual(refund(2, 6_000));
  });

  it('is tried again after a while where nobody was asked, and given up after the last time', () => {
    const tried = [...first('debit'), ...notPerformed(2)];
    expect(next(tried)).toEqual(WAIT);
    const later = NOON_MS + TRY_AGAIN_AFTER_MS[0]! + 60_000;
    expect(next(tried, later)).toEqual({ kind: 'reverse', transactionId: id(3) });
    const all = [...tried, ...notPerformed(3), ...notPerformed(4)];
    expect(next(all, NOON_MS + DAY_MS)).toEqual(giveUp(10_000));
  });
});

describe('an authorization that was rejected', () => {
  it('is released, and a case where that is refused', () => {
    expect(next(first('authorization'))).toEqual({ kind: 'reverse', transactionId: id(2) });
    const released = approved(refer('reversal', id(2), id(1), {}));
    expect(next([...first('authorization'), ...released])).toEqual(DONE);
    const refused = [...first('authorization'), ...declined('reversal', 2)];
    expect(next(refused)).toEqual(giveUp(10_000));
  });
});

describe('what took nothing', () => {
  it('has nothing to be given back', () => {
    const asked = { transactionId: id(1), tryIds, nowMs: NOON_MS };
    expect(givingBack(initialState, asked)).toEqual(DONE);
    expect(next([initiate('debit', 10_000), outcome(id(1), 'declined')])).toEqual(DONE);
  });

  it('and paid the shopper is a case', () => {
    expect(next(first('credit'))).toEqual(giveUp(10_000));
  });
});

describe('the case of a rejected payment', () => {
  const amount = eur(6_000);
  const open: PaymentCommand = {
    ...({ type: 'OpenRejectionCase', transactionId: id(1) } as const),
    ...{ nowMs: NOON_MS, amount },
  };
  it('is opened once, and of rejected ones alone', () => {
    given(...first('debit'), rejection)
      .when(open)
      .then({ type: 'CaseOpened', data: { reason: 'rejectedNotGivenBack', amount } });
    given(...first('debit'), rejection, open)
      .when(open)
      .thenNothing();
    given(...first('debit'))
      .when(open)
      .thenNothing();
  });
});
