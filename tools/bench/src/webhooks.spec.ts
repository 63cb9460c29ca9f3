import { describe, expect, it } from '@jest/globals';
import { type WebhooksFigures, webhooksLines } from './webhooks.js';

const figures: WebhooksFigures = {
  burst: {
    ...{ perSecond: 2_400, perCpuSecond: 3_600, transactions: 0.1, databaseCpuUs: 190 },
    floor: { count: 30_000, seconds: 2.5, cpuSeconds: 1.5 },
  },
  withoutDead: [{ p50Ms: 20, p99Ms: 80 }],
  withDead: [{ p50Ms: 21, p99Ms: 88 }],
  lag: { rate: 300, p50Ms: 60, p99Ms: 299 },
};

describe('notifications', () => {
  it('are many, soon, and held up by nobody', () => {
    const lines = webhooksLines(figures);
    expect(lines.join('\n')).toContain('12000');
    expect(lines.filter((line) => line.endsWith(': met'))).toHaveLength(4);
  });

  it('are missed where they are few, late, or not told at all', () => {
    const lines = webhooksLines({
      burst: { ...figures.burst, perSecond: 1_999, perCpuSecond: 1_999 },
      withoutDead: figures.withoutDead,
      withDead: [{ p50Ms: 21, p99Ms: Infinity }],
      lag: { rate: 300, p50Ms: 60, p99Ms: 301 },
    });
    expect(lines.filter((line) => line.endsWith(': MISSED'))).toHaveLength(4);
  });
});
