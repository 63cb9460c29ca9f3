import { describe, expect, it } from '@jest/globals';
import { eventTable, NewerWriter } from '@sluice/contracts';
import { copyLine } from './copy-text.js';
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
  columns: { name: { type: 'text' }, count: { type: 'bigint' }, streamId: { type: 'text' } },
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

const event = (streamId: string, version: number, name: string, type = 'Counted'): string =>
  copyLine([streamId, String(version), type, '1', JSON.stringify({ name }), null]).slice(0, -1);

function textOf(buffers: readonly Buffer[]): string {
  return Buffer.concat(buffers).toString();
}

function folded(lines: readonly string[], whole: boolean) {
  const fold = new StreamFold(counting, ['name', 'count', 'streamId']);
  for (const line of lines) fold.add(line);
  if (whole) fold.endStream();
  const rows = textOf(fold.takeRows(true));
  const { streams, ...chunk } = fold.endChunk();
  return { rows, streams: textOf(streams), ...chunk };
}

describe('streams in order', () => {
  const lines = [
    event('s1', 1, 'a'),
    event('s1', 2, 'b'),
    event('s1', 3, 'a'),
    event('s2', 1, 'c'),
  ];

  it('become rows, and the version each stream has reached', () => {
    expect(folded(lines, true)).toEqual({
      rows: 'a\t2\ts1\nb\t1\ts1\nc\t1\ts2\n',
      streams: 's1\t3\ns2\t1\n',
      lastStream: 's2',
      rowCount: 3,
      events: 4,
      setAside: [],
    });
  });

  it('leave out the last one while it may go on', () => {
    expect(folded(lines, false)).toMatchObject({ streams: 's1\t3\n', lastStream: 's1', events: 3 });
  });
});

describe('a stream', () => {
  it.each([
    ['with an event that cannot be folded', 2, [event('s1', 1, 'a'), event('s1', 2, 'bad')]],
    ['with a version missing', 2, [event('s1', 1, 'a'), event('s1', 3, 'a')]],
    ['that begins in the middle', 1, [event('s1', 2, 'a')]],
    ['with a value that no table takes', 2, [event('s1', 1, 'a\0')]],
  ] as const)('%s is set aside as a whole, and the next one is not', (_, version, lines) => {
    expect(folded([...lines, event('s2', 1, 'c')], true)).toMatchObject({
      rows: 'c\t1\ts2\n',
      streams: 's2\t1\n',
      setAside: [{ streamId: 's1', version, reason: expect.any(String) }],
    });
  });

  it('of an earlier writer is folded in the shape of today', () => {
    const [old, today] = [{ title: 'a' }, { name: 'a' }].map((data, index) =>
      copyLine([
        's1',
        String(index + 1),
        'Recounted',
        String(index + 1),
        JSON.stringify(data),
        null,
      ]),
    );
    expect(
      folded(
        [old ?? '', today ?? ''].map((line) => line.slice(0, -1)),
        true,
      ),
    ).toMatchObject({
      rows: 'a\t2\ts1\n',
    });
  });

  it('of a newer writer ends the fill', () => {
    expect(() => folded([event('s1', 1, 'a', 'Later')], true)).toThrow(NewerWriter);
  });
});
