import { describe, expect, it } from '@jest/globals';
import { diskRefusal, type GrowthRun, type GrowthRung } from './grow.js';
import { growthLines, growthPicture } from './growth-report.js';

const GIBIBYTE = 1_024 ** 3;

function run(perSecond: number, getP99Ms: number): GrowthRun {
  const rates = { offeredPerSecond: 100, achievedPerSecond: 100, answered: 100, errors: 0 };
  const load = { ...rates, p50Ms: 1, p99Ms: getP99Ms, p999Ms: getP99Ms, maxMs: getP99Ms };
  const cpu = new Map([['node', 0.5]]);
  const paid = { rate: 100, load, cpu, endedAfterMs: 0, paymentsPerCpuSecond: perSecond };
  return { paid, gets: { load, cpu }, queries: { load, cpu } };
}

function rung(payments: number, slower: number): GrowthRung {
  // In the second pair something else ran beside both.
  const pairs = [1, 10, 0.9].map((disturbance) => ({
    small: run(400 / disturbance, 10 * disturbance),
    grown: run(400 / disturbance / slower, 10 * disturbance * slower),
  }));
  return {
    filling: { payments, seconds: payments / 1_000, vacuumSeconds: 1 },
    store: {
      ...{ tableBytes: payments * 3_000, indexBytes: payments * 1_000, autovacuums: 2 },
      ...{ sharedBufferBytes: 128e6, postgresBytes: 200e6, nodeBytes: 250e6 },
    },
    ...{ payments, autovacuums: 0, pairs },
  };
}

describe('growth', () => {
  const lines = growthLines([rung(10_000, 1), rung(100_000, 1.25)]);

  it('is shown as medians, and as a share of the small store at the same time', () => {
    expect(lines).toContain('\n| payments in the store | 10,000 | 100,000 |');
    expect(lines).toContain('| payments per CPU-second | 400 (1.00) | 320 (0.80) |');
    expect(lines).toContain('| GET p99, ms | 10.0 (1.00) | 12.5 (1.25) |');
    expect(lines).toContain('| bytes of tables, a payment | 3,000 | 3,000 |');
    expect(lines).toContain('| failed | 0 | 0 |');
  });

  it('says which bars are missed', () => {
    expect(lines).toContainEqual(expect.stringMatching(/^payments per CPU-second: 0\.80.*MISSED$/));
    expect(lines).toContainEqual(expect.stringMatching(/^GET p99, ms: 1\.25.*: met$/));
  });

  it('is drawn as shares of the small store', () => {
    const picture = growthPicture([rung(10_000, 1), rung(100_000, 2)]);
    expect(picture).toContain('>100,000<');
    // Twice as slow is half the way down from 1, and twice the way up.
    const [rate, , , p99] = [...picture.matchAll(/points="[^ ]+,([\d.]+) [^ ]+,([\d.]+)"/g)].map(
      ([, first, last]) => Number(last) - Number(first),
    );
    expect(rate).toBeGreaterThan(0);
    expect(p99).toBeCloseTo(-2 * (rate ?? 0), 0);
  });
});

describe('a disk', () => {
  it('that is too small is refused with what would fit', () => {
    expect(diskRefusal(10_000_000, 20 * GIBIBYTE)).toMatch(
      /^10,000,000 payments need 4[0-9]\.[0-9] GiB of disk in .*20\.0 GiB are free: .*at most 3,[0-9]{3},[0-9]{3}/,
    );
    expect(diskRefusal(10_000, GIBIBYTE)).toMatch(/at most 0\)/);
  });

  it('that is large enough is not', () => {
    expect(diskRefusal(1_000_000, 20 * GIBIBYTE)).toBeUndefined();
  });
});
