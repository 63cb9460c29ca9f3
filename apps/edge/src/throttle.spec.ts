import { describe, expect, it } from '@jest/globals';
import { Throttle } from './throttle.js';

function throttle(perSecond: number, burst: number, instances = () => 1) {
  let nowMs = 1_000;
  const made = new Throttle({ perSecond, burst }, { monotonicMs: () => nowMs }, instances);
  const admitted = (count: number, token = 'a', entity = 'e') =>
    Array.from({ length: count }, () => made.admits(token, entity)).filter(Boolean).length;
  return { admitted, pass: (ms: number) => (nowMs += ms) };
}

describe('Throttle', () => {
  it('lets a burst pass and refuses the next one', () => {
    expect(throttle(10, 4).admitted(6)).toBe(4);
  });

  it('earns its tokens back with time, up to the burst', () => {
    const { admitted, pass } = throttle(10, 4);
    admitted(4);
    pass(200);
    expect(admitted(5)).toBe(2);
    pass(60_000);
    expect(admitted(9)).toBe(4);
  });

  it('counts every token and every entity for itself', () => {
    const { admitted } = throttle(10, 1);
    expect(admitted(2, 'a', 'e')).toBe(1);
    expect(admitted(2, 'a', 'f')).toBe(1);
    expect(admitted(2, 'b', 'e')).toBe(1);
  });

  it('lets only its share pass, as many as there are', () => {
    let instances = 2;
    const { admitted, pass } = throttle(10, 4, () => instances);
    expect(admitted(4)).toBe(2);
    pass(1_000);
    instances = 4;
    expect(admitted(4)).toBe(1);
    pass(400);
    expect(admitted(4)).toBe(1);
    instances = 1;
    pass(60_000);
    expect(admitted(9)).toBe(4);
  });

  it('never shuts an instance out, however small its share', () => {
    const { admitted, pass } = throttle(1, 1, () => 10);
    expect(admitted(2)).toBe(1);
    pass(10_000);
    expect(admitted(2)).toBe(1);
  });

  it('is off at 0 per second', () => {
    expect(throttle(0, 1).admitted(100)).toBe(100);
  });

  it('forgets the oldest pair beyond its bound, and no other', () => {
    const { admitted } = throttle(1, 1);
    admitted(1, 'first');
    admitted(1, 'second');
    for (let pair = 0; pair < 9_999; pair += 1) {
      admitted(1, `other ${pair}`);
    }
    expect(admitted(1, 'second')).toBe(0);
    expect(admitted(1, 'first')).toBe(1);
  });
});
