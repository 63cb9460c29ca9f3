import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { catalogue } from './catalogue.js';
import { emptyForm, type Form } from './form.js';
import { mergeQueryAndBody, type ParsedForm, parseForm } from './form-parser.js';
import {
  BODY_BYTES_MAX,
  INDEX_MAX,
  MAP_NAMES_MAX,
  PARAMETER_ERRORS_MAX,
  PARAMETERS_MAX,
  TRAVEL_INDEX_MAX,
  UNKNOWN_NAMES_MAX,
} from './limits.js';

const formOf = (body: string | Uint8Array): Form => {
  const parsed = parseForm(body);
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
};
const problemsOf = (parsed: ParsedForm) => (parsed.kind === 'refused' ? parsed.problems : []);
const refusal = (body: string | Uint8Array) => problemsOf(parseForm(body));

describe('a well-formed body', () => {
  it('is read flat, names and values unescaped', () => {
    const form = formOf(
      'amount=92.00&customParameters%5B3DS2_enrolled%5D=true&card.holder=Zo%C3%AB+O%27Neill&x',
    );
    expect([...form.entries()]).toEqual([
      ['amount', '92.00'],
      ['customParameters[3DS2_enrolled]', 'true'],
      ['card.holder', "Zoë O'Neill"],
      ['x', ''],
    ]);
    expect(form.size).toBe(4);
  });

  it('may be raw UTF-8, and be bytes or text', () => {
    expect(formOf(Buffer.from('a=Ł😀&b=%F0%9F%98%80')).get('a')).toBe('Ł😀');
    expect(formOf('a=Ł😀&b=%F0%9F%98%80').get('b')).toBe('😀');
  });

  it('keeps a plus sign that is escaped, and every equals sign after the first', () => {
    expect(formOf('a=1%2B1=2+3').get('a')).toBe('1+1=2 3');
  });

  it('may have empty pieces', () => {
    expect(formOf('&a=1&&b=2&').size).toBe(2);
    expect(formOf('').size).toBe(0);
  });

  it('never shows its values when it is printed', () => {
    const form = formOf('card.number=4200000000000000');
    expect(`${String(form)}${JSON.stringify({ form })}${inspect({ form })}`).not.toContain('4200');
  });
});

describe('a duplicate parameter', () => {
  it.each([
    ['amount=1&amount=1', 'amount'],
    ['amount=1&%61mount=2', 'amount'],
    ['card.number=1&card%2Enumber=2', 'card.number'],
    ['customParameters[a]=1&customParameters%5Ba%5D=2', 'customParameters[a]'],
    ['a+b=1&a%20b=2', 'a b'],
    ['__proto__=1&__proto__=2', '__proto__'],
  ])('%s is refused by name', (body, name) => {
    expect(refusal(body)).toEqual([{ name, message: 'must not be sent more than once' }]);
  });

  it('is listed with all others, up to the limit', () => {
    const many = Array.from({ length: 300 }, (_, index) => `a${index}=1&a${index}=1`).join('&');
    expect(refusal(many)).toHaveLength(PARAMETER_ERRORS_MAX + 1);
    expect(refusal(many).at(-1)).toEqual({ name: 'body', message: 'was read no further' });
    expect(refusal('a=1&a=1&b=1&b=1').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('a text that is not UTF-8', () => {
  it.each([
    ['a cut-off sequence', 'a=%C3'],
    ['a lone continuation byte', 'a=%80'],
    ['an overlong slash', 'a=%C0%AF'],
    ['an overlong NUL', 'a=%C0%80'],
    ['an encoded surrogate', 'a=%ED%A0%80'],
    ['beyond Unicode', 'a=%F4%90%80%80'],
    ['a script escape', 'a=%u0041'],
    ['a bare percent sign', 'a=100%'],
    ['half an escape', 'a=%4'],
    ['not hexadecimal', 'a=%zz'],
  ])('%s in a value is refused by name', (_, body) => {
    expect(refusal(body)).toEqual([{ name: 'a', message: 'must be valid UTF-8' }]);
    expect(refusal(Buffer.from(body))).toEqual([{ name: 'a', message: 'must be valid UTF-8' }]);
  });

  const unusable = 'must not contain U+0000 or U+FEFF (the byte order mark)';

  it.each(['a=%00', 'a=x%00y', 'a=%EF%BB%BFx'])(
    '%s is UTF-8, and refused for what it is',
    (body) => {
      expect(refusal(body)).toEqual([{ name: 'a', message: unusable }]);
      expect(refusal(Buffer.from(body))).toEqual([{ name: 'a', message: unusable }]);
    },
  );

  it.each(['%00=1', '%EF%BB%BFa=1'])('%s: nor in a name', (body) => {
    const message = 'has a parameter name with U+0000 or U+FEFF (the byte order mark)';
    expect(refusal(body)).toEqual([{ name: 'body', message }]);
  });

  it.each(['%C3=1', 'a%u0041=1'])('%s: nor in a name', (body) => {
    expect(refusal(body)).toEqual([
      { name: 'body', message: 'has a parameter name that is not valid UTF-8' },
    ]);
  });

  it.each([
    ['a raw invalid byte', Buffer.from([0x61, 0x3d, 0xff])],
    ['a raw overlong form', Buffer.from([0x61, 0x3d, 0xc0, 0xaf])],
  ])('%s is refused as a whole', (_, body) => {
    expect(refusal(body)).toEqual([{ name: 'body', message: 'must be valid UTF-8' }]);
  });

  it.each(['a=\u0000', '\ufeffa=1', Buffer.from('a=1', 'utf16le').toString()])(
    '%j is refused as a whole, for what it is',
    (body) => {
      expect(refusal(body)).toEqual([{ name: 'body', message: unusable }]);
      expect(refusal(Buffer.from(body))).toEqual([{ name: 'body', message: unusable }]);
    },
  );

  it.each(['a=\ud800', '\udc00=1'])('%j as text likewise', (body) => {
    expect(refusal(body)).toEqual([{ name: 'body', message: 'must be valid UTF-8' }]);
  });
});

describe('limits', () => {
  it('refuses a value without a name', () => {
    expect(refusal('=1')).toEqual([
      { name: 'body', message: 'has a value without a parameter name' },
    ]);
  });

  it('names have 256 bytes at most', () => {
    expect(formOf(`${'é'.repeat(128)}=1`).size).toBe(1);
    const [problem] = refusal(`${'é'.repeat(129)}=1`);
    expect(problem?.message).toBe('is too long a parameter name');
    expect(problem?.name.length).toBeLessThanOrEqual(255);
  });

  it('are repeated without half a character at the end', () => {
    const [problem] = refusal(`${'😀'.repeat(200)}=1`);
    expect(problem?.name).toBe('😀'.repeat(127));
  });

  it('values have 8 KiB, wallet tokens 32 KiB', () => {
    expect(formOf(`a=${'x'.repeat(8_192)}`).size).toBe(1);
    expect(formOf(`a=${'%F0%9F%98%80'.repeat(2_048)}`).size).toBe(1);
    expect(refusal(`a=${'x'.repeat(8_193)}`)).toEqual([{ name: 'a', message: 'is too long' }]);
    expect(refusal(`a=${'é'.repeat(4_097)}`)).toEqual([{ name: 'a', message: 'is too long' }]);
    expect(formOf(`applePay.paymentToken=${'x'.repeat(32_768)}`).size).toBe(1);
    expect(refusal(`applePay.paymentToken=${'x'.repeat(32_769)}`)).toHaveLength(1);
  });

  it('longer than ordinary values may be one of 4,096 characters, to the last byte', () => {
    const sent = (value: string) => `customer.browserFingerprint.value=${value}`;
    expect(formOf(sent('x'.repeat(16_384))).size).toBe(1);
    expect(refusal(sent('x'.repeat(16_385)))).toEqual([
      { name: 'customer.browserFingerprint.value', message: 'is too long' },
    ]);
    expect(refusal(`customer.email=${'x'.repeat(8_193)}`)).toHaveLength(1);
  });

  it('a body has 40,000 parameters and 1 MiB', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=`).join('&');
    const tooMany = `must have at most ${PARAMETERS_MAX} parameters`;
    expect(parseForm(names(PARAMETERS_MAX)).kind).toBe('form');
    expect(refusal(names(PARAMETERS_MAX + 1))).toEqual([{ name: 'body', message: tooMany }]);
    expect(refusal('x'.repeat(BODY_BYTES_MAX + 1))[0]?.message).toBe('is too large');
    expect(refusal(Buffer.alloc(BODY_BYTES_MAX + 1, 0xff))[0]?.message).toBe('is too large');
  });

  const unknown = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=`).join('&');
  const inMaps = (count: number) =>
    Array.from({ length: count }, (_, at) => `customParameters[a${at}]=`).join('&');

  it.each([
    [unknown, UNKNOWN_NAMES_MAX, 'has more than 1000 parameters that are not allowed'],
    [inMaps, MAP_NAMES_MAX, 'must have at most 1000 names in brackets'],
  ])(
    'keeps plain names alone beside too many others, wherever they stand',
    (names, most, excess) => {
      expect(formOf(names(most))).toMatchObject({ size: most, excess: undefined });
      const plain = 'cart.items[0].name=x&currency=EUR&x=%zz&entityId=%31&a%62=';
      for (const body of [
        `${names(most + 1)}&amount=%31&${plain}`,
        `amount=1&${names(most + 1)}&${plain}`,
      ]) {
        const form = formOf(body);
        expect(form.excess).toBe(excess);
        expect([...form.entries()]).toEqual([
          ['amount', '1'],
          ['currency', 'EUR'],
          ['entityId', '1'],
        ]);
      }
      expect(refusal(`${names(most + 1)}&amount=1&amount=2`)).toEqual([
        { name: 'amount', message: 'must not be sent more than once' },
      ]);
    },
  );

  it('takes time in proportion to the body, also without equals signs', () => {
    const names = Array.from({ length: PARAMETERS_MAX }, (_, at) => `a${at}`).join('&');
    const body = names.padEnd(BODY_BYTES_MAX, '&');
    const before = process.cpuUsage();
    expect(formOf(body).excess).toContain('more than 1000');
    // Time of this process, whatever else runs: some 10 ms; a square of the body takes 2 s.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  const rows = Object.keys(catalogue);
  const fieldsOfItems = rows
    .filter((key) => key.startsWith('cart.items[n].'))
    .toSorted((left, right) => left.length - right.length);
  /** As most clients write it, the brackets escaped. */
  const cart = (items: number, fields: number, value = 'x') =>
    Array.from({ length: items }, (_, at) =>
      fieldsOfItems
        .slice(0, fields)
        .map((key) => `${encodeURIComponent(key.replace('[n]', `[${at}]`))}=${value}`)
        .join('&'),
    ).join('&');

  it('a body has room for 1,000 items with 30 of the shortest fields, or 600 with all', () => {
    expect(fieldsOfItems).toHaveLength(45);
    expect(formOf(cart(1_000, 30)).size).toBe(30_000);
    expect(formOf(cart(1_000, 20, 'x'.repeat(20))).size).toBe(20_000);
    expect(refusal(cart(1_000, 30, 'x'.repeat(20)))[0]?.message).toBe('is too large');
    expect(formOf(cart(600, 45)).size).toBe(27_000);
    expect(refusal(cart(1_000, 45))).toEqual([{ name: 'body', message: 'is too large' }]);
  });

  it('a body has no room for more known names than a request may have', () => {
    const lengths: number[] = [];
    for (const key of rows) {
      for (const digits of key.includes('[n]') ? indexesOf(key) : [0]) {
        lengths.push(key.length + digits);
      }
    }
    lengths.sort((left, right) => left - right);
    let bytes = 0;
    // Every name with the ampersand before it, without so much as an equals sign.
    const fitting = lengths.filter((length) => (bytes += length + 1) <= BODY_BYTES_MAX);
    expect(fitting.length).toBeLessThan(PARAMETERS_MAX);
    expect(fitting.length).toBeGreaterThan(0.9 * PARAMETERS_MAX);
  });

  it('an answer repeats neither a card number nor all of a long name', () => {
    const [problem] = refusal('4200000000000000=1&4200000000000000=1');
    expect(problem?.name).toBe('************0000');
  });
});

describe('query and body together', () => {
  const query = formOf('entityId=1&testMode=INTERNAL');

  it('are one form', () => {
    const merged = mergeQueryAndBody('POST', query, formOf('amount=1'));
    expect(merged.kind === 'form' && merged.form.size).toBe(3);
    expect(mergeQueryAndBody('GET', query, emptyForm)).toEqual({ kind: 'form', form: query });
    expect(mergeQueryAndBody('POST', emptyForm, query)).toEqual({ kind: 'form', form: query });
  });

  it('have no more names of a sort than one of them may have', () => {
    const unknown = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `a${from + at}`).join('&');
    const many = `amount=1&${unknown(0, UNKNOWN_NAMES_MAX)}`;
    const forms = [
      mergeQueryAndBody('POST', query, formOf(unknown(0, UNKNOWN_NAMES_MAX + 1))),
      mergeQueryAndBody('POST', formOf(unknown(0, UNKNOWN_NAMES_MAX + 1)), query),
      mergeQueryAndBody('POST', query, formOf(`${many}&b`)),
      mergeQueryAndBody('POST', formOf(many), formOf('b&testMode=INTERNAL')),
    ];
    for (const merged of forms) {
      expect(merged.kind === 'form' && merged.form.excess).toContain('more than 1000');
      expect(merged.kind === 'form' && merged.form.get('testMode')).toBe('INTERNAL');
      expect(merged.kind === 'form' && merged.form.has('a0')).toBe(false);
    }
    expect(forms[3]?.kind === 'form' && forms[3].form.get('amount')).toBe('1');
  });

  it.each(['GET', 'DELETE'])('%s may repeat an equal value, but no other', (method) => {
    expect(mergeQueryAndBody(method, query, formOf('testMode=INTERNAL')).kind).toBe('form');
    expect(problemsOf(mergeQueryAndBody(method, query, formOf('testMode=EXTERNAL')))).toEqual([
      { name: 'testMode', message: 'must be equal in query and body' },
    ]);
  });

  it.each([
    'entityId',
    'authentication.entityId',
    'authentication.userId',
    'authentication.password',
  ])('POST may say twice who asks, by an equal %s', (name) => {
    const access = formOf(`${name}=1`);
    expect(mergeQueryAndBody('POST', access, formOf(`${name}=1&amount=1`)).kind).toBe('form');
    expect(problemsOf(mergeQueryAndBody('POST', access, formOf(`${name}=2`)))).toEqual([
      { name, message: 'must be equal in query and body' },
    ]);
  });

  it('POST may not repeat anything else, even with an equal value', () => {
    expect(problemsOf(mergeQueryAndBody('POST', query, formOf('testMode=INTERNAL')))).toEqual([
      { name: 'testMode', message: 'must not be sent more than once' },
    ]);
  });
});

describe('hostile input', () => {
  let prototype: string[];
  beforeAll(() => {
    prototype = Object.getOwnPropertyNames(Object.prototype);
  });
  afterAll(() => {
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s as a name is data',
    (name) => {
      const form = formOf(`${name}=polluted&${name}.x=1&customParameters[${name}]=2`);
      expect(form.get(name)).toBe('polluted');
      expect(form.get(`customParameters[${name}]`)).toBe('2');
      expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    },
  );

  it('never throws: 10,000 random strings and 10,000 random byte strings', () => {
    const pieces = fc.constantFrom('a', '=', '&', '%', '+', '%00', '%ff', '[', ']', '.', '\ud800');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((p) => p.join('')),
    );
    const isAnswer = (body: string | Uint8Array) =>
      ['form', 'refused'].includes(parseForm(body).kind);
    fc.assert(fc.property(texts, isAnswer), { numRuns: 10_000, seed: 20_260_102 });
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), isAnswer), {
      numRuns: 10_000,
      seed: 20_260_103,
    });
  });

  it('reads back what a browser would send: 2,000 random forms', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 20 });
    const isBare = (text: string) => !text.includes('\u0000') && !text.includes('\ufeff');
    const names = texts.filter((name) => name !== '' && isBare(name));
    const maps = fc.dictionary(names, texts.filter(isBare), { noNullPrototype: false });
    fc.assert(
      fc.property(maps, (record) => {
        const body = new URLSearchParams(Object.entries(record)).toString();
        const form = formOf(Buffer.from(body));
        return (
          form.size === Object.keys(record).length &&
          Object.entries(record).every(([name, value]) => form.get(name) === value)
        );
      }),
      { numRuns: 2_000, seed: 20_260_104 },
    );
  });
});

/** How much longer the names of a key with indexes are than the key: `n` stands for one digit. */
function indexesOf(key: string): number[] {
  const most = key.startsWith('airline.') ? TRAVEL_INDEX_MAX : INDEX_MAX;
  const digits = Array.from({ length: most + 1 }, (_, at) => String(at).length - 1);
  const isNested = key.split('[n]').length > 2;
  return isNested ? digits.flatMap((one) => digits.map((other) => one + other)) : digits;
}
