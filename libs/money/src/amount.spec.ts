import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  type Amount,
  type AmountText,
  compare,
  formatAmount,
  fromMessage,
  isOnWire,
  isoDecimal,
  parseAmount,
  toMessage,
  zero,
} from './amount.js';
import { currencies, currency, exponentOf } from './currency.js';

const amountOf = (text: string, code: string): Amount => {
  const parsed = parseAmount(text, currency(code));
  if (parsed.kind === 'refused') throw new Error(parsed.reason);
  return parsed.amount;
};

describe('parseAmount', () => {
  it.each([
    ['92.00', 'EUR', 9200n],
    ['92', 'EUR', 9200n],
    ['0.01', 'EUR', 1n],
    ['8.16', 'EUR', 816n],
    ['0000000001.10', 'EUR', 110n],
    ['9999999999.99', 'EUR', 999_999_999_999n],
    ['100.00', 'JPY', 100n],
    ['100', 'JPY', 100n],
    ['10.00', 'KWD', 10_000n],
    ['0.01', 'KWD', 10n],
    ['9999999999.99', 'KWD', 9_999_999_999_990n],
    ['1.00', 'CLF', 10_000n],
    ['0.01', 'UYW', 100n],
  ])('reads %s %s as %s minor units', (text, code, minor) => {
    expect(amountOf(text, code)).toEqual({ minor, currency: code });
  });

  it.each(['0', '00', '0.00', '0000000000.00'])('refuses %s: nothing to pay', (text) => {
    expect(parseAmount(text, currency('EUR'))).toEqual({ kind: 'refused', reason: 'zero' });
  });

  it.each([
    ['100.50', 'JPY'],
    ['0.01', 'JPY'],
    ['1.99', 'KRW'],
    ['10.10', 'CLP'],
  ])('refuses %s %s: the currency has no fraction', (text, code) => {
    expect(parseAmount(text, currency(code))).toEqual({
      kind: 'refused',
      reason: 'fractionNotAllowed',
    });
  });
});

/** R-MON-04: what has been tried on payment gateways in place of an amount. */
const hostileAmounts = [
  ...[
    '',
    ' ',
    '.',
    '-',
    '+',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
  ],
  ...['-1.00', '-0.01', '-0', '+1.00', '--1', '\u22121.00', '1-', '(1.00)'],
  ...['1e3', '1E3', '1e-2', '1.00e0', '1.0e10', '0x10', '0b1', '0o7', '1n', '1_000.00'],
  ...['1,00', '1,000.00', '1.000,00', '1 000.00', "1'000.00", '1\u00a0000.00'],
  ...['1.', '.50', '1.0', '1.5', '1.000', '1.001', '8.165', '1..00', '1.00.00', '1.0 0'],
  ...['12345678901', '12345678901.00', '99999999999.99', '1'.repeat(400), `0.${'0'.repeat(400)}1`],
  ...[' 1.00', '1.00 ', '\t1.00', '1.00\n', '\n1.00', '1.00\r\n', '\ufeff1.00', '1.00\u0000'],
  ...['\uff11.00', '\u0661.00', '\u0967.\u0966\u0966', '1\uff0e00', '\u00b2.00', '\u2160.00'],
  ...['1.00EUR', 'EUR1.00', '\u20ac1.00', '1.00%', '1/2', '1.00;DROP', '1.00 OR 1=1', '1.00&a=b'],
];

describe('isOnWire', () => {
  it.each([
    ['EUR', 999_999_999_999n],
    ['JPY', 9_999_999_999n],
    ['KWD', 9_999_999_999_999n],
  ])('%s up to ten digits before the point', (code, most) => {
    expect(isOnWire({ minor: most, currency: currency(code) })).toBe(true);
    expect(isOnWire({ minor: most + 1n, currency: currency(code) })).toBe(false);
  });
});

describe('hostile amounts', () => {
  it('are more than forty', () => {
    expect(new Set(hostileAmounts).size).toBe(hostileAmounts.length);
    expect(hostileAmounts.length).toBeGreaterThanOrEqual(40);
  });

  it.each(hostileAmounts)('%j is malformed in every currency', (text) => {
    for (const code of ['EUR', 'JPY', 'KWD', 'CLF'] as const) {
      expect(parseAmount(text, currency(code))).toEqual({ kind: 'refused', reason: 'malformed' });
    }
  });
});

describe('texts of an amount', () => {
  it.each([
    ['10', 'EUR', '10.00', '10.00'],
    ['100.00', 'JPY', '100.00', '100'],
    ['10.00', 'KWD', '10.00', '10.000'],
    ['0.05', 'BHD', '0.05', '0.050'],
    ['12.34', 'CLF', '12.34', '12.3400'],
    ['0.01', 'USD', '0.01', '0.01'],
    ['9999999999.99', 'OMR', '9999999999.99', '9999999999.990'],
  ])('%s %s is %s in answers and %s for acquirers', (text, code, answer, iso) => {
    expect(formatAmount(amountOf(text, code))).toBe(answer);
    expect(isoDecimal(amountOf(text, code))).toBe(iso);
  });

  it('come back exactly: 100,000 random amounts in every kind of currency (R-MON-05)', () => {
    const digits = fc.bigInt({ min: 1n, max: 999_999_999_999n });
    fc.assert(
      fc.property(digits, fc.constantFrom(...currencies), (hundredths, code) => {
        const whole = hundredths / 100n;
        const cents = exponentOf(code) === 0 ? '00' : `${hundredths % 100n}`.padStart(2, '0');
        if (whole === 0n && cents === '00') return true;
        const text = `${whole}.${cents}`;
        const amount = amountOf(text, code);
        const travelled = fromMessage(JSON.parse(JSON.stringify(toMessage(amount))) as AmountText);
        const [integer = '', fraction = ''] = isoDecimal(amount).split('.');
        // One comparison instead of one expectation each: 100,000 runs take 1 s instead of 17.
        return (
          formatAmount(amount) === text &&
          travelled.minor === amount.minor &&
          travelled.currency === amount.currency &&
          BigInt(integer + fraction) === amount.minor &&
          fraction.length === exponentOf(code)
        );
      }),
      { numRuns: 100_000, seed: 20_260_101 },
    );
  }, 60_000);

  it('cannot be made of an amount that needs a third decimal', () => {
    const amount = { minor: 10_001n, currency: currency('KWD') };
    expect(() => formatAmount(amount)).toThrow(RangeError);
    expect(isoDecimal(amount)).toBe('10.001');
  });

  it('keep the sign of a balance', () => {
    expect(formatAmount({ minor: -5n, currency: currency('EUR') })).toBe('-0.05');
    expect(isoDecimal({ minor: -5n, currency: currency('JPY') })).toBe('-5');
  });
});

describe('calculation', () => {
  const ten = amountOf('10.00', 'EUR');
  const three = amountOf('3.33', 'EUR');

  it('adds and compares', () => {
    expect(add(ten, three)).toEqual(amountOf('13.33', 'EUR'));
    expect([compare(ten, three), compare(three, ten), compare(ten, { ...ten })]).toEqual([
      1, -1, 0,
    ]);
    expect(add(zero(currency('EUR')), ten)).toEqual(ten);
  });

  it('never mixes currencies', () => {
    const yen = amountOf('10', 'JPY');
    for (const operation of [add, compare]) {
      expect(() => operation(ten, yen)).toThrow(RangeError);
    }
  });

  it('is exact past 2^53: a thousand times the largest amount (R-MON-07)', () => {
    const largest = amountOf('9999999999.99', 'KWD');
    let sum = zero(currency('KWD'));
    for (let index = 0; index < 1_000; index += 1) sum = add(sum, largest);
    expect(isoDecimal(sum)).toBe('9999999999990.000');
  });
});

describe('an amount of a message', () => {
  it.each([
    { minor: '1.5', currency: 'EUR' },
    { minor: '', currency: 'EUR' },
    { minor: '1e3', currency: 'EUR' },
    { minor: '9'.repeat(41), currency: 'EUR' },
    { minor: '1', currency: 'XXX' },
    { minor: '1', currency: 'eur' },
  ])('is refused as a defect: %j', (message) => {
    expect(() => fromMessage(message)).toThrow(RangeError);
  });
});
