import { describe, expect, it } from '@jest/globals';
import type { LoadResult } from './open-loop.js';
import { registrationLines, type RegistrationRound } from './registrations.js';

const load: LoadResult = {
  ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: 1_000, errors: 0 },
  ...{ p50Ms: 4, p99Ms: 9, p999Ms: 12, maxMs: 15 },
};

/** With CPU microseconds of each kind. */
function round(card: number, registration: number, read: number, p99Ms = 9): RegistrationRound {
  const used = (us: number, more: Partial<LoadResult> = {}) => ({
    load: { ...load, ...more },
    cpu: new Map([['node', (us * load.answered) / 1e6]]),
  });
  return { card: used(card), registration: used(registration), read: used(read, { p99Ms }) };
}

describe('what registrations take', () => {
  it('is compared round by round, and judged by its median', () => {
    const lines = registrationLines(100, [
      ...[round(2_000, 2_200, 300), round(1_000, 1_200, 300), round(3_000, 3_150, 300)],
    ]);
    expect(lines.join('\n')).toContain(
      'takes 1.10 of one by card (1.05 to 1.20), wanted at most 1.15: met',
    );
    expect(lines.join('\n')).toContain('p99 of a read: 9.0 ms, wanted at most 10: met');
  });

  it('is missed where it is', () => {
    const text = registrationLines(100, [round(1_000, 1_200, 300, 11)]).join('\n');
    expect(text).toContain('takes 1.20');
    expect(text.match(/MISSED/g)).toHaveLength(2);
  });

  it('is not to be quoted if anything failed', () => {
    const failed = { load: { ...load, errors: 1, firstError: '503 busy' }, cpu: new Map() };
    const text = registrationLines(100, [{ ...round(1, 1, 1), read: failed }]).join('\n');
    expect(text).toContain('do not quote this: 503 busy');
  });
});
