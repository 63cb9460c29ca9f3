import { describe, expect, it } from '@jest/globals';
import { SharedLook } from './shared-look.js';

describe('a look that many ask for', () => {
  it('is one for all who asked before it began, and another for those after', async () => {
    const ended: (() => void)[] = [];
    let begun = 0;
    const shared = new SharedLook(async () => {
      begun += 1;
      const number = begun;
      await new Promise<void>((resolve) => ended.push(resolve));
      return number;
    });
    const first = [shared.now(), shared.now()];
    await turn();
    const second = [shared.now(), shared.now()];
    await turn();
    expect(begun).toBe(1);
    ended[0]?.();
    expect(await Promise.all(first)).toEqual([1, 1]);
    await turn();
    ended[1]?.();
    expect(await Promise.all(second)).toEqual([2, 2]);
  });

  it('that fails, fails for those alone who asked for it', async () => {
    let begun = 0;
    const shared = new SharedLook(() => {
      begun += 1;
      return begun === 1 ? Promise.reject(new Error('away')) : Promise.resolve('found');
    });
    const first = shared.now();
    await expect(first).rejects.toThrow('away');
    expect(await shared.now()).toBe('found');
  });
});

/** Lets everything happen that waits for nothing. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
