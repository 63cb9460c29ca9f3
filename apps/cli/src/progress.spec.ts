import { describe, expect, it } from '@jest/globals';
import { progressLine, progressMeter } from './progress.js';

const progress = { done: 250_000, total: 1_000_000, perSecond: 125_000.4, remainingMs: 6_000 };

describe('progress without a terminal', () => {
  it('is a line with share, rate and time left', () => {
    expect(progressLine(progress, 'events')).toBe(
      '25 %, 250,000 of 1,000,000 events, 125,000/s, 6 s left',
    );
  });

  it('never passes 100 % when there was more than was estimated', () => {
    expect(progressLine({ ...progress, done: 7, total: 5 }, 'events')).toMatch(/^100 %, 7 of 7 /);
  });

  it('comes every 10 s, and once at the end', () => {
    const lines: string[] = [];
    let nowMs = 0;
    const stream = { write: (text: string) => lines.push(text) };
    const meter = progressMeter(stream, 'events', () => nowMs);
    for (nowMs = 0; nowMs <= 25_000; nowMs += 1_000) meter.update(progress);
    expect(lines).toHaveLength(2);
    meter.finish();
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^100 %, 250,000 of 250,000 /);
  });
});

describe('progress on a terminal', () => {
  it('is a bar with rate and time left', () => {
    let written = '';
    const stream = {
      isTTY: true,
      write: (text: string) => (written += text),
      cursorTo: () => true,
    };
    const meter = progressMeter(Object.assign(stream, terminal), 'events', () => 0);
    meter.update(progress);
    meter.finish();
    expect(written).toMatch(/25 % {2}250000\/1000000 events {2}125,000\/s {2}6 s left/);
  });
});

/** What cli-progress calls of a terminal beside writing. */
const terminal = {
  ...{ moveCursor: () => true, clearLine: () => true, cursorTo: () => true },
  ...{ columns: 200, getWindowSize: () => [200, 50] },
};
