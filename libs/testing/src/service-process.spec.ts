import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceProcess, startServiceProcess } from './service-process.js';

jest.setTimeout(60_000);

const READY = 'The service example has started.';
const STOPPED = 'The service example has stopped.';

const services: ServiceProcess[] = [];
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.kill()));
  for (const server of servers.splice(0)) server.close();
});

function example(environment: Record<string, string> = {}): ServiceProcess {
  const service = startServiceProcess({
    entry: 'libs/testing/test/example-service.mjs',
    environment,
  });
  services.push(service);
  return service;
}

function messages({ lines }: ServiceProcess): string[] {
  return lines.map(({ msg }) => msg);
}

/** A port that nobody listens on, until `listen` is called. */
async function closedPort(): Promise<{ port: number; listen: () => Promise<void> }> {
  const listenOn = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
    });
  const first = await listenOn(0);
  const { port } = first.address() as { port: number };
  await new Promise((resolve) => first.close(resolve));
  return { port, listen: async () => void servers.push(await listenOn(port)) };
}

function isReached(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe('a service that starts', () => {
  it('is ready, live and started, and says so', async () => {
    const service = example();
    const line = await service.logged(READY);
    expect(line['residentMegabytes']).toBeGreaterThan(10);
    expect(await service.health('/readyz')).toEqual({
      status: 200,
      body: { state: 'ok', phase: 'started', checks: [{ name: 'example', state: 'ok' }] },
    });
    expect((await service.health('/livez')).status).toBe(200);
    expect((await service.health('/startupz')).status).toBe(200);
    expect((await service.health('/other')).status).toBe(404);
  });

  it('waits for what is missing, unready but live, and goes on when it comes (D-19)', async () => {
    const { port, listen } = await closedPort();
    const service = example({ EXAMPLE_DEPENDENCY_PORT: String(port) });
    await service.logged('Waiting for the dependency.');
    expect((await service.health('/startupz')).status).toBe(503);
    expect((await service.health('/readyz')).status).toBe(503);
    expect((await service.health('/livez')).status).toBe(200);
    await listen();
    await service.logged('the dependency is there.');
    await service.logged(READY);
    expect((await service.health('/readyz')).status).toBe(200);
  });

  it('and is told to stop meanwhile closes what it has and exits with 0', async () => {
    const { port } = await closedPort();
    const service = example({ EXAMPLE_DEPENDENCY_PORT: String(port), STOP_GRACE_MS: '60000' });
    await service.logged('Waiting for the dependency.');
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(messages(service)).toContain('closing');
  });

  it('warns of a variable that looks like its own and is none', async () => {
    const service = example({ EXAMPLE_STRAT: 'late' });
    await service.logged(READY);
    expect(messages(service)[0]).toBe(
      'The variable EXAMPLE_STRAT is not known and has no effect; --help lists those that are.',
    );
  });
});

describe('a service that cannot start', () => {
  it.each([
    [{ EXAMPLE_DEPENDENCY_PORT: 'x' }, 'EXAMPLE_DEPENDENCY_PORT must be a port.'],
    [{ STOP_GRACE_MS: '-1' }, 'STOP_GRACE_MS must not be less than 0.'],
    [{ EXAMPLE_START: 'refused' }, 'EXAMPLE_START must be something else.'],
    [{ TLS_KEY_FILE: '/nowhere' }, /must be set together/],
    [
      { TLS_KEY_FILE: '/nowhere', TLS_CERTIFICATE_FILE: '/no', TLS_AUTHORITY_FILE: '/no' },
      'The files of TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_AUTHORITY_FILE cannot be used (ENOENT).',
    ],
  ])('%j is refused with a sentence and exit code 2', async (environment, sentence) => {
    const service = example(environment);
    expect((await service.logged(sentence)).level).toBe('error');
    expect(await service.ended).toEqual({ code: 2, signal: null });
  });

  it('by a defect exits with 1', async () => {
    const service = example({ EXAMPLE_START: 'fails' });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(messages(service)).toContain('The service example could not start.');
    expect(messages(service)).toContain('closing');
  });

  it('for a management port that is taken says which', async () => {
    const first = example();
    const { management } = await first.logged('The service example starts.');
    const port = new URL(String(management)).port;
    const second = example({ MANAGEMENT_PORT: port });
    await second.logged(`Listening on port ${port} of 127.0.0.1 is in use.`);
    expect((await second.ended).code).toBe(2);
  });
});

describe('a service that is told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s closes and exits with 0', async (signal) => {
    const service = example();
    await service.logged(READY);
    service.signal(signal);
    expect(await service.ended).toEqual({ code: 0, signal: null });
    const last = messages(service).slice(-4);
    // Two writers share the output: the log, and the example by itself. Each keeps its own order.
    const isOfLog = (message: string): boolean => message.startsWith('The service');
    expect(last.filter(isOfLog)).toEqual(['The service example stops.', STOPPED]);
    expect(last.filter((message) => !isOfLog(message))).toEqual(['told to stop', 'closing']);
  });

  it('prints its last lines in their order, however busy the threads are that write', async () => {
    const service = example({ EXAMPLE_CLOSE: 'with busy threads', UV_THREADPOOL_SIZE: '1' });
    await service.logged(READY);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(messages(service).slice(-2)).toEqual(['The service example stops.', STOPPED]);
  });

  it('is unready at once, and closes only after its grace (D-57)', async () => {
    const service = example({ STOP_GRACE_MS: '1000' });
    await service.logged(READY);
    const toldAt = performance.now();
    service.signal('SIGTERM');
    await service.logged('told to stop');
    expect(await service.health('/readyz')).toMatchObject({
      status: 503,
      body: { phase: 'stopping' },
    });
    expect(messages(service)).not.toContain('closing');
    expect((await service.ended).code).toBe(0);
    expect(performance.now() - toldAt).toBeGreaterThan(990);
  });

  it('and told again later is cut off with 1', async () => {
    const service = example({ EXAMPLE_CLOSE: 'never' });
    await service.logged(READY);
    service.signal('SIGTERM');
    await service.logged('closing');
    // Signals within half a second count as one: Ctrl-C under npm arrives twice.
    const repeat = setInterval(() => service.signal('SIGTERM'), 100);
    expect(await service.ended).toEqual({ code: 1, signal: null });
    clearInterval(repeat);
    expect(messages(service).at(-1)).toMatch(/^Told again to stop/);
  });

  it('and does not finish in time is cut off with 1', async () => {
    const service = example({ EXAMPLE_CLOSE: 'never', STOP_WITHIN_MS: '300' });
    await service.logged(READY);
    expect(await service.stop()).toEqual({ code: 1, signal: null });
    expect(messages(service).at(-1)).toMatch(/^Not finished within 300 ms/);
  });

  it('and cannot close cleanly exits with 1', async () => {
    const service = example({ EXAMPLE_CLOSE: 'fails' });
    await service.logged(READY);
    expect(await service.stop()).toEqual({ code: 1, signal: null });
  });
});

describe('a service whose log nobody reads any more', () => {
  it('goes on, counts what is lost, and stops as told', async () => {
    const service = example({ EXAMPLE_START: 'talks' });
    await service.logged(READY);
    service.closeOutput();
    const lost = /^sluice_log_lines_lost (\d+)$/m;
    const linesLost = async (): Promise<number> =>
      Number(lost.exec((await service.scrape()).text)?.[1]);
    while ((await linesLost()) < 10) await pause(10);
    expect((await service.health('/readyz')).status).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});

describe('SIGUSR1', () => {
  it('opens no debugger', async () => {
    const { port } = await closedPort();
    const service = example({ NODE_OPTIONS: `--inspect-port=${port}` });
    await service.logged(READY);
    service.signal('SIGUSR1');
    await service.logged(/^SIGUSR1 opens no debugger/);
    expect(await isReached(port)).toBe(false);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.output).not.toContain('Debugger');
  });
});

describe('a defect that nobody catches', () => {
  it('is logged and ends the process with 1 (R-CRA-12)', async () => {
    const service = example({ EXAMPLE_START: 'throws later' });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    const line = await service.logged('A defect: an error that nothing caught.');
    expect(line['err']).toEqual({ name: 'RangeError', message: 'nobody catches this' });
  });
});
