import { describe, expect, it } from '@jest/globals';
import { type FieldName, fieldRows } from './message-fields.js';
import { type Encoding, type Message, pack, unpack } from './message-format.js';

const encodings: readonly Encoding[] = ['ascii', 'binary'];

const echo: Message = {
  type: '0800',
  fields: { transmittedAt: '1123184512', trace: '000042', networkCode: '301' },
};

/** Written by hand from the standard: type, bitmaps with bits 1, 7, 11 and 70, fields. */
const goldenEcho: Readonly<Record<Encoding, string>> = {
  ascii: Buffer.from(
    '0800' + '8220000000000000' + '0400000000000000' + '1123184512' + '000042301',
  ).toString('hex'),
  binary: '0800' + '8220000000000000' + '0400000000000000' + '1123184512' + '000042' + '0301',
};

/** The least and the most that a field can hold. */
function extremes(name: FieldName): readonly string[] {
  const [, , kind, length, content] = fieldRows.find((row) => row[1] === name)!;
  const whole = {
    n: '9'.repeat(length),
    'x+n': `D${'9'.repeat(length - 1)}`,
    ans: 'z'.repeat(length),
    b: 'f7'.repeat(length),
  }[content];
  const least = kind === 'fixed' ? [] : [whole.slice(0, 1), whole.slice(0, 3)];
  return [whole, ...least];
}

describe.each(encodings)('a message in %s', (encoding) => {
  it('is on the wire as the standard says', () => {
    expect(pack(echo, encoding).toString('hex')).toBe(goldenEcho[encoding]);
  });

  it.each(fieldRows.map(([number, name]) => [number, name] as const))(
    'is read as it was written: field %i, %s',
    (_number, name) => {
      for (const value of extremes(name)) {
        const message = { type: '0200', fields: { trace: '123456', [name]: value } };
        expect(unpack(pack(message, encoding), encoding)).toEqual(message);
      }
    },
  );

  it('has one bitmap where no field is above 64', () => {
    const short = pack({ type: '0800', fields: { trace: '000001' } }, encoding);
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
    const packed = pack({ type: '0100', fields: { primaryAccountNumber: '4200' } }, encoding);
    const lengthAt = encoding === 'ascii' ? 20 : 10;
    const long = Buffer.from(packed);
    long.write(encoding === 'ascii' ? '99' : '\x99', lengthAt, 'latin1');
    const foreign = Buffer.from(packed);
    foreign.write(encoding === 'ascii' ? 'A' : '\xaa', packed.length - 1, 'latin1');
    expect([unpack(long, encoding), unpack(foreign, encoding)]).toEqual([undefined, undefined]);
  });

  it.each<Message['fields']>([{ amount: '1' }, { trace: '12345x' }, { terminal: 'far too long' }])(
    'is not written with %j, which its field cannot hold',
    (fields) => {
      expect(() => pack({ type: '0100', fields }, encoding)).toThrow(RangeError);
    },
  );
});
