import { describe, expect, it } from '@jest/globals';
import { digitRuns } from './digit-runs.js';
import {
  accountPlaces,
  bareAccount,
  cardNumberPlaces,
  numberPlaces,
  replacedIn,
} from './separated-numbers.js';

const NUMBER = '4539148803436467';
const isTheNumber = (digits: string): boolean => digits === NUMBER;

function hidden(text: string): string {
  return replacedIn(text, cardNumberPlaces(text, isTheNumber), () => '#');
}

const inFours = ['4539', '1488', '0343', '6467'];
const separators = [
  ...[' ', '-', '.', ',', '/', '_', ':', '+', '\n', '\r\n', '\t', ' - ', ', ', '--', '...'],
  ...['\u00a0', '\u2013', '\u2009', '\u200b', '\ufe0f\u20e3', '%20', '%2D', '%0D%0A', '%C2%A0'],
  ...['%2520', '\\n', '\\r\\n', '\\t', '\\u00a0', '\\u2013', '","', '\\",\\"'],
];

describe('card numbers in a text', () => {
  it.each(separators.map((separator) => [separator]))('are found with %j between', (separator) => {
    expect(hidden(`x ${inFours.join(separator)} y`)).toBe(
      `x ${['#', '#', '#', '#'].join(separator)} y`,
    );
    expect(hidden(Array.from(NUMBER).join(separator))).toBe(
      Array.from(NUMBER, () => '#').join(separator),
    );
  });

  it.each([
    ['full-width digits', (code: number) => String.fromCodePoint(0xff10 + code)],
    ['Arabic digits', (code: number) => String.fromCodePoint(0x0660 + code)],
    ['mathematical digits', (code: number) => String.fromCodePoint(0x1d7ce + code)],
    ['raised digits', (code: number) => Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹')[code] ?? ''],
    ['percent-encoded digits', (code: number) => `%3${String(code)}`],
    ['digits encoded twice', (code: number) => `%253${String(code)}`],
    ['full-width digits, encoded', (code: number) => `%EF%BC%9${String(code)}`],
    ['Arabic digits, encoded', (code: number) => `%d9%a${String(code)}`],
    ['digits as JSON escapes', (code: number) => `\\u003${String(code)}`],
    ['full-width digits as JSON escapes', (code: number) => `\\uff1${String(code)}`],
  ])('are found in %s', (_name, written) => {
    const digits = Array.from(NUMBER, (digit) => written(Number(digit)));
    expect(hidden(`x ${digits.join('')} y`)).toBe('x # y');
    expect(hidden(digits.join(' '))).toBe(digits.map(() => '#').join(' '));
  });

  it.each([
    ['4539.1488-0343/6467', '#.#-#/#'],
    ['45.39, 14.88, 03.43, 64.67', '45.39, 14.88, 03.43, 64.67'],
    ['4539 a 1488 0343 6467', '4539 a 1488 0343 6467'],
    ['4539    1488 0343 6467', '4539    1488 0343 6467'],
    ['45391488034364671', '45391488034364671'],
    ['1 4539148803436467 1', '1 # 1'],
    ['a%4539148803436467', 'a%#'],
  ])('%s becomes %s', (text, expected) => {
    expect(hidden(text)).toBe(expected);
  });
});

describe('a known number in a text', () => {
  it('is found inside other digits too', () => {
    const places = numberPlaces('00 45-39 4539 1.2', '4539');
    expect(places.map(({ start }) => start)).toEqual([3, 4, 6, 7, 9, 10, 11, 12]);
    expect(numberPlaces('45-39', '4539', 3)).toEqual([{ start: 0, end: 1 }]);
    expect(numberPlaces('text', '')).toEqual([]);
  });
});

describe('an account in a text', () => {
  const account = bareAccount('de23 1000 0000 1234 5678 90');
  const hiddenIn = (text: string): string =>
    replacedIn(text, accountPlaces(text, account), (part) => '*'.repeat(part.length));

  it('is compared by its letters and digits, as capitals', () => {
    expect(account).toBe('DE23100000001234567890');
    expect(bareAccount('')).toBe('');
    expect(accountPlaces('text', '')).toEqual([]);
  });

  it.each([
    ['from DE23100000001234567890.', 'from **********************.'],
    ['de23 1000 0000 1234 5678 90', '**** **** **** **** **** **'],
    ['D/E/2/3-1000_0000\r\n1234 -- 5678.90', '*/*/*/*-****_****\r\n**** -- ****.**'],
    ['IBANDE231000000012345678901', 'IBAN**********************1'],
    ['ＤＥ２３１０００００００１２３４５６７８９０', '*'.repeat(22)],
    ['DE23%201000%200000%201234567890', '****%20****%20****%20**********'],
    ['%44%45%32%33100000001234567890', '*'.repeat(30)],
    ['DE23100000001234567891', 'DE23100000001234567891'],
    ['DE23 1000 0000 1234 5678 and 90', 'DE23 1000 0000 1234 5678 and 90'],
    ['', ''],
  ])('is found: %j becomes %j', (text, hiddenText) => {
    expect(hiddenIn(text)).toBe(hiddenText);
  });

  it('is found again and again', () => {
    expect(hiddenIn(`${account} ${account}`)).toBe(`${'*'.repeat(22)} ${'*'.repeat(22)}`);
  });

  it('takes a moment even in 8 KiB', () => {
    const startedAt = performance.now();
    for (const text of ['DE23 '.repeat(1_638), '1'.repeat(8_192), '%25'.repeat(2_730)]) {
      accountPlaces(text, account);
      accountPlaces(text, '11111111');
    }
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('runs of digits', () => {
  it.each([
    ['', 0],
    ['%', 0],
    ['%3', 1],
    ['%E9%', 1],
    ['%FF1', 1],
    ['\\', 0],
    ['\\u00', 2],
    ['\ud800 1', 1],
    ['\u{10ffff}1', 1],
    ['一二三', 0],
    ['Ⅳ½ 1', 1],
    ['⑳', 2],
  ])('%j has %i digits at most, and nothing fails', (text, most) => {
    expect(Math.max(0, ...digitRuns(text, 1).map(({ digits }) => digits.length))).toBe(most);
  });
});
