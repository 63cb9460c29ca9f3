import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.js';

describe('an bulkhead', () => {
  it('lets in so many at once, and the others in their order', async () => {
    const bulkhead = new Bulkhead(2);
    const inside: string[] = [];
    const enter = async (name: string): Promise<() => void> => {
      const leave = await bulkhead.enter();
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
    const bulkhead = new Bulkhead(1);
    const leave = await bulkhead.enter();
    leave();
    leave();
    await bulkhead.enter();
    let isIn = false;
    void bulkhead.enter().then(() => (isIn = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
  });
});
