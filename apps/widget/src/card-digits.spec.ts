import { describe, expect, it } from '@jest/globals';
import { caretBehind, digitsOf, gapsOf, grouped } from './card-digits.js';

describe('the digits of what is typed or pasted', () => {
  it.each([
    ['4200 0000 0000 0000', '4200000000000000'],
    [' 4200-0000\t0000.0000 ', '4200000000000000'],
    ['\u0664\u0662\u0660\u0660', '4200'],
    ['\u06f4\u06f2\u06f0\u06f0', '4200'],
    ['Visa', ''],
  ])('%j are %j', (text, digits) => {
    expect(digitsOf(text)).toBe(digits);
  });
});

describe('a card number', () => {
  it.each([
    ['VISA', '4200000000000000', '4200 0000 0000 0000'],
    ['VISA', '42000', '4200 0'],
    ['VISA', '4200', '4200'],
    ['AMEX', '377777777777770', '3777 777777 77770'],
    ['DINERS', '36777777777771', '3677 777777 7771'],
    ['DINERS', '3677777777777711', '3677 7777 7777 7711'],
    [undefined, '67000000000000000', '6700 0000 0000 0000 0'],
  ])('of %s has its gaps: %s', (brand, digits, text) => {
    expect(grouped(digits, gapsOf(brand, digits))).toBe(text);
  });

  it('keeps the caret behind the same digit', () => {
    const gaps = gapsOf('VISA', '');
    expect([0, 3, 4, 5, 8, 9].map((digits) => caretBehind(digits, gaps))).toEqual([
      0, 3, 4, 6, 9, 11,
    ]);
  });
});
