import { describe, expect, it } from '@jest/globals';
import { Entrance } from './entrance.js';

describe('an entrance', () => {
  it('lets in so many at once, and the others in their order', async () => {
    const entrance = new Entrance(2);
    const inside: string[] = [];
    const enter = async (name: string): Promise<() => void> => {
      const leave = await entrance.enter();
      inside.push(name);
      return leave;
    };
    const [first, second] = await Promise.all([enter('first'), enter('second')]);
    const third = enter('third');
    const fourth = enter('fourth');
    await Promise.resolve();
    expect(inside).toEqual(['first', 'second']);
    first();
    await third;
    expect(inside).toEqual(['first', 'second', 'third']);
    second();
    await fourth;
    expect(inside).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('has no more room when somebody leaves twice', async () => {
    const entrance = new Entrance(1);
    const leave = await entrance.enter();
    leave();
    leave();
    await entrance.enter();
    let isIn = false;
    void entrance.enter().then(() => (isIn = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
  });
});
