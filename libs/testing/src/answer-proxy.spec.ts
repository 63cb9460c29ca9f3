import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type AnswerMode, type AnswerProxy, startAnswerProxy } from './answer-proxy.js';

const ANSWER = '{"result":{"code":"000.100.110"}}';

let server: Server;
let proxy: AnswerProxy;

afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function startBefore(answer: (response: ServerResponse) => void): Promise<void> {
  server = createServer((request, response) => {
    request.resume().once('end', () => answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startAnswerProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function inChunks(response: ServerResponse): void {
  response.write(ANSWER.slice(0, 9));
  response.end(ANSWER.slice(9));
}

async function asked(body: string | ReadableStream = '{}'): Promise<readonly [number, string]> {
  const answer = await fetch(proxy.url, { method: 'POST', body, duplex: 'half' });
  return [answer.status, await answer.text()];
}

describe('a proxy that spoils answers', () => {
  const wholeAnswers: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['a length', (response) => response.setHeader('content-length', ANSWER.length).end(ANSWER)],
    ['chunks', inChunks],
    [
      'the end of the connection',
      (response) => {
        response.useChunkedEncodingByDefault = false;
        response.setHeader('connection', 'close');
        inChunks(response);
      },
    ],
  ];

  it.each(wholeAnswers)('passes on answers that end with %s', async (_, answer) => {
    await startBefore(answer);
    expect(await asked()).toEqual([200, ANSWER]);
    expect(await asked()).toEqual([200, ANSWER]);
  });

  it('passes on answers without a body', async () => {
    await startBefore((response) => response.writeHead(204).end());
    expect(await asked()).toEqual([204, '']);
    expect(await asked()).toEqual([204, '']);
  });

  it.each<[AnswerMode, number]>([
    ['hold', 0],
    ['stall', 1],
  ])('keeps the end of the connection back with an answer (%s)', async (mode, least) => {
    let closed: (() => void) | undefined;
    await startBefore((response) => {
      response.setHeader('connection', 'close').end(ANSWER);
      response.socket?.once('close', () => closed?.());
    });
    proxy.mode = mode;
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    let bytes = 0;
    client.on('data', (chunk) => (bytes += chunk.length));
    const isClosedBehind = new Promise<void>((resolve) => (closed = resolve));
    client.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}');
    await isClosedBehind;
    // Another exchange takes longer than what is on its way.
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect([bytes >= least, client.destroyed, client.readableEnded]).toEqual([true, false, false]);
    client.destroy();
  });

  it('takes a request in chunks for one', async () => {
    await startBefore(inChunks);
    expect(await asked(new Blob(['{"amount":', '"92.00"}']).stream())).toEqual([200, ANSWER]);
    expect(proxy.requests).toHaveLength(1);
  });

  it.each<readonly [AnswerMode, number, string]>([
    ['fail', 503, ANSWER],
    ['page', 200, '<html><body>declined</body></html>'],
    ['missing', 404, '<html><body>declined</body></html>'],
  ])('puts another answer in the place of chunks: %s', async (mode, status, body) => {
    await startBefore(inChunks);
    proxy.mode = mode;
    expect(await asked()).toEqual([status, body]);
  });

  it('ends the connection in the middle of chunks', async () => {
    await startBefore(inChunks);
    proxy.mode = 'cut';
    await expect(asked()).rejects.toThrow();
  });

  it('delivers an answer in chunks again', async () => {
    await startBefore(inChunks);
    await asked();
    proxy.mode = 'replay';
    expect(await asked()).toEqual([200, ANSWER]);
  });
});
