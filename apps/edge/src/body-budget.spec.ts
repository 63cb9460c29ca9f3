import { describe, expect, it } from '@jest/globals';
import { BodyBudget } from './body-budget.js';

describe('the memory for bodies', () => {
  it('is full when all of it is taken by bodies that are whole', () => {
    const budget = new BodyBudget(100);
    const whole = budget.begin(() => undefined);
    expect(whole.grow(90)).toBe(true);
    whole.finish();
    const next = budget.begin(() => undefined);
    expect([next.grow(10), next.grow(1)]).toEqual([true, false]);
    whole.release();
    whole.release();
    expect([next.grow(90), budget.takenBytes]).toEqual([true, 100]);
  });

  it('is taken from what has been on its way for the longest', () => {
    const budget = new BodyBudget(100);
    const givenUp: string[] = [];
    const [slow, slower] = ['slow', 'slower'].map((name) => {
      const body = budget.begin(() => givenUp.push(name));
      body.grow(40);
      return body;
    });
    const next = budget.begin(() => givenUp.push('next'));
    expect(next.grow(50)).toBe(true);
    expect([givenUp, budget.takenBytes]).toEqual([['slow'], 90]);
    expect(slow?.grow(1)).toBe(false);
    slower?.finish();
    expect(next.grow(20)).toBe(false);
    expect(givenUp).toEqual(['slow']);
  });

  it('is left for another one as a whole or not at all', () => {
    const [small, large] = [new BodyBudget(50), new BodyBudget(60)];
    const body = small.begin(() => undefined);
    body.grow(50);
    body.finish();
    expect([body.moveTo(large), small.takenBytes, large.takenBytes]).toEqual([true, 0, 50]);
    expect([body.moveTo(large), large.takenBytes]).toEqual([true, 50]);
    const other = small.begin(() => undefined);
    other.grow(20);
    other.finish();
    expect([other.moveTo(large), small.takenBytes]).toEqual([false, 20]);
  });
});
