import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { CALL, FrameReader, FRAMES_OFFER, FRAMES_PROTOCOL, FrameWriter } from './frames.js';
import {
  clientOf,
  cut,
  endEverything,
  framed,
  gate,
  handMade,
  ledger,
  listening,
  post,
  TIMEOUT_MS,
} from './internal-client-fixture.js';

const SHORT_MS = 50;
const SWITCHED = `HTTP/1.1 101 .\r\nconnection: upgrade\r\nupgrade: ${FRAMES_PROTOCOL}\r\n\r\n`;

afterEach(endEverything);

const answered = (value: unknown) => ({
  ...{ kind: 'answered', statusCode: 200 },
  body: JSON.stringify(value),
});
describe('a client that is not ours', () => {
  it.each([
    ['rubbish', Buffer.alloc(64, 0xff)],
    ['an answer in place of a call', Buffer.from([0, 0, 0, 8, 0, 0, 0, 1, 0, 200, 0, 0])],
    ['a goodbye', Buffer.from([0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])('loses its connection by %s, and others go on', async (_, bytes) => {
    const { url } = await ledger({});
    const client = await framed(url);
    const { socket } = await handMade(url);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(bytes);
    await closed;
    expect(await post(client, '/echo', 1)).toEqual(answered(1));
    expect(client.isFramed).toBe(true);
  });

  it('is asked for nothing more while it does not read', async () => {
    const CALLS = 600;
    let count = 0;
    const all = gate();
    const { url } = await ledger({
      '/long': () => {
        if ((count += 1) === CALLS) all.open();
        return Promise.resolve('x'.repeat(60_000));
      },
    });
    const { socket, writer } = await handMade(url);
    socket.pause();
    const body = JSON.stringify('y'.repeat(30_000));
    for (let id = 1; id <= CALLS; id += 1) writer.send(id, CALL, '/long', body);
    const other = await framed(url);
    for (let round = 0; round < 50; round += 1) await post(other, '/echo');
    expect(count).toBeLessThan(CALLS);
    socket.resume();
    await all.opened;
  });

  it('that asks for another protocol is refused', async () => {
    const { url } = await ledger({});
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('a server that is not ours', () => {
  const serverOf = async (
    answer: RequestListener,
    upgrade?: (socket: Socket) => void,
  ): Promise<string> => {
    const sockets = new Set<Socket>();
    const server = createHttpServer(answer);
    server.on('connection', (socket) => sockets.add(socket));
    if (upgrade !== undefined) server.on('upgrade', (_, socket: Socket) => upgrade(socket));
    return listening(server, () => cut(sockets));
  };
  const offering: RequestListener = (_, response) => {
    response.setHeader(FRAMES_OFFER, '1');
    response.end('1');
  };

  it('and offers no frames, is never asked for them', async () => {
    const upgrades: unknown[] = [];
    const url = await serverOf((request, response) => {
      upgrades.push(request.headers.upgrade);
      response.end('1');
    });
    const client = clientOf(url);
    for (let round = 0; round < 3; round += 1) {
      await client.reach({ path: '/echo', body: '{}', timeoutMs: TIMEOUT_MS }, 1);
    }
    expect(upgrades).toEqual([undefined, undefined, undefined]);
    expect(client.isFramed).toBe(false);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['refuses them', (socket) => socket.end('HTTP/1.1 400 .\r\ncontent-length: 0\r\n\r\n')],
    ['hangs up', (socket) => socket.destroy()],
    ['says nothing', () => undefined],
    [
      'switches to something else',
      (socket) => socket.write(SWITCHED.replace('sluice-frames/1', 'h2c')),
    ],
  ])('and offers frames but %s, is called over HTTP', async (_, upgrade) => {
    const client = clientOf(await serverOf(offering, upgrade), { connectTimeoutMs: SHORT_MS });
    await client.reach({ path: '/echo', body: '{}', timeoutMs: TIMEOUT_MS }, 1);
    expect(client.isFramed).toBe(false);
    expect(await post(client, '/echo')).toMatchObject({ kind: 'answered', body: '1' });
  });

  it('loses its connection by rubbish, and with it the calls under way', async () => {
    const url = await serverOf(offering, (socket) => {
      socket.write(SWITCHED);
      socket.on('data', () => socket.write(Buffer.alloc(64, 0xff)));
    });
    const client = await framed(url);
    expect(await post(client, '/echo')).toEqual({ kind: 'lost', reason: 'connectionLost' });
    expect(await post(client, '/echo')).toMatchObject({ kind: 'answered', body: '1' });
  });

  it('may answer what nobody asked', async () => {
    const url = await serverOf(offering, (socket) => {
      socket.write(SWITCHED);
      const writer = new FrameWriter(socket);
      const reader = new FrameReader(({ id }) => {
        writer.send(id + 1_000, 200, '', 'foreign');
        writer.send(id, 200, '', 'own');
      });
      socket.on('data', (chunk: Buffer) => reader.read(chunk));
    });
    expect(await post(await framed(url), '/echo')).toMatchObject({ body: 'own' });
  });
});
