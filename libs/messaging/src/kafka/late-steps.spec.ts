import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sayingWhenLate } from './late-steps.js';

const LATE_MS = 1_000;

describe('a step that may take for ever', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is named once when it is late, and its result still counts', async () => {
    const say = jest.fn();
    let end: (result: string) => void = () => undefined;
    const step = new Promise<string>((resolve) => (end = resolve));
    const result = sayingWhenLate(step, LATE_MS, say);
    jest.advanceTimersByTime(LATE_MS - 1);
    expect(say).not.toHaveBeenCalled();
    jest.advanceTimersByTime(10 * LATE_MS);
    expect(say).toHaveBeenCalledTimes(1);
    end('done');
    expect(await result).toBe('done');
  });

  it('is not named when it ends in time, however it ends', async () => {
    const say = jest.fn();
    await sayingWhenLate(Promise.resolve(), LATE_MS, say);
    await expect(sayingWhenLate(Promise.reject(new Error('no')), LATE_MS, say)).rejects.toThrow();
    jest.advanceTimersByTime(10 * LATE_MS);
    expect(say).not.toHaveBeenCalled();
  });
});
