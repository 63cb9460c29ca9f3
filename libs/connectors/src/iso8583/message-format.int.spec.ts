import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOST_START_WITHIN_MS, type JposHost, startJposHost } from '@sluice/testing';
import type { FieldRow } from './field-row.js';
import { type FieldName, fieldRows } from './message-fields.js';
import { type Message, pack, unpack } from './message-format.js';

/** Bytes of no text, and more than any encoding of a digit, so that nothing is right by chance. */
const BYTES = 'f7013a';

/** A value as long as the field can hold, or, of a variable one, an odd number of characters. */
function values([, , kind, length, content]: FieldRow): readonly string[] {
  const of = (size: number): string => {
    switch (content) {
      case 'n':
        return '1234567890'.repeat(Math.ceil(size / 10)).slice(0, size);
      case 'x+n':
        return `D${'1234567890'.repeat(Math.ceil(size / 10)).slice(0, size - 1)}`;
      case 'ans':
        return 'aB9-'.repeat(Math.ceil(size / 4)).slice(0, size);
      case 'b':
        return BYTES.repeat(Math.ceil(size / 3)).slice(0, 2 * size);
    }
  };
  return kind === 'fixed' ? [of(length)] : [of(length), of(Math.min(length, 5))];
}

describe.each(['ascii', 'binary'] as const)('a message of 1993 in %s, at jPOS', (encoding) => {
  let host: JposHost;

  beforeAll(async () => {
    host = await startJposHost({ version: '1993', encoding });
  }, HOST_START_WITHIN_MS);

  afterAll(() => host.stop());

  it.each<FieldRow>([...fieldRows['1993']])(
    'has each field where and as jPOS has it: %i, %s',
    async (...row) => {
      const [number, name] = row;
      for (const value of values(row)) {
        // One before and one behind: a field that is read too far or too short hides the next.
        const fields: Message['fields'] = { trace: '123456', private127: 'end', [name]: value };
        const message = { type: '1200', fields };
        const packed = pack(message, encoding);
        const read = await host.readAndWritten(packed);
        const shown = read.fields.get(number);
        const got = row[4] === 'b' ? shown?.toLowerCase() : shown;
        expect([read.type, got]).toEqual(['1200', value]);
        expect(read.fields.get(11)).toBe(fields.trace);
        if (name !== ('private127' satisfies FieldName)) {
          expect(read.fields.get(127)).toBe('end');
        }
        expect(read.written.toString('hex')).toBe(packed.toString('hex'));
        expect(unpack(read.written, encoding)).toEqual(message);
      }
    },
  );
});
