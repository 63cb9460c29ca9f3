import { describe, expect, it } from '@jest/globals';
import { parseShardRange, rangesOf, shardRangeText, shardsIn, sqlRange } from './shard-range.js';

describe('a range of shards', () => {
  it('is read and written as its first and last shard', () => {
    expect(parseShardRange('8000-ffff')).toEqual({ first: 0x8000, last: 0xffff });
    expect(parseShardRange('0000-0000')).toEqual({ first: 0, last: 0 });
    expect(shardRangeText({ first: 10, last: 0x9fff })).toBe('000a-9fff');
  });

  it.each(['', '8000', '8000-', 'ffff-8000', '8000-FFFF', '0-f', '8000-ffff0', ' 8000-ffff'])(
    'is not "%s"',
    (text) => {
      expect(parseShardRange(text)).toBeUndefined();
    },
  );

  it('is a half-open range for PostgreSQL, which prints several of them', () => {
    expect(sqlRange({ first: 0x8000, last: 0xffff })).toBe('[32768,65536)');
    expect(rangesOf('{[0,16),[32768,65536)}')).toEqual([
      { first: 0, last: 15 },
      { first: 0x8000, last: 0xffff },
    ]);
    expect([rangesOf('{}'), shardsIn(rangesOf('{[0,16),[20,21)}'))]).toEqual([[], 17]);
  });

  it.each([
    [-1, 5],
    [5, 4],
    [0, 65_536],
    [0.5, 2],
    [0, Number.NaN],
  ])('is not from %s to %s', (first, last) => {
    expect(() => sqlRange({ first, last })).toThrow(TypeError);
  });
});
