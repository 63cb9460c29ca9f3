import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintedAtMs, shortIdOf, type TransactionId } from '@sluice/identifiers';
import { ReportingWorld } from '../test/reporting-fixture.js';
import { ENTITY_ID, OTHER_ENTITY_ID } from '../test/payment-streams-fixture.js';

let world: ReportingWorld;
const ids: TransactionId[] = [];
let foreignId: TransactionId;

beforeAll(async () => {
  world = await ReportingWorld.make();
  await world.start();
  for (const captured of [true, false, false]) {
    const parameters = { merchantTransactionId: 'order-1' };
    const { id, messages } = await world.payments.pay({ captured, parameters, personal: 'sealed' });
    ids.push(id);
    await world.publish(messages);
  }
  const foreign = await world.payments.pay(
    { parameters: { merchantTransactionId: 'order-1' } },
    OTHER_ENTITY_ID,
  );
  foreignId = foreign.id;
  await world.publish(foreign.messages);
}, 60_000);
afterAll(() => world.close());

const search = (parameters: object) =>
  world.search({ by: { merchantTransactionId: 'order-1' }, ...parameters });

describe('a transaction that is found', () => {
  it('is whole, its personal data opened', async () => {
    expect(await world.find(ids[1]!)).toEqual([
      {
        ...{ id: ids[1], operation: 'debit', status: 'approved', resultCode: '000.100.110' },
        ...{ amount: { minor: '9200', currency: 'EUR' }, connectorTxId: 'c1' },
        ...{ entityId: ENTITY_ID, channelName: 'Demo channel', mode: 'INTERNAL' },
        ...{ ndc: `${ENTITY_ID}_1`, recordedAtMs: 1_790_000_000_000 },
        instrument: {
          kind: 'card',
          bin: '420000',
          last4: '0000',
          brand: 'VISA',
          expiryMonth: '05',
          expiryYear: '2034',
        },
        parameters: { merchantTransactionId: 'order-1' },
        personal: { 'card.holder': 'opened sealed' },
      },
    ]);
  });

  it('has what the issuer found about the card, and that its brand was detected', async () => {
    const { id, messages } = await world.payments.pay({ checked: true }, OTHER_ENTITY_ID);
    await world.publish(messages);
    expect(await world.find(id, { entityId: OTHER_ENTITY_ID })).toMatchObject([
      { avsResponse: 'Z', cvvResponse: 'M', instrument: { brand: 'VISA', brandDetected: true } },
    ]);
  });

  it('is never of another tenant', async () => {
    expect(await world.find(foreignId, { includeLinked: true })).toEqual([]);
  });

  it('has what was wanted of a payment that is not served, and is filtered by its method', async () => {
    const unserved = {
      instrument: { kind: 'virtualAccount', brand: 'PAYPAL' },
      resultDescription: 'not served: PAYPAL',
    };
    const parameters = { merchantTransactionId: 'order-paypal' };
    const { id, messages } = await world.payments.pay({ unserved, parameters }, OTHER_ENTITY_ID);
    await world.publish(messages);
    const transactions = await world.find(id, { entityId: OTHER_ENTITY_ID });
    expect(transactions).toMatchObject([{ ...unserved, status: 'rejected' }]);
    const by = { merchantTransactionId: 'order-paypal' };
    for (const [method, count] of [['VA', 1] as const, ['CC', 0] as const]) {
      const found = await search({ entityId: OTHER_ENTITY_ID, by, paymentMethods: [method] });
      expect([method, found.total]).toEqual([method, count]);
    }
  });
});

describe('a query for several', () => {
  it("by the merchant's id has the newest first and none of another tenant", async () => {
    const { transactions, total } = await search({});
    expect(transactions.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(total).toBe(3);
  });

  it('pages without loss or repetition', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (pageNo) => search({ limit: 1, pageNo })),
    );
    expect(pages.flatMap((page) => page.transactions.map(({ id }) => id))).toEqual(
      [...ids].reverse(),
    );
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
  });

  it('has the total on each page: a full one, the last, and one behind it', async () => {
    for (const pageNo of [1, 2, 3]) expect((await search({ limit: 2, pageNo })).total).toBe(3);
    expect((await search({ limit: 3 })).total).toBe(3);
    expect((await search({ limit: 3, operations: [], pageNo: 2 })).total).toBe(0);
  });

  it('by time takes the start and leaves the end (Interface 2.19)', async () => {
    const at = mintedAtMs(ids[1]!);
    const between = async (fromMs: number, toMs: number) =>
      (await search({ by: { fromMs, toMs } })).transactions.map(({ id }) => id);
    expect(await between(at, at + 1)).toContain(ids[1]);
    expect(await between(at - 1_000, at)).not.toContain(ids[1]);
    expect(await between(at + 1, at + 3_600_000)).not.toContain(ids[1]);
    expect(await between(-1, 2 ** 50)).toHaveLength(4);
  });

  it.each([
    ['operations', { operations: ['authorization'] }, () => [ids[0]]],
    ['operations that are not served', { operations: [] }, () => []],
    ['payment methods', { paymentMethods: ['DD', 'CC'] }, () => [...ids].reverse()],
    ['other payment methods', { paymentMethods: ['DD'] }, () => []],
  ])('filters by %s', async (_, filter, expected) => {
    expect((await search(filter)).transactions.map(({ id }) => id)).toEqual(expected());
  });

  it('filters by the short id that answers show', async () => {
    for (const id of ids) {
      const { transactions } = await search({ shortId: shortIdOf(id) });
      expect(transactions.map((found) => found.id)).toEqual([id]);
    }
    expect((await search({ shortId: "x' OR true" })).total).toBe(0);
  });

  it('brings linked transactions along, behind all that it looked for', async () => {
    const { transactions, total } = await search({ includeLinked: true });
    expect(transactions.map(({ operation }) => operation)).toEqual([
      ...['debit', 'debit', 'authorization', 'capture'],
    ]);
    expect(total).toBe(4);
  });

  it('counts linked transactions for the limit, and pages through them too (D-71)', async () => {
    const all = await search({ includeLinked: true });
    for (const limit of [1, 2, 3]) {
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(4 / limit) }, (_, index) =>
          search({ includeLinked: true, limit, pageNo: index + 1 }),
        ),
      );
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 4));
      for (const page of pages) expect(page.transactions.length).toBeLessThanOrEqual(limit);
      expect(pages.flatMap(({ transactions }) => transactions)).toEqual(all.transactions);
    }
  });

  it('brings along what its own filters would leave out', async () => {
    const filtered = await search({ includeLinked: true, operations: ['authorization'] });
    expect(filtered.transactions.map(({ operation }) => operation)).toEqual([
      ...['authorization', 'capture'],
    ]);
    const fromMs = mintedAtMs(ids[0]!) + 1;
    const byCapture = await search({ includeLinked: true, by: { fromMs, toMs: fromMs + 1 } });
    expect(byCapture.transactions.map(({ operation }) => operation)).toEqual([
      ...['capture', 'authorization'],
    ]);
  });

  it('uses an index for all ways to search', async () => {
    const plans = await Promise.all(
      [
        `merchant_transaction_id = 'order-1' AND entity_id = '${ENTITY_ID}'`,
        `entity_id = '${ENTITY_ID}' AND transaction_id >= '${ids[0]!}'`,
        `linked_id = '${ids[0]!}'`,
      ].map(async (where) => {
        const client = await world.admin.connect();
        await client.query('SET enable_seqscan = off');
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT FROM reporting.transactions_1 WHERE ${where} ORDER BY transaction_id DESC`,
        );
        client.release();
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      }),
    );
    expect(plans[0]).toContain('merchant_transaction_id');
    expect(plans[1]).toMatch(/Index (Only )?Scan Backward/);
    expect(plans[2]).toContain('linked_id');
  });
});

describe('what payments have to do with a registration', () => {
  const made: TransactionId[] = [];
  let registrationId: TransactionId;

  beforeAll(async () => {
    // In place of the registration's own row, which another projection has.
    const parameters = { merchantTransactionId: 'order-stored' };
    const stored = await world.payments.pay({ parameters });
    registrationId = stored.id;
    await world.publish(stored.messages);
    for (const captured of [true, false]) {
      const { id, messages } = await world.payments.pay({
        ...{ captured, parameters: { registrationId } },
      });
      made.push(id);
      await world.publish(messages);
    }
    const others = await world.payments.pay({ parameters: { registrationId } }, OTHER_ENTITY_ID);
    const unknown = await world.payments.pay({ parameters: { registrationId: "no id' OR" } });
    await world.publish([...others.messages, ...unknown.messages]);
  });

  const linked = async (transactionId: TransactionId, parameters: object = {}) => {
    const { transactions, total } = await world.linked({ transactionId, ...parameters });
    return { ids: transactions.map(({ id }) => id), total };
  };

  it('are the payments by it, without what refers to them or is of another tenant', async () => {
    expect(await linked(registrationId)).toEqual({ ids: made, total: 2 });
    expect(await linked(registrationId, { entityId: OTHER_ENTITY_ID })).toEqual({
      ...{ ids: [], total: 0 },
    });
    expect(await linked(registrationId, { operations: ['debit'] })).toEqual({
      ...{ ids: [made[1]], total: 1 },
    });
    expect(await linked(registrationId, { paymentMethods: ['VA'] })).toMatchObject({ total: 0 });
    const page = { limit: 1, offset: 1 };
    expect(await linked(registrationId, page)).toEqual({ ids: [made[1]], total: 2 });
  });

  it('is itself of each of them, and of what refers to that', async () => {
    const captured = await world.search({
      ...{ includeLinked: true, by: { merchantTransactionId: 'order-stored' } },
    });
    expect(captured.transactions.map(({ id }) => id)).toEqual([registrationId, ...made]);
    expect(captured.total).toBe(3);
    const [capture] = (await world.find(made[0]!, { includeLinked: true })).filter(
      ({ operation }) => operation === 'capture',
    );
    for (const id of [...made, capture!.id]) {
      expect(await linked(id)).toEqual({ ids: [registrationId], total: 1 });
    }
  });
});
