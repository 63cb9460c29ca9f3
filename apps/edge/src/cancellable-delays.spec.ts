import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CancellableDelays } from './cancellable-delays.js';

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('delays', () => {
  it('last as long as they are asked to, each by itself', async () => {
    const delays = new CancellableDelays();
    const over: number[] = [];
    for (const ms of [20, 10]) void delays.wait(ms).then(() => over.push(ms));
    await jest.advanceTimersByTimeAsync(10);
    expect(over).toEqual([10]);
    await jest.advanceTimersByTimeAsync(10);
    expect(over).toEqual([10, 20]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('listen to nothing each, for Node warns of more than ten listeners', async () => {
    const listening = jest.spyOn(EventTarget.prototype, 'addEventListener');
    const delays = new CancellableDelays();
    const all = Promise.all(Array.from({ length: 30 }, () => delays.wait(MINUTE_MS)));
    const listeners = listening.mock.calls.length;
    listening.mockRestore();
    delays.end();
    await all;
    expect(listeners).toBeLessThanOrEqual(1);
  });

  it('end all together, and those to come at once', async () => {
    const delays = new CancellableDelays();
    const all = Promise.all(Array.from({ length: 30 }, () => delays.wait(MINUTE_MS)));
    expect(delays.ended).toBe(false);
    delays.end();
    await all;
    await delays.wait(MINUTE_MS);
    expect(delays.ended).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
