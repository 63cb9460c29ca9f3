import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isReached } from './gateway-reach.js';

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

async function gateway(status: number): Promise<string> {
  server = createServer((_, response) => {
    response.writeHead(status, { connection: 'close' }).end('{}');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a gateway', () => {
  it('is reached when it answers well', async () => {
    expect(await isReached(await gateway(200))).toBe(true);
  });

  it('is not when it does not, or when nobody is there', async () => {
    expect(await isReached(await gateway(503))).toBe(false);
    expect(await isReached('http://127.0.0.1:1')).toBe(false);
  });
});
