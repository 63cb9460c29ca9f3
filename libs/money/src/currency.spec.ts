import { describe, expect, it } from '@jest/globals';
import {
  type Currency,
  currencies,
  currency,
  exponentOf,
  isCurrency,
  isWithdrawn,
  numberOf,
} from './currency.js';
import { listOne } from './iso-4217.js';

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
  ['XAD', 2],
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

  it('has every code of ISO 4217 with a minor unit once', () => {
    expect(currencies).toHaveLength(167);
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

describe('the currency table beside a second source', () => {
  /** The Unicode consortium's, of this Node; it has withdrawn ones too, and none without coins. */
  const known = new Set(Intl.supportedValuesOf('currency'));
  const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW'];
  /** Younger than that source, or of a country that it has under another code (Venezuela's VES). */
  const unknown = ['VED', 'XAD'];

  it('has no code that the other does not know but funds and the youngest', () => {
    const others = currencies.filter((code) => !known.has(code));
    expect(others).toEqual([...funds, ...unknown].sort());
  });

  it('has all codes of the list but the one that was withdrawn before we were', () => {
    const listed = Object.values(listOne).flatMap((codes) => codes.split(/\s+/u));
    expect(listed.filter((code) => !isCurrency(code))).toEqual(['CUC']);
    expect(currencies.filter((code) => !listed.includes(code))).toEqual(['XAD', 'XCG']);
  });

  it('says which are no longer money', () => {
    expect(currencies.filter(isWithdrawn)).toEqual(['ANG', 'BGN']);
  });
});

describe('the number of a currency', () => {
  it.each([
    ['EUR', '978'],
    ['USD', '840'],
    ['GBP', '826'],
    ['JPY', '392'],
    ['CHF', '756'],
    ['KWD', '414'],
    ['AUD', '036'],
    ['ALL', '008'],
    ['CLF', '990'],
    ['BGN', '975'],
    ['XCG', '532'],
    ['XAD', '396'],
  ])('of %s is %s', (code, number) => {
    expect(numberOf(currency(code))).toBe(number);
  });

  it('is three digits, and no other one has it but the guilder that took a guilder’s place', () => {
    const numbers = currencies.filter((code) => code !== 'ANG').map(numberOf);
    expect(numbers.filter((number) => !/^[0-9]{3}$/u.test(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(currencies.length - 1);
    expect(numberOf(currency('ANG'))).toBe(numberOf(currency('XCG')));
  });
});

describe('a text that is no currency', () => {
  it.each(['', 'eur', 'EURO', 'EU', 'XXX', 'XAU', 'CUC', '978', '__proto__', 'constructor', 'ЕUR'])(
    '%j is refused',
    (text) => {
      expect(isCurrency(text)).toBe(false);
      expect(() => currency(text)).toThrow(RangeError);
      expect(() => exponentOf(text as Currency)).toThrow(RangeError);
      expect(() => numberOf(text as Currency)).toThrow(RangeError);
    },
  );
});
