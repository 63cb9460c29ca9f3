import { describe, expect, it } from '@jest/globals';
import { RequestPace } from './request-pace.js';

describe('the pace of requests', () => {
  /** Starts requests at a fixed distance, as soon as the pace allows; gives the last start. */
  function run(pace: RequestPace, everyMs: number, fromMs: number, forMs: number): number {
    let nowMs = fromMs;
    while (nowMs < fromMs + forMs) {
      nowMs = Math.max(nowMs, pace.nextMs);
      pace.started(nowMs);
      nowMs += everyMs;
    }
    return nowMs - everyMs;
  }

  it('lets everything go at once in quiet times', () => {
    const pace = new RequestPace(2);
    const lastMs = run(pace, 15, 0, 1_000);
    expect(pace.nextMs).toBe(lastMs);
  });

  it('keeps its distance in busy times', () => {
    const pace = new RequestPace(2);
    const lastMs = run(pace, 0.5, 0, 1_000);
    expect(pace.nextMs).toBe(lastMs + 2);
  });

  it('forgets a busy time that is over', () => {
    const pace = new RequestPace(2);
    run(pace, 0.5, 0, 1_000);
    pace.started(5_000);
    expect(pace.nextMs).toBe(5_000);
  });
});
