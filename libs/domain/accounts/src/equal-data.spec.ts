import { describe, expect, it } from '@jest/globals';
import { isEqualData } from './equal-data.js';

describe('plain data', () => {
  it.each([
    [1n, 1n],
    [null, null],
    [
      { a: 1, b: { c: [1, { d: 2n }] } },
      { b: { c: [1, { d: 2n }] }, a: 1 },
    ],
    [{ a: undefined }, {}],
    [[], []],
  ])('%p says the same as %p', (left, right) => {
    expect(isEqualData(left, right)).toBe(true);
  });

  it.each([
    [1, 1n],
    [null, {}],
    [{}, undefined],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{}, { a: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [['a'], { 0: 'a' }],
    [{ toString: 1 }, {}],
    [{ valueOf: undefined, constructor: 1 }, {}],
  ])('%p says something else than %p', (left, right) => {
    expect(isEqualData(left, right)).toBe(false);
    expect(isEqualData(right, left)).toBe(false);
  });
});
