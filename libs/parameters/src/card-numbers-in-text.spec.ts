import { describe, expect, it } from '@jest/globals';
import {
  cardNumberSearch,
  accountNumbersMasked,
  longestDigitRun,
  withoutCardNumber,
} from './card-numbers-in-text.js';

/** Whole numbers below `limit`, the same at every run. */
type Numbers = (limit: number) => number;

function numbersOf(seed: number): Numbers {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** What merchants write into a memo: some of these, with words between them. */
function ordinaryText(next: Numbers): string {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => String(next(10))).join('');
  const two = (limit: number): string => String(1 + next(limit)).padStart(2, '0');
  const year = (): string => String(2_015 + next(20));
  const time = (): string => `${two(23)}:${two(59)}:${two(59)}`;
  const price = (): string => `${String(1 + next(99))}.${digits(2)}`;
  const parts = [
    () => `${year()}-${two(12)}-${two(28)} ${time()}`,
    () => `${two(28)}.${two(12)}.${year()}, ${time()}`,
    () => `${two(12)}/${two(28)}/${year()}`,
    () => `from ${year()}-${two(12)}-${two(28)} to ${year()}-${two(12)}-${two(28)}`,
    () => `+49 ${String(151 + next(28))} ${digits(8)}`,
    () => `(0${digits(2)}) ${digits(4)}-${digits(4)}`,
    () => `items ${price()}, ${price()}, ${price()}, ${price()}`,
    () => `order AB-${digits(6)}-${digits(4)}`,
    () => `invoice ${digits(10)}`,
    () => `room ${digits(3)}, ${String(1 + next(9))} nights`,
  ];
  return Array.from({ length: 3 }, () => parts[next(parts.length)]?.() ?? '').join(' for ');
}

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
    ['4200  0000  0000  0000', '****  ****  ****  0000'],
    ['4200 - 0000 - 0000 - 0000', '**** - **** - **** - 0000'],
    ['4200, 0000, 0000, 0000', '****, ****, ****, 0000'],
    ['+4200 0000 0000 0000', '+**** **** **** 0000'],
    ['a+4916866940052', 'a+*********0052'],
    ['4200/0000/0000/0000', '****/****/****/0000'],
    ['4200\r\n0000\r\n0000\r\n0000', '****\r\n****\r\n****\r\n0000'],
    ['4200 0000\n0000-0000', '**** ****\n****-0000'],
    ['4200.0000:0000/0000', '****.****:****/0000'],
    ['3777-777777.77770', '****-******.*7770'],
    ['4 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0', '* * * * * * * * * * * * 0 0 0 0'],
    ['42:00:00:00:00:00:00:00', '**:**:**:**:**:**:00:00'],
    ['4200%200000%200000%200000', '****%20****%20****%200000'],
    ['4200+0000+0000+0000', '****+****+****+0000'],
    ['%34%32%30%30000000000000', `${'*'.repeat(20)}0000`],
    ['%2534%2532%2530%2530000000000000', `${'*'.repeat(28)}0000`],
    ['100%4200000000000000', '100%************0000'],
    ['\\n4200\\n0000\\n0000\\n0000', '\\n****\\n****\\n****\\n0000'],
    ['\\u0034200000000000000', `${'*'.repeat(17)}0000`],
    ['④②⓪⓪ ⓪⓪⓪⓪ ⓪⓪⓪⓪ ⓪⓪⓪⓪', '**** **** **** ⓪⓪⓪⓪'],
    ['４２００－００００－００００－００００', '****－****－****－００００'],
    ['4200\u200b0000\u200b0000\u200b0000', '****\u200b****\u200b****\u200b0000'],
    ['DE23100000001234567890 4111111111111111', '********************** ************1111'],
    ['to GB29 NWBK 6016 1331 9268 19', 'to **** **** **** **** **** **'],
  ])('%j becomes %j', (text, masked) => {
    expect(accountNumbersMasked(text)).toBe(masked);
  });

  it.each([
    'order 12345',
    '1234567890123456',
    'DE24100000001234567890',
    '4200000000000001',
    '0000000000000000',
    '42000000000000000000',
    '4200    0000    0000    0000',
    '4200 and 0000 and 0000 and 0000',
    '2026-01-02 10:11:12',
    '+49 168 66940052',
    '(+49 168) 66940052',
    'a'.repeat(100),
    '',
  ])('%j stays: no card number by length, Luhn and issuer range', (text) => {
    expect(accountNumbersMasked(text)).toBe(text);
  });

  it('keeps mathematical digits apart by their value', () => {
    const bold = Array.from('4200000000000000', (digit) =>
      String.fromCodePoint(0x1d7ce + Number.parseInt(digit, 10)),
    ).join('');
    const masked = accountNumbersMasked(bold);
    expect(masked.startsWith('*'.repeat(24))).toBe(true);
    expect(masked).toHaveLength(bold.length);
  });

  it('masks the card number of the request itself, whatever it is', () => {
    expect(withoutCardNumber('no 12345678 here', '12345678')).toBe('no ******** here');
    expect(withoutCardNumber('no 12345678 here', undefined)).toBe('no 12345678 here');
    expect(withoutCardNumber('text', '')).toBe('text');
    expect(withoutCardNumber('no 12-34 56.78 here', '12345678')).toBe('no **-** **.** here');
    expect(withoutCardNumber('no 1234567890 here', '123 456 78')).toBe('no ********90 here');
    expect(withoutCardNumber('no 42,00/00.00:00;00-00 00', '42000000000000')).toBe(
      'no **,**/**.**:**;00-00 00',
    );
  });

  it('knows the card number of the request in every spelling, and no short one', () => {
    for (const text of ['AB4200-0000-0000-0000', '%34%32000000000000 00', '4_2_0_0_000000000000']) {
      expect(cardNumberSearch('4200000000000000').findsOwn(text)).toBe(true);
      expect(cardNumberSearch('4200 0000 0000 0000').findsOwn(text)).toBe(true);
      expect(cardNumberSearch('5454545454545454').findsOwn(text)).toBe(false);
    }
    expect(cardNumberSearch('1234567').findsOwn('1-2-3-4-5-6-7')).toBe(false);
    expect(cardNumberSearch(undefined).findsOwn('text')).toBe(false);
  });

  it('leaves ordinary texts with dates, times, prices, telephone and order numbers alone', () => {
    const next = numbersOf(1);
    const texts = Array.from({ length: 5_000 }, () => ordinaryText(next));
    const altered = texts.filter((text) => accountNumbersMasked(text) !== text);
    expect(altered).toEqual([]);
  });

  it('takes a moment even for 8 KiB made to be slow', () => {
    const startedAt = performance.now();
    for (const text of [
      '1 '.repeat(4_096),
      '4'.repeat(8_192),
      '4200 0000 0000 0000 '.repeat(400),
      '4 - '.repeat(2_048),
      '%25'.repeat(2_730),
      '%'.repeat(8_192),
      '\\'.repeat(8_192),
      '\\u0034'.repeat(1_365),
      '４'.repeat(2_730),
      '\u0669 '.repeat(2_730),
    ]) {
      withoutCardNumber(text, '4444444444444444');
      longestDigitRun(text);
    }
    // A machine that runs other suites meanwhile has some milliseconds for each; squares take minutes.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('digits in a row', () => {
  it.each([
    ['800.100.152', 9],
    ['4200 0000 0000 0000', 16],
    ['Jane 2nd', 1],
    ['1  2', 2],
    ['1    2', 1],
    ['4200, 0000, 0000', 12],
    ['%34%32', 4],
    ['４２００', 4],
    ['', 0],
  ])('%j has %i', (text, digits) => {
    expect(longestDigitRun(text)).toBe(digits);
  });
});
