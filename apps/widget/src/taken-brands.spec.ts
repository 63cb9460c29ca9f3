import { describe, expect, it } from '@jest/globals';
import { withTaken } from './taken-brands.js';

const groups = [
  { kind: 'card', brands: ['VISA', 'AMEX'] },
  { kind: 'virtualAccount', brand: 'KLARNA_INVOICE' },
  { kind: 'virtualAccount', brand: 'PAYPAL' },
] as const;

describe('what a channel takes', () => {
  it.each([
    [
      ['VISA', 'KLARNA_*'],
      [{ kind: 'card', brands: ['VISA'] }, groups[1]],
    ],
    [['PAYPAL'], [groups[2]]],
    [[], []],
  ])('of %j is all that is offered', (brands, left) => {
    expect(withTaken(groups, { brands })).toEqual(left);
  });

  it.each([undefined, {}, { brands: 'VISA' }])(
    'is not known where %j is said, so that nothing is left out',
    (said) => {
      expect(withTaken(groups, said)).toEqual(groups);
    },
  );
});
