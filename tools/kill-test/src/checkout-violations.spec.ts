import { describe, expect, it } from '@jest/globals';
import { attemptsInBooks, type CheckoutRecord, type Told } from './checkout-shop.js';
import { checkoutViolations } from './checkout-violations.js';
import type { Attempt, RecordedTransaction } from './records.js';

const APPROVED = '000.100.110';
const NOT_PERFORMED = '900.100.310';
const answer = (code: string, id?: string): Extract<Attempt, { kind: 'answered' }> => ({
  ...{ kind: 'answered', status: 200, code },
  ...(id !== undefined && { id }),
});
const checkout = (told: readonly Told[], more: Partial<CheckoutRecord> = {}): CheckoutRecord => ({
  ...{ reference: 'order', id: 'checkout', submits: [], saves: [], told, hasLostRead: false },
  ...more,
});
const payment = (id: string, outcome: RecordedTransaction['outcome']): RecordedTransaction => ({
  ...{ id, outcome, streamId: id, reference: 'order', operation: 'debit' },
});
const rules = (one: CheckoutRecord, payments: readonly RecordedTransaction[]): string[] =>
  checkoutViolations([one], payments).map(({ rule }) => rule);

describe('a checkout is right', () => {
  it.each([
    ['approved and told', checkout([answer(APPROVED, 'a')]), [payment('a', 'approved')]],
    ['declined and told', checkout([answer('800.100.152', 'a')]), [payment('a', 'declined')]],
    [
      'paid by the second attempt',
      checkout([answer(NOT_PERFORMED, 'a'), answer(APPROVED, 'b')]),
      [payment('a', 'notPerformed'), payment('b', 'approved')],
    ],
    ['never asked for', checkout([answer(NOT_PERFORMED, 'a')]), []],
    [
      'told by an answer that was lost',
      checkout(['gone'], { hasLostRead: true }),
      [payment('a', 'approved')],
    ],
    ['never made', checkout([], { reference: 'none' }), []],
  ])('where it is %s', (_what, one, payments) => {
    expect(rules(one, payments)).toEqual([]);
  });
});

describe('a checkout is wrong', () => {
  it.each([
    [
      'paid twice',
      checkout([answer(APPROVED, 'a')]),
      [payment('a', 'approved'), payment('b', 'approved')],
      ['checkout paid twice', 'checkout told otherwise'],
    ],
    [
      'paid, and told that it was not',
      checkout([answer(NOT_PERFORMED, 'a')]),
      [payment('a', 'approved')],
      ['checkout told otherwise'],
    ],
    [
      'told of an approval that there is not',
      checkout([answer(APPROVED, 'a')]),
      [payment('a', 'declined')],
      ['checkout told otherwise'],
    ],
    [
      'told of a decline of what nobody has recorded',
      checkout([answer('800.100.152', 'a')]),
      [],
      ['checkout told otherwise'],
    ],
    ['never told', checkout(['nothing']), [payment('a', 'approved')], ['checkout never told']],
    ['gone untold', checkout(['gone']), [payment('a', 'approved')], ['checkout gone']],
    ['gone unpaid', checkout(['gone'], { hasLostRead: true }), [], ['checkout gone']],
  ])('where it is %s', (_what, one, payments, expected) => {
    expect(rules(one, payments)).toEqual(expected);
  });
});

describe("the merchant's books of a checkout", () => {
  it('promise what was said finally, and nothing by what is pending or came to nothing', () => {
    const submits = [answer('000.200.000', 'a'), { kind: 'notSent' } as const];
    const told = [answer(NOT_PERFORMED, 'a'), answer(APPROVED, 'b'), 'gone' as const];
    expect(attemptsInBooks(checkout(told, { submits }))).toEqual([
      { kind: 'indefinite', why: '000.200.000' },
      { kind: 'notSent' },
      { kind: 'indefinite', why: NOT_PERFORMED },
      answer(APPROVED, 'b'),
    ]);
  });
});
