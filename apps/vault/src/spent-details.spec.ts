import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SPENT_FOR_MS, SpentDetails } from './spent-details.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Spent details, and what was forgotten and deleted of them. */
function spentDetails(written: readonly string[] = []) {
  const forgotten: string[] = [];
  const deleted: string[] = [];
  const failures: unknown[] = [];
  const database = { isAway: false };
  const spent = new SpentDetails({
    memory: { forget: (reference) => void forgotten.push(reference) },
    rows: {
      leaveUnwritten: (reference) => !written.includes(reference),
      delete: async (reference) => {
        if (database.isAway) throw new Error('away');
        deleted.push(reference);
      },
    },
    metrics: { forgotten: { add: () => undefined } },
    onFailed: (error) => failures.push(error),
  });
  return { spent, forgotten, deleted, failures, database };
}

describe('details that were revealed for the last time', () => {
  it('stay for as long as their reveal may be repeated, and are gone after twice that', async () => {
    const { spent, forgotten } = spentDetails();
    spent.add('a');
    await jest.advanceTimersByTimeAsync(SPENT_FOR_MS);
    expect(forgotten).toEqual([]);
    await jest.advanceTimersByTimeAsync(SPENT_FOR_MS);
    expect(forgotten).toEqual(['a']);
  });

  it('stay so long each, also those that follow soon', async () => {
    const { spent, forgotten } = spentDetails();
    spent.add('a');
    await jest.advanceTimersByTimeAsync(SPENT_FOR_MS - 1);
    spent.add('b');
    await jest.advanceTimersByTimeAsync(2);
    spent.add('c');
    await jest.advanceTimersByTimeAsync(SPENT_FOR_MS);
    expect(forgotten).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(SPENT_FOR_MS);
    expect(forgotten).toEqual(['a', 'b', 'c']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('cost the database nothing unless they have a row', async () => {
    const { spent, deleted } = spentDetails(['written']);
    spent.add('a');
    spent.add('written');
    await jest.advanceTimersByTimeAsync(2 * SPENT_FOR_MS);
    expect(deleted).toEqual(['written']);
  });

  it('are forgotten at once when the vault ends', async () => {
    const { spent, forgotten, deleted } = spentDetails(['a']);
    spent.add('a');
    await spent.close();
    expect([forgotten, deleted]).toEqual([['a'], ['a']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are out of memory even if their rows cannot be deleted', async () => {
    const { spent, forgotten, failures, database } = spentDetails(['a']);
    database.isAway = true;
    spent.add('a');
    await jest.advanceTimersByTimeAsync(2 * SPENT_FOR_MS);
    expect(forgotten).toEqual(['a']);
    expect(failures).toHaveLength(1);
  });
});
