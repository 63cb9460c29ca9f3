import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endOrphans, type SandboxProcess, startSandbox } from '@sluice/testing';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_WITHIN_MS = 120_000;
const SECOND_TOKEN = 'a-token-of-the-merchant-of-my-shops';
const STRICT_SHOP = '8ac7a4c97ee0000000000000000000a1';
const LENIENT_SHOP = '8ac7a4c97ee0000000000000000000a2';

const folder = mkdtempSync(join(tmpdir(), 'sluice-published-'));
let sandbox: SandboxProcess;

beforeAll(async () => {
  const seedFile = join(folder, 'seed.json');
  const channels = [STRICT_SHOP, LENIENT_SHOP].map((entityId) => ({
    ...{ entityId, name: 'My shop', merchant: 'My company' },
    ...(entityId === STRICT_SHOP && { compatibility: { emailWithoutName: false } }),
  }));
  const merchants = [{ name: 'My company', accessTokens: [SECOND_TOKEN] }];
  writeFileSync(seedFile, JSON.stringify({ merchants, channels }));
  sandbox = await startSandbox({
    dataFolder: join(folder, 'data'),
    arguments: ['--lenient', '--seed', seedFile],
    environment: { DATABASE_URL: '' },
  });
}, START_WITHIN_MS);
afterAll(async () => {
  await sandbox.stop().catch(() => undefined);
  await endOrphans(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
}, START_WITHIN_MS);

interface Answer {
  readonly id?: string;
  readonly result: {
    readonly code: string;
    readonly parameterErrors?: readonly { readonly name: string }[];
  };
}

const card = {
  ...{ amount: '92.00', currency: 'EUR', paymentBrand: 'VISA', paymentType: 'DB' },
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

async function send(
  path: string,
  form: Readonly<Record<string, string>> | undefined,
  token?: string,
): Promise<{ readonly status: number; readonly body: Answer }> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const init = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetch(`${sandbox.url}${path}`, { headers, ...init });
  return { status: response.status, body: (await response.json()) as Answer };
}

describe('an example of the public documentation, with its host changed', () => {
  const entityId = '8a8294174b7ecb28014b9699220015ca';
  const token = 'OGE4Mjk0MTc0YjdlY2IyODAxNGI5Njk5MjIwMDE1Y2N8c3k2S0pzVDg=';
  const legacy = (entity: string) => ({
    'authentication.userId': '8a8294174b7ecb28014b9699220015cc',
    'authentication.password': 'sy6KJsT8',
    'authentication.entityId': entity,
  });

  it('pays and refunds by the access token', async () => {
    const paid = await send('/v1/payments', { entityId, ...card }, token);
    expect(paid).toMatchObject({ status: 200, body: { result: { code: '000.100.110' } } });
    const form = { entityId, amount: '10.00', currency: 'EUR', paymentType: 'RF' };
    const refunded = await send(`/v1/payments/${paid.body.id ?? ''}`, form, token);
    expect(refunded).toMatchObject({ status: 200, body: { result: { code: '000.100.110' } } });
  });

  it.each([entityId, '8a8294174b7ecb28014b9699a3cf15d1'])(
    'pays by user and password for the entity %s, and reads',
    async (entity) => {
      const { status, body } = await send('/v1/payments', { ...legacy(entity), ...card });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { result: { code: '000.100.110' } },
      });
      const query = new URLSearchParams(legacy(entity)).toString();
      const read = await send(`/v1/payments/${body.id ?? ''}?${query}`, undefined);
      expect(read).toMatchObject({ status: 200, body: { id: body.id } });
    },
  );

  it('does not read what was never sent: an id of today is unknown at once (D-72)', async () => {
    const id = `${Date.now().toString(16).padStart(12, '0')}${'f'.repeat(20)}`;
    const read = await send(`/v1/payments/${id}?entityId=${entityId}`, undefined, token);
    expect(read).toMatchObject({ status: 404, body: { result: { code: '700.400.580' } } });
  });
});

describe('--lenient', () => {
  it('takes what clients send, but for a channel that says no', async () => {
    const form = { ...card, 'customer.email': 'jane@example.com' };
    const lenient = await send('/v1/payments', { entityId: LENIENT_SHOP, ...form }, SECOND_TOKEN);
    expect(lenient.status).toBe(200);
    const strict = await send('/v1/payments', { entityId: STRICT_SHOP, ...form }, SECOND_TOKEN);
    expect(strict.status).toBe(400);
    expect(strict.body.result.parameterErrors?.map(({ name }) => name)).toEqual([
      ...['customer.givenName', 'customer.surname'],
    ]);
  });
});
