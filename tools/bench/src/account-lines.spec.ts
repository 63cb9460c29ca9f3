import { describe, expect, it } from '@jest/globals';
import {
  type Account,
  countsBetween,
  middleOf,
  partBetween,
  withoutRest,
} from './account-figures.js';
import { accountLines } from './account-lines.js';
import { type AccountedPair, comparedLines } from './against.js';
import type { LoadResult } from './open-loop.js';

const load: LoadResult = {
  ...{ offeredPerSecond: 300, achievedPerSecond: 300, answered: 1_000, errors: 0 },
  ...{ p50Ms: 4, p99Ms: 20, p999Ms: 30, maxMs: 40 },
};

function accountOf(nodeMs: number): Account {
  const node = {
    ...{ name: 'node', all: nodeMs, kernel: 0.25, helpers: 0.25 },
    ...{ mainUser: nodeMs - 0.5, mainKernel: 0.25 },
    ...{ voluntarySwitches: 2, involuntarySwitches: 1, turns: 1.5 },
  };
  const postgres = {
    ...{ name: 'postgres', all: 0.5, kernel: 0.125, helpers: 0, mainUser: 0.375 },
    ...{ mainKernel: 0.125, voluntarySwitches: 3, involuntarySwitches: 0 },
  };
  const shares = new Map([
    ['vault', 0.75],
    ['system calls', 0.25],
  ] as const);
  const helpers = { collection: 0.125, compilation: 0.0625 };
  return {
    ...{ rate: 300, load, parts: [node, postgres] },
    counts: new Map([
      ['WAL bytes', 5_120],
      ['commits', 0.58],
    ]),
    profiles: new Map([['node', { shares, helpers }]]),
  };
}

describe('the tables of an account', () => {
  it('show processes, subsystems and counts, and each adds up to the same', () => {
    expect(accountLines('sandbox', accountOf(1.5), true)).toEqual([
      '\n## sandbox, 300 payments/s, for each payment: 2.000 ms of CPU, p50 4.0 ms, p99 20.0 ms',
      '\n| process | CPU, ms | of it kernel | of it beside the main thread | switches, given up | switches, taken away | turns of the loop |',
      '|---|---|---|---|---|---|---|',
      '| node | 1.500 | 0.250 | 0.250 | 2.00 | 1.00 | 1.50 |',
      '| postgres | 0.500 | 0.125 |  | 3.00 | 0.00 |  |',
      '| all | 2.000 | 0.375 | 0.250 | 5.00 | 1.00 | 1.50 |',
      '\n| subsystem | CPU, ms |',
      '|---|---|',
      '| vault | 0.938 |',
      '| Node outside of JavaScript | 0.063 |',
      '| kernel | 0.250 |',
      '| collection, other threads | 0.125 |',
      '| compilation, other threads | 0.063 |',
      '| rest, other threads | 0.063 |',
      '| all of Node | 1.500 |',
      '| postgres | 0.500 |',
      '\n| counted | each payment |',
      '|---|---|',
      '| WAL bytes | 5,120 |',
      '| commits | 0.58 |',
    ]);
  });

  it('have a column for each of several processes', () => {
    const account = accountOf(1.5);
    const [node] = account.parts;
    const profile = account.profiles.get('node');
    if (node === undefined || profile === undefined) throw new Error('There is no node.');
    const lines = accountLines(
      'cluster',
      {
        ...account,
        parts: [...account.parts, { ...node, name: 'edge' }],
        profiles: new Map([...account.profiles, ['edge', profile]]),
      },
      true,
    );
    expect(lines).toContain('\n| subsystem | CPU, ms | node | edge |');
    expect(lines).toContain('| vault | 1.875 | 0.938 | 0.938 |');
    expect(lines).toContain('| postgres | 0.500 |  |  |');
  });

  it('say what is missing and what failed', () => {
    const failed = { ...load, errors: 2, firstError: '503' };
    const lines = accountLines('sandbox', { ...accountOf(1), load: failed }, false);
    expect(lines).toContain('2 payments failed, so do not quote this: 503');
    expect(lines.at(-1)).toMatch(/not counted: this PostgreSQL has no pg_stat_statements/);
  });
});

describe('the tables of two builds', () => {
  it('have the medians of the differences, and between which two the truth is', () => {
    const pair = (other: number, own: number): AccountedPair => ({
      other: accountOf(other),
      this: accountOf(own),
    });
    const lines = comparedLines('sandbox', [pair(1.5, 1.6), pair(1.5, 1.7), pair(2, 2)]);
    expect(lines.slice(0, 5)).toEqual([
      '\n## sandbox, 300 payments/s, each payment; medians of 3 pairs, intervals sure with 75.0 %',
      '\n| figure | other | this | difference | its interval | difference, % | its interval, % |',
      '|---|---|---|---|---|---|---|',
      '| CPU, ms | 2.000 | 2.200 | 0.100 | 0.000 to 0.200 | +5.0 % | +0.0 % to +10.0 % |',
      '| CPU of node, ms | 1.500 | 1.700 | 0.100 | 0.000 to 0.200 | +6.7 % | +0.0 % to +13.3 % |',
    ]);
    expect(lines).toContain(
      '| p99, ms | 20.0 | 20.0 | 0.000 | 0.000 to 0.000 | +0.0 % | +0.0 % to +0.0 % |',
    );
  });
});

describe('figures between two looks', () => {
  const usage = (seconds: number, switches: number) => ({
    ...{ userSeconds: seconds, kernelSeconds: 0, mainUserSeconds: seconds, mainKernelSeconds: 0 },
    ...{ voluntarySwitches: switches, involuntarySwitches: 0 },
  });

  it('keep the CPU of a process that ended, which its parent has now, and not its switches', () => {
    const before = new Map([
      [1, usage(1, 100)],
      [2, usage(2, 50)],
    ]);
    const after = new Map([
      [1, usage(4, 110)],
      [3, usage(1, 5)],
    ]);
    const part = partBetween('postgres', { before, after }, 2);
    expect(part).toMatchObject({ all: 1_000, voluntarySwitches: 7.5 });
  });

  it('are for each payment, less what happens at rest anyway', () => {
    const counts = countsBetween(new Map([['commits', 10]]), new Map([['commits', 40]]), 20);
    expect([...counts]).toEqual([['commits', 1.5]]);
    expect([...withoutRest(counts, new Map([['commits', 2]]), 0.25)]).toEqual([['commits', 1]]);
    expect([...withoutRest(counts, new Map([['commits', 20]]), 0.25)]).toEqual([['commits', 0]]);
  });

  it('are those of the look in the middle, of each process and each count for itself', () => {
    const look = (nodeMs: number, commits: number): Account => ({
      ...accountOf(nodeMs),
      counts: new Map(commits === 0 ? [] : [['commits', commits]]),
    });
    const middle = middleOf([look(9, 0), look(1, 4), look(2, 8)]);
    expect(middle.parts.map(({ name, all }) => [name, all])).toEqual([
      ['node', 2],
      ['postgres', 0.5],
    ]);
    expect([...middle.counts]).toEqual([['commits', 4]]);
  });
});
