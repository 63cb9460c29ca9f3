import { describe, expect, it } from '@jest/globals';
import { eventTable, NewerWriter } from '@sluice/contracts';
import { type CopiedRow, CopiedRows, COPY_BEGIN, CopyBuffer } from './copy-binary.js';
import type { Projection } from './projection.js';
import { StreamFold } from './stream-fold.js';

const nothing = { type: 'object' } as const;
const events = eventTable({
  Counted: { version: 1, description: 'One more.', data: nothing },
  Recounted: {
    version: 2,
    description: 'In version 1 the name was called otherwise.',
    data: nothing,
    upcasters: [({ title }) => ({ name: title })],
  },
});

/** Counts by name, and chokes on `bad`. */
const counting: Projection<'name' | 'count' | 'streamId'> = {
  name: 'counting',
  version: 1,
  owner: 'counting',
  topic: 'counted.v1',
  columns: { name: { type: 'text' }, count: { type: 'text' }, streamId: { type: 'text' } },
  key: 'name',
  indexes: [],
  events,
  readsMetadataOf: [],
  keyOf: ({ data }) => (data as { name: string }).name,
  fold(row, { streamId, data }) {
    const { name } = data as { name: string };
    if (name === 'bad') throw new TypeError('bad');
    return { name, streamId, count: String(Number(row?.count ?? 0) + 1) };
  },
};

/** The columns in which the store sends an event. */
const SENT = [
  ['streamId', 'text'],
  ['version', 'int'],
  ['type', 'text'],
  ['schemaVersion', 'int'],
  ['data', 'text'],
  ['metadata', 'text'],
] as const;

interface Sent {
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion?: number;
  readonly data: object;
}

const event = (streamId: string, version: number, name: string, type = 'Counted'): Sent => ({
  ...{ streamId, version, type },
  data: { name },
});

function bytesOf(events: readonly Sent[]): Buffer {
  const buffer = new CopyBuffer(SENT);
  for (const { streamId, version, type, schemaVersion = 1, data } of events) {
    buffer.add({
      ...{ streamId, version: String(version), type, schemaVersion: String(schemaVersion) },
      ...{ data: JSON.stringify(data), metadata: null },
    });
  }
  return Buffer.concat([COPY_BEGIN, ...buffer.take(true)]);
}

function rowsOf(buffers: readonly Buffer[], shown: (row: CopiedRow) => string): string[] {
  const found: string[] = [];
  new CopiedRows().push(Buffer.concat([COPY_BEGIN, ...buffers]), (row) => found.push(shown(row)));
  return found;
}

function folded(sent: readonly Sent[], whole: boolean) {
  const fold = new StreamFold(counting, ['name', 'count', 'streamId']);
  new CopiedRows().push(bytesOf(sent), (row) => fold.add(row));
  if (whole) fold.endStream();
  const rows = rowsOf(fold.takeRows(true), (row) => [0, 1, 2].map((at) => row.text(at)).join(' '));
  const { streams, ...chunk } = fold.endChunk();
  const versions = rowsOf(streams, (row) => `${row.text(0)} ${String(row.integer(1))}`);
  return { rows, versions, ...chunk };
}

describe('streams in order', () => {
  const sent = [event('s1', 1, 'a'), event('s1', 2, 'b'), event('s1', 3, 'a'), event('s2', 1, 'c')];

  it('become rows, and the version each stream has reached', () => {
    expect(folded(sent, true)).toEqual({
      rows: ['a 2 s1', 'b 1 s1', 'c 1 s2'],
      versions: ['s1 3', 's2 1'],
      lastStream: 's2',
      rowCount: 3,
      events: 4,
      setAside: [],
    });
  });

  it('leave out the last one while it may go on', () => {
    expect(folded(sent, false)).toMatchObject({ versions: ['s1 3'], lastStream: 's1', events: 3 });
  });
});

describe('a stream', () => {
  it.each([
    ['with an event that cannot be folded', 2, [event('s1', 1, 'a'), event('s1', 2, 'bad')]],
    ['with a version missing', 2, [event('s1', 1, 'a'), event('s1', 3, 'a')]],
    ['that begins in the middle', 1, [event('s1', 2, 'a')]],
    ['with a value that no table takes', 2, [event('s1', 1, 'a\0')]],
  ] as const)('%s is set aside as a whole, and the next one is not', (_, version, sent) => {
    expect(folded([...sent, event('s2', 1, 'c')], true)).toMatchObject({
      rows: ['c 1 s2'],
      versions: ['s2 1'],
      setAside: [{ streamId: 's1', version, reason: expect.any(String) }],
    });
  });

  it('of an earlier writer is folded in the shape of today', () => {
    const sent = [{ title: 'a' }, { name: 'a' }].map((data, index) => ({
      ...{ streamId: 's1', version: index + 1, type: 'Recounted' },
      ...{ schemaVersion: index + 1, data },
    }));
    expect(folded(sent, true)).toMatchObject({ rows: ['a 2 s1'] });
  });

  it('of a newer writer ends the fill', () => {
    expect(() => folded([event('s1', 1, 'a', 'Later')], true)).toThrow(NewerWriter);
  });
});
