import { describe, expect, it } from '@jest/globals';
import type { Answer } from './gateway.js';
import { type Order, outcomeOf, outcomeOfAll } from './order.js';

const order: Order = {
  ...{ id: 'shop-1', lines: [], totalCents: 9_200, details: {}, keepsCard: false },
  checkout: { id: 'checkout-0', integrity: 'sha384-checkout-0' },
  outcome: { kind: 'open' },
};

function answer(code: string, changed: Partial<Answer> = {}): Answer {
  const result = { code };
  const money = { amount: '92.00', currency: 'EUR', merchantTransactionId: 'shop-1' };
  return {
    ...{ id: 'id', shortId: '1234.5678.9012', paymentType: 'DB', ...money, result },
    ...changed,
  };
}

describe('an answer of the gateway', () => {
  it.each([
    '000.000.000',
    '000.100.110',
    '000.100.112',
    '000.300.000',
    '000.400.110',
    '000.400.020',
  ])('with %s is an approval, with its receipt', (code) => {
    const approved = { kind: 'approved', receipt: '1234.5678.9012' };
    expect(outcomeOf(order, answer(code))).toEqual(approved);
  });

  it.each(['000.200.000', '800.400.500', '100.400.500'])('with %s is not decided', (code) => {
    expect(outcomeOf(order, answer(code))).toEqual({ kind: 'pending' });
  });

  it.each(['800.100.152', '100.100.101', '200.300.404', '000.400.030'])(
    'with %s is a decline',
    (code) => {
      expect(outcomeOf(order, answer(code))).toEqual({ kind: 'declined', code });
    },
  );

  it.each([{ amount: '9.20' }, { currency: 'USD' }, { merchantTransactionId: 'shop-2' }])(
    'that approves %j pays for nothing here',
    (other) => {
      expect(outcomeOf(order, answer('000.100.110', other))).toEqual({ kind: 'pending' });
    },
  );
});

describe('all payments of an order, the newest first', () => {
  const declined = answer('800.100.152', { id: 'declined' });
  const pending = answer('000.200.000', { id: 'pending' });
  const approved = answer('000.100.110');
  const reversal = answer('000.100.110', { id: 'rv', paymentType: 'RV', referencedId: 'id' });
  const failed = { ...reversal, result: { code: '900.100.300' } };
  const elsewhere = { ...reversal, referencedId: 'other' };
  const refund = { ...reversal, paymentType: 'RF' };

  it.each([
    ['approved', [approved, declined, pending]],
    ['approved', [approved, declined, elsewhere]],
    ['approved', [approved, failed]],
    ['approved', [approved, refund]],
    ['pending', [pending, declined]],
    ['declined', [declined, pending]],
    ['declined', [declined, declined]],
    ['declined', []],
    // Given up and approved all the same: the money is on its way back.
    ['pending', [declined, approved]],
    ['pending', [declined, approved, failed]],
    ['declined', [declined, approved, reversal]],
    ['declined', [approved, reversal]],
    ['declined', [{ ...approved, paymentType: 'RF' }]],
  ])('are %s', (kind, payments) => {
    expect(outcomeOfAll(order, payments)).toMatchObject({ kind });
  });
});
