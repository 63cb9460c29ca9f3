import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

let echo: Server;
let proxy: TcpProxy;
let client: Socket;
let received: string[];

beforeEach(async () => {
  received = [];
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk.toString());
      socket.write(chunk);
    });
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  proxy = await startTcpProxy(`http://127.0.0.1:${String(port)}/path`);
  client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
});

afterEach(async () => {
  client.destroy();
  await proxy.close();
  echo.close();
});

describe('a wire', () => {
  it('forwards both ways and names itself instead of the target', async () => {
    client.write('hello');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toBe('hello');
    expect(proxy.url).toBe(`http://127.0.0.1:${String(proxy.port)}/path`);
  });

  it('keeps answers back while requests pass', async () => {
    proxy.mode = 'holdAnswers';
    const answered = proxy.nextAnswer();
    client.write('commit');
    expect(await answered).toBe(6);
    expect(received).toEqual(['commit']);
    expect(client.bytesRead).toBe(0);
  });

  it('swallows everything as a black hole', async () => {
    proxy.mode = 'blackhole';
    const asked = proxy.nextRequest();
    client.write('lost');
    expect(await asked).toBe(4);
    expect(received).toEqual([]);
  });

  it('resets what is open', async () => {
    client.write('hello');
    await once(client, 'data');
    const failed = once(client, 'error') as Promise<[NodeJS.ErrnoException]>;
    proxy.resetConnections();
    expect((await failed)[0].code).toBe('ECONNRESET');
  });
});
