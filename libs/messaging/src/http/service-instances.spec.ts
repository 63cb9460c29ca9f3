import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ServiceInstances } from './service-instances.js';

const LONG_MS = 20_000;
/** Far from it, and far from what a loaded machine takes for two small requests. */
const SOON_MS = 10_000;

const servers: Server[] = [];
const clients: ServiceInstances[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function instances(...answers: RequestListener[]): Promise<ServiceInstances> {
  const urls = await Promise.all(
    answers.map(async (answer) => {
      const server = createServer(answer);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    }),
  );
  const client = new ServiceInstances({ urls });
  clients.push(client);
  return client;
}

const silent: RequestListener = () => undefined;
const named =
  (name: string): RequestListener =>
  (_, response) =>
    response.end(name);

function asked(tryTimeoutMs: number) {
  return { path: '/', body: '{}', timeoutMs: 2 * LONG_MS, tryTimeoutMs };
}

describe('a request for one instance first', () => {
  it('goes there', async () => {
    const both = await instances(named('first'), named('second'));
    expect(await both.post(asked(LONG_MS), 1)).toMatchObject({ body: 'second' });
    expect(await both.post(asked(LONG_MS), 0)).toMatchObject({ body: 'first' });
  });

  it('goes on to another when that one says nothing', async () => {
    const both = await instances(silent, named('second'));
    expect(await both.post(asked(50), 0)).toMatchObject({ body: 'second' });
  });

  it('waits for it only briefly once it was found away', async () => {
    const both = await instances(silent, named('second'));
    await both.post(asked(50), 0);
    const beganMs = performance.now();
    expect(await both.post(asked(LONG_MS), 0)).toMatchObject({ body: 'second' });
    expect(performance.now() - beganMs).toBeLessThan(SOON_MS);
  });

  it('has all its time where there is no other', async () => {
    let count = 0;
    const alone = await instances((_, response) => {
      count += 1;
      if (count > 1) setTimeout(() => response.end('late'), 400);
    });
    await alone.post({ ...asked(50), timeoutMs: 50 }, 0);
    expect(await alone.post(asked(LONG_MS), 0)).toMatchObject({ body: 'late' });
  });
});

describe('instances that are reached beforehand', () => {
  it('have as many connections each, and one that is silent is no hindrance', async () => {
    const three = await instances(named('first'), named('second'), silent);
    const connections = [0, 0, 0];
    servers.forEach((server, at) =>
      server.on('connection', () => (connections[at] = (connections[at] ?? 0) + 1)),
    );
    const reached = await three.reach({ path: '/', body: '{}', timeoutMs: 2_000 }, 4);
    expect(reached).toMatchObject({ kind: 'answered' });
    // One whose answer ended before its request was read is closed, and opened anew.
    for (const count of connections) expect(count).toBeGreaterThanOrEqual(4);
  });

  it('are not there when none answers', async () => {
    const none = await instances(silent);
    const reached = await none.reach({ path: '/', body: '{}', timeoutMs: 50 }, 2);
    expect(reached).toEqual({ kind: 'lost', reason: 'timeout' });
  });
});
