import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from './retry-after.js';

const NOON_MS = Date.UTC(2026, 0, 15, 12);

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 15 Jan 2026 12:01:00 GMT', 60_000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    [['1', '2'], undefined],
  ])('of %j is %s', (header, pauseMs) => {
    expect(retryAfterMs(header, NOON_MS)).toBe(pauseMs);
  });
});
