import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@sluice/testing';
import { planOf } from './plan.js';

const options = { kills: 25, perSecond: 30 };

describe('the plan of a run', () => {
  const lives = planOf(seededRandom('plan'), options);
  const requests = lives.flatMap((life) => life.requests);

  it('is the same for the same seed and another for another', () => {
    expect(planOf(seededRandom('plan'), options)).toEqual(lives);
    expect(planOf(seededRandom('other'), options)).not.toEqual(lives);
  });

  it('offers thirty requests a second', () => {
    const offeredMs = lives.reduce((sum, life) => sum + life.killAtMs + 250, 0);
    const perSecond = (requests.length * 1_000) / offeredMs;
    expect(perSecond).toBeGreaterThan(27);
    expect(perSecond).toBeLessThan(33);
  });

  it('has every operation, fault, forced outcome, key habit and way to kill', () => {
    expect(new Set(requests.map((request) => request.operation))).toEqual(
      new Set(['DB', 'PA', 'CP', 'RF', 'RV']),
    );
    const faults = requests.map((request) => request.fault?.split(':')[0] ?? 'none');
    expect(new Set(faults)).toEqual(
      new Set([
        'none',
        'delay',
        'drop-before',
        'drop-after',
        'http-500',
        'garbage',
        'twice',
        'late',
      ]),
    );
    const forced = new Set(requests.map((request) => request.forcedCode));
    expect(forced).toEqual(new Set([undefined, '800.100.152', '000.200.000']));
    expect(requests.some((request) => request.copyAfterMs !== undefined)).toBe(true);
    expect(requests.some((request) => request.isRepeatedLater)).toBe(true);
    expect(requests.some((request) => request.isFinal)).toBe(true);
    expect(new Set(lives.slice(0, -1).map((life) => life.target)).size).toBe(3);
    expect(lives.at(-1)?.target).toBeUndefined();
    expect(lives).toHaveLength(26);
  });

  it('refers to earlier requests alone, and copies and replays only what has a key', () => {
    const seen = new Set<string>();
    for (const request of requests) {
      if (request.refersTo !== undefined) expect(seen).toContain(request.refersTo);
      if (request.copyAfterMs !== undefined) expect(request.idempotencyKey).toBeDefined();
      if (request.isRepeatedLater) expect(request.idempotencyKey).toBeDefined();
      seen.add(request.reference);
    }
    expect(seen.size).toBe(requests.length);
  });
});
