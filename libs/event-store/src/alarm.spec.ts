import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Alarm } from './alarm.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Whether the pause is over after so many milliseconds more. */
async function over(pause: Promise<void>, afterMs: number): Promise<boolean> {
  let isOver = false;
  void pause.then(() => (isOver = true));
  await jest.advanceTimersByTimeAsync(afterMs);
  return isOver;
}

describe('an alarm', () => {
  it('lets a pause take its time', async () => {
    const pause = new Alarm().pause(100);
    expect(await over(pause, 99)).toBe(false);
    expect(await over(pause, 1)).toBe(true);
  });

  it('cuts a pause short when it rings', async () => {
    const alarm = new Alarm();
    const pause = alarm.pause(1_000);
    alarm.ring(20);
    expect(await over(pause, 19)).toBe(false);
    expect(await over(pause, 1)).toBe(true);
  });

  it('that is to ring twice rings at the earlier time', async () => {
    const alarm = new Alarm();
    const pause = alarm.pause(1_000);
    alarm.ring(0);
    alarm.ring(50);
    expect(await over(pause, 0)).toBe(true);
  });

  it('that rang before a pause ends it at once, and only this one', async () => {
    const alarm = new Alarm();
    alarm.ring(0);
    expect(await over(alarm.pause(1_000), 0)).toBe(true);
    expect(await over(alarm.pause(1_000), 999)).toBe(false);
  });

  it('never makes a pause longer', async () => {
    const alarm = new Alarm();
    alarm.ring(5_000);
    expect(await over(alarm.pause(100), 100)).toBe(true);
  });
});
