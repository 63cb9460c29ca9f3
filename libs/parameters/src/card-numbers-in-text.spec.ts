import { describe, expect, it } from '@jest/globals';
import { cardNumbersMasked, longestDigitRun, withoutCardNumber } from './card-numbers-in-text.js';

describe('card numbers in free text', () => {
  it.each([
    ['4200000000000000', '************0000'],
    ['card 4200000000000000.', 'card ************0000.'],
    ['4200 0000 0000 0000', '**** **** **** 0000'],
    ['4200-0000-0000-0000 exp 12/30', '****-****-****-0000 exp 12/30'],
    ['4200.0000.0000.0000', '****.****.****.0000'],
    ['4200 0000 0000 0000 12/30', '**** **** **** 0000 12/30'],
    ['ref 17 4200 0000 0000 0000', 'ref 17 **** **** **** 0000'],
    ['377777777777770 and 5454545454545454', '***********7770 and ************5454'],
    ['x4200000000000000y', 'x************0000y'],
    ['３７７７７７７７７７７７７７０', '***********７７７０'],
    ['٤٢٠٠٠٠٠٠٠٠٠٠٠٠٠٠', '************٠٠٠٠'],
    ['6799998900000060018', '***************0018'],
    ['42\u00a000000000000000', '**\u00a0**********0000'],
  ])('%j becomes %j', (text, masked) => {
    expect(cardNumbersMasked(text)).toBe(masked);
  });

  it.each([
    'order 12345',
    '1234567890123456',
    '4200000000000001',
    '0000000000000000',
    '42000000000000000000',
    '4200  0000  0000  0000',
    '2026-01-02 10:11:12',
    'a'.repeat(100),
    '',
  ])('%j stays: no card number by length, Luhn and issuer range', (text) => {
    expect(cardNumbersMasked(text)).toBe(text);
  });

  it('keeps mathematical digits apart by their value', () => {
    const bold = Array.from('4200000000000000', (digit) =>
      String.fromCodePoint(0x1d7ce + Number.parseInt(digit, 10)),
    ).join('');
    const masked = cardNumbersMasked(bold);
    expect(masked.startsWith('*'.repeat(24))).toBe(true);
    expect(masked).toHaveLength(bold.length);
  });

  it('masks the card number of the request itself, whatever it is', () => {
    expect(withoutCardNumber('no 12345678 here', '12345678')).toBe('no ******** here');
    expect(withoutCardNumber('no 12345678 here', undefined)).toBe('no 12345678 here');
    expect(withoutCardNumber('text', '')).toBe('text');
  });

  it('takes a moment even for 8 KiB made to be slow', () => {
    const startedAt = performance.now();
    for (const text of [
      '1 '.repeat(4_096),
      '4'.repeat(8_192),
      '4200 0000 0000 0000 '.repeat(400),
    ]) {
      cardNumbersMasked(text);
      longestDigitRun(text);
    }
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('digits in a row', () => {
  it.each([
    ['800.100.152', 9],
    ['4200 0000 0000 0000', 16],
    ['Jane 2nd', 1],
    ['1  2', 1],
    ['', 0],
  ])('%j has %i', (text, digits) => {
    expect(longestDigitRun(text)).toBe(digits);
  });
});
