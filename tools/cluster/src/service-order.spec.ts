import { describe, expect, it } from '@jest/globals';
import { inGroups, START_ORDER, STOP_ORDER } from './service-order.js';

describe('the order of services', () => {
  it('starts what others need first, and edge, which lets payments in, after those', () => {
    const order = (['accounts', 'payments', 'relay', 'edge'] as const).map((name) =>
      START_ORDER.findIndex((group) => group.includes(name)),
    );
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('stops edge first, and what payments needs for its calls after payments (D-20)', () => {
    expect(STOP_ORDER[0]).toEqual(['edge', 'webhooks', 'reference-page']);
    // What runs by itself asks payments and registrations until it is stopped.
    expect(STOP_ORDER[1]).toEqual(['checkouts', 'scheduling']);
    expect(STOP_ORDER[2]).toEqual(['payments', 'registrations', 'scheduling-relay']);
    expect(STOP_ORDER[3]).toEqual(expect.arrayContaining(['sepa', 'accounts', 'simulator']));
    // Sepa needs it for its files.
    expect(STOP_ORDER[4]).toEqual(['vault']);
  });

  it('is refused where services wait for each other', () => {
    const needs = { a: ['b'], b: ['a'], c: [] } as const;
    expect(() => inGroups(['a', 'b', 'c'], (name) => needs[name])).toThrow(
      'a, b wait for each other.',
    );
  });
});
