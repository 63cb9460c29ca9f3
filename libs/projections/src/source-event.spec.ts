import { describe, expect, it } from '@jest/globals';
import type { Message } from '@sluice/contracts';
import type { ColumnType } from './projection.js';
import { NotAnEvent, sourceEventOf } from './source-event.js';

const HEX_ID = '0123456789abcdef0123456789abcdef';
const published = {
  streamId: HEX_ID,
  version: 1,
  recordedAtMs: 1_790_000_000_000,
  incarnation: 'fe219b40-9bd2-4bb4-87ed-5c91c738e3a4',
  event: { name: 'a' },
  metadata: { correlationId: 'c' },
};

function read(change: object | null = {}, type: ColumnType = 'hexId') {
  const message: Message = {
    ...{ id: 'm', type: 'Counted', schemaVersion: 1, key: HEX_ID },
    ...{ correlationId: 'c', causationId: 'c' },
    data: change === null ? null : { ...published, ...change },
  };
  const columns = { streamId: { type } };
  return { message, event: sourceEventOf(message, { owner: 'counting', columns }) };
}

describe('a published event', () => {
  it('is the event, its place, and the message for the case that it is parked', () => {
    const { message, event } = read();
    const { streamId, version, incarnation, event: data, metadata } = published;
    expect(event).toMatchObject({ streamId, version, incarnation, data, metadata });
    expect(event).toMatchObject({ type: 'Counted', schemaVersion: 1 });
    expect(JSON.parse(event.text)).toEqual(message);
  });

  it('may have a name for its stream where the column of the projection holds text', () => {
    expect(read({ streamId: 'petty-cash' }, 'text').event.streamId).toBe('petty-cash');
    expect(() => read({ streamId: 'petty-cash' }, 'hexId')).toThrow(NotAnEvent);
  });
});

describe('what is no published event', () => {
  it.each([
    ['data', null],
    ['streamId', { streamId: 'x\u0000' }],
    ['streamId', { streamId: 7 }],
    ['version', { version: 0 }],
    ['version', { version: 1.5 }],
    ['version', { version: 2 ** 31 }],
    ['incarnation', { incarnation: 'none' }],
    ['event', { event: null }],
    ['metadata', { metadata: [] }],
  ])('is refused, naming the owner and the field %s', (field, change) => {
    const said = `Not an event of counting: ${field} is missing or has another form.`;
    expect(() => read(change)).toThrow(new NotAnEvent('counting', field));
    expect(() => read(change)).toThrow(said);
  });

  it.each(['', 'two words', 'ä', 'x'.repeat(256)])('has a stream called "%s"', (streamId) => {
    expect(() => read({ streamId }, 'text')).toThrow(NotAnEvent);
  });
});
