import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallPlaces } from './call-places.js';

const WAIT_MS = 4_000;
const limits = { callsMax: 3, perHostMax: 2, waitMs: WAIT_MS, waitingMax: 2 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** What became of each that asked, as far as that is known. */
function asking(places: CallPlaces) {
  const known: string[] = [];
  const ask = async (name: string, host: string): Promise<void> => {
    void places.take(host).then((has) => known.push(`${name} ${has ? 'has' : 'has none'}`));
    await jest.advanceTimersByTimeAsync(0);
  };
  return { ask, known };
}

describe('places for calls', () => {
  it('are as many for a host as it may have, and the next one waits for one of these', async () => {
    const places = new CallPlaces(limits);
    const { ask, known } = asking(places);
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 'a');
    await ask('b1', 'b');
    expect(known).toEqual(['a1 has', 'a2 has', 'b1 has']);
    places.leave('a');
    await jest.advanceTimersByTimeAsync(0);
    expect(known.at(-1)).toBe('a3 has');
  });

  it('of other hosts are not kept by those who wait for theirs', async () => {
    const places = new CallPlaces(limits);
    const { ask, known } = asking(places);
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 'a');
    await ask('b1', 'b');
    await ask('b2', 'b');
    places.leave('b');
    await jest.advanceTimersByTimeAsync(0);
    expect(known).toEqual(['a1 has', 'a2 has', 'b1 has', 'b2 has']);
  });

  it('are not waited for longer than a moment, nor by more than so many', async () => {
    const places = new CallPlaces(limits);
    const { ask, known } = asking(places);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await ask(name, 'a');
    expect(known).toEqual(['a1 has', 'a2 has', 'a5 has none']);
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    expect(known.slice(3)).toEqual(['a3 has none', 'a4 has none']);
    places.leave('a');
    await ask('a6', 'a');
    expect(known.at(-1)).toBe('a6 has');
  });

  it('are given to nobody once it is closed', async () => {
    const places = new CallPlaces(limits);
    const { ask, known } = asking(places);
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 'a');
    places.close();
    await ask('b1', 'b');
    expect(known.slice(2)).toEqual(['a3 has none', 'b1 has none']);
    expect(jest.getTimerCount()).toBe(0);
  });
});
