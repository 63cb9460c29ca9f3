import { describe, expect, it } from '@jest/globals';
import { services } from '@sluice/contracts';
import { seededRandom } from '@sluice/testing';
import { CLUSTER_TARGETS, targetOrder } from './cluster-targets.js';

/** As the local cluster calls a row. */
const rows = Object.entries(services).map(([name, row]) =>
  'localName' in row ? row.localName : name,
);

describe('what is killed in the cluster', () => {
  it('is each service of the table, whether it may run more than once or not', () => {
    expect(rows.filter((name) => !CLUSTER_TARGETS.some((target) => target === name))).toEqual([]);
    const single = Object.entries(services).filter(([, row]) => row.instances === 'single');
    expect(single.map(([name]) => name)).toEqual(expect.arrayContaining(['sepa', 'simulator']));
    expect(CLUSTER_TARGETS).toEqual(expect.arrayContaining(['sepa', 'simulator']));
  });

  it('is what all of them stand on, and nothing else', () => {
    const others = CLUSTER_TARGETS.filter((target) => !rows.some((name) => name === target));
    expect(others).toEqual(['broker', 'postgres']);
  });

  it('is each so many times, in an order that the seed decides', () => {
    const order = targetOrder(seededRandom('order'), 2);
    expect([...order].sort()).toEqual([...CLUSTER_TARGETS, ...CLUSTER_TARGETS].sort());
    expect(targetOrder(seededRandom('order'), 2)).toEqual(order);
    expect(targetOrder(seededRandom('another'), 2)).not.toEqual(order);
  });
});
