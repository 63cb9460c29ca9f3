import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { payByRegistration, payOnce } from './trial-payment.js';

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** What was asked, in its order. */
const asked: string[] = [];

/** Answers with these, one after the other; the last one stays. */
async function gateway(
  ...answers: readonly (readonly [status: number, body: string])[]
): Promise<string> {
  asked.length = 0;
  server = createServer((request, response) => {
    const [status, body] = answers[Math.min(asked.length, answers.length - 1)] ?? [500, ''];
    asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
    request.resume();
    response.writeHead(status, { connection: 'close' }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(code: string, id = 'a'.repeat(32)): string {
  return JSON.stringify({ id, result: { code, description: 'as it is' } });
}

describe('the payment that shows that it works', () => {
  it('tells its code and its id', async () => {
    const url = await gateway([200, answer('000.100.110')]);
    expect(await payOnce(url, 2026)).toBe(`000.100.110 as it is, id ${'a'.repeat(32)}`);
  });

  it.each([
    ['declined', 200, answer('800.100.151')],
    ['not performed', 503, answer('900.100.310')],
    ['no JSON', 200, '<html>another program listens here</html>'],
  ])('fails when it is not paid: %s', async (_, status, body) => {
    const url = await gateway([status, body]);
    await expect(payOnce(url, 2026)).rejects.toThrow(
      `A payment was answered with status ${status}: ${body.slice(0, 40)}`,
    );
  });
});

describe('the card that is stored to show that it works', () => {
  const paid = [200, answer('000.100.110')] as const;
  const stored = [200, answer('000.100.110', 'b'.repeat(32))] as const;

  it('is stored, paid with and deleted', async () => {
    const url = await gateway(stored, paid, paid);
    expect(await payByRegistration(url, 2026)).toBe(
      `000.100.110, id ${'a'.repeat(32)}, registration ${'b'.repeat(32)}`,
    );
    const registration = `/v1/registrations/${'b'.repeat(32)}`;
    expect(asked).toEqual([
      ...['POST /v1/registrations', `POST ${registration}/payments`, `DELETE ${registration}`],
    ]);
  });

  it.each([
    ['cannot be stored', [], 'POST /v1/registrations'],
    ['cannot be paid with', [stored], `/payments was answered with status 503`],
    ['cannot be deleted', [stored, paid], 'DELETE /v1/registrations/'],
  ])('fails when it %s', async (_, before, sentence) => {
    const url = await gateway(...before, [503, answer('800.800.800')]);
    await expect(payByRegistration(url, 2026)).rejects.toThrow(sentence);
  });
});
