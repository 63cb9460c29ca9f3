import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@sluice/service';
import { Streams } from './streams.js';
import { Sweeper } from './sweeper.js';

const LEASE_MS = 60_000;

/** A sweeper, what is due, and when it has looked for that. */
function sweeper(sweep: (id: string) => Promise<void> = () => Promise.resolve()) {
  const clock = { monotonicMs: 1_000, steppedForwardAtMs: Number.NEGATIVE_INFINITY };
  const looks: number[] = [];
  const due: string[] = [];
  const complaints: unknown[] = [];
  const streams = new Streams(undefined, 1);
  const sweeping = new Sweeper({
    what: 'meters',
    store: {
      claimDueStreams: ({ limit }) => {
        looks.push(clock.monotonicMs);
        return Promise.resolve(due.splice(0, limit));
      },
    },
    streams,
    limits: {
      ...{ pollIntervalMs: 1_000, concurrencyMax: 2, claimLeaseMs: LEASE_MS },
      restAfterClockStepMs: LEASE_MS,
    },
    clock: {
      now: () => 0,
      monotonicMs: () => clock.monotonicMs,
      get steppedForwardAtMs() {
        return clock.steppedForwardAtMs;
      },
    },
    logger: { error: (...words: unknown[]) => complaints.push(words) } as unknown as Logger,
    sweep: ({ id }) => sweep(id),
  });
  return { clock, looks, due, complaints, streams, processor: sweeping };
}

describe("the database's clock was set forward", () => {
  it('nothing is looked at for a lease: nobody knows how old a request is', async () => {
    const { clock, looks, processor } = sweeper();
    await processor.sweepOnce();
    expect(looks).toEqual([1_000]);
    clock.steppedForwardAtMs = 1_000;
    for (const afterMs of [0, 1, LEASE_MS - 1]) {
      clock.monotonicMs = 1_000 + afterMs;
      await processor.sweepOnce();
    }
    expect(looks).toEqual([1_000]);
    clock.monotonicMs = 1_000 + LEASE_MS;
    await processor.sweepOnce();
    expect(looks).toEqual([1_000, 1_000 + LEASE_MS]);
  });
});

describe('a stream that is due', () => {
  it('is dealt with, and one that cannot be keeps no other waiting', async () => {
    const swept: string[] = [];
    const { due, complaints, streams, processor } = sweeper((id) => {
      swept.push(id);
      return id === 'bad' ? Promise.reject(new Error('broken')) : Promise.resolve();
    });
    due.push('bad', 'good', 'next');
    expect(await processor.sweepOnce()).toBe(2);
    expect(await processor.sweepOnce()).toBe(1);
    expect(swept).toEqual(['bad', 'good', 'next']);
    expect(complaints).toMatchObject([
      [{ streamId: 'bad' }, 'One of the open meters could not be dealt with; tried again later.'],
    ]);
    expect(streams.has('bad')).toBe(false);
  });
});
