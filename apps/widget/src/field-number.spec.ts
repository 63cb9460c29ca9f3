import { describe, expect, it } from '@jest/globals';
import { isCode, isNumber } from './field-number.js';

describe('a card number', () => {
  it.each([
    ['4200000000000000', 'VISA', true],
    ['4200000000000000', '', true],
    ['4200000000000001', 'VISA', false],
    ['4200000000000000', 'MASTER', false],
    ['420000000000', 'VISA', false],
    ['377777777777770', 'AMEX', true],
    ['0', '', false],
    ['', '', false],
  ])('%s of %j: %s', (digits, brand, is) => {
    expect(isNumber(digits, { brand })).toBe(is);
  });
});

describe('a security code', () => {
  it.each([
    ['123', 'VISA', true],
    ['1234', 'VISA', false],
    ['123', 'AMEX', false],
    ['1234', 'AMEX', true],
    ['1234', '', true],
    ['12', '', false],
    ['', 'VISA', false],
  ])('%s of %j: %s', (digits, brand, is) => {
    expect(isCode(digits, brand)).toBe(is);
  });
});
