import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LiveDirectory } from './live-directory.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A directory whose owner answers from this failure on. */
function directory(failures: number) {
  const told: string[] = [];
  let asked = 0;
  const live = new LiveDirectory<string>({
    ask: () => {
      asked += 1;
      return asked <= failures ? Promise.reject(new Error('away')) : Promise.resolve('index');
    },
    outage: { failed: () => told.push('failed'), over: () => told.push('over') },
  });
  return { live, told };
}

describe('what another service owns', () => {
  it('is waited for without a word while its owner is only starting', async () => {
    const { live, told } = directory(10);
    await live.start();
    await jest.advanceTimersByTimeAsync(3_000);
    live.close();
    expect([live.index, new Set(told)]).toEqual(['index', new Set(['over'])]);
  });

  it('is missed aloud where the owner does not come', async () => {
    const { live, told } = directory(Infinity);
    await live.start();
    await jest.advanceTimersByTimeAsync(6_000);
    live.close();
    expect(told[0]).toBe('failed');
  });

  it('is missed at once where the owner has answered before', async () => {
    let isAway = false;
    const told: string[] = [];
    const live = new LiveDirectory<string>({
      ask: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('index')),
      outage: { failed: () => told.push('failed'), over: () => undefined },
    });
    await live.refresh();
    isAway = true;
    await live.refresh();
    expect([live.index, told]).toEqual(['index', ['failed']]);
  });
});
