import { describe, expect, it } from '@jest/globals';
import { schedulesLines } from './schedules.js';

const seen = { performed: 20_000, failed: 0, startedAfterS: 31.2, decidedAfterS: 32 };

describe('schedules that are due at once', () => {
  it('are started, paid and found in time', () => {
    const lines = schedulesLines({ seen, stored: 1_000_000, scanned: 0 });
    expect(lines.join('\n')).toContain('31.2');
    expect(lines.slice(-3)).toEqual([
      'All started within 60 s: met',
      'Each has its payment: met',
      'Tables read from end to end: 0, wanted 0: met',
    ]);
  });

  it('are missed where any of it is not so', () => {
    const late = { ...seen, startedAfterS: 60.1, performed: 19_999, failed: 1 };
    const lines = schedulesLines({ seen: late, stored: 0, scanned: 1 });
    expect(lines.filter((line) => line.endsWith('MISSED'))).toHaveLength(3);
  });
});
