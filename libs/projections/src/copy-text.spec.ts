import { describe, expect, it } from '@jest/globals';
import { CopyBuffer, copyLine, CopyLines, copyValue } from './copy-text.js';

const values = [
  'plain',
  '',
  'tab\tline\nreturn\rback\\slash',
  String.raw`\N`,
  'žluťoučký 💳',
  null,
];

describe('a line of COPY', () => {
  it('gives back every value, the absent one included', () => {
    const line = copyLine(values);
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1).split('\t').map(copyValue)).toEqual(values);
  });

  it('is read with the escapes that only the server writes', () => {
    expect(copyValue(String.raw`a\bb\fc\vd\x`)).toBe('a\bb\fc\vdx');
  });
});

describe('lines in chunks', () => {
  it('are found wherever the chunks end, also within a character', () => {
    const bytes = Buffer.from(values.map((value) => copyLine([value])).join(''));
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines = new CopyLines();
      const found: string[] = [];
      for (let start = 0; start < bytes.length; start += size) {
        lines.push(bytes.subarray(start, start + size), (line) => found.push(line));
      }
      expect(found.map(copyValue)).toEqual(values);
    }
  });
});

describe('a buffer of lines', () => {
  it('loses nothing when it turns over, and takes a line larger than itself', () => {
    const buffer = new CopyBuffer();
    const lines = ['ž'.repeat(100_000), 'short', '💳'.repeat(200_000), 'last'];
    for (const line of lines) buffer.add(`${line}\n`);
    expect(buffer.isFull).toBe(true);
    const text = Buffer.concat(buffer.take(true)).toString();
    expect(text).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(buffer.take(true)).toEqual([]);
  });
});
