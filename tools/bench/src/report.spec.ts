import { describe, expect, it } from '@jest/globals';
import type { Floors } from './floors.js';
import { reportLines } from './report.js';

const floors: Floors = {
  commitsPerSecond: 11_000,
  echoCpuMicroseconds: 80,
  echoP50Ms: 1,
  echoP99Ms: 2,
};

function warningsOf(after: Partial<Floors>): string[] {
  const lines = reportLines({ before: floors, after: { ...floors, ...after } }, []);
  return lines.filter((line) => line.includes('do not quote'));
}

describe('the floors before and after a session', () => {
  it('are no reason to warn while both are within a tenth', () => {
    expect(warningsOf({ commitsPerSecond: 10_000, echoCpuMicroseconds: 87 })).toEqual([]);
  });

  it('warn when commits have drifted', () => {
    expect(warningsOf({ commitsPerSecond: 9_000 })).toEqual([
      '\nThe commit floor drifted by 18 %: do not quote this session.',
    ]);
  });

  it('warn when the processor has, though commits have not', () => {
    expect(warningsOf({ commitsPerSecond: 11_100, echoCpuMicroseconds: 97.6 })).toEqual([
      '\nThe echo floor drifted by 22 %: do not quote this session.',
    ]);
  });
});
