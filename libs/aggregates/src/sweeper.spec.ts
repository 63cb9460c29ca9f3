import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { TenantAhead } from '@sluice/event-store';
import type { Logger } from '@sluice/service';
import { Streams } from './streams.js';
import { Sweeper, type SweepLimits } from './sweeper.js';

const LEASE_MS = 60_000;

/** By how much clocks of tenants are ahead, and how far they have to be for what is due. */
function dueByClocks() {
  const ahead = new Map<string, number>();
  const dueBy: { id: string; atMs: number }[] = [];
  const claimedOf = ({ aheadMs }: TenantAhead, limit: number): string[] => {
    const claimed = dueBy.filter(({ atMs }) => atMs <= aheadMs).slice(0, limit);
    for (const each of claimed) dueBy.splice(dueBy.indexOf(each), 1);
    return claimed.map(({ id }) => id);
  };
  const aheadMs = (tenant: string): number => ahead.get(tenant) ?? 0;
  return { ahead, dueBy, claimedOf, setClocks: { aheadMs, all: () => ahead } };
}

function readingOf(clock: { readonly monotonicMs: number; readonly steppedForwardAtMs: number }) {
  return {
    now: () => 0,
    monotonicMs: () => clock.monotonicMs,
    get steppedForwardAtMs() {
      return clock.steppedForwardAtMs;
    },
  };
}

/** A sweeper, what is due, and when it has looked for that. */
function sweeper(
  sweep: (id: string) => Promise<void> = () => Promise.resolve(),
  limits: Partial<SweepLimits> = {},
) {
  const clock = { monotonicMs: 1_000, steppedForwardAtMs: Number.NEGATIVE_INFINITY };
  const looks: number[] = [];
  const limitsAsked: { limit: number; leaseMs: number }[] = [];
  const { ahead, dueBy, claimedOf, setClocks } = dueByClocks();
  const trouble: Error[] = [];
  const due: string[] = [];
  const next: { inMs: number | null; tell: (inMs: number) => void } = {
    inMs: null,
    tell: () => undefined,
  };
  const complaints: unknown[] = [];
  const streams = new Streams(undefined, 1);
  const sweeping = new Sweeper({
    what: 'meters',
    store: {
      claimDueStreams: (asked) => {
        looks.push(clock.monotonicMs);
        limitsAsked.push(asked);
        const { limit, of } = asked;
        if (of !== undefined) return Promise.resolve(claimedOf(of, limit));
        const error = trouble.shift();
        if (error !== undefined) return Promise.reject(error);
        return Promise.resolve(due.splice(0, limit));
      },
      nextDueInMs: () => Promise.resolve(next.inMs),
      watchDue: (tell) => void (next.tell = tell),
    },
    streams,
    limits: {
      ...{ pollIntervalMs: 1_000, concurrencyMax: 2, claimLeaseMs: LEASE_MS },
      restAfterClockStepMs: LEASE_MS,
      ...limits,
    },
    clock: readingOf(clock),
    logger: {
      error: (...words: unknown[]) => complaints.push(words),
      warn: (_: unknown, sentence: string) => complaints.push(sentence),
    } as unknown as Logger,
    setClocks,
    sweep: ({ id }) => sweep(id),
  });
  const parts = {
    ahead,
    dueBy,
    clock,
    looks,
    limitsAsked,
    trouble,
    due,
    next,
    complaints,
    streams,
  };
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

describe('a tenant whose clock is ahead', () => {
  it('has all done that is due by it, however much that is, and nothing that is due later', async () => {
    const swept: string[] = [];
    const { ahead, dueBy, processor } = sweeper((id) => {
      swept.push(id);
      return Promise.resolve();
    });
    for (const id of ['a', 'b', 'c', 'd', 'e']) dueBy.push({ id, atMs: 1_000 });
    dueBy.push({ id: 'later', atMs: 1_001 });
    expect(await processor.sweepTenant('t')).toBe(0);
    ahead.set('t', 1_000);
    expect(await processor.sweepTenant('t')).toBe(5);
    expect(swept).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('waits for what is in hand, which may leave more to do', async () => {
    const ended: string[] = [];
    const { ahead, dueBy, processor } = sweeper(async (id) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (id === 'first') dueBy.push({ id: 'second', atMs: 1_000 });
      ended.push(id);
    });
    ahead.set('t', 1_000);
    dueBy.push({ id: 'first', atMs: 500 });
    expect(await processor.sweepTenant('t')).toBe(2);
    expect(ended).toEqual(['first', 'second']);
  });

  it('has nothing more begun from an instant on', async () => {
    const { ahead, clock, dueBy, processor } = sweeper(() => {
      clock.monotonicMs += 10;
      return Promise.resolve();
    });
    ahead.set('t', 1_000);
    for (const id of ['a', 'b', 'c', 'd']) dueBy.push({ id, atMs: 1_000 });
    // Two are in hand at once.
    expect(await processor.sweepTenant('t', 1_010)).toBe(2);
    expect(await processor.sweepTenant('t', 1_020)).toBe(0);
    expect(await processor.sweepTenant('t', 1_021)).toBe(2);
  });

  it('is looked at with all others', async () => {
    const swept: string[] = [];
    const { ahead, due, dueBy, processor } = sweeper((id) => {
      swept.push(id);
      return Promise.resolve();
    });
    ahead.set('t', 1_000);
    due.push('other');
    dueBy.push({ id: 'of t', atMs: 1_000 });
    expect(await processor.sweepOnce()).toBe(2);
    expect(swept).toEqual(['other', 'of t']);
  });
});

describe('a sweeper at work', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Each stream is under way until it is let go. */
  function held(limits: Partial<SweepLimits> = {}) {
    const lettingGo = new Map<string, () => void>();
    const made = sweeper((id) => new Promise((resolve) => lettingGo.set(id, resolve)), limits);
    const letGo = async (id: string) => {
      lettingGo.get(id)?.();
      await jest.advanceTimersByTimeAsync(0);
    };
    return { ...made, letGo, underWay: () => [...lettingGo.keys()] };
  }

  /** Resolves when it has stopped, which takes no time at rest. */
  async function stopped(processor: { stop(): Promise<void> }) {
    const stopping = processor.stop();
    await jest.advanceTimersByTimeAsync(0);
    await stopping;
  }

  /** How many looks there were after each of these times, in milliseconds from the start. */
  async function looksAfter(looks: readonly unknown[], ...timesMs: readonly number[]) {
    const counts: number[] = [];
    let passedMs = 0;
    for (const ms of timesMs) {
      await jest.advanceTimersByTimeAsync(ms - passedMs);
      passedMs = ms;
      counts.push(looks.length);
    }
    return counts;
  }

  it('looks at once, and at rest after every fifth interval', async () => {
    const { looks, processor } = sweeper();
    processor.start();
    expect(await looksAfter(looks, 0, 4_999, 5_000, 9_999, 10_000)).toEqual([1, 1, 2, 2, 3]);
    await stopped(processor);
  });

  it('looks when a stream is due that any process has written, though all is at rest', async () => {
    const { looks, next, processor } = sweeper();
    next.inMs = 2_300;
    processor.start();
    expect(await looksAfter(looks, 0, 2_299, 2_300)).toEqual([1, 1, 2]);
    await stopped(processor);
  });

  it('looks when a stream is due that this process has written since the last look', async () => {
    const { looks, next, processor } = sweeper();
    processor.start();
    await jest.advanceTimersByTimeAsync(1_500);
    next.tell(700);
    next.tell(60_000);
    expect(await looksAfter(looks, 699, 700)).toEqual([1, 2]);
    // One that is due at once after a quiet time is not kept waiting.
    await jest.advanceTimersByTimeAsync(3_000);
    next.tell(0);
    expect(await looksAfter(looks, 0)).toEqual([3]);
    await stopped(processor);
  });

  it('looks no more often than once an interval, however much is due that it does not get', async () => {
    const { looks, next, processor } = sweeper();
    next.inMs = 0;
    processor.start();
    await jest.advanceTimersByTimeAsync(10);
    for (let told = 0; told < 100; told += 1) next.tell(0);
    expect(await looksAfter(looks, 900, 1_000, 1_900, 2_000)).toEqual([1, 2, 2, 3]);
    await stopped(processor);
  });

  it('that stops at rest stops at once', async () => {
    const { processor } = sweeper();
    processor.start();
    await jest.advanceTimersByTimeAsync(100);
    await stopped(processor);
    expect(jest.getTimerCount()).toBe(0);
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

  it('claims more when half of a full hand is done, if it does not have to spare anybody', async () => {
    const { due, letGo, underWay, processor } = held({ refills: true });
    due.push('first', 'second', 'third', 'fourth', 'fifth');
    processor.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(underWay()).toEqual(['first', 'second']);
    await letGo('first');
    await letGo('second');
    await letGo('third');
    expect(underWay()).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    for (const id of ['fourth', 'fifth']) await letGo(id);
    await stopped(processor);
  });

  it('looks again at once while it finds something and has places', async () => {
    const { due, looks, processor } = held();
    due.push('first');
    processor.start();
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
    await stopped(processor);
  });
});
