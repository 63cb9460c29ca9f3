import { describe, expect, it } from '@jest/globals';
import { CopiedRows, type CopiedType, COPY_BEGIN, COPY_END, CopyBuffer } from './copy-binary.js';

const HEX_ID = '018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b';
const ID_WITH_HYPHENS = '018f2d3c-9a7b-4e5f-8a9b-0c1d2e3f4a5b';

function copied(columns: Readonly<Record<string, CopiedType>>, rows: readonly object[]): Buffer {
  const buffer = new CopyBuffer(Object.entries(columns));
  for (const row of rows) buffer.add(row as Record<string, string | null>);
  return Buffer.concat([COPY_BEGIN, ...buffer.take(true), COPY_END]);
}

/** All rows of one optional text each, from chunks of a size. */
function textsOf(bytes: Buffer, chunkBytes = bytes.length): (string | undefined)[] {
  const rows = new CopiedRows();
  const found: (string | undefined)[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    rows.push(bytes.subarray(start, start + chunkBytes), (row) => found.push(row.optionalText(0)));
  }
  return found;
}

describe('texts', () => {
  const texts = [
    ...['plain', '', 'tab\tline\nreturn\rback\\slash', String.raw`\N`, 'žluťoučký 💳'],
    ...['a text that is too long for the loop over characters', 'ž', null],
  ];
  const bytes = copied(
    { text: 'text' },
    texts.map((text) => ({ text })),
  );
  const expected = texts.map((text) => text ?? undefined);

  it('come back as they are, the absent one included', () => {
    expect(textsOf(bytes)).toEqual(expected);
  });

  it('are found wherever the chunks end, also within a length or a character', () => {
    for (let size = 1; size <= bytes.length; size += 1) {
      expect(textsOf(bytes, size)).toEqual(expected);
    }
  });
});

describe('a row', () => {
  const columns = { id: 'hexId', big: 'bigint', small: 'int', nothing: 'hexId' } as const;

  it('has ids as 16 bytes and numbers as their own', () => {
    const row = { id: HEX_ID, big: '-999999999999999999', small: '7', nothing: null };
    const bytes = copied(columns, [row]).subarray(COPY_BEGIN.length, -COPY_END.length);
    const big = Buffer.alloc(8);
    big.writeBigInt64BE(-999999999999999999n);
    expect(bytes.toString('hex')).toBe(
      ['0004', '00000010', ID_WITH_HYPHENS.replaceAll('-', ''), '00000008', big.toString('hex')]
        .concat(['00000004', '00000007', 'ffffffff'])
        .join(''),
    );
  });

  it('is refused with an id that is none, which would be another one', () => {
    expect(() => copied({ id: 'hexId' }, [{ id: HEX_ID.replace('b', 'x') }])).toThrow(TypeError);
  });

  it('is read with whole numbers of two and of four bytes', () => {
    const rows = new CopiedRows();
    const numbers: number[] = [];
    const fields = Buffer.from('0002' + '00000002' + 'fffe' + '00000004' + '00010000', 'hex');
    rows.push(Buffer.concat([COPY_BEGIN, fields, COPY_END]), (row) =>
      numbers.push(row.integer(0), row.integer(1)),
    );
    expect(numbers).toEqual([-2, 65_536]);
  });
});

describe('a buffer of rows', () => {
  it('loses nothing when it turns over, and takes a text larger than itself', () => {
    const buffer = new CopyBuffer([['text', 'text']]);
    const texts = ['ž'.repeat(100_000), 'short', '💳'.repeat(200_000), 'last'];
    for (const text of texts) buffer.add({ text });
    expect(buffer.isFull).toBe(true);
    expect(textsOf(Buffer.concat([COPY_BEGIN, ...buffer.take(true)]))).toEqual(texts);
    expect(buffer.take(true)).toEqual([]);
  });
});
