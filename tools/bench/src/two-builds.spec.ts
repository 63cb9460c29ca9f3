import { describe, expect, it } from '@jest/globals';
import { readPairLines } from './reads-against.js';
import { rebuiltLines } from './rebuild-against.js';

/** A rebuild of 600,000 events, half of its CPU Node's. */
const rebuilt = (cpuSeconds: number) => ({
  ...{ events: 600_000, seconds: 2 * cpuSeconds, cpuSeconds },
  parts: { node: cpuSeconds / 2, postgres: cpuSeconds / 2 },
});

const load = (microseconds: number) => ({
  load: { answered: 1_000_000 } as never,
  cpu: new Map([
    ['node', microseconds / 2],
    ['postgres', microseconds / 2],
  ]),
});

describe('two builds beside each other', () => {
  it('are told apart by what a rebuild takes, pair by pair', () => {
    const pairs = [12, 10, 15].map((seconds) => ({
      ...{ other: rebuilt(seconds), this: rebuilt(seconds / 2) },
    }));
    expect(rebuiltLines(pairs)).toEqual([
      '\n## a rebuild of 600000 events from the store, medians of 3 pairs, intervals sure with 75.0 %',
      '\n| figure | other | this | difference | its interval |',
      '|---|---|---|---|---|',
      '| events per CPU-second | 50000 | 100000 | +100.0 % | +100.0 % to +100.0 % |',
      '| CPU of Node, s | 6.00 | 3.00 | -50.0 % | -50.0 % to -50.0 % |',
      '| CPU of PostgreSQL, s | 6.00 | 3.00 | -50.0 % | -50.0 % to -50.0 % |',
      '| seconds | 24.00 | 12.00 | -50.0 % | -50.0 % to -50.0 % |',
    ]);
  });

  it('are told apart by the CPU of a read', () => {
    const pairs = [1, 2, 3].map((times) => ({
      other: load(1_000 * times),
      this: load(900 * times),
    }));
    expect(readPairLines('a GET', pairs)[3]).toBe(
      '| CPU, µs | 2000 | 1800 | -10.0 % | -10.0 % to -10.0 % |',
    );
  });
});
