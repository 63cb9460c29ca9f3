import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventTable } from '@sluice/contracts';
import type { EventSubscription } from '@sluice/messaging';
import type { Logger } from '@sluice/service';
import { Feeding, type FeedingOptions } from './feeding.js';
import type { TableSet } from './table-set.js';

const POLL_MS = 1_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** What a database with one live table set answers, and when it was asked which there are. */
function feeding(compareHeadsMs = 60_000) {
  const startMs = performance.now();
  const looks: number[] = [];
  const compared: number[] = [];
  const state = { sets: 'live' as TableSet['state'], isAway: false };
  const sinceStart = (): number => performance.now() - startMs;
  const answers: readonly (readonly [string, () => readonly object[]])[] = [
    ['FROM s.table_sets WHERE projection', () => [{ ...TABLE_SET, state: state.sets }]],
    ['AS known', () => [{ known: 'store' }]],
  ];
  const pool = {
    query: (query: string | { readonly text: string }) => {
      const text = typeof query === 'string' ? query : query.text;
      if (text.includes('WHERE projection')) looks.push(sinceStart());
      if (state.isAway) return Promise.reject(new Error('away'));
      const answer = answers.find(([words]) => text.includes(words))?.[1];
      return Promise.resolve({ rows: answer?.() ?? [] });
    },
  };
  let subscription: EventSubscription | undefined;
  const events = {
    subscribe: (wanted: EventSubscription) => {
      subscription = wanted;
      return Promise.resolve({ close: () => Promise.resolve() });
    },
  };
  const source = {
    incarnation: () => Promise.resolve('store'),
    headsAfter: () => {
      compared.push(sinceStart());
      return Promise.resolve({ heads: [], more: false, next: 'here', incarnation: 'store' });
    },
  };
  const options = {
    ...{ service: 'reporting', schema: 's', pool, events, source, projection },
    ...{ logger: { warn: () => undefined, error: () => undefined } as unknown as Logger },
    ...{ pollIntervalMs: POLL_MS, compareHeadsMs },
  } as unknown as FeedingOptions;
  const arrive = () => subscription?.handle({ topic: 'counted.v1', partition: 0, messages: [] });
  return { fed: new Feeding(options), looks, compared, state, arrive };
}

const TABLE_SET = {
  ...{ id: 1, projection: 'counting', version: 1, incarnation: null },
  created_at: new Date(0),
};
const projection = {
  ...{ name: 'counting', version: 1, owner: 'counting', topic: 'counted.v1', key: 'streamId' },
  columns: { streamId: { type: 'text' } },
  ...{ indexes: [], events: eventTable({}), readsMetadataOf: [] },
};

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('which table sets there are', () => {
  it('is looked at after every fifth interval at rest', async () => {
    const { fed, looks } = feeding();
    await fed.start();
    await pass(11_000);
    expect(looks).toEqual([0, 1_000, 6_000, 11_000]);
    await fed.close();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is looked at within an interval after events have come', async () => {
    const { fed, looks, arrive } = feeding();
    await fed.start();
    await pass(2_500);
    await arrive();
    await arrive();
    await pass(POLL_MS);
    expect(looks).toEqual([0, 1_000, 3_500]);
    await fed.close();
  });

  it('is looked at every interval while one is made, and while the database is away', async () => {
    const { fed, looks, state } = feeding();
    await fed.start();
    await pass(1_000);
    state.sets = 'following';
    await pass(8_000);
    expect(looks).toEqual([0, 1_000, 6_000, 7_000, 8_000, 9_000]);
    state.sets = 'live';
    state.isAway = true;
    await pass(3_000);
    expect(looks.slice(6)).toEqual([10_000, 11_000, 12_000]);
    await fed.close();
  });

  it('keeps nobody from comparing the stores as often as ever', async () => {
    const { fed, compared } = feeding(3_000);
    await fed.start();
    await pass(10_000);
    expect(compared).toEqual([1_000, 4_000, 7_000, 10_000]);
    await fed.close();
  });
});
