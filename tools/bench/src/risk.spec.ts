import { describe, expect, it } from '@jest/globals';
import { readRuleSet } from '@sluice/domain-risk';
import { comparedLines, type ComparedLoad, type ComparedRound } from './compared-payments.js';
import { cardNumber, COST_BAR, TITLES } from './risk.js';
import { benchRules, VELOCITY_WINDOWS } from './risk-rules.js';
import { COST_BAR as AUTHENTICATED_BAR, TITLES as AUTHENTICATED_TITLES } from './three-d-secure.js';

const run = (cpuSeconds: number, changes: Partial<ComparedLoad['load']> = {}): ComparedLoad => ({
  cpu: new Map([['node', cpuSeconds]]),
  load: {
    ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: 1_000, errors: 0 },
    ...{ p50Ms: 2, p99Ms: 8, p999Ms: 9, maxMs: 10, ...changes },
  },
});

const riskLines = (rate: number, rounds: readonly ComparedRound[]) =>
  comparedLines({ titles: TITLES, bar: COST_BAR }, rate, rounds);

describe('the table of payments with rules', () => {
  const lines = (plain: number, ruled: number) =>
    riskLines(100, [{ plain: run(plain), other: run(ruled) }]).join('\n');

  it('compares them with those without', () => {
    expect(lines(1, 1.2)).toContain(
      'to a payment without rules: 1.20 (1.20 to 1.20), wanted at most 1.2: met',
    );
    expect(lines(1, 1.21)).toContain('1.21 (1.21 to 1.21), wanted at most 1.2: MISSED');
    expect(lines(1, 1.2)).toMatch(/payment with rules \| 1200 \| 2\.00 \| 8\.00/);
  });

  it('is not to be quoted where something failed', () => {
    const failed = run(1, { errors: 1, firstError: '503' });
    const text = riskLines(100, [{ plain: failed, other: run(1) }]).join('\n');
    expect(text).toContain('do not quote this: 503');
  });
});

describe('the table of payments with 3-D Secure', () => {
  it('has nothing of what the simulator took', () => {
    const cpu = (seconds: number) =>
      new Map([
        ['risk', seconds],
        ['simulator', 9],
      ]);
    const round = { plain: { ...run(0), cpu: cpu(1) }, other: { ...run(0), cpu: cpu(2) } };
    const bars = { titles: AUTHENTICATED_TITLES, bar: AUTHENTICATED_BAR };
    const text = comparedLines(bars, 100, [round]).join('\n');
    expect(text).toMatch(/payment with frictionless 3-D Secure \| 2000 \|/);
    expect(text).toContain('2.00 (2.00 to 2.00), wanted at most 2.2: met');
  });
});

describe('what is offered', () => {
  it('has twenty rules that can be read, five of them with windows', () => {
    const { rules } = readRuleSet(benchRules);
    const windows = rules.filter(({ when }) => when.kind === 'velocity');
    expect([rules.length, windows.length, VELOCITY_WINDOWS]).toEqual([20, 5, 5]);
  });

  it('has a card for each shopper, with its check digit', () => {
    const shoppers = Array.from({ length: 100 }, (_, at) => at * 47);
    const numbers = shoppers.map(cardNumber);
    expect(new Set(numbers).size).toBe(shoppers.length);
    for (const number of numbers) {
      expect(number).toMatch(/^42[0-9]{14}$/);
      // Every second digit doubled, its own digits added up: a multiple of ten.
      const text = [...number].map((digit, at) => String(Number(digit) * (at % 2 === 0 ? 2 : 1)));
      const sum = [...text.join('')].reduce((total, digit) => total + Number(digit), 0);
      expect(sum % 10).toBe(0);
    }
  });
});
