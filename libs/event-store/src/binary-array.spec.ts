import { describe, expect, it } from '@jest/globals';
import { binaryArray } from './binary-array.js';

describe("an array in PostgreSQL's binary format", () => {
  it('has a header, and each element with its length', () => {
    expect(binaryArray('int4', [1, -1]).toString('hex')).toBe(
      '000000010000000100000017' + '0000000200000001' + '0000000400000001' + '00000004ffffffff',
    );
    expect(binaryArray('text', []).toString('hex')).toBe(
      '000000010000000100000019' + '0000000000000001',
    );
  });

  it('holds null, small integers, UUIDs and bytes', () => {
    const body = (array: Buffer): string => array.subarray(20).toString('hex');
    expect(body(binaryArray('float8', [null, 1]))).toBe('ffffffff' + '000000083ff0000000000000');
    expect(body(binaryArray('int8', [null, -2n]))).toBe('ffffffff' + '00000008fffffffffffffffe');
    expect(body(binaryArray('int2', [7]))).toBe('000000020007');
    expect(body(binaryArray('uuid', ['00112233-4455-6677-8899-AABBCCDDEEFF']))).toBe(
      '0000001000112233445566778899aabbccddeeff',
    );
    expect(body(binaryArray('bytea', [Buffer.from([0, 255])]))).toBe('0000000200ff');
  });

  it('counts bytes, not characters, and grows as it must', () => {
    const texts = ['ä\u{1F4B3}', 'x'.repeat(10_000), 'ß'.repeat(5_000)];
    let rest = binaryArray('text', texts).subarray(20);
    for (const text of texts) {
      const length = rest.readInt32BE(0);
      expect(rest.subarray(4, 4 + length).toString()).toBe(text);
      rest = rest.subarray(4 + length);
    }
    expect(rest).toHaveLength(0);
  });

  it.each([
    '',
    'command-1',
    '00112233-4455-6677-8899-aabbccddee',
    '0011223344556677889900112233445z',
  ])('refuses %p as a UUID', (id) => {
    expect(() => binaryArray('uuid', [id])).toThrow(TypeError);
  });
});
