import { describe, expect, it } from '@jest/globals';
import { currencies, currency, exponentOf, isCurrency } from './currency.js';

/** Written down apart from the table: one mistake must not be made twice (R-MON-06). */
const golden: readonly (readonly [string, number])[] = [
  ['BIF', 0],
  ['CLP', 0],
  ['DJF', 0],
  ['GNF', 0],
  ['ISK', 0],
  ['JPY', 0],
  ['KMF', 0],
  ['KRW', 0],
  ['PYG', 0],
  ['RWF', 0],
  ['UGX', 0],
  ['UYI', 0],
  ['VND', 0],
  ['VUV', 0],
  ['XAF', 0],
  ['XOF', 0],
  ['XPF', 0],
  ['EUR', 2],
  ['USD', 2],
  ['GBP', 2],
  ['CHF', 2],
  ['SEK', 2],
  ['SAR', 2],
  ['AED', 2],
  ['INR', 2],
  ['ZAR', 2],
  ['BRL', 2],
  ['MGA', 2],
  ['MRU', 2],
  ['HUF', 2],
  ['IDR', 2],
  ['TWD', 2],
  ['COP', 2],
  ['SLE', 2],
  ['XCG', 2],
  ['ZWG', 2],
  ['BHD', 3],
  ['IQD', 3],
  ['JOD', 3],
  ['KWD', 3],
  ['LYD', 3],
  ['OMR', 3],
  ['TND', 3],
  ['CLF', 4],
  ['UYW', 4],
];

describe('the currency table', () => {
  it.each(golden)('%s has %i decimals', (code, decimals) => {
    expect(exponentOf(currency(code))).toBe(decimals);
  });

  it('has every active code of ISO 4217 once', () => {
    expect(currencies).toHaveLength(166);
    expect(new Set(currencies).size).toBe(currencies.length);
    expect(currencies.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  });

  it('has no other currency with 0, 3 or 4 decimals than the golden ones', () => {
    const unusual = currencies.filter((code) => exponentOf(code) !== 2);
    expect(unusual).toEqual(
      golden
        .filter(([, decimals]) => decimals !== 2)
        .map(([c]) => c)
        .sort(),
    );
  });
});

describe('a text that is no currency', () => {
  it.each(['', 'eur', 'EURO', 'EU', 'XXX', 'XAU', '978', '__proto__', 'constructor', 'ЕUR'])(
    '%j is refused',
    (text) => {
      expect(isCurrency(text)).toBe(false);
      expect(() => currency(text)).toThrow(RangeError);
    },
  );
});
