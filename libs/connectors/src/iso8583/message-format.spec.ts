import { describe, expect, it } from '@jest/globals';
import type { FieldRow } from './field-row.js';
import { fieldRows, type Version, versionDigits } from './message-fields.js';
import { type Message, pack, unpack } from './message-format.js';

/** How each version writes an echo: by hand from the standard, type, bitmaps and fields. */
const echoes = [
  {
    version: '1987',
    encoding: 'ascii',
    golden: text('0800' + '8220000000000000' + '0400000000000000' + '1123184512' + '000042301'),
  },
  {
    version: '1987',
    encoding: 'binary',
    golden: '0800' + '8220000000000000' + '0400000000000000' + '1123184512' + '000042' + '0301',
  },
  {
    version: '1993',
    encoding: 'ascii',
    golden: text('1804' + '0230010000000000' + '1123184512' + '000042' + '261123184512' + '831'),
  },
  {
    version: '1993',
    encoding: 'binary',
    golden: '1804' + '0230010000000000' + '1123184512' + '000042' + '261123184512' + '0831',
  },
] as const;

const KEYS = { transmittedAt: '1123184512', trace: '000042' } as const;
const echoOf: Readonly<Record<Version, Message>> = {
  '1987': { type: '0800', fields: { ...KEYS, networkCode: '301' } },
  '1993': { type: '1804', fields: { ...KEYS, localDateTime: '261123184512', functionCode: '831' } },
};
/** What the other version alone has. */
const foreign: Readonly<Record<Version, Message['fields']>> = {
  '1987': { functionCode: '831' },
  '1993': { networkCode: '301' },
};

function text(characters: string): string {
  return Buffer.from(characters).toString('hex');
}

/** The least and the most that a field can hold. */
function extremes([, , kind, length, content]: FieldRow): readonly string[] {
  const [whole, unit] = {
    n: ['9'.repeat(length), 1],
    'x+n': [`D${'9'.repeat(length - 1)}`, 1],
    ans: ['z'.repeat(length), 1],
    b: ['f7'.repeat(length), 2],
  }[content] as [string, number];
  const least = kind === 'fixed' ? [] : [whole.slice(0, unit), whole.slice(0, 3 * unit)];
  return [whole, ...least];
}

describe.each(echoes)('a message of $version in $encoding', ({ version, encoding, golden }) => {
  const digit = versionDigits[version];
  const echo = echoOf[version];

  it('is on the wire as the standard says', () => {
    expect(pack(echo, encoding).toString('hex')).toBe(golden);
  });

  it.each<FieldRow>([...fieldRows[version]])(
    'is read as it was written: field %i, %s',
    (...row) => {
      for (const value of extremes(row)) {
        const message = { type: `${digit}200`, fields: { trace: '123456', [row[1]]: value } };
        expect(unpack(pack(message, encoding), encoding)).toEqual(message);
      }
    },
  );

  it('has fields in the order of their numbers, none twice, and no name twice', () => {
    const rows: readonly FieldRow[] = fieldRows[version];
    const numbers = rows.map(([number]) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    expect(new Set(rows.map(([, name]) => name)).size).toBe(rows.length);
  });

  it('is of no version where its first digit says so', () => {
    expect(() => pack({ type: '2100', fields: {} }, encoding)).toThrow(RangeError);
    const packed = pack(echo, encoding);
    packed.write(encoding === 'ascii' ? '2' : '\x20', 0, 'latin1');
    expect(unpack(packed, encoding)).toBeUndefined();
  });

  it('is not written with a field that its version has not', () => {
    expect(() => pack({ type: `${digit}100`, fields: foreign[version] }, encoding)).toThrow(
      RangeError,
    );
  });

  it('is not written with a sign before what are no digits', () => {
    const name = version === '1987' ? 'netSettlement' : 'netReconciliation';
    const fields = { [name]: `D${'x'.repeat(16)}` };
    expect(() => pack({ type: `${digit}500`, fields }, encoding)).toThrow(RangeError);
  });

  it('has one bitmap where no field is above 64', () => {
    const short = pack({ type: `${digit}800`, fields: { trace: '000001' } }, encoding);
    expect(short).toHaveLength(encoding === 'ascii' ? 4 + 16 + 6 : 2 + 8 + 3);
  });

  it('is unreadable when any of its end is missing, and with anything behind it', () => {
    const packed = pack(
      {
        ...echo,
        fields: { ...echo.fields, primaryAccountNumber: '4200000000000', terminal: 'T1' },
      },
      encoding,
    );
    for (let length = 0; length < packed.length; length += 1) {
      expect(unpack(packed.subarray(0, length), encoding)).toBeUndefined();
    }
    expect(unpack(Buffer.concat([packed, Buffer.from('0')]), encoding)).toBeUndefined();
  });

  it('is unreadable where a length exceeds its field, or a digit is none', () => {
    const packed = pack(
      { type: `${digit}100`, fields: { primaryAccountNumber: '4200' } },
      encoding,
    );
    const lengthAt = encoding === 'ascii' ? 20 : 10;
    const long = Buffer.from(packed);
    long.write(encoding === 'ascii' ? '99' : '\x99', lengthAt, 'latin1');
    const odd = Buffer.from(packed);
    odd.write(encoding === 'ascii' ? 'A' : '\xaa', packed.length - 1, 'latin1');
    expect([unpack(long, encoding), unpack(odd, encoding)]).toEqual([undefined, undefined]);
  });

  it.each<Message['fields']>([{ amount: '1' }, { trace: '12345x' }, { terminal: 'far too long' }])(
    'is not written with %j, which its field cannot hold',
    (fields) => {
      expect(() => pack({ type: `${digit}100`, fields }, encoding)).toThrow(RangeError);
    },
  );
});
