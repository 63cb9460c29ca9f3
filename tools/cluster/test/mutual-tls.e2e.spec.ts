import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ServiceProcess, startServiceProcess } from '@sluice/testing';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

jest.setTimeout(120_000);

const KEY = Buffer.alloc(32, 1).toString('base64');
/** Nobody listens there: a service that takes its settings waits for its database. */
const AWAY = 'postgres://app:secret@127.0.0.1:1/sluice';
const UPSTREAM = 'http://127.0.0.1:1';

interface Service {
  readonly name: string;
  /** Whether others call it. */
  readonly listens: boolean;
  /** The variables that say whom it calls. */
  readonly upstreams: readonly string[];
  /** Whatever else it must be told. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Every service that answers or calls others. */
const services: readonly Service[] = [
  {
    name: 'vault',
    listens: true,
    upstreams: [],
    environment: { VAULT_DATABASE_URL: AWAY, VAULT_FINGERPRINT_KEY: KEY },
  },
  {
    name: 'accounts',
    listens: true,
    upstreams: [],
    environment: { ACCOUNTS_DATABASE_URL: AWAY, CREDENTIAL_KEY: KEY },
  },
  {
    name: 'payments',
    listens: true,
    upstreams: ['VAULT_URLS'],
    environment: { PAYMENTS_DATABASE_URL: AWAY },
  },
  {
    name: 'reporting',
    listens: true,
    upstreams: ['PAYMENTS_URLS'],
    environment: { REPORTING_DATABASE_URL: AWAY },
  },
  {
    name: 'edge',
    listens: false,
    upstreams: ['VAULT_URLS', 'ACCOUNTS_URLS', 'PAYMENTS_URLS', 'REPORTING_URLS'],
    environment: { CREDENTIAL_KEY: KEY, EDGE_PORT: '0' },
  },
];
const callers = services.filter(({ upstreams }) => upstreams.length > 0);

const started: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.kill()));
});

function start(service: Service, environment: Readonly<Record<string, string>>): ServiceProcess {
  const urls = Object.fromEntries(service.upstreams.map((name) => [name, UPSTREAM]));
  const process = startServiceProcess({
    entry: `apps/${service.name}/dist/main.js`,
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

const APPS = new URL('../../../apps/', import.meta.url);

describe('the services above', () => {
  it('are all whose settings say where others are', () => {
    const mains = readdirSync(APPS).filter((name) =>
      existsSync(new URL(`${name}/src/main.ts`, APPS)),
    );
    const connected = mains.filter((name) =>
      /InternalSettings|Upstreams/.test(readFileSync(new URL(`${name}/src/main.ts`, APPS), 'utf8')),
    );
    expect(services.map(({ name }) => name).sort()).toEqual(connected.sort());
  });
});

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
