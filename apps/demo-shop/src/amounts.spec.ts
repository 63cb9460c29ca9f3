import { describe, expect, it } from '@jest/globals';
import { amountOf } from './amounts.js';

describe('cents as an amount', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [92, '0.92'],
    [4_800, '48.00'],
    [1_234_567, '12345.67'],
  ])('%i are %s', (cents, amount) => {
    expect(amountOf(cents)).toBe(amount);
  });
});
