import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Pauses } from './pauses.js';

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('pauses', () => {
  it('last as long as they are asked to, each by itself', async () => {
    const pauses = new Pauses();
    const over: number[] = [];
    for (const ms of [20, 10]) void pauses.pause(ms).then(() => over.push(ms));
    await jest.advanceTimersByTimeAsync(10);
    expect(over).toEqual([10]);
    await jest.advanceTimersByTimeAsync(10);
    expect(over).toEqual([10, 20]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('listen to nothing each, for Node warns of more than ten listeners', async () => {
    const listening = jest.spyOn(EventTarget.prototype, 'addEventListener');
    const pauses = new Pauses();
    const all = Promise.all(Array.from({ length: 30 }, () => pauses.pause(MINUTE_MS)));
    const listeners = listening.mock.calls.length;
    listening.mockRestore();
    pauses.end();
    await all;
    expect(listeners).toBeLessThanOrEqual(1);
  });

  it('end all together, and those to come at once', async () => {
    const pauses = new Pauses();
    const all = Promise.all(Array.from({ length: 30 }, () => pauses.pause(MINUTE_MS)));
    expect(pauses.ended).toBe(false);
    pauses.end();
    await all;
    await pauses.pause(MINUTE_MS);
    expect(pauses.ended).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
