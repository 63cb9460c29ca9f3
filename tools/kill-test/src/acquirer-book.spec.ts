import { describe, expect, it } from '@jest/globals';
import { bookOf } from './acquirer-book.js';

const line = (id: string, status: string, amount = '92.00'): string =>
  JSON.stringify({
    kind: 'transaction',
    transactionId: id,
    reference: `ref-${id}`,
    operation: 'debit',
    status,
    amount,
    currency: 'EUR',
  });

describe("the acquirer's book", () => {
  it('has every booking with what became of it', () => {
    const undone = JSON.stringify({ kind: 'reversal', transactionId: 'S2' });
    const text = [
      line('S1', 'approved'),
      line('S2', 'approved', '7.5'),
      line('S3', 'pending', '3'),
      undone,
      '',
    ];
    expect(bookOf(text.join('\n'))).toEqual([
      {
        acquirerReference: 'ref-S1',
        operation: 'debit',
        amountMinor: 9_200n,
        currency: 'EUR',
        status: 'approved',
      },
      {
        acquirerReference: 'ref-S2',
        operation: 'debit',
        amountMinor: 750n,
        currency: 'EUR',
        status: 'reversed',
      },
      {
        acquirerReference: 'ref-S3',
        operation: 'debit',
        amountMinor: 300n,
        currency: 'EUR',
        status: 'pending',
      },
    ]);
  });

  it('counts what waits for a shopper once the shopper pays, whatever the shopper did before', () => {
    const page = JSON.stringify({ ...(JSON.parse(line('S1', 'pending')) as object), page: {} });
    const choice = (more: object): string =>
      JSON.stringify({ kind: 'choice', transactionId: 'S1', ...more });
    const cancelled = [page, choice({ choice: 'cancel' })];
    const paid = [...cancelled, choice({ choice: 'approve', approvedFromMs: 1 })];
    const undone = [...paid, JSON.stringify({ kind: 'reversal', transactionId: 'S1' })];
    const statuses = [[page], cancelled, paid, undone].map((lines) =>
      bookOf([...lines, ''].join('\n')).map(({ status }) => status),
    );
    expect(statuses).toEqual([['declined'], ['declined'], ['approved'], ['reversed']]);
    expect(() => bookOf(`${choice({ choice: 'cancel' })}\n`)).toThrow('never booked');
  });

  it('leaves out the half line of a crash, which nobody was told of', () => {
    expect(
      bookOf(`${line('S1', 'approved')}\n${line('S2', 'approved').slice(0, 40)}`),
    ).toHaveLength(1);
  });

  it('refuses a broken line in the middle and an acquirer id that is there twice', () => {
    expect(() => bookOf(`{"kind":\n${line('S1', 'approved')}\n`)).toThrow();
    expect(() => bookOf(`${line('S1', 'approved')}\n${line('S1', 'approved')}\n`)).toThrow('twice');
  });
});
