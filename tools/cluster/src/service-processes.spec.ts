import { describe, expect, it } from '@jest/globals';
import { servicesWithTables } from '@sluice/contracts';
import { loadSettings } from '@sluice/service';
import { portsNeeded, serviceProcesses } from './service-processes.js';
import { ClusterSettings } from './settings.js';

const DATABASE = { ownerUrl: 'postgres://owner@db/one', appUrl: 'postgres://app@db/one' };

/** What sepa is told. */
const toldToSepa = (environment: Readonly<Record<string, string>>) => toldTo('sepa', environment);

/** What the first process of a service is told. */
function toldTo(name: string, environment: Readonly<Record<string, string>>) {
  const settings = loadSettings(ClusterSettings, environment);
  const services = Object.fromEntries(
    servicesWithTables.map((schema) => [schema, { ...DATABASE, schema }]),
  ) as Parameters<typeof serviceProcesses>[0]['database']['services'];
  const processes = serviceProcesses({
    ...{ settings, dataFolder: '/data', brokers: '127.0.0.1:9092' },
    ports: Array.from({ length: portsNeeded(settings) }, (_, index) => 10_000 + index),
    database: {
      ...{ services, cells: [services.payments], adminUrl: 'postgres://admin@db/one' },
      ...{ recovered: false, close: () => Promise.resolve() },
    },
  });
  return processes.find(({ service }) => service === name)?.environment ?? {};
}

describe('the process that makes files for a bank', () => {
  it('looks as often as files are made, and at least every second, as in the sandbox', () => {
    expect(toldToSepa({ SLUICE_SEPA_GATHER_MS: '200' })).toMatchObject({
      SEPA_GATHER_EVERY_MS: '200',
      SEPA_LOOK_EVERY_MS: '200',
    });
    expect(toldToSepa({ SLUICE_SEPA_GATHER_MS: '2000' })).toMatchObject({
      SEPA_GATHER_EVERY_MS: '2000',
      SEPA_LOOK_EVERY_MS: '1000',
    });
  });

  it('has the times of its own settings where nobody tries it', () => {
    const told = toldToSepa({});
    expect(told).not.toHaveProperty('SEPA_GATHER_EVERY_MS');
    expect(told).not.toHaveProperty('SEPA_LOOK_EVERY_MS');
  });
});

describe('the 3-D Secure server and the simulator of card networks', () => {
  it('know each other, on ports of their own on this machine', () => {
    const [risk, simulator] = [toldTo('risk', {}), toldTo('simulator', {})];
    const port = simulator['SIMULATOR_DIRECTORY_PORT'];
    expect(risk).toMatchObject({
      RISK_TEST_DIRECTORY_URL: `http://127.0.0.1:${port ?? 'none'}`,
      RISK_RESULTS_HOST: '127.0.0.1',
      RISK_RESULTS_URL: `http://127.0.0.1:${risk['RISK_RESULTS_PORT'] ?? 'none'}/3ds/results`,
    });
    const ports = [
      port,
      risk['RISK_RESULTS_PORT'],
      simulator['SIMULATOR_PORT'],
      risk['INTERNAL_PORT'],
    ];
    expect(new Set(ports).size).toBe(4);
  });
});
