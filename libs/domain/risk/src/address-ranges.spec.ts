import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addressesIn,
  canonicalAddress,
  rangeFault,
  rangeFinder,
  rangeSet,
} from './address-ranges.js';

const bitsOf = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');

const FULL_WIDTH: Readonly<Record<string, string>> = Object.fromEntries(
  '0123456789.'
    .split('')
    .map((text) => [text, String.fromCodePoint((text.codePointAt(0) ?? 0) + 0xfee0)]),
);

describe('many ranges', () => {
  it('have what one of them has, however they overlap', () => {
    const ranges = ['10.0.0.0/8', '10.1.0.0/16', '192.0.2.4/30', '192.0.2.8', '2001:db8::/32'];
    const set = rangeSet(ranges);
    expect(set.size).toBe(3);
    for (const address of ['10.255.255.255', '192.0.2.4', '192.0.2.8', '2001:db8:ffff::']) {
      expect(set.has(address)).toBe(true);
    }
    for (const address of [
      '9.255.255.255',
      '11.0.0.0',
      '192.0.2.3',
      '192.0.2.9',
      '::10.0.0.1',
      '',
    ]) {
      expect(set.has(address)).toBe(false);
    }
    expect(rangeSet([]).has('10.0.0.1')).toBe(false);
  });

  it('agree with each of them', () => {
    const part = fc.integer({ min: 0, max: 255 });
    const address = fc.tuple(part, part).map(([a, b]) => `10.0.${a}.${b}`);
    const range = fc.tuple(address, fc.integer({ min: 16, max: 32 })).map(([a, n]) => `${a}/${n}`);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), address, (ranges, asked) => {
        const found = rangeFinder(ranges.map((value) => ({ value })))(asked);
        expect(rangeSet(ranges).has(asked)).toBe(found.length > 0);
        // As a person reads a range: the address begins with the same bits.
        const begins = ranges.filter((each) => {
          const [first = '', length] = each.split('/');
          return bitsOf(asked).startsWith(bitsOf(first).slice(0, Number(length)));
        });
        expect(found.map(({ value }) => value)).toEqual(begins);
      }),
      { seed: 17, numRuns: 300 },
    );
  });
});

describe('an address', () => {
  it.each<[string, readonly string[]]>([
    [
      '2001:db8::1',
      [
        ...['2001:0db8::1', '2001:db8:0::1', '2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
        ...['2001:0DB8:0000::0001', '2001:db8::0.0.0.1'],
      ],
    ],
    ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:FFFF:C000:0201']],
    // As servers write it: with a port, filled up to three digits, with the network card.
    ['192.0.2.1', ['192.0.2.1:443', '192.000.002.001', '[::ffff:192.0.2.1]:65535']],
    ['10.0.0.100', ['010.000.000.100']],
    ['2001:db8::1', ['[2001:db8::1]', '[2001:db8::1]:443']],
    ['fe80::1', ['fe80::1%a', 'FE80::1%eth0', '[fe80::1%25eth0]:80']],
    ['::1', ['0:0:0:0:0:0:0:1', '::0.0.0.1']],
    ['2001:db8:0:1:1:1:1:1', ['2001:db8:0:1:1:1:1:1', '2001:db8::1:1:1:1:1']],
  ])('is %s however it is spelt', (canonical, spelt) => {
    expect(new Set(spelt.map(canonicalAddress))).toEqual(new Set([canonical]));
  });

  it.each([
    '',
    'x',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '::ffff:192.0.2',
    '1::2::3',
    '%a',
    '[]',
    '[]:443',
    '[192.0.2.1',
    '192.0.2.1:',
    '192.0.2.1:port',
    '999.000.002.001',
    '192.000.002.01',
  ])('is not %j', (text) => {
    expect(canonicalAddress(text)).toBeUndefined();
  });

  it('is one in every disguise, whatever address it is', () => {
    const disguise = fc.constantFrom<(address: string) => string>(
      ...[
        (text: string) => ` ${text} `,
        (text: string) => `"${text}"`,
        (text: string) => `${text}.`,
      ],
      ...[(text: string) => `'${text}',`, (text: string) => text.toUpperCase()],
      (text) => `${text}/${text.includes(':') ? '128' : '32'}`,
      (text) => (text.includes(':') ? `[${text}]:443` : `${text}:443`),
      (text) => (text.includes(':') ? `${text}%eth0` : `::ffff:${text}`),
      (text) => text.replace(/[0-9.]/g, (digit) => FULL_WIDTH[digit] ?? digit),
    );
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), disguise, (address, disguised) => {
        const plain = canonicalAddress(address);
        expect(plain).toBeDefined();
        expect(canonicalAddress(disguised(address))).toBe(plain);
        expect(canonicalAddress(plain ?? '')).toBe(plain);
        expect(addressesIn(`unknown, ${disguised(address)}`)).toEqual([plain]);
      }),
    );
  });

  it('of IPv4 is in its ranges, also as one of IPv6 and in ranges that are written so', () => {
    const finds = (range: string, address: string) => rangeFinder([{ value: range }])(address);
    expect(finds('192.0.2.0/24', '::ffff:192.0.2.9')).toHaveLength(1);
    expect(finds('::ffff:192.0.2.0/120', '192.0.2.9')).toHaveLength(1);
    expect(finds('::ffff:192.0.2.0/120', '192.0.3.9')).toHaveLength(0);
    expect(rangeFault('::ffff:192.0.2.0/120')).toBeUndefined();
    expect(rangeFault('::ffff:192.0.2.0/95')).toContain('must be an address or a range');
  });
});
