import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  answeringServices,
  calledBy,
  databaseVariableOf,
  isCertified,
  programOf,
  type ServiceName,
  serviceNames,
  serviceRow,
  tablesReachedBy,
  urlsVariableOf,
} from '@sluice/contracts';
import { type ServiceProcess, startServiceProcess } from '@sluice/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

jest.setTimeout(120_000);

const KEY = Buffer.alloc(32, 1).toString('base64');
/** Nobody listens there: a service that takes its settings waits for its database. */
const AWAY = 'postgres://app:secret@127.0.0.1:1/sluice';
const UPSTREAM = 'http://127.0.0.1:1';

interface Service {
  readonly name: ServiceName;
  /** Whether others call it. */
  readonly listens: boolean;
  /** The variables that say whom it calls. */
  readonly upstreams: readonly string[];
  /** Whatever else it must be told. */
  readonly environment: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-mutual-tls-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What no row says. */
const PARTICULAR: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  edge: { EDGE_PORT: '0' },
  sepa: { SEPA_FOLDER: folder },
};

/** Those with a certificate: also for a port of test installations alone. */
const certified: readonly Service[] = serviceNames.filter(isCertified).map((name) => {
  const { keys = [] } = serviceRow(name);
  return {
    ...{ name, listens: answeringServices.includes(name) },
    upstreams: calledBy(name).map(urlsVariableOf),
    environment: {
      ...Object.fromEntries(
        tablesReachedBy(name).map((owner) => [databaseVariableOf(owner, 'app'), AWAY]),
      ),
      // Those of a single key can be told without a file.
      ...(keys.includes('credentials') ? { CREDENTIAL_KEY: KEY } : {}),
      ...(keys.includes('fingerprints') ? { VAULT_FINGERPRINT_KEY: KEY } : {}),
      ...PARTICULAR[name],
    },
  };
});
/** Every service that answers or calls others. */
const services = certified.filter(({ listens, upstreams }) => listens || upstreams.length > 0);
const callers = services.filter(({ upstreams }) => upstreams.length > 0);

const started: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.kill()));
});

function start(service: Service, environment: Readonly<Record<string, string>>): ServiceProcess {
  const urls = Object.fromEntries(service.upstreams.map((name) => [name, UPSTREAM]));
  const process = startServiceProcess({
    entry: programOf(serviceRow(service.name)),
    environment: { ...service.environment, ...urls, ...environment },
  });
  started.push(process);
  return process;
}

/** That it ends at once, with a sentence that says what to set and because of what. */
async function expectRefused(process: ServiceProcess, because: string): Promise<void> {
  const { msg } = await process.logged(/must be set because of/);
  expect(msg).toMatch(/^TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_AUTHORITY_FILE must be set/);
  expect(msg).toContain(`because of ${because}: `);
  expect(msg).toContain('GATEWAY_ENVIRONMENT=test');
  expect(await process.ended).toEqual({ code: 2, signal: null });
}

describe('a service without certificates', () => {
  it.each(services)('$name starts on one machine in a test installation', async (service) => {
    await start(service, { GATEWAY_ENVIRONMENT: 'test' }).logged(
      `The service ${service.name} starts.`,
    );
  });

  it.each(services)('$name refuses to start in a live installation', async (service) => {
    const { listens, upstreams } = service;
    const because = [...(listens ? ['INTERNAL_HOST'] : []), ...upstreams].join(' and ');
    await expectRefused(start(service, { GATEWAY_ENVIRONMENT: 'live' }), because);
  });

  it.each(services.filter(({ listens }) => listens))(
    '$name refuses to answer a network',
    async (service) => {
      await expectRefused(start(service, { INTERNAL_HOST: '0.0.0.0' }), 'INTERNAL_HOST');
    },
  );

  it.each(callers)('$name refuses to call another machine', async (service) => {
    const [called = ''] = service.upstreams;
    const environment = { [called]: `${UPSTREAM},https://10.0.0.1:8443` };
    await expectRefused(start(service, environment), called);
  });
});

describe('a service with certificates', () => {
  it.each(callers)('$name refuses to call another machine in clear', async (service) => {
    const [called = ''] = service.upstreams;
    const process = start(service, {
      ...{ TLS_CERTIFICATE_FILE: '/a', TLS_KEY_FILE: '/b', TLS_AUTHORITY_FILE: '/c' },
      [called]: 'http://10.0.0.1:8443',
    });
    await process.logged(new RegExp(`^${called} must begin with https://`));
    expect((await process.ended).code).toBe(2);
  });
});
