import { describe, expect, it } from '@jest/globals';
import { sheetAmount } from './sheet-amount.js';

describe('an amount on a sheet', () => {
  it.each([
    ['92.00', 'EUR', '92.00'],
    ['0.10', 'USD', '0.10'],
    ['92.00', 'JPY', '92'],
    ['1200.00', 'KRW', '1200'],
    ['92.50', 'KWD', '92.50'],
  ])('has the decimals of its currency: %s %s', (amount, currency, shown) => {
    expect(sheetAmount(amount, currency)).toBe(shown);
  });
});
