import { describe, expect, it } from '@jest/globals';
import { inGroups, START_ORDER, STOP_ORDER } from './service-order.js';

describe('the order of services', () => {
  it('starts what others need first, and edge, which lets payments in, last', () => {
    expect(START_ORDER).toEqual([
      ['payments', 'vault', 'accounts', 'simulator'],
      ['relay', 'reporting'],
      ['edge'],
    ]);
  });

  it('stops edge first, and what payments needs for its calls after payments (D-20)', () => {
    expect(STOP_ORDER).toEqual([
      ['edge'],
      ['payments', 'accounts'],
      ['relay', 'vault', 'reporting', 'simulator'],
    ]);
  });

  it('is refused where services wait for each other', () => {
    const needs = { a: ['b'], b: ['a'], c: [] } as const;
    expect(() => inGroups(['a', 'b', 'c'], (name) => needs[name])).toThrow(
      'a, b wait for each other.',
    );
  });
});
