import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AssignedPartition } from './assigned-partition.js';
import { OffsetCommits } from './offset-commits.js';
import type { SupervisedConsumer } from './supervised-consumer.js';

const INTERVAL_MS = 250;
const gate = { pause: () => undefined, resume: () => undefined };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Commits of one partition, and what the broker was told. */
function commits() {
  const assigned = new AssignedPartition('ledger.commands.v1', 0, gate);
  const committed: (readonly [offset: string, atMs: number])[] = [];
  const state = { isTaken: true, isReplyWaiting: false, looks: 0 };
  const startMs = performance.now();
  const consumer = {
    commit: ([position]: readonly { offset: string }[]) => {
      committed.push([position?.offset ?? '', performance.now() - startMs]);
      return Promise.resolve(state.isTaken);
    },
  } as unknown as SupervisedConsumer;
  const offsetCommits = new OffsetCommits(consumer, INTERVAL_MS, {
    settle: () => void (state.looks += 1),
    get isWaiting() {
      return state.isReplyWaiting;
    },
  });
  offsetCommits.start(() => [assigned]);
  const arrive = (offset: number) => {
    assigned.offsets.add(offset);
    offsetCommits.stir();
  };
  return { assigned, committed, state, offsetCommits, arrive };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('offsets', () => {
  it('are looked at by nobody at rest', async () => {
    const { committed, state } = commits();
    await pass(60_000);
    expect([committed, state.looks, jest.getTimerCount()]).toEqual([[], 0, 0]);
  });

  it('are committed within an interval after rest, and then there is rest again', async () => {
    const { assigned, committed, arrive } = commits();
    await pass(10_000);
    arrive(7);
    assigned.offsets.complete(7);
    await pass(10_000);
    expect(committed).toEqual([['8', 10_000 + INTERVAL_MS]]);
    expect(jest.getTimerCount()).toBe(0);
    arrive(8);
    assigned.offsets.complete(8);
    await pass(INTERVAL_MS);
    expect(committed.slice(1)).toEqual([['9', 20_000 + INTERVAL_MS]]);
  });

  it('are committed within an interval of the end of what took long', async () => {
    const { assigned, committed, arrive } = commits();
    arrive(7);
    await pass(30_100);
    // The position that is known: before the command that is under way.
    expect(committed).toEqual([['7', INTERVAL_MS]]);
    assigned.offsets.complete(7);
    await pass(INTERVAL_MS);
    expect(committed.slice(1)).toEqual([['8', 30_250]]);
  });

  it('are committed again until the broker takes them', async () => {
    const { assigned, committed, state, arrive } = commits();
    state.isTaken = false;
    arrive(7);
    assigned.offsets.complete(7);
    await pass(3 * INTERVAL_MS);
    state.isTaken = true;
    await pass(10 * INTERVAL_MS);
    expect(committed.map(([, atMs]) => atMs)).toEqual([250, 500, 750, 1_000]);
  });

  it('are looked at while a reply waits for them, whose life ends without a commit too', async () => {
    const { state, offsetCommits } = commits();
    state.isReplyWaiting = true;
    offsetCommits.stir();
    await pass(4 * INTERVAL_MS);
    expect(state.looks).toBe(4);
    state.isReplyWaiting = false;
    await pass(10 * INTERVAL_MS);
    expect(state.looks).toBe(5);
  });

  it('of a consumer that closes are committed once more, and no timer begins', async () => {
    const { assigned, committed, offsetCommits, arrive } = commits();
    arrive(7);
    assigned.offsets.complete(7);
    await offsetCommits.close([assigned]);
    expect(committed).toEqual([['8', 0]]);
    arrive(8);
    expect(jest.getTimerCount()).toBe(0);
  });
});
