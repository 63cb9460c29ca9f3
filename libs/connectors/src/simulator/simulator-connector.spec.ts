import { afterEach, describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { createServer, type Server, type Socket } from 'node:net';
import type { ConnectorRequest, SubmitOutcome } from '../connector.js';
import { SimulatorConnector } from './simulator-connector.js';

const TIMEOUT_MS = 5_000;
const SHORT_TIMEOUT_MS = 50;

interface RawAcquirer {
  readonly connector: SimulatorConnector;
  /** Every request text that arrived, over all connections. */
  readonly received: string[];
}

const REFUSAL = '{"reference":"ref-1","error":{"parameter":"fault"}}';
const NOT_FOUND = '{"status":"notFound","reference":"ref-1"}';

const openConnectors: SimulatorConnector[] = [];
const openServers: Server[] = [];

afterEach(async () => {
  await Promise.all(openConnectors.splice(0).map((connector) => connector.close()));
  for (const server of openServers.splice(0)) server.close();
});

/** An acquirer that does with each whole request what `answer` says, on the bare socket. */
async function acquirer(
  answer: (socket: Socket, request: string, index: number) => void,
): Promise<RawAcquirer> {
  const received: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (;;) {
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: ([0-9]+)/i.exec(text.slice(0, end))?.[1] ?? 0);
        if (end < 0 || text.length < end + 4 + length) return;
        const request = text.slice(0, end + 4 + length);
        text = text.slice(end + 4 + length);
        received.push(request);
        answer(socket, request, received.length - 1);
      }
    });
  });
  openServers.push(server);
  const port = await listening(server);
  return { connector: connectorTo(port), received };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function connectorTo(port: number): SimulatorConnector {
  const connector = new SimulatorConnector({ url: `http://127.0.0.1:${port}` });
  openConnectors.push(connector);
  return connector;
}

function request(acquirerReference = 'ref-1'): ConnectorRequest {
  return {
    acquirerReference,
    operation: 'debit',
    amount: { minor: 9200n, currency: currency('EUR') },
    mode: 'INTERNAL',
  };
}

function approval(reference: string, more: object = {}): string {
  return JSON.stringify({
    transactionId: 'S000000000001',
    reference,
    status: 'approved',
    resultCode: '000.100.110',
    resultDetails: { AcquirerResponse: '00' },
    ...more,
  });
}

function http(status: string, body: string, type = 'application/json'): string {
  return (
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function submit(
  connector: SimulatorConnector,
  reference = 'ref-1',
  timeoutMs = TIMEOUT_MS,
): Promise<SubmitOutcome> {
  return connector.submit(request(reference), undefined, begunInTime(timeoutMs));
}

function begunInTime(timeoutMs = TIMEOUT_MS) {
  return { timeoutMs, beginByMs: performance.now() + TIMEOUT_MS };
}

const approved = {
  kind: 'approved',
  connectorTxId: 'S000000000001',
  resultCode: '000.100.110',
  resultDetails: { AcquirerResponse: '00' },
};

describe('submit', () => {
  it.each([
    [
      { avs: 'F', cvv: 'M' },
      { avsResponse: 'F', cvvResponse: 'M' },
    ],
    [{ avs: 'U' }, { avsResponse: 'U' }],
    [{ cvv: 'S' }, { cvvResponse: 'S' }],
    // A letter nobody agreed on says nothing, and the payment is approved all the same.
    [{ avs: 'X', cvv: 7 }, {}],
    [{ avs: 'M', cvv: 'F' }, {}],
  ])('has what the issuer found about the card: %j', async (sent, checks) => {
    const { connector } = await acquirer((socket) =>
      socket.write(http('200 OK', approval('ref-1', sent))),
    );
    expect(await submit(connector)).toEqual({ ...approved, ...checks });
  });

  it('is approved with what the acquirer says', async () => {
    const { connector } = await acquirer((socket) =>
      socket.write(http('200 OK', approval('ref-1'))),
    );
    expect(await submit(connector)).toEqual(approved);
  });

  it.each(['declined', 'pending'])('is %s with the code', async (status) => {
    const { connector } = await acquirer((socket) =>
      socket.write(http('200 OK', approval('ref-1', { status, resultCode: '800.100.151' }))),
    );
    expect(await submit(connector)).toEqual({
      ...approved,
      kind: status,
      resultCode: '800.100.151',
    });
  });

  const way = { url: 'https://bank.example/p', method: 'POST', parameters: { a: 'b' } };
  const redirect = { ...way, preconditions: [{ ...way, origin: 'iframe#hidden' }] };
  const resultCode = '000.200.000';

  it('is pending with a redirect', async () => {
    const { connector } = await acquirer((socket) =>
      socket.write(http('200 OK', approval('ref-1', { status: 'pending', resultCode, redirect }))),
    );
    expect(await submit(connector)).toMatchObject({ kind: 'pending', resultCode, redirect });
  });

  it.each([
    ['no web address', { ...redirect, url: 'javascript:alert(1)' }],
    ['no list before it', { ...redirect, preconditions: {} }],
    ['no address before it', { ...redirect, preconditions: [{ ...way, url: '/' }] }],
    ['no words before it', { ...redirect, preconditions: [{ ...way, waitUntil: 7 }] }],
    ['a path', { ...redirect, url: '/pay' }],
    ['another method', { ...redirect, method: 'PUT' }],
    ['parameters that are no texts', { ...redirect, parameters: { a: 1 } }],
    ['nothing', null],
  ])('is unknown when the redirect is %s: no shopper can be sent there', async (_, wrong) => {
    const { connector } = await acquirer((socket) =>
      socket.write(
        http('200 OK', approval('ref-1', { status: 'pending', resultCode, redirect: wrong })),
      ),
    );
    expect(await submit(connector)).toEqual({ kind: 'unknown', reason: 'unreadableAnswer' });
  });

  it('is not performed when the connection is refused', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await submit(connectorTo(port))).toEqual({
      kind: 'notPerformed',
      reason: 'notReachable',
    });
  });

  it('is not performed when the acquirer refuses it in its own format', async () => {
    const { connector } = await acquirer((socket) =>
      socket.write(http('400 Bad Request', REFUSAL)),
    );
    expect(await submit(connector)).toEqual({ kind: 'notPerformed', reason: 'refused' });
  });

  it('is not performed, without a call, in live mode', async () => {
    const { connector, received } = await acquirer(() => undefined);
    const live: ConnectorRequest = { ...request(), mode: 'LIVE' };
    expect(await connector.submit(live, undefined, begunInTime())).toEqual({
      kind: 'notPerformed',
      reason: 'unsupported',
    });
    expect(received).toEqual([]);
  });

  it('is not performed when it is given up before it was sent', async () => {
    const { connector, received } = await acquirer(() => undefined);
    const outcome = await connector.submit(request(), undefined, {
      ...begunInTime(),
      signal: AbortSignal.abort(),
    });
    expect(outcome).toEqual({ kind: 'notPerformed', reason: 'givenUpBeforeSending' });
    expect(received).toEqual([]);
  });
});

describe('an unknown outcome, never a decline (R-CRA-08)', () => {
  const html = '<html><body>Declined? No: a proxy page</body></html>';

  it.each<[string, (socket: Socket) => void, string]>([
    ['0-byte close', (socket) => socket.end(), 'connectionLost'],
    ['RST after the request', (socket) => socket.resetAndDestroy(), 'connectionLost'],
    [
      'half an answer',
      (socket) => socket.end(http('200 OK', approval('ref-1')).slice(0, -30)),
      'connectionLost',
    ],
    ['half a header', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'), 'connectionLost'],
    ['no HTTP at all', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'connectionLost'],
    [
      '200 with HTML',
      (socket) => socket.write(http('200 OK', html, 'text/html')),
      'unreadableAnswer',
    ],
    ['200 with nothing', (socket) => socket.write(http('200 OK', '')), 'unreadableAnswer'],
    [
      '200 with half JSON',
      (socket) => socket.write(http('200 OK', '{"status":"declined"')),
      'unreadableAnswer',
    ],
    [
      '200 about another reference',
      (socket) => socket.write(http('200 OK', approval('ref-2'))),
      'unreadableAnswer',
    ],
    [
      '200 with a status of no kind',
      (socket) => socket.write(http('200 OK', approval('ref-1', { status: 'failed' }))),
      'unreadableAnswer',
    ],
    [
      '200 without a result code',
      (socket) => socket.write(http('200 OK', approval('ref-1', { resultCode: 5 }))),
      'unreadableAnswer',
    ],
    ['201', (socket) => socket.write(http('201 Created', approval('ref-1'))), 'unreadableAnswer'],
    ['400 with HTML', (socket) => socket.write(http('400 Bad Request', html)), 'unreadableAnswer'],
    [
      '400 about another reference',
      (socket) => socket.write(http('400 Bad Request', REFUSAL.replace('ref-1', 'ref-2'))),
      'unreadableAnswer',
    ],
    [
      '400 about nothing',
      (socket) => socket.write(http('400 Bad Request', '{"error":{"parameter":"body"}}')),
      'unreadableAnswer',
    ],
    ['404', (socket) => socket.write(http('404 Not Found', html)), 'unreadableAnswer'],
    ['408', (socket) => socket.write(http('408 Request Timeout', '{}')), 'unreadableAnswer'],
    ['500', (socket) => socket.write(http('500 Internal Server Error', html)), 'serverError'],
    [
      '503 that reads like a decline',
      (socket) => socket.write(http('503 Busy', approval('ref-1', { status: 'declined' }))),
      'serverError',
    ],
    [
      'an endless answer',
      (socket) => socket.write(http('200 OK', 'x'.repeat(100_000))),
      'unreadableAnswer',
    ],
  ])('%s', async (_name, answer, reason) => {
    const { connector, received } = await acquirer(answer);
    expect(await submit(connector)).toEqual({ kind: 'unknown', reason });
    expect(received).toHaveLength(1);
  });

  it('no answer in time', async () => {
    const { connector, received } = await acquirer((socket, _request, index) => {
      // The first answer leaves a connection behind, so that connecting takes none of the time.
      if (index === 0) socket.write(http('200 OK', approval('ref-0')));
    });
    await submit(connector, 'ref-0');
    expect(await submit(connector, 'ref-1', SHORT_TIMEOUT_MS)).toEqual({
      kind: 'unknown',
      reason: 'timeout',
    });
    expect(received).toHaveLength(2);
  });

  it('given up by the caller after it was sent', async () => {
    const controller = new AbortController();
    const { connector } = await acquirer(() => controller.abort());
    const { signal } = controller;
    const outcome = await connector.submit(request(), undefined, { ...begunInTime(), signal });
    expect(outcome).toEqual({ kind: 'unknown', reason: 'timeout' });
  });

  it('the connection is broken off by close()', async () => {
    const { connector } = await acquirer(() => void connector.close());
    expect(await submit(connector)).toEqual({ kind: 'unknown', reason: 'connectionLost' });
  });
});

describe('a kept connection', () => {
  it('that is reset under a request is not tried again (sabotage S5)', async () => {
    const { connector, received } = await acquirer((socket, _request, index) => {
      if (index === 0) socket.write(http('200 OK', approval('ref-1')));
      else socket.resetAndDestroy();
    });
    expect(await submit(connector, 'ref-1')).toEqual(approved);
    expect(await submit(connector, 'ref-2')).toEqual({
      kind: 'unknown',
      reason: 'connectionLost',
    });
    expect(received).toHaveLength(2);
  });

  it('with a second answer on it never gives it to another request', async () => {
    const { connector, received } = await acquirer((socket, text) => {
      const reference = /"reference":"([^"]+)"/.exec(text)?.[1] ?? '';
      const answer = http('200 OK', approval(reference));
      socket.write(answer + answer);
    });
    for (let index = 0; index < 20; index += 1) {
      const outcome = await submit(connector, `ref-${index}`);
      expect(['approved', 'unknown']).toContain(outcome.kind);
    }
    expect(received.length).toBeLessThanOrEqual(20);
  });
});

describe('inquire', () => {
  it('asks by reference alone', async () => {
    const { connector, received } = await acquirer((socket) =>
      socket.write(http('200 OK', approval('ref/1'))),
    );
    expect(await connector.inquire('ref/1', { timeoutMs: TIMEOUT_MS })).toEqual({
      kind: 'found',
      outcome: approved,
    });
    expect(received[0]).toMatch(/^GET \/transactions\/ref%2F1 HTTP/);
  });

  it('finds what was undone as declined with 900.100.301', async () => {
    const { connector } = await acquirer((socket) =>
      socket.write(http('200 OK', approval('ref-1', { status: 'reversed' }))),
    );
    expect(await connector.inquire('ref-1', { timeoutMs: TIMEOUT_MS })).toEqual({
      kind: 'found',
      outcome: { ...approved, kind: 'declined', resultCode: '900.100.301' },
    });
  });

  it.each([
    ['the acquirer’s own not-found', '404 Not Found', NOT_FOUND, 'notFound'],
    ['a 404 of somebody else', '404 Not Found', '<html>', 'unavailable'],
    ['a not-found about nothing', '404 Not Found', '{"status":"notFound"}', 'unavailable'],
    [
      'a not-found about another one',
      '404 Not Found',
      NOT_FOUND.replace('ref-1', 'ref-2'),
      'unavailable',
    ],
    ['a 500', '500 Oops', NOT_FOUND, 'unavailable'],
    ['another transaction', '200 OK', approval('ref-2'), 'unavailable'],
  ])('%s', async (_name, status, body, kind) => {
    const { connector } = await acquirer((socket) => socket.write(http(status, body)));
    expect(await connector.inquire('ref-1', { timeoutMs: TIMEOUT_MS })).toEqual({ kind });
  });

  it('is unavailable when nobody answers', async () => {
    const { connector } = await acquirer(() => undefined);
    expect(await connector.inquire('ref-1', { timeoutMs: SHORT_TIMEOUT_MS })).toEqual({
      kind: 'unavailable',
    });
  });
});

describe('reverse', () => {
  it.each<[string, string, string, object]>([
    [
      'names the booked transaction',
      '200 OK',
      approval('ref-1', { status: 'reversed' }),
      { kind: 'reversed', connectorTxId: 'S000000000001' },
    ],
    ['not reversed after all', '200 OK', approval('ref-1'), { kind: 'unavailable' }],
    [
      'reversed without a transaction',
      '200 OK',
      approval('ref-1', { status: 'reversed', transactionId: '' }),
      { kind: 'unavailable' },
    ],
    ['nothing found', '404 Not Found', NOT_FOUND, { kind: 'notFound' }],
    [
      'nothing found of another one',
      '404 Not Found',
      NOT_FOUND.replace('ref-1', 'ref-2'),
      { kind: 'unavailable' },
    ],
    ['a web page', '200 OK', '<html>', { kind: 'unavailable' }],
  ])('%s', async (_name, status, body, outcome) => {
    const { connector, received } = await acquirer((socket) => socket.write(http(status, body)));
    expect(await connector.reverse('ref-1', { timeoutMs: TIMEOUT_MS })).toEqual(outcome);
    expect(received[0]).toMatch(/^POST \/transactions\/ref-1\/reversal HTTP/);
  });
});

describe('capabilities', () => {
  const connector = connectorTo(1);

  it.each([
    ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ])('recorded %s: reversal until %s', (recorded, cutOff) => {
    expect(connector.capabilities.reversalCutOffMs(Date.parse(recorded))).toBe(Date.parse(cutOff));
  });
});
