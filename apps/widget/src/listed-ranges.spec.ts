import { describe, expect, it } from '@jest/globals';
import { keysOf, rangeOf } from './listed-ranges.js';

describe('the gateway is asked what a card is of', () => {
  it.each([
    ['42000', []],
    ['420000', ['420000']],
    ['4200001', ['420000']],
    ['42000012', ['42000012', '420000']],
    ['4200001234567890', ['42000012', '420000']],
  ])('by %j: %j', (digits, keys) => {
    expect(keysOf(digits)).toEqual(keys);
  });
});

describe('what its list says', () => {
  it('is brands, country and type, and nothing else that an answer has', () => {
    const body = { brands: ['VISA', 7], country: 'DE', type: 'DEBIT', ndc: 'x', result: {} };
    expect(rangeOf(body)).toEqual({ brands: ['VISA'], country: 'DE', type: 'DEBIT' });
    expect(rangeOf({ country: 'DE' })).toEqual({ brands: [], country: 'DE' });
  });

  it.each([[null], ['text'], [{}], [{ brands: [] }], [{ brands: 'VISA', country: 5 }]])(
    'is nothing: %j',
    (body) => {
      expect(rangeOf(body)).toBeUndefined();
    },
  );
});
