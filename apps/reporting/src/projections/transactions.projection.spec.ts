import { describe, expect, it } from '@jest/globals';
import { type TransactionRow, transactions } from './transactions.projection.js';

type Event = Parameters<typeof transactions.fold>[1];

const ID = '0194670a0000abcd0000000000000001';
const metadata = {
  ...{ recordedAtMs: 1_790_000_000_000, entityId: 'e'.repeat(32), channelName: 'demo' },
  ...{ ndc: 'ndc-1', mode: 'INTERNAL' },
};

/** The row of a payment after these events. */
function rowOf(...events: readonly (readonly [type: string, data?: object])[]) {
  return events.reduce<TransactionRow | undefined>((row, [type, data]) => {
    const event = {
      type,
      streamId: ID,
      version: 1,
      metadata,
      data: { transactionId: ID, ...data },
    };
    return transactions.fold(row, event as unknown as Event);
  }, undefined);
}

describe('the row of a payment under review', () => {
  const initiated = [
    'PaymentInitiated',
    { operation: 'debit', amount: { minor: '9200', currency: 'EUR' }, parameters: {} },
  ] as const;
  const approved = ['TransactionApproved', { resultCode: '000.400.000' }] as const;
  const decided = (decision: string) => ['ReviewDecided', { decision }] as const;

  it.each([
    ['released', '000.100.110'],
    ['rejected', '000.400.100'],
  ])('that is %s answers %s, and stays approved', (decision, resultCode) => {
    expect(rowOf(initiated, approved, decided(decision))).toMatchObject({
      ...{ status: 'approved', resultCode },
    });
  });

  it('that was declined meanwhile stays what it is', () => {
    const declined = ['TransactionDeclined', { resultCode: '800.100.152' }] as const;
    expect(rowOf(initiated, declined, decided('rejected'))).toMatchObject({
      ...{ status: 'declined', resultCode: '800.100.152' },
    });
  });
});

describe('the row of a payment', () => {
  it.each(['PaymentInitiated', 'TransactionRejected'])('of %s says what asked for it', (type) => {
    const event = {
      ...{ type, streamId: ID, version: 1 },
      data: { transactionId: ID, operation: 'debit', parameters: {} },
    };
    const rowBy = (source: object) =>
      transactions.fold(undefined, {
        ...event,
        metadata: { ...metadata, ...source },
      } as unknown as Event);
    expect(rowBy({ source: 'MACRETRY' })).toMatchObject({ source: 'MACRETRY' });
    expect(rowBy({})).toMatchObject({ source: null });
  });
});
