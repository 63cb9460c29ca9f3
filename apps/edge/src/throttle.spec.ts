import { describe, expect, it } from '@jest/globals';
import type { Demands } from '@sluice/contracts';
import { fairShare, OTHERS_KNOWN_FOR_MS, Throttle } from './throttle.js';

function throttle(perSecond: number, burst: number) {
  let nowMs = 1_000;
  const made = new Throttle({ perSecond, burst }, { monotonicMs: () => nowMs });
  const admitted = (count: number, token = 'a', entity = 'e') =>
    Array.from({ length: count }, () => made.admits(token, entity)).filter(Boolean).length;
  return { made, admitted, pass: (ms: number) => (nowMs += ms) };
}

describe('Throttle', () => {
  it('lets a burst pass and refuses the next one', () => {
    expect(throttle(10, 4).admitted(6)).toBe(4);
  });

  it('earns its tokens back with time, up to the burst', () => {
    const { admitted, pass } = throttle(10, 4);
    admitted(4);
    pass(200);
    expect(admitted(5)).toBe(2);
    pass(60_000);
    expect(admitted(9)).toBe(4);
  });

  it('counts every token and every entity for itself', () => {
    const { admitted } = throttle(10, 1);
    expect(admitted(2, 'a', 'e')).toBe(1);
    expect(admitted(2, 'a', 'f')).toBe(1);
    expect(admitted(2, 'b', 'e')).toBe(1);
  });

  it('is off at 0 per second', () => {
    expect(throttle(0, 1).admitted(100)).toBe(100);
  });

  it('forgets the oldest pair beyond its bound, and no other', () => {
    const { admitted } = throttle(1, 1);
    admitted(1, 'first');
    admitted(1, 'second');
    for (let pair = 0; pair < 9_999; pair += 1) {
      admitted(1, `other ${pair}`);
    }
    expect(admitted(1, 'second')).toBe(0);
    expect(admitted(1, 'first')).toBe(1);
  });
});

const LIMIT = 100;
const INTERVAL_MS = 2_000;
const STEP_MS = 20;
const APART_MS = 500;

/** Instances on one clock that report and hear in turn, as accounts lets them. */
class Instances {
  readonly #throttles: Throttle[];
  readonly #reports: Demands[];
  #nowMs = 0;

  constructor(count: number) {
    const limits = { perSecond: LIMIT, burst: LIMIT };
    const clock = { monotonicMs: () => this.#nowMs };
    this.#throttles = Array.from({ length: count }, () => new Throttle(limits, clock));
    this.#reports = this.#throttles.map(() => ({}));
  }

  /** What each let pass per second while it was asked for so much. */
  run(seconds: number, ...perSecond: number[]): number[] {
    const admitted = perSecond.map(() => 0);
    const due = perSecond.map(() => 0);
    for (let step = 0; step < (seconds * 1_000) / STEP_MS; step += 1) {
      this.#nowMs += STEP_MS;
      this.#throttles.forEach((throttle, at) => {
        // Not all at the same moment, as in life.
        if (this.#nowMs % INTERVAL_MS === at * APART_MS) this.#ask(at);
        for (
          due[at] = (due[at] ?? 0) + ((perSecond[at] ?? 0) * STEP_MS) / 1_000;
          (due[at] ?? 0) >= 1;
          due[at] = (due[at] ?? 0) - 1
        ) {
          if (throttle.admits('a', 'e')) admitted[at] = (admitted[at] ?? 0) + 1;
        }
      });
    }
    return admitted.map((count) => count / seconds);
  }

  #ask(at: number): void {
    const own = this.#throttles[at]?.demands() ?? {};
    this.#reports[at] = own;
    const others = this.#reports.filter((_, other) => other !== at);
    const demands = Object.fromEntries(
      Object.keys(own).map((key) => [key, others.flatMap((report) => report[key] ?? [])]),
    );
    this.#throttles[at]?.hear({ instances: this.#throttles.length, demands });
  }
}

const sum = (rates: readonly number[]): number => rates.reduce((all, rate) => all + rate, 0);

describe('a limit of several instances', () => {
  it('is whole at the one that is asked alone', () => {
    expect(new Instances(2).run(20, 90, 0)).toEqual([90, 0]);
    expect(new Instances(4).run(20, 0, 0, 100, 0)).toEqual([0, 0, 100, 0]);
  });

  it.each([
    [50, 50],
    [80, 20],
    [5, 95],
    [60, 20, 20],
    [1, 1, 1, 92],
  ])('refuses nothing of a merchant who keeps to it: %j', (...perSecond) => {
    const instances = new Instances(perSecond.length);
    instances.run(10, ...perSecond);
    expect(sum(instances.run(60, ...perSecond))).toBeCloseTo(sum(perSecond), 0);
  });

  it.each([
    [
      [300, 300],
      [50, 50],
    ],
    [
      [300, 10],
      [90, 10],
    ],
    [
      [80, 40],
      [60, 40],
    ],
    [
      [200, 200, 10],
      [45, 45, 10],
    ],
    [
      [100, 100, 100, 100],
      [25, 25, 25, 25],
    ],
  ])('is what they let pass together of more: %j', (perSecond, expected) => {
    const instances = new Instances(perSecond.length);
    instances.run(10, ...perSecond);
    const admitted = instances.run(60, ...perSecond);
    admitted.forEach((rate, at) => expect(Math.abs(rate - (expected[at] ?? 0))).toBeLessThan(1));
  });

  it('is passed at a sudden start only, for two reports at most and a burst of each', () => {
    const instances = new Instances(2);
    const first = sum(instances.run(4, 300, 300)) * 4;
    expect(first).toBeGreaterThan(LIMIT * 4);
    expect(first).toBeLessThanOrEqual(2 * (LIMIT + LIMIT * 4));
    expect(sum(instances.run(4, 300, 300))).toBeLessThan(LIMIT * 1.01);
  });

  it('is whole again when the other one is asked no more', () => {
    const instances = new Instances(2);
    instances.run(10, 300, 300);
    instances.run(4, 300, 0);
    expect(instances.run(10, 300, 0)).toEqual([LIMIT, 0]);
  });
});

describe('what an instance knows of the others', () => {
  const ofOthers = (demands: Demands, ...others: number[]) =>
    Object.fromEntries(Object.keys(demands).map((key) => [key, others]));

  it('takes from the burst as well, and leaves other pairs alone', () => {
    const { made, admitted, pass } = throttle(10, 40);
    admitted(1);
    pass(2_000);
    made.hear({ instances: 2, demands: ofOthers(made.demands(), 10) });
    expect(admitted(99)).toBe(20);
    expect(admitted(99, 'b')).toBe(40);
    pass(1_000);
    expect(admitted(99)).toBe(5);
  });

  it('takes nothing while all of them together keep to the limit', () => {
    const { made, admitted, pass } = throttle(10, 40);
    admitted(8);
    pass(2_000);
    made.hear({ instances: 3, demands: ofOthers(made.demands(), 2, 4) });
    expect(admitted(99)).toBe(40);
  });

  it('is over with the next answer, and an even share when there is none', () => {
    const { made, admitted, pass } = throttle(10, 40);
    admitted(1);
    pass(2_000);
    made.hear({ instances: 4, demands: ofOthers(made.demands(), 10) });
    made.hear({ instances: 4, demands: {} });
    pass(4_000);
    expect(admitted(99)).toBe(40);
    pass(OTHERS_KNOWN_FOR_MS);
    expect(admitted(99)).toBe(10);
    made.hear({ instances: 4, demands: {} });
    pass(1_000);
    expect(admitted(99)).toBe(10);
  });

  it('never shuts it out, however small the limit', () => {
    const { made, admitted, pass } = throttle(1, 1);
    admitted(1);
    pass(1_000);
    made.hear({ instances: 3, demands: ofOthers(made.demands(), 900, 900) });
    expect(admitted(2)).toBe(1);
    pass(3_000);
    expect(admitted(2)).toBe(1);
  });

  it('says nothing of a pair that it does not have', () => {
    const { made, admitted } = throttle(10, 4);
    made.hear({ instances: 2, demands: { ['0'.repeat(32)]: [10] } });
    expect(admitted(9)).toBe(4);
  });
});

describe('what an instance reports', () => {
  it('is how much it was asked for, refused or not, under keys that say nothing', () => {
    const { made, admitted, pass } = throttle(10, 4);
    admitted(30, 'credential-hash', 'entity');
    admitted(1, 'other', 'entity');
    pass(2_000);
    const demands = made.demands();
    expect(Object.values(demands)).toEqual([15, 0.5]);
    for (const key of Object.keys(demands)) expect(key).toMatch(/^[0-9a-f]{32}$/);
    pass(2_000);
    expect(made.demands()).toEqual({});
  });

  it('waits until some time has passed', () => {
    const { made, admitted, pass } = throttle(10, 4);
    admitted(3);
    expect(made.demands()).toEqual({});
    pass(1_000);
    expect(Object.values(made.demands())).toEqual([3]);
  });

  it('is bounded to the busiest', () => {
    const { made, admitted, pass } = throttle(10, 4);
    for (let pair = 0; pair < 300; pair += 1) {
      admitted(pair < 150 ? 1 : 2, `pair ${pair}`);
    }
    pass(1_000);
    const reported = Object.values(made.demands());
    expect(reported).toHaveLength(200);
    expect(reported.filter((rate) => rate === 2)).toHaveLength(150);
  });

  it('is nothing where throttling is off', () => {
    const { made, admitted, pass } = throttle(0, 1);
    admitted(9);
    pass(1_000);
    expect(made.demands()).toEqual({});
  });
});

describe('fairShare', () => {
  it.each([
    [[], 12],
    [[0, 0], 12],
    [[3], 9],
    [[6], 6],
    [[90], 6],
    [[90, 90], 4],
    [[90, 2], 5],
    [[2, 90, 1], 4.5],
  ])('of 12 beside %j is %d', (others, share) => {
    expect(fairShare(12, others)).toBe(share);
  });
});
