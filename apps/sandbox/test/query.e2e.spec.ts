import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endOrphans, sandboxDatabaseUrl, type SandboxProcess, startSandbox } from '@sluice/testing';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const START_WITHIN_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'sluice-query-'));
let sandbox: SandboxProcess;
let entityId: string;
let headers: Record<string, string>;

const start = async (): Promise<void> => {
  sandbox = await startSandbox({ dataFolder: folder, environment: { DATABASE_URL: '' } });
  entityId = /entityId=([0-9a-f]{32})/.exec(sandbox.output())?.[1] ?? '';
  headers = { Authorization: `Bearer ${/Bearer ([^"'\s]+)/.exec(sandbox.output())?.[1] ?? ''}` };
};

beforeAll(start, START_WITHIN_MS);
afterAll(async () => {
  await sandbox.stop().catch(() => undefined);
  await endOrphans(folder);
  await rm(folder, { recursive: true, force: true });
}, START_WITHIN_MS);

interface Found {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly result: { readonly code: string };
    readonly payments?: readonly Record<string, unknown>[];
    readonly records?: readonly Record<string, unknown>[];
    readonly pages?: number;
  } & Readonly<Record<string, unknown>>;
}

async function send(path: string, init: RequestInit = {}): Promise<Found> {
  const response = await fetch(`${sandbox.url}${path}`, { headers, ...init });
  return { status: response.status, body: (await response.json()) as Found['body'] };
}

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;

/** Empty counts as not sent. */

async function pay(changes: Readonly<Record<string, string>> = {}): Promise<Found['body']> {
  const card = { ...CARD, paymentBrand: 'VISA' };
  const form = {
    entityId,
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    ...card,
    ...changes,
  };
  return (await send('/v1/payments', { method: 'POST', body: new URLSearchParams(form) })).body;
}

/** Asks once: a query is never older than its arrival (D-65). */
async function found(query: string, count: number, list: 'payments' | 'records' = 'payments') {
  const { status, body } = await send(query);
  expect([status, body[list]?.length]).toEqual([200, count]);
  return body;
}

const TIMES = 40;

describe('the sandbox', () => {
  it(`finds what was just paid by the merchant's own id, ${TIMES} times of ${TIMES}`, async () => {
    const answers: unknown[] = [];
    const created: unknown[] = [];
    for (let n = 0; n < TIMES; n += 1) {
      const merchantTransactionId = `just-paid-${n}`;
      created.push([await pay({ merchantTransactionId })]);
      const query = `/v1/query?entityId=${entityId}&merchantTransactionId=${merchantTransactionId}`;
      answers.push((await send(query)).body.payments);
    }
    expect(answers).toEqual(created);
  });

  it(`finds what was just paid by time, ${TIMES} times of ${TIMES}`, async () => {
    const seconds = (offset: number): string =>
      new Date(Date.now() + offset).toISOString().slice(0, 19).replace('T', '+');
    const newest: unknown[] = [];
    const created: unknown[] = [];
    for (let n = 0; n < TIMES; n += 1) {
      created.push(await pay());
      const frame = `date.from=${seconds(-60_000)}&date.to=${seconds(60_000)}`;
      newest.push((await send(`/v3/query?entityId=${entityId}&${frame}`)).body.records?.[0]);
    }
    expect(newest).toEqual(created);
  });

  it('finds what was just paid by its id, alone and with what belongs to it', async () => {
    const authorized = await pay({ paymentType: 'PA' });
    const { timestamp: _, ndc: __, ...fields } = authorized;
    const v1 = await send(`/v1/query/${authorized.id}?entityId=${entityId}`);
    expect(v1.body).toMatchObject(fields);
    const body = new URLSearchParams({
      ...{ entityId, paymentType: 'CP', amount: '9.00', currency: 'EUR' },
    });
    const captured = (await send(`/v1/payments/${authorized.id}`, { method: 'POST', body })).body;
    const linked = `/v3/query/${captured.id}?entityId=${entityId}&includeLinkedTransactions=true`;
    expect((await found(linked, 2, 'records')).records).toEqual([captured, authorized]);
    const filtered = `${linked}&paymentTypes=PA,RF`;
    expect((await found(filtered, 1, 'records')).records).toEqual([authorized]);
    expect((await send(`${linked}&paymentMethods=DD`)).status).toBe(404);
  });

  it("finds it from the store's own index when its events are not published", async () => {
    await asAdministrator([
      `UPDATE payments.relay_slots
       SET holder = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
    ]);
    try {
      const created = await pay({ merchantTransactionId: 'lost-0001' });
      const query = `/v1/query?entityId=${entityId}&merchantTransactionId=lost-0001`;
      expect((await found(query, 1)).payments).toEqual([created]);
      const missing = `/v1/query?entityId=${entityId}&merchantTransactionId=lost-0002`;
      expect((await send(missing)).status).toBe(404);
    } finally {
      await asAdministrator(['UPDATE payments.relay_slots SET leased_until = now()']);
    }
  });

  it("finds a payment by the merchant's own id as it answered it, the holder included", async () => {
    const created = await pay({ merchantTransactionId: 'order-0001' });
    const query = `?entityId=${entityId}&merchantTransactionId=order-0001`;
    const v1 = await found(`/v1/query${query}`, 1);
    expect(v1.payments).toEqual([created]);
    expect(v1.payments?.[0]).toMatchObject({ card: { holder: 'Jane Jones' } });
    expect((await found(`/v3/query${query}`, 1, 'records')).records).toEqual([created]);
    const one = await send(`/v1/query/${created.id}?entityId=${entityId}`);
    expect(one.body).toMatchObject({ id: created.id, amount: '92.00' });
  });

  it('finds what the issuer found about the card, and which brand was detected', async () => {
    const created = await pay({
      ...{ merchantTransactionId: 'order-0005', paymentBrand: '' },
      'customParameters[simulator.avs]': 'Z',
    });
    expect(created).toMatchObject({
      result: { code: '000.100.110', avsResponse: 'Z', cvvResponse: 'M' },
      ...{ paymentBrand: 'VISA', brandResult: 'VISA' },
      resultDetails: { clearingInstituteName: 'Sluice Simulator', AuthCode: expect.any(String) },
      card: { type: 'CREDIT', issuer: { bank: 'Sluice Test Bank' } },
    });
    const query = `?entityId=${entityId}&merchantTransactionId=order-0005`;
    expect((await found(`/v1/query${query}`, 1)).payments).toEqual([created]);
    const { timestamp: _, ndc: __, ...fields } = created;
    const read = await send(`/v1/payments/${created.id}?entityId=${entityId}`);
    expect(read.body).toMatchObject(fields);
    const uncoded = await pay({ 'card.cvv': '', 'standingInstruction.mode': 'REPEATED' });
    expect(Object.keys(uncoded.result)).toEqual(['code', 'description']);
    const address = {
      ...{ 'billing.street1': 'High Street 1', 'billing.city': 'London' },
      ...{ 'billing.postcode': 'SW1A 1AA', 'billing.country': 'GB' },
    };
    expect((await pay(address)).result).toMatchObject({ avsResponse: 'F', cvvResponse: 'M' });
  });

  it('finds a capture with its authorization, and a decline without its amount', async () => {
    const authorized = await pay({ merchantTransactionId: 'order-0002', paymentType: 'PA' });
    const body = new URLSearchParams({
      entityId,
      paymentType: 'CP',
      amount: '9.00',
      currency: 'EUR',
    });
    const captured = (await send(`/v1/payments/${authorized.id}`, { method: 'POST', body })).body;
    const linked = `?entityId=${entityId}&includeLinkedTransactions=true`;
    const chain = await found(`/v3/query/${authorized.id}${linked}`, 2, 'records');
    expect(chain.records).toEqual([authorized, captured]);
    await pay({
      ...{
        merchantTransactionId: 'order-0003',
        'customParameters[forceResultCode]': '800.100.152',
      },
    });
    const query = `/v1/query?entityId=${entityId}&merchantTransactionId=order-0003`;
    const [declined] = (await found(query, 1)).payments ?? [];
    expect(declined).toMatchObject({ currency: 'EUR', result: { code: '800.100.152' } });
    expect(declined).not.toHaveProperty('amount');
  });

  it('finds by time, and by type within it', async () => {
    const day = (offset: number): string =>
      new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const frame = `entityId=${entityId}&date.from=${day(-1)}+00:00:00&date.to=${day(2)}+00:00:00&limit=500`;
    const declined = await pay({ 'customParameters[forceResultCode]': '800.100.152' });
    const all = (await send(`/v3/query?${frame}`)).body.records ?? [];
    expect(all[0]).toMatchObject({ id: declined.id });
    const captures = all.filter(({ paymentType }) => paymentType === 'CP');
    const filtered = `/v3/query?${frame}&paymentTypes=CP,RF`;
    expect((await found(filtered, captures.length, 'records')).records).toEqual(captures);
    expect((await send(`/v3/query?${frame}&paymentMethods=DD`)).status).toBe(404);
  });

  it(
    'finds what it had answered before it was killed',
    async () => {
      const made = await Promise.all(
        Array.from({ length: 20 }, () => pay({ merchantTransactionId: 'order-0004' })),
      );
      await sandbox.kill();
      await start();
      const query = `/v1/query?entityId=${entityId}&merchantTransactionId=order-0004`;
      const { payments } = await found(query, 20);
      expect(payments?.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
    },
    START_WITHIN_MS,
  );

  it(
    'finds all it has in a data folder that an earlier release had left, without anybody asking',
    async () => {
      const created = await pay({ merchantTransactionId: 'order-0006' });
      const query = `/v1/query?entityId=${entityId}&merchantTransactionId=order-0006`;
      await found(query, 1);
      const sets = async () =>
        asAdministrator([
          "SELECT version, state FROM reporting.table_sets WHERE projection = 'transactions' ORDER BY id",
        ]);
      const [current] = (await sets()) as readonly { readonly version: number }[];
      // What version 1 of the tables lacked.
      await asAdministrator([
        "UPDATE reporting.table_sets SET version = 1 WHERE projection = 'transactions'",
        'ALTER TABLE reporting.transactions_1 DROP COLUMN avs_response, DROP COLUMN cvv_response',
      ]);
      await sandbox.kill();
      await start();
      const later = await pay({ merchantTransactionId: 'order-0006' });
      expect((await found(query, 2)).payments).toEqual([later, created]);
      expect(created.result).toMatchObject({ cvvResponse: 'M' });
      const rebuilt = JSON.stringify([
        { version: 1, state: 'previous' },
        { version: current?.version, state: 'live' },
      ]);
      while (JSON.stringify(await sets()) !== rebuilt) await delay(20);
      expect((await found(query, 2)).payments).toEqual([later, created]);
    },
    START_WITHIN_MS,
  );
});

/** Runs statements in the sandbox's database; the rows of the last one. */
async function asAdministrator(statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: await sandboxDatabaseUrl(folder) });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

describe('a payment that is not served', () => {
  it.each([
    ['BOOKCARD', '600.200.500', { paymentBrand: 'BOOKCARD' }, 'card brand BOOKCARD'],
    ['VISA', '200.300.404', { 'card.number': '4012001037461114' }, 'this test card demands it'],
  ])('by %s, with %s, is answered, read and found alike', async (brand, code, changes, words) => {
    const merchantTransactionId = `order-by-${brand}`;
    const paid = await pay({ ...changes, merchantTransactionId });
    const refused = { paymentType: 'DB', paymentBrand: brand, paymentMethod: 'CC' };
    expect(paid).toMatchObject({ ...refused, result: { code } });
    const read = await send(`/v1/payments/${paid.id}?entityId=${entityId}`);
    expect(read).toMatchObject({ status: 200, body: { ...refused, result: paid.result } });
    expect(JSON.stringify(read.body.result)).toContain(words);
    const query = `/v1/query?entityId=${entityId}&merchantTransactionId=${merchantTransactionId}`;
    const { payments } = await found(query, 1);
    expect(payments).toMatchObject([{ id: paid.id, ...refused, result: paid.result }]);
    const captured = await send(`/v1/payments/${paid.id}`, {
      method: 'POST',
      body: new URLSearchParams({ entityId, paymentType: 'RF', amount: '1.00', currency: 'EUR' }),
    });
    expect(captured.body.result.code).toBe('700.400.520');
  });
});
