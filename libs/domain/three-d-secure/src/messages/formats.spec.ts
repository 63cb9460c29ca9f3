import { describe, expect, it } from '@jest/globals';
import {
  address,
  anyObject,
  array,
  base64url,
  codes,
  country,
  currency,
  digits,
  either,
  type Format,
  moment,
  needed,
  number,
  object,
  oneOf,
  onlyTrue,
  possible,
  transactionId,
  truth,
  upTo,
  url,
} from './formats.js';

const deep = (): unknown => {
  let value: unknown = {};
  for (let depth = 0; depth < 100_000; depth += 1) value = { value };
  return value;
};

const taken: readonly (readonly [string, Format, readonly unknown[]])[] = [
  ['text', upTo(3), ['a', 'abc', 'ÄÖÜ', '😀😀😀']],
  ['text of two at least', upTo(3, 2), ['ab', 'abc']],
  ['digits', digits(4, 3), ['123', '0123']],
  ['a number', number(5, 99, 2, 2), ['05', '99']],
  ['two digits', codes('01', '06'), ['01', '06', '80', '99']],
  ['two digits and others', codes('01', '05', '11'), ['11']],
  ['a day', moment('YYYYMMDD'), ['20240229', '20000229', '20001231']],
  ['a minute', moment('YYYYMMDDHHMM'), ['202611272359']],
  ['a second', moment('YYYYMMDDHHMMSS'), ['20261127235959']],
  [
    'a UUID',
    transactionId,
    ['8a880dc0-d2d2-4067-bcb1-b08d1690b26e', 'D7C1EE99-9478-44A6-B1F2-391E29C6B340'],
  ],
  ['a country', country, ['276', '004', '894']],
  ['a currency', currency, ['978', '392', '532']],
  [
    'an address on the internet',
    address,
    [
      '192.0.2.1',
      '0.0.0.0',
      '255.255.255.255',
      '::1',
      '2001:DB8::8:800:200C:417A',
      '::ffff:192.0.2.1',
    ],
  ],
  ['an address', url(40), ['https://a.example', 'http://127.0.0.1:8080/way']],
  ['base64url', base64url(4), ['ab_-']],
  ['a truth', truth, [true, false]],
  ['only true', onlyTrue, [true]],
  ['one of', oneOf('Y', 'N'), ['Y']],
  ['any object', anyObject('any', 10), [{}, { a: 1 }]],
  ['a list', array(oneOf('1', '2'), 2), [['1'], ['1', '2']]],
  ['either', either(oneOf('1'), truth), ['1', true]],
];

const refused: readonly (readonly [string, Format, readonly unknown[], string])[] = [
  ['text', upTo(3), ['', 'abcd', '\ud800', 1, null, {}, [], true, 'a'.repeat(1e6)], '203'],
  ['text of two at least', upTo(3, 2), ['a', '😀'], '203'],
  ['digits', digits(4, 3), ['12', '12345', '12a', '-12', '１２３', 123, '1.2'], '203'],
  ['a number', number(5, 99, 2, 2), ['04', '5', '1e', ' 5', '100'], '203'],
  ['a huge number', number(1, 9_999, 4), ['9'.repeat(400)], '203'],
  ['two digits', codes('01', '06'), ['1', '001', 'ab', ''], '203'],
  ['two digits that are kept for later', codes('01', '06'), ['00', '07', '79'], '207'],
  [
    'a day',
    moment('YYYYMMDD'),
    ['20230229', '21000229', '20261301', '20260431', '20260100', '2026112'],
    '203',
  ],
  ['a minute', moment('YYYYMMDDHHMM'), ['202611272400', '202611272360', '20261127'], '203'],
  ['a second', moment('YYYYMMDDHHMMSS'), ['20261127235960'], '203'],
  [
    'a UUID',
    transactionId,
    ['8a880dc0d2d24067bcb1b08d1690b26e', 'x', '8a880dc0-d2d2-4067-bcb1-b08d1690b26g'],
    '203',
  ],
  [
    'an address on the internet',
    address,
    [
      ...[
        '192.0.2.256',
        '192.0.2',
        '192.0.2.1.1',
        '192.0.2.01',
        '192.0.2.1 ',
        '0xC0.0.2.1',
        '3221225985',
      ],
      ...['::1]', '[::1]', '1::2::3', 'fe80::1%eth0', 'localhost', ':', '::1]/[::1', '::g', 1],
    ],
    '203',
  ],
  ['a country', country, ['DE', '27', '2766'], '203'],
  ['a country that there is not', country, ['901', '999', '000', '280'], '304'],
  ['a currency', currency, ['EUR', '97'], '203'],
  ['a currency that there is not', currency, ['959', '963', '999', '000'], '304'],
  [
    'an address',
    url(40),
    ['a.example', 'javascript:alert(1)', 'https://', `https://a.example/${'a'.repeat(40)}`],
    '203',
  ],
  ['base64url', base64url(4), ['ab==', 'a+b', 'abcde', ''], '203'],
  ['a truth', truth, ['true', 1, 0, null], '203'],
  ['only true', onlyTrue, [false, 'true'], '203'],
  ['one of', oneOf('Y', 'N'), ['y', 'YN', ''], '203'],
  ['any object', anyObject('any', 10), [[], 'a', { a: '12345678' }, deep()], '203'],
  [
    'a list',
    array(oneOf('1', '2'), 2),
    [[], ['1', '2', '1'], ['3'], '1', { 0: '1', length: 1 }],
    '203',
  ],
  ['a list with one twice', array(oneOf('1', '2'), 2), [['1', '1']], '204'],
  ['either', either(oneOf('1'), truth), ['2', null], '203'],
];

describe('formats', () => {
  it.each(taken)('%s is taken', (_, format, values) => {
    for (const value of values) expect(format.faultsIn(value, 'it', '2.3.1')).toEqual([]);
  });

  it.each(refused)('%s is refused', (_, format, values, code) => {
    for (const value of values) {
      expect(format.faultsIn(value, 'it', '2.3.1')).toEqual([{ code, element: 'it' }]);
    }
  });

  it('had no code of their own for digits that are kept for later, and took lists with one twice', () => {
    expect(codes('01', '06').faultsIn('07', 'it', '2.2.0')).toEqual([
      { code: '203', element: 'it' },
    ]);
    expect(array(oneOf('1'), 2).faultsIn(['1', '1'], 'it', '2.2.0')).toEqual([]);
  });
});

describe('an object', () => {
  const format = object('it', {
    must: needed(oneOf('Y')),
    may: possible(country),
    later: needed(oneOf('Y'), '2.3.1'),
  });

  it('names what is missing and what is wrong in it', () => {
    expect(format.faultsIn({ must: '', may: 'DE' }, 'it', '2.3.1')).toEqual([
      { code: '201', element: 'it.must' },
      { code: '203', element: 'it.may' },
      { code: '201', element: 'it.later' },
    ]);
  });

  it('has what a version brings since that version', () => {
    expect(format.faultsIn({ must: 'Y' }, 'it', '2.2.0')).toEqual([]);
    expect(format.faultsIn({ must: 'Y' }, 'it', '2.3.1')).toHaveLength(1);
  });

  it('has its own elements alone, and none that it inherits', () => {
    const heir: unknown = Object.create({ must: 'Y', later: 'Y' });
    expect(format.faultsIn(heir, 'it', '2.3.1')).toHaveLength(2);
    const proto = object('it', { constructor: needed(upTo(9)), toString: possible(upTo(9)) });
    expect(proto.faultsIn({}, 'it', '2.3.1')).toEqual([{ code: '201', element: 'it.constructor' }]);
  });

  it('is not listed whole where all of it is wrong', () => {
    const many = array(
      object('it', { must: needed(oneOf('Y')), may: possible(country) }),
      1_000_000,
    );
    const wrong = Array.from({ length: 1_000_000 }, () => ({ may: 'DE' }));
    expect(many.faultsIn(wrong, 'it', '2.2.0')).toEqual([
      { code: '201', element: 'it.must' },
      { code: '203', element: 'it.may' },
    ]);
  });
});
