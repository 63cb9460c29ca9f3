import { describe, expect, it } from '@jest/globals';
import { type ProjectedTransaction, projectionDisagreements } from './projection-side.js';
import type { RecordedTransaction } from './records.js';

const recorded: RecordedTransaction = {
  ...{ id: 'a', streamId: 'a', reference: 'order', operation: 'debit', amountMinor: 9_200n },
  ...{ currency: 'EUR', outcome: 'approved', resultCode: '000.100.110' },
};
const row: ProjectedTransaction = {
  ...{ id: 'a', streamId: 'a', reference: 'order', operation: 'debit', amountMinor: '9200' },
  ...{ currency: 'EUR', status: 'approved', resultCode: '000.100.110' },
};
const sentences = (rows: readonly ProjectedTransaction[]): string[] =>
  projectionDisagreements([recorded], rows).map(({ sentence }) => sentence);

describe('the projection beside the events', () => {
  it('agrees row for row', () => {
    expect(sentences([row])).toEqual([]);
  });

  it('says something else', () => {
    const wrong = { ...row, status: 'pending', amountMinor: '9201' };
    expect(sentences([wrong])).toEqual([
      'its status is pending, recorded approved',
      'its amount is 9201, recorded 9200',
    ]);
  });

  it('lacks a row, has one too many, or has one twice', () => {
    expect(sentences([])).toEqual(['is not projected']);
    expect(sentences([row, { ...row, id: 'b' }])).toEqual(['is projected and was never recorded']);
    expect(sentences([row, row])).toEqual(['1 transactions are projected twice']);
  });
});
