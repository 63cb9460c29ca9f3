import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { payOnce } from './trial-payment.js';

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

async function gateway(status: number, body: string): Promise<string> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { connection: 'close' }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(code: string): string {
  return JSON.stringify({ id: 'a'.repeat(32), result: { code, description: 'as it is' } });
}

describe('the payment that shows that it works', () => {
  it('tells its code and its id', async () => {
    const url = await gateway(200, answer('000.100.110'));
    expect(await payOnce(url, 2026)).toBe(`000.100.110 as it is, id ${'a'.repeat(32)}`);
  });

  it.each([
    ['declined', 200, answer('800.100.151')],
    ['not performed', 503, answer('900.100.310')],
    ['no JSON', 200, '<html>another program listens here</html>'],
  ])('fails when it is not paid: %s', async (_, status, body) => {
    const url = await gateway(status, body);
    await expect(payOnce(url, 2026)).rejects.toThrow(
      `A payment was answered with status ${status}: ${body.slice(0, 40)}`,
    );
  });
});
