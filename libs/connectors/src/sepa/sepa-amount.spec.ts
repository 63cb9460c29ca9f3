import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import fc from 'fast-check';
import { amountIn, controlSum, euroText, EURO, EURO_MINOR_MAX } from './sepa-amount.js';

describe('an amount in a file for the bank', () => {
  it.each([
    [1n, '0.01'],
    [100n, '1.00'],
    [EURO_MINOR_MAX, '999999999.99'],
  ])('of %i cents is %s', (minor, text) => {
    expect(euroText({ minor, currency: EURO })).toBe(text);
  });

  it.each([
    [0n, 'EUR'],
    [-1n, 'EUR'],
    [EURO_MINOR_MAX + 1n, 'EUR'],
    [100n, 'CHF'],
  ])('is never %i of %s', (minor, code) => {
    expect(euroText({ minor, currency: currency(code) })).toBeUndefined();
  });

  it('is summed to the cent, where a number of JavaScript would have rounded', () => {
    const amounts = Array.from({ length: 100_000 }, () => ({
      minor: EURO_MINOR_MAX,
      currency: EURO,
    }));
    expect(controlSum(amounts)).toBe('99999999999000.00');
  });
});

describe('an amount that a bank has written', () => {
  it.each([
    ['1', 'EUR', 100n],
    ['1.5', 'EUR', 150n],
    ['1.50000', 'EUR', 150n],
    ['.05', 'EUR', 5n],
    ['0', 'EUR', 0n],
    ['+3.', 'EUR', 300n],
    ['100', 'JPY', 100n],
    ['100.00', 'JPY', 100n],
    ['1.234', 'KWD', 1234n],
    ['9999999999999999.99', 'EUR', 999_999_999_999_999_999n],
  ])('as %s %s', (text, code, minor) => {
    expect(amountIn(text, code)).toEqual({ minor, currency: code });
  });

  it.each([
    ['', 'EUR'],
    ['.', 'EUR'],
    ['+', 'EUR'],
    ['-1.00', 'EUR'],
    ['1,00', 'EUR'],
    ['1e3', 'EUR'],
    ['0x10', 'EUR'],
    ['NaN', 'EUR'],
    ['1.001', 'EUR'],
    ['100.5', 'JPY'],
    ['99999999999999999.99', 'EUR'],
    ['1.00', 'XXX'],
    ['1.00', 'eur'],
    ['1.00', ''],
  ])('is not read from %j %j', (text, code) => {
    expect(amountIn(text, code)).toBeUndefined();
  });

  it('is what was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: EURO_MINOR_MAX }), (minor) => {
        const amount = { minor, currency: EURO };
        expect(amountIn(euroText(amount)!, 'EUR')).toEqual(amount);
      }),
    );
  });
});
