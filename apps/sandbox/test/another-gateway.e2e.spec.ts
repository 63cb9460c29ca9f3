import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const SEED = new URL('../../../docs/how-to/platform/seed.json', import.meta.url);
const SHOP = { entityId: '8ac7a4c97ee0000000000000000000d3', token: 'token-of-the-shop-behind' };
const TOKEN_THERE = 'sluice-demo-access-token-for-sandboxes-only';
const CARD: Fields = {
  ...{ ...MONEY, testMode: 'EXTERNAL', paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  'card.cvv': '123',
};

let other: SandboxProcess;
let sandbox: SandboxProcess;

beforeAll(async () => {
  other = await start(newFolder());
  const files = newFolder();
  const [seedFile, secrets] = [join(files, 'seed.json'), join(files, 'secrets')];
  const { host, origin } = new URL(other.url);
  await mkdir(join(secrets, 'other'), { recursive: true });
  await writeFile(join(secrets, 'other', 'token'), TOKEN_THERE);
  const seed = await readFile(SEED, 'utf8');
  await writeFile(seedFile, seed.replace('http://127.0.0.1:8090', origin));
  const told = ['--seed', seedFile, '--secrets', secrets, '--private-targets', host];
  sandbox = await start(newFolder(), told);
}, 2 * START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

async function post(path: string, fields: Fields): Promise<Body> {
  const headers = { Authorization: `Bearer ${SHOP.token}` };
  const body = new URLSearchParams({ entityId: SHOP.entityId, ...fields });
  const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body });
  return (await response.json()) as Body;
}

describe('a sandbox whose acquirer is another one', () => {
  it('pays there with the seed of the how-to: the payment has our id as its reference', async () => {
    const paid = await post('/v1/payments', { ...CARD, paymentType: 'PA' });
    expect(paid.result.code).toBe('000.100.112');
    const { ConnectorTxID1: idThere } = paid['resultDetails'] as { ConnectorTxID1: string };
    const there = await send(other, ['GET', `/v1/payments/${idThere}`]);
    expect(there).toMatchObject({ id: idThere, merchantTransactionId: paid.id, amount: '92.00' });
    const captured = await post(`/v1/payments/${paid.id}`, { ...MONEY, paymentType: 'CP' });
    expect(captured.result.code).toBe('000.100.112');
  });
});
