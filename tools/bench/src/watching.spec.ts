import { describe, expect, it } from '@jest/globals';
import type { PaidLoad } from './ladder.js';
import { type PaidPair, watchingLines } from './watching.js';

const ANSWERED = 1_000;

function paid(edgeSeconds: number): PaidLoad {
  const cpu = new Map([
    ['kafka', 1],
    ['edge', edgeSeconds],
  ]);
  const load = {
    ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: ANSWERED, errors: 0 },
    ...{ p50Ms: 10, p99Ms: 20, p999Ms: 30, maxMs: 40 },
  };
  const paymentsPerCpuSecond = ANSWERED / (1 + edgeSeconds);
  return { ...{ rate: 100, load, cpu, endedAfterMs: 0 }, paymentsPerCpuSecond };
}

function pair(off: number, on: number): PaidPair {
  return { off: paid(off), on: paid(on) };
}

describe('what watching costs', () => {
  it('is the median of the pairs, with what they spread over, and by part', () => {
    const lines = watchingLines(100, [pair(1, 1.05), pair(1, 1.25), pair(1, 1.1)]);
    expect(lines[2]).toBe(
      '| 100 | 500.0 | 476.2 | 4.8 % | 2.4 % to 11.1 % (sure with 75.0 %) | ≤ 5.0 %: met |',
    );
    expect(lines.slice(5)).toEqual([
      '| edge | 1.000 | 1.100 | 100 | 50 to 250 |',
      '| kafka | 1.000 | 1.000 | 0 | 0 to 0 |',
      '| all | 2.000 | 2.100 | 100 | 50 to 250 |',
    ]);
  });

  it('misses its bar where it is more', () => {
    const [, , line] = watchingLines(100, [pair(1, 1.2), pair(1, 1.2)]);
    expect(line).toMatch(/≤ 5\.0 %: missed \|$/);
  });
});
