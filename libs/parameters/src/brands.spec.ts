import { describe, expect, it } from '@jest/globals';
import { brandNamed, cardBrands, detectedBrand, isOfBrand } from './brands.js';
import { passesLuhn } from './luhn.js';

/** Public test cards of the interface family with the brand they are listed under. */
const testCards: readonly (readonly [string, string])[] = [
  ['4200000000000000', 'VISA'],
  ['4111111111111111', 'VISA'],
  ['4012001036275556', 'VISA'],
  ['4200000000000091', 'VISA'],
  ['5454545454545454', 'MASTER'],
  ['5105105105105100', 'MASTER'],
  ['5200000000000007', 'MASTER'],
  ['2223000048400011', 'MASTER'],
  ['377777777777770', 'AMEX'],
  ['374500262001008', 'AMEX'],
  ['343434343434343', 'AMEX'],
  ['6799851000000032', 'MAESTRO'],
  ['6761301000993772', 'MAESTRO'],
  ['6706981111111113', 'MAESTRO'],
  ['6007930123456780', 'MAESTRO'],
  ['6799998900000060018', 'MAESTRO'],
  ['67034200554565015', 'MAESTRO'],
  ['36177580677072', 'DINERS'],
  ['36259600000004', 'DINERS'],
  ['6011000400001008', 'DISCOVER'],
  ['6510000000001248', 'DISCOVER'],
  ['3530111333300000', 'JCB'],
  ['3096023363379943', 'JCB'],
  ['6250947000000014', 'UNIONPAY'],
];

describe('brand detection', () => {
  it.each(testCards)('%s is a %s', (number, brand) => {
    expect(detectedBrand(number)?.name).toBe(brand);
    expect(passesLuhn(number)).toBe(true);
  });

  it.each([
    '',
    '0000000000000000',
    '1',
    '42',
    '9999999999999999',
    '4'.repeat(20),
    'x200000000000000',
  ])('%s is of no brand', (number) => {
    expect(detectedBrand(number)).toBeUndefined();
  });
});

describe('a brand that is named', () => {
  it.each([
    ...testCards,
    ['4917300800000000', 'VISAELECTRON'],
    ['4464040000000007', 'MADA'],
    ['4464040000000007', 'VISA'],
    ['4200000000000000', 'CARTEBANCAIRE'],
    ['4200000000000000', 'visa'],
  ] as const)('takes %s as %s', (number, name) => {
    const brand = brandNamed(name);
    expect(brand !== undefined && isOfBrand(number, brand)).toBe(true);
  });

  it.each([
    ['5454545454545454', 'VISA'],
    ['4200000000000000', 'MASTER'],
    ['420000000000000', 'AMEX'],
    ['3777777777777700', 'AMEX'],
    ['4200000000000000', 'MADA'],
    ['54545454545454540', 'MASTER'],
  ])('does not take %s as %s', (number, name) => {
    const brand = brandNamed(name);
    expect(brand !== undefined && isOfBrand(number, brand)).toBe(false);
  });

  it.each(['', 'PAYPAL', '__proto__', 'constructor'])('%j is no card brand', (name) => {
    expect(brandNamed(name)).toBeUndefined();
  });
});

describe('the table', () => {
  it('has ranges of equal length that begin with one digit', () => {
    for (const range of cardBrands.flatMap(({ ranges }) => ranges)) {
      expect(range).toMatch(/^[0-9]{1,6}(-[0-9]{2,6})?$/);
      const [from = '', to = from] = range.split('-');
      expect(to).toHaveLength(from.length);
      expect(to >= from && to.startsWith(from.charAt(0))).toBe(true);
    }
  });

  it('names each brand once', () => {
    const names = cardBrands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the Luhn test', () => {
  it.each(['4200000000000001', '4444444444444444', '6250947000000052'])('fails %s', (number) => {
    expect(passesLuhn(number)).toBe(false);
  });

  it('finds every single wrong digit', () => {
    const number = '4200000000000000';
    for (let at = 0; at < number.length; at += 1) {
      for (const digit of '0123456789') {
        const changed = number.slice(0, at) + digit + number.slice(at + 1);
        expect(passesLuhn(changed)).toBe(changed === number);
      }
    }
  });
});
