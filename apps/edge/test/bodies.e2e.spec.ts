import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { trustedProxies } from '../src/client-address.js';
import type { EdgeSettings } from '../src/settings.js';
import { bearer, call, debit, formText, post } from './http-client.js';
import { entityId, legacy, ScriptedEdge, token } from './scripted-edge.js';

const MEBIBYTE = 1024 * 1024;
const LEGACY = {
  'authentication.userId': legacy.userId,
  'authentication.password': legacy.password,
  'authentication.entityId': entityId,
};
const { entityId: _, ...debitWithoutEntity } = debit;

const open: Sender[] = [];
let edge: ScriptedEdge;

const start = async (settings: Partial<EdgeSettings> = {}): Promise<void> => {
  edge = await new ScriptedEdge().start(settings);
};

afterEach(async () => {
  for (const sender of open.splice(0)) sender.end();
  await edge.close();
});

/** A client that says how long its body is, and sends as much of it as it likes. */
class Sender {
  #received = '';

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => (this.#received += chunk.toString()));
    socket.on('error', () => undefined);
  }

  static async begin(headers: readonly string[], path = '/v1/payments', method = 'POST') {
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const sender = new Sender(socket);
    open.push(sender);
    const form = 'Content-Type: application/x-www-form-urlencoded';
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: edge', form, ...headers, '', ''];
    await sender.send(lines.join('\r\n'));
    return sender;
  }

  send(text: string): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, () => resolve()));
  }

  /** Status and result code, as soon as they are there. */
  async answer(): Promise<string> {
    while (!this.#received.includes('"code"')) {
      if (this.socket.destroyed) return 'closed';
      await pause(2);
    }
    const code = /"code":"([0-9.]+)"/.exec(this.#received)?.[1] ?? '';
    return `${this.#received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)} ${code}`;
  }

  /** Resolves when the text has come. */
  async received(text: string): Promise<void> {
    while (!this.#received.includes(text)) await pause(2);
  }

  get isAnswered(): boolean {
    return this.#received !== '';
  }

  end(): void {
    this.socket.destroy();
  }
}

const length = (bytes: number): string => `Content-Length: ${bytes}`;

describe('a request without access', () => {
  it.each([
    ['Authorization: Bearer nobody', '403 800.900.300'],
    ['Authorization: Basic nobody', '401 800.900.300'],
  ])('%s is answered before its body comes', async (header, answer) => {
    await start();
    const sender = await Sender.begin([header, length(MEBIBYTE)]);
    expect(await sender.answer()).toBe(answer);
  });

  it('can go on sending, and its connection is good for another request', async () => {
    await start();
    const sender = await Sender.begin(['Authorization: Bearer nobody', length(9)]);
    expect(await sender.answer()).toBe('403 800.900.300');
    await sender.send('amount=92');
    await sender.send('GET /v1/resultcodes HTTP/1.1\r\nHost: edge\r\n\r\n');
    await sender.received('HTTP/1.1 200');
  });

  it('and without a body is answered at once, whatever its method', async () => {
    await start();
    for (const method of ['GET', 'POST']) {
      const path = method === 'GET' ? `/v1/payments/${entityId}` : '/v1/payments';
      const { status } = await call(`${edge.url}${path}`, { method });
      expect(status).toBe(401);
    }
  });

  it('has no body that is read where no access is needed either', async () => {
    await start();
    const sender = await Sender.begin([length(MEBIBYTE)], '/v1/resultcodes', 'GET');
    expect(await sender.answer()).toMatch(/^200 /);
  });
});

describe('bodies that say who asks', () => {
  const slow = (): Promise<Sender> => Sender.begin([length(MEBIBYTE)]);

  it('share a small part of memory, and the slowest are given up for others', async () => {
    await start({ unidentifiedBodyBytesMax: MEBIBYTE });
    const senders: Sender[] = [];
    for (let count = 0; count < 10; count += 1) {
      const sender = await slow();
      await sender.send('a'.repeat(MEBIBYTE / 4));
      senders.push(sender);
    }
    // The ones that came first; of those on their way at most four fit.
    for (const sender of senders.slice(0, 6)) expect(await sender.answer()).toBe('503 800.800.800');
    const parameters = { ...debitWithoutEntity, ...LEGACY };
    const honest = await call(`${edge.url}/v1/payments`, {
      method: 'POST',
      body: formText(parameters),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(honest.status).toBe(200);
    expect(senders.at(-1)?.isAnswered).toBe(false);
  });

  it('do not keep out those who said it before', async () => {
    await start({ unidentifiedBodyBytesMax: MEBIBYTE });
    const sender = await slow();
    await sender.send('a'.repeat(MEBIBYTE - 1));
    expect((await post(`${edge.url}/v1/payments`, debit)).status).toBe(200);
  });

  it('are not read as forms when nobody known is named', async () => {
    await start();
    const body = `amount=%ff&${formText({ ...LEGACY, 'authentication.password': 'guess' })}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await call(`${edge.url}/v1/payments`, { method: 'POST', body, headers });
    expect([answer.status, answer.body.result.code]).toEqual([403, '800.900.300']);
  });

  it.each(['', 'x=1&', 'xauthentication.userId=nobody&'])('may begin with %j', async (before) => {
    await start();
    const body = `${before}${formText({ ...debitWithoutEntity, ...LEGACY })}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status } = await call(`${edge.url}/v1/payments`, { method: 'POST', body, headers });
    expect(status).toBe(before === '' ? 200 : 400);
  });
});

describe('bodies of those who may pay', () => {
  it('have a limit together, which gives up the slowest', async () => {
    await start({ bodyBytesMax: MEBIBYTE });
    const authorization = `Authorization: Bearer ${token}`;
    const first = await Sender.begin([authorization, length(MEBIBYTE)]);
    await first.send('a'.repeat(MEBIBYTE - 1_000));
    expect((await post(`${edge.url}/v1/payments`, { ...debit, descriptor: 'b' })).status).toBe(200);
    const second = await Sender.begin([authorization, length(MEBIBYTE)]);
    await second.send('a'.repeat(MEBIBYTE / 2));
    expect(await first.answer()).toBe('503 800.800.800');
    expect(second.isAnswered).toBe(false);
  });

  it('are given back when they are answered', async () => {
    await start({ bodyBytesMax: MEBIBYTE });
    const large = { ...debit, 'customParameters[aaa]': 'v'.repeat(600_000) };
    for (let count = 0; count < 5; count += 1) {
      expect((await post(`${edge.url}/v1/payments`, large)).status).toBe(400);
    }
    expect((await post(`${edge.url}/v1/payments`, debit)).status).toBe(200);
  });
});

describe('one address', () => {
  const forwarded = (address: string) => ({ 'X-Forwarded-For': address });
  const knock = async (headers: object = {}) =>
    (await call(`${edge.url}/v1/payments/${entityId}`, { headers: { ...headers } })).body.result;

  it('has so many connections and no more', async () => {
    await start({ connectionsPerAddress: 2 });
    await Sender.begin([length(10)]);
    await Sender.begin([length(10)]);
    const third = await Sender.begin([length(0)]);
    expect(await third.answer()).toBe('closed');
  });

  it('that is a trusted proxy has as many as it likes', async () => {
    await start({ connectionsPerAddress: 1, trustedProxies: trustedProxies('127.0.0.0/8') });
    await Sender.begin([length(10)]);
    const second = await Sender.begin([length(0)]);
    expect(await second.answer()).toBe('401 800.900.300');
  });

  it('that is refused too often is not listened to, but for a token that is known', async () => {
    await start({ refusalsPerSecond: 1 });
    for (let count = 0; count < 5; count += 1) expect((await knock()).code).toBe('800.900.300');
    expect((await knock()).code).toBe('800.120.100');
    expect((await knock({ Authorization: 'Bearer nobody' })).code).toBe('800.120.100');
    const sender = await Sender.begin([length(MEBIBYTE)]);
    expect(await sender.answer()).toBe('400 800.120.100');
    expect((await post(`${edge.url}/v1/payments`, debit)).status).toBe(200);
    edge.clock.advance(1_000);
    expect((await knock()).code).toBe('800.900.300');
  });

  it('is that of the client where a trusted proxy says so', async () => {
    await start({ refusalsPerSecond: 1, trustedProxies: trustedProxies('127.0.0.0/8') });
    const one = forwarded('198.51.100.1, 203.0.113.7');
    for (let count = 0; count < 5; count += 1) await knock(one);
    expect((await knock(one)).code).toBe('800.120.100');
    // Whatever the client wrote itself stands further to the left.
    expect((await knock(forwarded('198.51.100.9, 203.0.113.7'))).code).toBe('800.120.100');
    expect((await knock(forwarded('203.0.113.8'))).code).toBe('800.900.300');
  });

  it('is that of the connection where nobody is trusted', async () => {
    await start({ refusalsPerSecond: 1 });
    for (let count = 0; count < 5; count += 1) await knock(forwarded(`203.0.113.${count}`));
    expect((await knock(forwarded('203.0.113.9'))).code).toBe('800.120.100');
    expect((await call(`${edge.url}/v1/resultcodes`, { headers: bearer })).status).toBe(200);
  });
});
