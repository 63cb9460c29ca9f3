import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endOrphans, type SandboxProcess, startSandbox } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const START_WITHIN_MS = 120_000;
const FOUND_WITHIN_MS = 60_000;
const COMMAND_LINE = fileURLToPath(new URL('../../../tools/sluice.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'sluice-forget-'));
let sandbox: SandboxProcess;
let entityId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox({ dataFolder: folder, environment: { DATABASE_URL: '' } });
  entityId = /entityId=([0-9a-f]{32})/.exec(sandbox.output())?.[1] ?? '';
  headers = { Authorization: `Bearer ${/Bearer ([^"'\s]+)/.exec(sandbox.output())?.[1] ?? ''}` };
}, START_WITHIN_MS);
afterAll(async () => {
  await sandbox.stop().catch(() => undefined);
  await endOrphans(folder);
  await rm(folder, { recursive: true, force: true });
}, START_WITHIN_MS);

/** What the answers say of the person; nothing else of a payment may change. */
const PERSON = /Zoë|Undinger|zoe@example\.org|Main Street/;
const person = {
  'card.holder': 'Zoë Undinger',
  ...{ 'customer.givenName': 'Zoë', 'customer.surname': 'Undinger' },
  ...{ 'customer.email': 'zoe@example.org', 'billing.street1': 'Main Street 1' },
};

type Body = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly result: { readonly code: string };
};

async function post(path: string, form: Readonly<Record<string, string>>): Promise<Body> {
  const body = new URLSearchParams({ entityId, currency: 'EUR', ...form });
  const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body });
  return (await response.json()) as Body;
}

async function get(path: string): Promise<Body> {
  return (await (await fetch(`${sandbox.url}${path}`, { headers })).json()) as Body;
}

const read = (id: string): Promise<Body> => get(`/v1/payments/${id}?entityId=${entityId}`);

/** Queries are some moments behind. */
async function query(reference: string): Promise<Body> {
  const path = `/v1/query?entityId=${entityId}&merchantTransactionId=${reference}`;
  for (const giveUpAt = Date.now() + FOUND_WITHIN_MS; ; await delay(20)) {
    const { payments } = await get(path);
    const [found] = (payments ?? []) as readonly Body[];
    if (found !== undefined && found.result.code !== '000.200.000') return found;
    if (Date.now() > giveUpAt) throw new Error(`${reference} was not found in time`);
  }
}

/** The command line, as the owner of the sandbox's own database. */
async function forget(...words: readonly string[]): Promise<string> {
  const password = readFileSync(join(folder, 'postgres.password'), 'utf8').trim();
  const [, , , port] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const database = `postgres://postgres:${password}@127.0.0.1:${port ?? ''}/sluice`;
  const environment = { ...process.env, PAYMENTS_OWNER_DATABASE_URL: database };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [COMMAND_LINE, 'forget', ...words],
    { env: environment },
  );
  return stdout;
}

/** Of a body, what must be the same whoever is forgotten. */
function moneyOf({ id, amount, currency, paymentType, descriptor, result }: Body): object {
  return { id, amount, currency, paymentType, descriptor, result };
}

describe('a payment that is forgotten while the sandbox runs', () => {
  it(
    'has no person any more, in reads and queries, and can be refunded',
    async () => {
      const paid = await post('/v1/payments', {
        ...person,
        ...{ 'card.number': '4200000000000000', 'card.cvv': '123', paymentBrand: 'VISA' },
        ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentType: 'DB' },
        ...{ amount: '92.00', merchantTransactionId: 'order-0001' },
      });
      const before = await read(paid.id);
      expect(JSON.stringify(before)).toMatch(PERSON);
      expect(JSON.stringify(await query('order-0001'))).toMatch(PERSON);

      expect(await forget(paid.id)).toContain('Nothing was done.');
      expect(JSON.stringify(await read(paid.id))).toMatch(PERSON);
      expect(await forget(paid.id, '--execute', '--reason', 'request 17')).toBe(
        `Payment ${paid.id} is forgotten.\n`,
      );

      for (const answer of [await read(paid.id), await query('order-0001')]) {
        expect(JSON.stringify(answer)).not.toMatch(PERSON);
        expect(moneyOf(answer)).toEqual(moneyOf(before));
        expect(answer).toMatchObject({ card: { last4Digits: '0000' } });
      }
      const refund = { paymentType: 'RF', amount: '2.00', ...person };
      const refunded = await post(`/v1/payments/${paid.id}`, refund);
      expect(refunded).toMatchObject({ amount: '2.00', result: { code: '000.100.110' } });
      expect(JSON.stringify(await read(refunded.id))).not.toMatch(PERSON);
      const rest = await post(`/v1/payments/${paid.id}`, { ...refund, amount: '90.01' });
      expect(rest.result.code).toBe('700.400.200');
    },
    START_WITHIN_MS,
  );
});
