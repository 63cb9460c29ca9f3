import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { politeRequest, RawConnection } from './raw-connection.js';

describe('a raw connection', () => {
  let server: Server;
  let connection: RawConnection;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/chunked') return; // and is silent
      response.writeContinue();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"result":');
      response.end('{"code":"000.100.110"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    connection = new RawConnection(`http://127.0.0.1:${port}`);
  });
  afterAll(async () => {
    connection.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  it('reads chunked, pipelined and informational answers', async () => {
    const one = politeRequest('GET', '/chunked', {});
    const two = { ...one, bytes: Buffer.concat([one.bytes, one.bytes]), answers: 2 };
    const { answers } = await connection.exchange(two, 5_000);
    expect(answers.map((each) => each.body.toString())).toEqual([
      '{"result":{"code":"000.100.110"}}',
      '{"result":{"code":"000.100.110"}}',
    ]);
  });

  it('says so when no answer comes', async () => {
    const silent = politeRequest('GET', '/silent', {});
    expect((await connection.exchange(silent, 50)).failure).toBe('no answer within 50 ms');
  });

  it('says so when nobody listens', async () => {
    const nowhere = new RawConnection('http://127.0.0.1:1');
    const { failure } = await nowhere.tried(politeRequest('GET', '/', {}), 5_000);
    expect(failure).toMatch(/^no connection: .*ECONNREFUSED/);
  });
});
