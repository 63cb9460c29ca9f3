import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { type BankWord, meaningOf, type SentOrder } from './bank-words.js';
import { type OrderState, orderStates } from './schema.js';

const amount = { minor: 9_200n, currency: currency('EUR') };
const order = (state: OrderState, more: Partial<SentOrder> = {}): SentOrder => ({
  ...{ reference: 'a', state, isDebit: true, amount },
  ...more,
});
const returned: BankWord = { kind: 'returned', resultCode: '000.100.203', amount, isDebit: true };
const rejected: BankWord = { kind: 'rejected', resultCode: '000.100.204' };
const withBank: readonly OrderState[] = ['inFile', 'accepted'];
const over: readonly OrderState[] = ['rejected', 'returned'];

describe('given an order that is with the bank', () => {
  it.each(withBank)('%s, when it comes back, then it is charged back', (state) => {
    expect(meaningOf(order(state), returned)).toEqual({
      ...{ kind: 'takenBack', state: 'returned', resultCode: '000.100.203' },
    });
  });

  it.each(withBank)(
    '%s, when it is rejected without an amount, then it is charged back',
    (state) => {
      expect(meaningOf(order(state), rejected)).toMatchObject({
        ...{ kind: 'takenBack', state: 'rejected' },
      });
    },
  );

  it.each([
    ['another amount', { ...returned, amount: { ...amount, minor: 1n } }],
    ['another currency', { ...returned, amount: { ...amount, currency: currency('CHF') } }],
    ['a rejection with another amount', { ...rejected, amount: { ...amount, minor: 1n } }],
    ['no amount', { kind: 'returned', resultCode: '000.100.203', isDebit: true }],
  ] satisfies [string, BankWord][])('when %s comes back, then somebody looks', (_, word) => {
    expect(meaningOf(order('inFile'), word)).toEqual({ kind: 'case', what: 'differentAmount' });
  });

  it('when it was a transfer, then somebody looks, and it is noted as returned', () => {
    const transfer = order('inFile', { isDebit: false });
    expect(meaningOf(transfer, { ...returned, isDebit: false })).toEqual({
      ...{ kind: 'case', what: 'creditReturned', state: 'returned' },
    });
    expect(meaningOf(transfer, returned)).toEqual({ kind: 'case', what: 'unexpected' });
  });

  it.each([true, false])('when its money is booked back (%s), then somebody looks', (isDebit) => {
    const back: BankWord = { kind: 'booked', isDebit };
    const what = { kind: 'case', what: 'unexplained' };
    expect(meaningOf(order('inFile', { isDebit }), back)).toEqual(what);
    expect(meaningOf(order('accepted', { isDebit }), back)).toEqual(what);
    expect(meaningOf(order('returned', { isDebit }), back)).toEqual({ kind: 'nothing' });
    // As it was asked for, and of somebody else.
    expect(meaningOf(order('inFile', { isDebit: !isDebit }), back)).toEqual({ kind: 'nothing' });
    expect(meaningOf(undefined, back)).toEqual({ kind: 'nothing' });
  });

  it('when it is accepted, then that is noted once', () => {
    expect(meaningOf(order('inFile'), { kind: 'accepted' })).toEqual({
      ...{ kind: 'moved', state: 'accepted' },
    });
    expect(meaningOf(order('accepted'), { kind: 'accepted' })).toEqual({ kind: 'nothing' });
  });
});

describe('given an order that came back before', () => {
  it.each(over)('%s, when anything more is said, then nothing happens', (state) => {
    for (const word of [returned, rejected, { kind: 'accepted' } as const]) {
      expect(meaningOf(order(state), word)).toEqual({ kind: 'nothing' });
    }
  });
});

describe('given an order that the bank cannot have', () => {
  const others = orderStates.filter((state) => ![...withBank, ...over].includes(state));

  it.each(others)('%s, when it comes back, then somebody looks', (state) => {
    expect(meaningOf(order(state), returned)).toEqual({ kind: 'case', what: 'unexpected' });
    expect(meaningOf(order(state), { kind: 'accepted' })).toEqual({ kind: 'nothing' });
  });

  it('none at all, then somebody looks', () => {
    expect(meaningOf(undefined, returned)).toEqual({ kind: 'case', what: 'unknownOrder' });
  });
});
