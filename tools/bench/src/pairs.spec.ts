import { describe, expect, it } from '@jest/globals';
import { costOf, orderOf, spreadOf } from './pairs.js';

describe('the order of runs', () => {
  it('puts each side as early as the other, so that an even drift cancels', () => {
    const order = [0, 1, 2, 3].flatMap((pair) => orderOf(pair, ['off', 'on']));
    expect(order).toEqual(['off', 'on', 'on', 'off', 'off', 'on', 'on', 'off']);
    const places = (side: string): number =>
      order.reduce((sum, each, place) => sum + (each === side ? place : 0), 0);
    expect(places('on')).toBe(places('off'));
  });
});

describe('the cost of a pair', () => {
  it('is how much lower the payments per CPU-second are, as a share', () => {
    expect(costOf({ off: 200, on: 190 })).toBeCloseTo(0.05);
    expect(costOf({ off: 200, on: 202 })).toBeCloseTo(-0.01);
  });
});

describe('the spread of pairs', () => {
  it('has the median of an odd and of an even number', () => {
    expect(spreadOf([3, 1, 2]).median).toBe(2);
    expect(spreadOf([4, 1, 2, 3]).median).toBe(2.5);
  });

  it('of seven is all that was seen, with 98.4 %', () => {
    const spread = spreadOf([5, 7, 1, 3, 2, 6, 4]);
    expect(spread).toMatchObject({ low: 1, high: 7 });
    expect(spread.confidence).toBeCloseTo(1 - 2 / 2 ** 7);
  });

  it('of twenty leaves five out at each end, with 95.9 %', () => {
    const spread = spreadOf(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(spread).toMatchObject({ low: 6, high: 15 });
    expect(spread.confidence).toBeCloseTo(0.9586, 3);
  });

  it('of few pairs says itself that it is not sure', () => {
    expect(spreadOf([1, 2, 3])).toMatchObject({ low: 1, high: 3, confidence: 0.75 });
    expect(spreadOf([1])).toMatchObject({ low: 1, high: 1, confidence: 0 });
  });
});
