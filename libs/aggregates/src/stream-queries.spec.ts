import { describe, expect, it } from '@jest/globals';
import {
  EVENTS_OF_EACH_MAX,
  PERSONAL_PARAMETERS_MAX,
  STREAM_EVENTS_MAX,
  STREAM_HEADS_MAX,
  STREAMS_MAX,
} from '@sluice/contracts';
import { checkpointAtStart, type EventStore, type RecordedEvent } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';
import { createSecretKey } from 'node:crypto';
import { sealPersonal } from './personal-data.js';
import { publishedEvent } from './published-event.js';
import { StreamQueries } from './stream-queries.js';

const CLEAR_KEY = Buffer.alloc(32, 7);
const personal = { 'customer.surname': 'Doe' };
/** Gives the key of the stream that it was wrapped for. */
const keys = {
  unwrap: async (wrapped: Buffer, context: string) => {
    if (!context.endsWith(wrapped.toString())) throw new Error('another context');
    return Buffer.from(CLEAR_KEY);
  },
} as unknown as KeyProvider;

const recorded: RecordedEvent = {
  ...{ streamId: 'kept', version: 4, id: 'event-4', commandId: 'command-4', type: 'MeterRead' },
  ...{ schemaVersion: 1, data: { reading: 7 }, recordedAtMs: 0 },
  metadata: { correlationId: 'ndc-1', causationId: 'command-4' },
};

/** Queries over a store in which `kept` still has its key, and what the store was asked. */
function queries() {
  const asked: unknown[][] = [];
  const heads = (...words: unknown[]) => {
    asked.push(words);
    const next = { databaseTransaction: '7', position: '9' };
    return Promise.resolve({ heads: [], next, more: false });
  };
  const store = {
    incarnation: () => Promise.resolve('life-1'),
    headsNow: (...words: unknown[]) => heads('now', ...words),
    headsAfter: (...words: unknown[]) => heads('after', ...words),
    readStreamAfter: (...words: unknown[]) => {
      asked.push(words);
      return Promise.resolve([recorded]);
    },
    readStreams: (...words: unknown[]) => {
      asked.push(words);
      return Promise.resolve(new Map([['kept', [recorded]]]));
    },
    personalKeys: {
      ofAll: async (streamIds: readonly string[]) => {
        asked.push([...streamIds]);
        return new Map(streamIds.filter((id) => id === 'kept').map((id) => [id, Buffer.from(id)]));
      },
    },
  } as unknown as EventStore;
  return { asked, queries: new StreamQueries(store, keys) };
}

describe('the events of a stream', () => {
  it('are read behind a version, so many at once', async () => {
    const { asked, queries: of } = queries();
    const { events } = await of.streamEvents({ streamId: 'kept', afterVersion: 3 });
    expect(asked).toEqual([['kept', 3, STREAM_EVENTS_MAX]]);
    // As they were published.
    expect(events).toEqual([publishedEvent(recorded, 'life-1')]);
  });
});

describe('the events of many streams', () => {
  it('are in the order of the query, and none of a stream that does not exist', async () => {
    const { asked, queries: of } = queries();
    const { streams } = await of.eventsOfStreams({ streamIds: ['gone', 'kept'] });
    expect(asked).toEqual([[['gone', 'kept'], EVENTS_OF_EACH_MAX]]);
    expect(streams).toEqual([[], [publishedEvent(recorded, 'life-1')]]);
  });

  it('are read of so many at once', async () => {
    const { asked, queries: of } = queries();
    const streamIds = Array.from({ length: STREAMS_MAX }, (_, at) => String(at));
    expect((await of.eventsOfStreams({ streamIds })).streams).toHaveLength(STREAMS_MAX);
    const more = of.eventsOfStreams({ streamIds: [...streamIds, 'kept'] });
    await expect(more).rejects.toThrow(RangeError);
    expect(asked).toHaveLength(1);
  });
});

describe('the heads of streams', () => {
  const query = { limit: 10, olderThanMs: 500 };

  it('are read from the start, and on from where an answer ended', async () => {
    const { asked, queries: of } = queries();
    const { next } = await of.streamHeads(query);
    await of.streamHeads({ ...query, after: next });
    await of.streamHeads({ ...query, after: next, now: true });
    const reached = { databaseTransaction: '7', position: '9' };
    expect(asked).toEqual([
      ['after', checkpointAtStart, 10, 500],
      ['after', reached, 10, 500],
      ['now', reached, 10],
    ]);
  });

  it.each([1, STREAM_HEADS_MAX])('may be %s at once', async (limit) => {
    const { queries: of } = queries();
    await expect(of.streamHeads({ ...query, limit })).resolves.toMatchObject({ more: false });
  });

  it.each([0, -1, 1.5, STREAM_HEADS_MAX + 1])('may not be %s at once', async (limit) => {
    const { asked, queries: of } = queries();
    await expect(of.streamHeads({ ...query, limit })).rejects.toThrow(RangeError);
    expect(asked).toEqual([]);
  });

  it.each(['', '7', '7-', '-9', 'x7-9', '7-9x', `${'1'.repeat(21)}-9`, `7-${'1'.repeat(21)}`])(
    'are not looked for behind %j, which no answer has said',
    async (after) => {
      const { queries: of } = queries();
      await expect(of.streamHeads({ ...query, after })).rejects.toThrow(RangeError);
    },
  );

  it('are looked for behind the highest numbers that the database has', async () => {
    const { asked, queries: of } = queries();
    await of.streamHeads({ ...query, after: `${'1'.repeat(20)}-${'2'.repeat(20)}` });
    const highest = { databaseTransaction: '1'.repeat(20), position: '2'.repeat(20) };
    expect(asked).toEqual([['after', highest, 10, 500]]);
  });
});

describe('sealed blocks', () => {
  const sealed = sealPersonal(createSecretKey(CLEAR_KEY), 'transaction-1', personal);
  const item = { streamId: 'kept', transactionId: 'transaction-1', sealed };

  it('open for their transaction, each for itself', async () => {
    const items = [
      { ...item, transactionId: 'transaction-2' },
      { ...item, streamId: 'forgotten' },
      item,
    ];
    expect(await queries().queries.personalParameters({ items })).toEqual({
      blocks: [
        { state: 'unreadable', personal: {} },
        { state: 'erased', personal: {} },
        { state: 'opened', personal },
      ],
    });
  });

  it('need the key of each of their streams once, and of no other', async () => {
    const { asked, queries: of } = queries();
    await of.personalParameters({ items: [item, { ...item, streamId: 'forgotten' }, item] });
    expect(asked).toEqual([['kept', 'forgotten']]);
  });

  it('are not opened more at once than a limit', async () => {
    const many = (length: number) => ({ items: Array.from({ length }, () => item) });
    const { blocks } = await queries().queries.personalParameters(many(PERSONAL_PARAMETERS_MAX));
    expect(blocks).toHaveLength(PERSONAL_PARAMETERS_MAX);
    const beyond = queries().queries.personalParameters(many(PERSONAL_PARAMETERS_MAX + 1));
    await expect(beyond).rejects.toThrow(RangeError);
  });
});
