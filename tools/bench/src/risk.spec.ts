import { describe, expect, it } from '@jest/globals';
import { readRuleSet } from '@sluice/domain-risk';
import { cardNumber, type RiskLoad, riskLines } from './risk.js';
import { benchRules, VELOCITY_WINDOWS } from './risk-rules.js';

const run = (cpuSeconds: number, changes: Partial<RiskLoad['load']> = {}): RiskLoad => ({
  cpu: new Map([['node', cpuSeconds]]),
  load: {
    ...{ offeredPerSecond: 100, achievedPerSecond: 100, answered: 1_000, errors: 0 },
    ...{ p50Ms: 2, p99Ms: 8, p999Ms: 9, maxMs: 10, ...changes },
  },
});

describe('the table of payments with rules', () => {
  const lines = (plain: number, ruled: number) =>
    riskLines(100, [{ plain: run(plain), ruled: run(ruled) }]).join('\n');

  it('compares them with those without', () => {
    expect(lines(1, 1.2)).toContain('to one without: 1.20 (1.20 to 1.20), wanted at most 1.2: met');
    expect(lines(1, 1.21)).toContain('1.21 (1.21 to 1.21), wanted at most 1.2: MISSED');
    expect(lines(1, 1.2)).toMatch(/payment with rules \| 1200 \| 2\.00 \| 8\.00/);
  });

  it('is not to be quoted where something failed', () => {
    const failed = run(1, { errors: 1, firstError: '503' });
    const text = riskLines(100, [{ plain: failed, ruled: run(1) }]).join('\n');
    expect(text).toContain('do not quote this: 503');
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
