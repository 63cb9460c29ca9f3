import { describe, expect, it } from '@jest/globals';
import { type EndingFigures, endingLines, type EndingRun } from './checkouts-ending.js';

const run = (title: string, p99Ms: number, errors = 0): EndingRun => ({
  title,
  load: {
    ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: 1_000, errors },
    ...{ p50Ms: 2, p99Ms, p999Ms: p99Ms, maxMs: p99Ms },
  },
});
const figures = (changes: Partial<EndingFigures>): string =>
  endingLines({
    ...{ runs: [run('nothing', 10), run('the end', 12)], open: 1_000_000, calls: 10_000 },
    ...{ called: { count: 10_000, lastAfterMs: 4_200 }, scanned: 0, ...changes },
  }).join('\n');

describe('the table of ending checkouts', () => {
  it('meets what is wanted', () => {
    const text = figures({});
    expect(text).toContain('No peak (p99 up to 25 ms): met');
    expect(text).toContain('end to end: 0, wanted 0: met');
    expect(text).toContain(
      '10000 of 10000 recorded, the last one 4.2 s after the first was due: met',
    );
  });

  it.each([
    ['a peak', { runs: [run('nothing', 10), run('the end', 26)] }, 'up to 25 ms): MISSED'],
    ['an error', { runs: [run('nothing', 10), run('the end', 10, 1)] }, 'up to 25 ms): MISSED'],
    ['a scan', { scanned: 1 }, 'wanted 0: MISSED'],
    ['a call that was not made', { called: { count: 9_999, lastAfterMs: 1 } }, 'due: MISSED'],
  ])('says so of %s', (_what, changes, sentence) => {
    expect(figures(changes)).toContain(sentence);
  });
});
