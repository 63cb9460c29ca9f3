import { describe, expect, it } from '@jest/globals';
import { GaugeLook } from './gauge-look.js';

const limits = { keptMs: 0, waitMaxMs: 5 };

describe('a look that hangs', () => {
  it('is not waited for longer than a scrape can, and not begun twice', async () => {
    let asked = 0;
    let answer: (value: number) => void = () => undefined;
    const look = new GaugeLook(
      () => {
        asked += 1;
        return new Promise<number>((resolve) => (answer = resolve));
      },
      () => undefined,
      limits,
    );
    expect(await look.found()).toBeUndefined();
    expect(await look.found()).toBeUndefined();
    expect(asked).toBe(1);
    const third = look.found();
    answer(7);
    expect(await third).toBe(7);
  });
});

describe('a look that fails', () => {
  it('is told, gives nothing, and is asked again after a while', async () => {
    let failures = 0;
    let isAway = true;
    const look = new GaugeLook(
      () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1)),
      () => (failures += 1),
      limits,
    );
    expect(await look.found()).toBeUndefined();
    isAway = false;
    expect(await look.found()).toBe(1);
    expect(failures).toBe(1);
  });
});
