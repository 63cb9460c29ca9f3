import { describe, expect, it } from '@jest/globals';
import type { ReadLoad } from './payment-reads.js';
import type { ReadRound } from './reads.js';
import { readsLines } from './reads-report.js';

function load(cpuMs: number, errors = 0): ReadLoad {
  const latency = { p50Ms: 1, p99Ms: 5, p999Ms: 6, maxMs: 7 };
  const rates = { offeredPerSecond: 100, achievedPerSecond: 100 };
  const cpu = new Map([
    ['node', (cpuMs * 75) / 1_000],
    ['postgres', (cpuMs * 25) / 1_000],
  ]);
  return { load: { ...rates, ...latency, answered: 100, errors, firstError: '404' }, cpu };
}

function round(floorMs: number, errors = 0): ReadRound {
  return { floor: load(floorMs), get: load(floorMs * 1.25, errors), query: load(floorMs * 4) };
}

describe('reads against the floor', () => {
  it('are medians of what each round says', () => {
    const lines = readsLines(300, [round(0.2), round(0.4), round(0.1)], new Map());
    expect(lines).toContain(
      '| floor: bare Fastify, one indexed read | 200 | 50 | 5000 | 1.00 | 5.00 |  |',
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^\| GET \/v1.*\| 250 \| 63 \|.*0\.80 \(0\.80 to 0\.80\): met \|$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^\| GET \/v3.*0\.25 .*: MISSED \|$/));
  });

  it('are not to be quoted when some failed', () => {
    const lines = readsLines(300, [round(0.2), round(0.2, 3)], new Map());
    expect(lines).toContain('Reads failed, so do not quote this: 404');
    expect(readsLines(300, [round(0.2)], new Map()).join('\n')).not.toContain('do not quote');
  });

  it("say where Node's time goes", () => {
    const shares = new Map([
      [
        'get' as const,
        new Map([
          ['HTTP' as const, 0.6],
          ['JSON' as const, 0.4],
        ]),
      ],
    ]);
    const lines = readsLines(300, [round(0.4)], shares);
    expect(lines.slice(-2)).toEqual(['| HTTP | 225 |', '| JSON | 150 |']);
  });
});
