import { describe, expect, it } from '@jest/globals';
import type { LoadResult } from './open-loop.js';
import type { RegistrationLoad } from './registrations.js';
import { growthLines, type GrowthPair } from './registrations-growth.js';

const load: LoadResult = {
  ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: 1_000, errors: 0 },
  ...{ p50Ms: 4, p99Ms: 9, p999Ms: 12, maxMs: 15 },
};
const shape = { kind: 'read', rate: 200, stored: 1_000_000 } as const;

/** With CPU microseconds of each side. */
function pair(few: number, many: number, more: Partial<LoadResult> = {}): GrowthPair {
  const used = (us: number, own: Partial<LoadResult> = {}): RegistrationLoad => ({
    load: { ...load, ...own },
    cpu: new Map([['node', (us * load.answered) / 1e6]]),
  });
  return { few: used(few), many: used(many, more) };
}

describe('what many registrations take', () => {
  it('is compared with few pair by pair, and judged by its median', () => {
    const pairs = [pair(1_000, 1_050), pair(2_000, 2_400), pair(1_000, 1_080)];
    const text = growthLines(shape, pairs).join('\n');
    expect(text).toContain('CPU 1.08 (1.05 to 1.20) of that with few, p50 1.00');
    expect(text).toContain('wanted at most 1.1: met');
    expect(text).toContain('p99 of a read: 9.0 ms, wanted at most 10: met');
    expect(text).toContain('| 1,000,000');
  });

  it('is missed where it is, and only a read has a bar for its time', () => {
    const text = growthLines(shape, [pair(1_000, 1_200, { p99Ms: 11 })]).join('\n');
    expect(text.match(/MISSED/g)).toHaveLength(2);
    const paid = growthLines({ ...shape, kind: 'create' }, [pair(1_000, 1_000, { p99Ms: 11 })]);
    expect(paid.join('\n')).not.toContain('MISSED');
  });

  it('is not to be quoted if anything failed', () => {
    const text = growthLines(shape, [pair(1, 1, { errors: 1, firstError: '503 busy' })]);
    expect(text.join('\n')).toContain('do not quote this: 503 busy');
  });
});
