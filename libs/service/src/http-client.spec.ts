import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AccessToken } from '@sluice/secrets';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { HttpClient, type HttpClientOptions } from './http-client.js';

const TIMEOUT_MS = 5_000;

const clients: HttpClient[] = [];
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client of a server that answers so, and the requests that arrived there. */
async function clientOf(
  answer: RequestListener,
  options: Partial<HttpClientOptions> = {},
): Promise<{ client: HttpClient; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new HttpClient({ origin: `http://127.0.0.1:${portOf(server)}`, ...options });
  clients.push(client);
  return { client, received };
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a request', () => {
  it('is answered with status and body, whatever the status', async () => {
    const { client } = await clientOf((request, response) => {
      response.statusCode = 418;
      request.pipe(response);
    });
    const body = '{"amount":"1.00"}';
    const request = { method: 'POST', path: '/', body, timeoutMs: TIMEOUT_MS } as const;
    expect(await client.send(request)).toEqual({ kind: 'answered', statusCode: 418, body });
  });

  it('without a body says nothing of a type', async () => {
    const { client } = await clientOf((request, response) => {
      response.end(String(request.headers['content-type']));
    });
    const request = { method: 'POST', path: '/', timeoutMs: TIMEOUT_MS } as const;
    expect(await client.send(request)).toMatchObject({ body: 'undefined' });
  });

  it('has the headers that it is given, secrets in clear, in place of the usual ones', async () => {
    const { client } = await clientOf((request, response) => {
      const { authorization, accept, 'content-type': type } = request.headers;
      response.end(JSON.stringify({ authorization, accept, type }));
    });
    const headers = {
      authorization: new AccessToken('Bearer key-of-ours'),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const request = { method: 'POST', path: '/', body: 'a=1', headers } as const;
    const result = await client.send({ ...request, timeoutMs: TIMEOUT_MS });
    expect(result.kind === 'answered' && JSON.parse(result.body)).toEqual({
      ...{ authorization: 'Bearer key-of-ours', accept: 'application/json' },
      type: 'application/x-www-form-urlencoded',
    });
    expect(JSON.stringify(request)).not.toContain('key-of-ours');
  });

  it.each(['GET', 'POST'] as const)(
    '%s on a kept connection that is reset is lost and not sent again (S5)',
    async (method) => {
      let count = 0;
      const { client, received } = await clientOf((request, response) => {
        count += 1;
        if (count === 1) response.end('{}');
        else request.socket.resetAndDestroy();
      });
      await client.send({ method, path: '/first', timeoutMs: TIMEOUT_MS });
      expect(await client.send({ method, path: '/second', timeoutMs: TIMEOUT_MS })).toEqual({
        kind: 'lost',
        reason: 'connectionLost',
      });
      expect(received).toEqual([`${method} /first`, `${method} /second`]);
    },
  );

  it('that waits for a connection until its time is over was not sent', async () => {
    const { client, received } = await clientOf(() => undefined, { connectionsMax: 1 });
    const first = client.send({ method: 'POST', path: '/first', timeoutMs: 400 });
    const second = client.send({ method: 'POST', path: '/second', timeoutMs: 100 });
    expect(await second).toEqual({ kind: 'notSent', reason: 'givenUp' });
    expect(await first).toEqual({ kind: 'lost', reason: 'timeout' });
    expect(received).toEqual(['POST /first']);
  });

  it('that was given up meanwhile costs nobody a connection', async () => {
    const held: (() => void)[] = [];
    let connections = 0;
    const { client, received } = await clientOf(
      (_, response) => void held.push(() => response.end()),
      { connectionsMax: 1 },
    );
    servers.at(-1)?.on('connection', () => (connections += 1));
    const get = (path: string, timeoutMs: number) =>
      client.send({ method: 'GET', path, timeoutMs });
    const first = get('/first', TIMEOUT_MS);
    const givenUp = await Promise.all([get('/second', 1), get('/third', 1)]);
    expect(givenUp).toEqual(givenUp.map(() => ({ kind: 'notSent', reason: 'givenUp' })));
    const last = get('/last', TIMEOUT_MS);
    const letGo = setInterval(() => held.splice(0).forEach((answer) => answer()), 1);
    expect(await Promise.all([first, last])).toMatchObject([
      { kind: 'answered' },
      { kind: 'answered' },
    ]);
    clearInterval(letGo);
    expect(received).toEqual(['GET /first', 'GET /last']);
    expect(connections).toBe(1);
  });

  it('that would begin too late is not sent, and says so when its time to begin is over', async () => {
    const slow = await slowServer();
    const first = slow.client.send({ method: 'POST', path: '/first', timeoutMs: TIMEOUT_MS });
    await slow.arrived();
    const late = post('/late', performance.now() + WINDOW_MS);
    expect(await slow.client.send(late)).toEqual(TOO_LATE);
    slow.answer();
    expect(await first).toMatchObject({ kind: 'answered' });
    expect(await slow.nextLine()).toBe('POST /next HTTP/1.1');
    expect(slow.received()).not.toContain('late');
  });

  it('that begins in time takes its own time from there', async () => {
    const { client } = await clientOf((_request, response) => {
      setTimeout(() => response.end('{}'), 2 * WINDOW_MS);
    });
    const request = post('/', performance.now() + TIMEOUT_MS);
    expect(await client.send(request)).toMatchObject({ kind: 'answered' });
  });

  it('whose connection is made too late is not sent, however late its timer is', async () => {
    const { client, received } = await clientOf((_request, response) => response.end('{}'));
    // Of all clocks these alone, so that no timer runs: the request looks itself before it begins.
    jest.useFakeTimers({ doNotFake: clocksButTimeouts });
    try {
      expect(await client.send(post('/late', performance.now() - 1))).toEqual(TOO_LATE);
      await client.send({ method: 'GET', path: '/next', timeoutMs: TIMEOUT_MS });
    } finally {
      jest.useRealTimers();
    }
    expect(received).toEqual(['GET /next']);
  });

  it('to a port where nobody listens was not sent', async () => {
    const client = new HttpClient({ origin: 'http://127.0.0.1:1' });
    clients.push(client);
    expect(await client.send({ method: 'POST', path: '/', timeoutMs: TIMEOUT_MS })).toEqual({
      kind: 'notSent',
      reason: 'notReachable',
    });
  });

  it.each(['http://localhost:', 'http://127.0.0.1:', 'http://2130706433:', 'http://[::1]:'])(
    'to %s… was not sent where public addresses alone are reached (S-SSRF-02)',
    async (origin) => {
      const { client, received } = await clientOf((_request, response) => response.end());
      const open = await client.send({ method: 'GET', path: '/', timeoutMs: TIMEOUT_MS });
      expect(open).toMatchObject({ kind: 'answered' });
      const port = String(portOf(servers.at(-1)));
      const guarded = new HttpClient({ origin: `${origin}${port}`, publicAddressesOnly: true });
      clients.push(guarded);
      expect(await guarded.send({ method: 'GET', path: '/', timeoutMs: TIMEOUT_MS })).toEqual({
        kind: 'notSent',
        reason: 'notReachable',
      });
      expect(received).toHaveLength(1);
    },
  );

  it('whose answer is too long is lost', async () => {
    const { client } = await clientOf((_request, response) => response.end('x'.repeat(11)), {
      answerBytesMax: 10,
    });
    expect(await client.send({ method: 'GET', path: '/', timeoutMs: TIMEOUT_MS })).toEqual({
      kind: 'lost',
      reason: 'answerTooLong',
    });
  });

  it('whose answer does not end in its own time is lost before its time limit', async () => {
    const { client } = await clientOf((_request, response) => response.writeHead(200).write('x'));
    const limits = { timeoutMs: TIMEOUT_MS, bodyTimeoutMs: 50 };
    const beganAtMs = performance.now();
    expect(await client.send({ method: 'GET', path: '/', ...limits })).toEqual({
      kind: 'lost',
      reason: 'timeout',
    });
    expect(performance.now() - beganAtMs).toBeLessThan(TIMEOUT_MS);
  });

  it('tells that its answer has begun, whatever becomes of the rest', async () => {
    const { client } = await clientOf((_request, response) => {
      response.writeHead(201, { 'retry-after': '7' }).end('x'.repeat(11));
    });
    const begun: unknown[] = [];
    await client.send({
      ...{ method: 'GET', path: '/', timeoutMs: TIMEOUT_MS, answerBytesMax: 10 },
      onAnswer: (statusCode, headers) => begun.push(statusCode, headers['retry-after']),
    });
    expect(begun).toEqual([201, '7']);
  });

  it('on a closed client was not sent', async () => {
    const { client } = await clientOf((_request, response) => response.end());
    await client.close();
    expect(await client.send({ method: 'GET', path: '/', timeoutMs: TIMEOUT_MS })).toMatchObject({
      kind: 'notSent',
    });
  });
});

describe('a connection', () => {
  const isOwnAnswer = ({ body }: { readonly body: string }) => body === 'own';

  it('that brings an answer to something else is not used again', async () => {
    let connections = 0;
    let answers = 0;
    const { client, received } = await clientOf(
      (_request, response) => response.end((answers += 1) === 2 ? 'foreign' : 'own'),
      { connectionsMax: 1 },
    );
    servers.at(-1)?.on('connection', () => (connections += 1));
    const ask = (path: string) =>
      client.send({ method: 'GET', path, timeoutMs: TIMEOUT_MS, isOwnAnswer });
    expect(await Promise.all([ask('/1'), ask('/2'), ask('/3')])).toMatchObject([
      { kind: 'answered', body: 'own' },
      { kind: 'answered', body: 'foreign' },
      { kind: 'answered', body: 'own' },
    ]);
    expect(received).toEqual(['GET /1', 'GET /2', 'GET /3']);
    expect(connections).toBe(2);
  });

  it('serves one request where none are kept', async () => {
    let connections = 0;
    const { client } = await clientOf((_request, response) => response.end('own'), {
      keepsConnections: false,
    });
    servers.at(-1)?.on('connection', () => (connections += 1));
    for (const path of ['/1', '/2', '/3']) {
      const result = await client.send({ method: 'GET', path, timeoutMs: TIMEOUT_MS });
      expect(result).toMatchObject({ kind: 'answered' });
    }
    expect(connections).toBe(3);
  });
});

const WINDOW_MS = 100;
const clocksButTimeouts = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];
const TOO_LATE = { kind: 'notSent', reason: 'tooLate' };

function post(path: string, beginByMs: number) {
  return { method: 'POST', path, body: '{}', timeoutMs: TIMEOUT_MS, beginByMs } as const;
}

/** One connection to a bare socket, which keeps every byte and answers when it is told to. */
async function slowServer() {
  let received = '';
  let socket: Socket | undefined;
  let listener = (): void => undefined;
  const server = createTcpServer((accepted) => {
    socket = accepted;
    accepted.on('error', () => undefined);
    accepted.on('data', (bytes) => {
      received += bytes.toString('latin1');
      listener();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new HttpClient({ origin: `http://127.0.0.1:${port}`, connectionsMax: 1 });
  clients.push(client);
  server.unref();
  const arrived = () => new Promise<void>((resolve) => (listener = resolve));
  return {
    client,
    arrived,
    received: () => received,
    answer: () => socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
    /** The first line that arrives after everything that has. */
    nextLine: async () => {
      const before = received.length;
      const isHere = arrived();
      void client.send({ method: 'POST', path: '/next', timeoutMs: TIMEOUT_MS });
      await isHere;
      return received.slice(before).split('\r\n')[0];
    },
  };
}
