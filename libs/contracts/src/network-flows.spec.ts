import { describe, expect, it } from '@jest/globals';
import { internalCallers } from './internal-callers.js';
import { networkFlows } from './network-flows.js';

const texts = networkFlows.map(({ from, to, port }) => `${from} -> ${to}: ${port}`);

describe('the ways through the network', () => {
  it('are there once each', () => {
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('lead to the vault for those alone who may call it (D-44)', () => {
    const callers = networkFlows.filter(({ to }) => to === 'vault').map(({ from }) => from);
    expect(callers.sort()).toEqual(['edge', 'payments', 'registrations', 'risk', 'sepa']);
  });

  it('are, between services, those of the table of callers', () => {
    const allowed = Object.entries(internalCallers).flatMap(([route, callers]) =>
      callers.map((caller) => `${caller} -> ${route.split('.')[0] ?? ''}: internal`),
    );
    const drawn = texts.filter((text) => text.endsWith(': internal'));
    expect(drawn.sort()).toEqual([...new Set(allowed)].sort());
  });

  it('lead to the simulator for payments, whose acquirer it is, and for risk, whose scorer', () => {
    const ways = texts.filter((text) => text.endsWith(' -> simulator: simulator'));
    expect(ways).toEqual(['payments', 'risk'].map((from) => `${from} -> simulator: simulator`));
  });

  it('keep edge from the database, and the vault from Kafka', () => {
    expect(texts).not.toContain('edge -> postgres: postgres');
    expect(texts).not.toContain('vault -> kafka: kafka');
  });
});
