import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from '@sluice/service';
import { Streams } from './streams.js';
import { Sweeper } from './sweeper.js';

const LEASE_MS = 60_000;

/** A sweeper, what is due, and when it has looked for that. */
function sweeper(sweep: (id: string) => Promise<void> = () => Promise.resolve()) {
  const clock = { monotonicMs: 1_000, steppedForwardAtMs: Number.NEGATIVE_INFINITY };
  const looks: number[] = [];
  const limitsAsked: { limit: number; leaseMs: number }[] = [];
  const trouble: Error[] = [];
  const due: string[] = [];
  const complaints: unknown[] = [];
  const streams = new Streams(undefined, 1);
  const sweeping = new Sweeper({
    what: 'meters',
    store: {
      claimDueStreams: (asked) => {
        looks.push(clock.monotonicMs);
        limitsAsked.push(asked);
        const { limit } = asked;
        const error = trouble.shift();
        if (error !== undefined) return Promise.reject(error);
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
    logger: {
      error: (...words: unknown[]) => complaints.push(words),
      warn: (_: unknown, sentence: string) => complaints.push(sentence),
    } as unknown as Logger,
    sweep: ({ id }) => sweep(id),
  });
  const parts = { clock, looks, limitsAsked, trouble, due, complaints, streams };
  return { ...parts, processor: sweeping };
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

describe('a sweeper at work', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Each stream is under way until it is let go. */
  function held() {
    const lettingGo = new Map<string, () => void>();
    const made = sweeper((id) => new Promise((resolve) => lettingGo.set(id, resolve)));
    const letGo = async (id: string) => {
      lettingGo.get(id)?.();
      await jest.advanceTimersByTimeAsync(0);
    };
    return { ...made, letGo, underWay: () => [...lettingGo.keys()] };
  }

  it('looks at once, and then at every interval', async () => {
    const { looks, processor } = sweeper();
    processor.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(looks).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(999);
    expect(looks).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(looks).toHaveLength(2);
    await processor.stop();
  });

  it('claims as many as it has places for, each for a lease', async () => {
    const { due, limitsAsked, letGo, underWay, processor } = held();
    due.push('first', 'second', 'third');
    processor.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(limitsAsked).toEqual([{ limit: 2, leaseMs: LEASE_MS }]);
    // Both places are taken: nothing is claimed that would only wait here for its lease to end.
    await jest.advanceTimersByTimeAsync(5_000);
    expect(limitsAsked).toHaveLength(1);
    await letGo('first');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(limitsAsked.slice(1)).toEqual([{ limit: 1, leaseMs: LEASE_MS }]);
    expect(underWay()).toEqual(['first', 'second', 'third']);
    const stopped = processor.stop();
    await letGo('second');
    await letGo('third');
    await stopped;
  });

  it('looks again at once while it finds something and has places', async () => {
    const { due, looks, processor } = held();
    due.push('first');
    processor.start();
    await jest.advanceTimersByTimeAsync(0);
    due.push('second');
    await jest.advanceTimersByTimeAsync(1);
    expect([looks.length, due]).toEqual([2, []]);
  });

  it('that stops claims nothing more, and waits for what is under way', async () => {
    const { due, looks, letGo, processor } = held();
    due.push('first', 'second');
    processor.start();
    await jest.advanceTimersByTimeAsync(0);
    let hasStopped = false;
    const stopped = processor.stop().then(() => (hasStopped = true));
    await letGo('first');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([looks.length, hasStopped]).toEqual([1, false]);
    await letGo('second');
    await stopped;
    expect(hasStopped).toBe(true);
  });

  it('that stops while it looks does what it has found, and looks no more', async () => {
    const { due, looks, letGo, underWay, processor } = held();
    due.push('first');
    processor.start();
    jest.advanceTimersByTime(0);
    const stopped = processor.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([looks.length, underWay()]).toEqual([1, ['first']]);
    await letGo('first');
    await stopped;
  });

  it('goes on after a look that failed, and says so once', async () => {
    const { trouble, looks, complaints, processor } = sweeper();
    trouble.push(new Error('away'), new Error('away'));
    processor.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(looks).toHaveLength(3);
    expect(complaints).toEqual([
      'The sweeper cannot look for open meters.',
      'The sweeper looks for open meters again.',
    ]);
    await processor.stop();
  });
});
