import { describe, expect, it } from '@jest/globals';
import { limitsOf, measuredCosts, simulated } from './cells-model.js';

const hardware = { coresOfDatabase: 8, coresOfKafka: 24 };

describe('the model of an installation with cells', () => {
  it('finds the tightest part, and what a part carries grows with its cores', () => {
    const [one] = limitsOf(1, hardware);
    expect(one).toEqual({ part: 'databases of the cells', perSecond: 14_000 });
    const [four] = limitsOf(4, hardware);
    expect(four?.part).toBe('edge, all reply partitions');
    const cheaper = limitsOf(4, hardware, { ...measuredCosts, edge: 0.1 });
    expect(cheaper[0]?.part).toBe("reporting's one database");
  });

  it('simulates queues that carry in proportion to the cells', () => {
    const small = { ...hardware, coresOfDatabase: 0.25 };
    const one = simulated(1, small);
    const four = simulated(4, small);
    expect(four.perSecond / one.perSecond).toBeGreaterThan(3);
    expect(four.perSecond / one.perSecond).toBeLessThan(5);
    // A queue that is full for longer than it is served cannot keep its wait.
    expect(one.perSecond).toBeLessThan(0.25 / (measuredCosts.cellDatabase / 1_000));
    expect(simulated(4, small)).toEqual(four);
  });
});
