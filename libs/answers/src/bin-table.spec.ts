import { describe, expect, it } from '@jest/globals';
import { BinTable } from './bin-table.js';

const table = new BinTable([
  { prefix: '4', maxPanLength: 19 },
  { prefix: '4200', type: 'DEBIT', country: 'DE' },
  { prefix: '420000', type: 'CREDIT', level: 'GOLD' },
]);

describe('the details of a card', () => {
  it.each([
    ['420000', { type: 'CREDIT', level: 'GOLD' }],
    ['420001', { type: 'DEBIT', country: 'DE', binCountry: 'DE' }],
    ['421000', { maxPanLength: '19' }],
    ['520000', undefined],
    ['', undefined],
  ])('of %j are those of the longest prefix alone', (bin, fields) => {
    expect(table.fieldsOf(bin)).toEqual(fields);
  });

  it('are looked up by six digits, whatever follows', () => {
    expect(table.fieldsOf('4200001234567890')).toEqual(table.fieldsOf('420000'));
  });

  it('are texts', () => {
    const issuer = { bank: 'Bank', phone: '1', website: 'w' };
    const row = { type: 'DEBIT', level: 'GOLD', country: 'FR', issuer, binType: 'PERSONAL' };
    const [regulated, unregulated] = [true, false].map((flag) =>
      new BinTable([{ prefix: '5', ...row, maxPanLength: 16, regulated: flag }]).fieldsOf('500000'),
    );
    expect(regulated).toEqual({
      ...{ type: 'DEBIT', level: 'GOLD', country: 'FR', binCountry: 'FR', issuer },
      ...{ binType: 'PERSONAL', maxPanLength: '16', regulatedFlag: 'true' },
    });
    expect(unregulated).toMatchObject({ regulatedFlag: 'false' });
  });

  it('cannot be changed by whoever got them', () => {
    expect(Object.isFrozen(table.fieldsOf('420000'))).toBe(true);
  });
});
