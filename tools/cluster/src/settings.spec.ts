import { describe, expect, it } from '@jest/globals';
import { localFlags } from '@sluice/local-installation';
import { loadSettings } from '@sluice/service';
import { readFileSync } from 'node:fs';
import { clusterFlags, ClusterSettings } from './settings.js';

const PAGE = new URL('../../../docs/how-to/run-the-cluster.md', import.meta.url);

describe("the cluster's settings", () => {
  it('are those of the sandbox and a few more, in a folder of its own', () => {
    expect(clusterFlags).toEqual(expect.arrayContaining([...localFlags]));
    const settings = loadSettings(ClusterSettings, { SLUICE_INSTANCES: 'payments=3' });
    expect(settings.instances).toMatchObject({ payments: 3, edge: 1 });
    expect(settings.dataFolder).toMatch(/[\\/]\.sluice-cluster$/);
    expect(settings.brokers).toBeUndefined();
  });

  it('take brokers as every service does', () => {
    const text = 'one:9092, two:9092';
    expect(loadSettings(ClusterSettings, { KAFKA_BROKERS: text }).brokers).toBe(
      'one:9092,two:9092',
    );
    expect(() => loadSettings(ClusterSettings, { KAFKA_BROKERS: 'one' })).toThrow(
      'KAFKA_BROKERS must be host:port, several with commas between.',
    );
  });

  it('take options of Node.js apart at spaces', () => {
    const text = '--cpu-prof  --cpu-prof-dir=/profiles';
    expect(loadSettings(ClusterSettings, { SLUICE_NODE_OPTIONS: text }).nodeOptions).toEqual([
      '--cpu-prof',
      '--cpu-prof-dir=/profiles',
    ]);
    expect(loadSettings(ClusterSettings, {}).nodeOptions).toEqual([]);
  });

  it('have every flag that the page names', () => {
    const known = new Set(clusterFlags.map(({ flag }) => flag.split(' ', 1)[0]));
    const named = [...readFileSync(PAGE, 'utf8').matchAll(/`(--[a-z-]{1,40})/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.map(([, flag]) => flag).filter((flag) => !known.has(flag))).toEqual([]);
  });
});
