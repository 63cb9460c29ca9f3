import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  RecordedTransactions,
  ReferenceHeadsAnswer,
  TransactionAnswer,
  TransactionView,
  WantedEntries,
} from '@sluice/contracts';
import { EventStore, type StreamOfTransaction } from '@sluice/event-store';
import { chainShard, newTransactionId, shortIdOf, type TransactionId } from '@sluice/identifiers';
import {
  ENTITY_ID,
  idempotency,
  OTHER_ENTITY_ID,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';
import { PaymentQueries } from './payment-queries.js';
import { StreamQueries } from '@sluice/aggregates';

const PERSONAL = { 'customer.email': 'zoe@example.org' };
const ORDER = { merchantTransactionId: 'order-4711' };

let world: PaymentsWorld;
let payments: PaymentsProcess;
/** A debit under the order's id, three refunds of it, and a debit under the same id. */
let debit: TransactionId;
let refunds: TransactionId[];
let second: TransactionId;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
  debit = await paid(ORDER);
  refunds = [];
  for (const minor of [100, 200, 300]) {
    const refund = reference('refund', debit, minor, { personal: PERSONAL });
    expect(await payments.outcome(refund)).toMatchObject({ status: 'approved' });
    refunds.push(refund.data.transactionId);
  }
  second = await paid(ORDER);
}, 60_000);
afterAll(async () => {
  await payments.die();
  await world.close();
});

async function paid(parameters: Readonly<Record<string, string>>): Promise<TransactionId> {
  const initiation = payments.initiation('debit', 1_000, { parameters, personal: PERSONAL });
  expect(await payments.outcome(initiation)).toMatchObject({ status: 'approved' });
  return initiation.data.transactionId;
}

const ask = <Answer = RecordedTransactions>(query: string, parameters: object): Promise<Answer> =>
  payments.bus.queries.ask<Answer>('payments', query, parameters);

const PAGE: WantedEntries = { limit: 100, pageNo: 1 };
const idsOf = ({ transactions }: RecordedTransactions) => transactions.map(({ id }) => id);

describe('a transaction by its id', () => {
  const entries = (transactionId: TransactionId, parameters: object = {}) =>
    ask('payments.transactionEntries', {
      ...{ transactionId, entityId: ENTITY_ID, includeLinked: false, ...PAGE, ...parameters },
    });

  it('is listed as it is read', async () => {
    const view = await payments.view(refunds[1]!);
    expect(view).toMatchObject({ referencedId: debit, status: 'approved', personal: PERSONAL });
    expect(await entries(refunds[1]!)).toEqual({ transactions: [view], total: 1 });
  });

  it('is read as it was after an earlier event, and never later (R-WH-07)', async () => {
    const at = (atVersion: number, entityId: string = ENTITY_ID) =>
      ask<TransactionAnswer>('payments.transaction', { transactionId: debit, entityId, atVersion });
    const { transaction } = await at(1);
    expect(transaction).toMatchObject({ id: debit, status: 'requested', personal: PERSONAL });
    expect((await at(2)).transaction).toEqual(await payments.view(debit));
    // What has happened to others of its payment since is none of it.
    expect((await at(4)).transaction).toEqual(await payments.view(debit));
    expect(await at(0)).toEqual({});
    expect(await at(2, OTHER_ENTITY_ID)).toEqual({});
  });

  it('comes first, and behind it the others of its payment in their order', async () => {
    const linked = await entries(refunds[1]!, { includeLinked: true });
    const expected = [refunds[1], debit, refunds[0], refunds[2]];
    expect(idsOf(linked)).toEqual(expected);
    const views: (TransactionView | undefined)[] = [];
    for (const id of expected) views.push(await payments.view(id!));
    expect(linked.transactions).toEqual(views);
  });

  it('is filtered with the others, and paged through (D-71)', async () => {
    const linked = { includeLinked: true };
    const refunded = await entries(debit, { ...linked, operations: ['refund'] });
    expect(idsOf(refunded)).toEqual(refunds);
    const page = await entries(debit, { ...linked, limit: 3, pageNo: 2 });
    expect([idsOf(page), page.total]).toEqual([[refunds[2]], 4]);
    expect((await entries(debit, { paymentMethods: ['DD'] })).total).toBe(0);
    expect((await entries(debit, { paymentMethods: ['DD', 'CC'] })).total).toBe(1);
    expect((await entries(debit, { operations: ['refund'] })).total).toBe(0);
  });

  it("is nobody else's", async () => {
    const foreign = { entityId: OTHER_ENTITY_ID, includeLinked: true };
    expect(await entries(debit, foreign)).toEqual({ transactions: [], total: 0 });
  });

  it('costs no more events than it has itself, whatever its payment has', async () => {
    const store = new CountingStore(world.admin, { schema: 'payments' });
    const queries = new PaymentQueries(store, world.keys, new StreamQueries(store, world.keys));
    const query = { transactionId: debit, entityId: ENTITY_ID };
    const answer = await queries.transaction(query);
    expect(answer.transaction).toEqual(await payments.view(debit));
    await queries.transactionEntries({ ...query, ...PAGE, includeLinked: false });
    expect((await store.read(debit)).length).toBe(8);
    expect(store.eventsRead).toEqual([2, 2]);
  });
});

describe('the id of a repetition that nobody replied to (D-36)', () => {
  const KEY_HASH = '0a1b2c3d4e5f'.padEnd(64, '7');
  let first: TransactionId;
  const repeated = newTransactionId(Date.now() + 5, KEY_HASH);

  beforeAll(async () => {
    first = newTransactionId(Date.now(), KEY_HASH);
    const claim = idempotency(first, KEY_HASH);
    await payments.paid('debit', 1_000, { transactionId: first, ...claim, personal: PERSONAL });
  });

  it('shows the transaction that its key has made', async () => {
    const view = await payments.view(repeated);
    expect(view).toMatchObject({ id: first, status: 'approved', personal: PERSONAL });
    expect(view).toEqual(await payments.view(first));
  });

  it('is listed as this one, alone and with its payment', async () => {
    for (const includeLinked of [false, true]) {
      const query = { transactionId: repeated, entityId: ENTITY_ID, includeLinked, ...PAGE };
      expect(idsOf(await ask('payments.transactionEntries', query))).toEqual([first]);
    }
  });

  it('is refunded as this one', async () => {
    const refund = reference('refund', repeated, 100);
    expect(await payments.outcome(refund)).toMatchObject({
      ...{ status: 'approved', referencedId: first, operation: 'refund' },
    });
  });

  it("shows nobody else's, and none of another shard or key", async () => {
    expect(await payments.view(repeated, OTHER_ENTITY_ID)).toBeUndefined();
    const inShard = (shard: string): TransactionId =>
      (repeated.slice(0, 12) + shard + repeated.slice(16)) as TransactionId;
    expect(await payments.view(inShard(chainShard(first)))).toBeDefined();
    expect(await payments.view(inShard('ffff'))).toBeUndefined();
    expect(await payments.view(newTransactionId(Date.now(), '0a1b2c3d4e5e'))).toBeUndefined();
  });

  it('has no outcome of its own: nothing was made with this very id', async () => {
    const outcomeOf = (transactionId: TransactionId, entityId = ENTITY_ID): Promise<unknown> =>
      payments.bus.queries.ask('payments', 'payments.transactionOutcome', {
        ...{ transactionId, entityId },
      });
    expect(await outcomeOf(repeated)).toEqual({});
    expect(await outcomeOf(first)).toMatchObject({ outcome: { id: first, status: 'approved' } });
    expect(await outcomeOf(first, OTHER_ENTITY_ID)).toEqual({});
    expect(JSON.stringify(await outcomeOf(first))).not.toContain('Jane');
  });

  it('was made with an instrument, which those who store it are told with its reference', async () => {
    const instrumentOf = (transactionId: TransactionId, entityId = ENTITY_ID): Promise<unknown> =>
      payments.bus.queries.ask('payments', 'payments.paidInstrument', {
        ...{ transactionId, entityId },
      });
    expect(await instrumentOf(first)).toMatchObject({
      payment: { id: first, status: 'approved', mode: 'INTERNAL', instrument: { kind: 'card' } },
    });
    expect(await instrumentOf(first, OTHER_ENTITY_ID)).toEqual({});
    expect(await instrumentOf(newTransactionId(Date.now()))).toEqual({});
  });

  it('shows nothing where two keys begin alike', async () => {
    const alike = KEY_HASH.slice(0, -1) + '8';
    const other = newTransactionId(Date.now(), alike);
    await payments.paid('debit', 100, { transactionId: other, ...idempotency(other, alike) });
    expect(await payments.view(repeated)).toBeUndefined();
  });
});

describe("a merchant's own id", () => {
  it('leads to its payments, and how far they have come', async () => {
    const query = { entityId: ENTITY_ID, ...ORDER };
    const answer = await ask<ReferenceHeadsAnswer>('payments.referenceHeads', query);
    expect(answer.more).toBe(false);
    expect(new Map(answer.heads.map(({ streamId, version }) => [streamId, version]))).toEqual(
      new Map([
        [debit, 8],
        [second, 2],
      ]),
    );
    const foreign = { ...query, entityId: OTHER_ENTITY_ID };
    const other = await ask<ReferenceHeadsAnswer>('payments.referenceHeads', foreign);
    expect(other.heads).toEqual([]);
  });

  const search = (parameters: object = {}) =>
    ask('payments.transactionsByReference', {
      ...{ entityId: ENTITY_ID, by: ORDER, includeLinked: false, ...PAGE, ...parameters },
    });

  it('finds what a search finds, newest first, as each is read', async () => {
    const everywhere = { carried: [[0, 0xffff]] };
    const found = await search();
    expect(found).toEqual({
      transactions: [await payments.view(second), await payments.view(debit)],
      total: 2,
      ...everywhere,
    });
    const nothing = { transactions: [], total: 0, ...everywhere };
    expect(await search({ entityId: OTHER_ENTITY_ID })).toEqual(nothing);
    expect((await search({ by: { merchantTransactionId: 'order-0' } })).total).toBe(0);
  });

  it('brings linked transactions along behind them, filtered and paged as rows are', async () => {
    const all = await search({ includeLinked: true });
    expect(idsOf(all)).toEqual([second, debit, ...refunds]);
    const page = await search({ includeLinked: true, limit: 2, pageNo: 2 });
    expect([idsOf(page), page.total]).toEqual([[refunds[0], refunds[1]], 5]);
    expect(idsOf(await search({ shortId: shortIdOf(debit) }))).toEqual([debit]);
    expect((await search({ operations: ['refund'] })).total).toBe(0);
    expect((await search({ paymentMethods: ['DD'] })).total).toBe(0);
  });
});

/** Notes how many events it hands over of single transactions. */
class CountingStore extends EventStore {
  readonly eventsRead: number[] = [];

  override async readTransaction(id: string): Promise<StreamOfTransaction | undefined> {
    const found = await super.readTransaction(id);
    this.eventsRead.push(found?.events.length ?? 0);
    return found;
  }

  override readByTransaction(): Promise<never> {
    throw new Error('The whole payment is read.');
  }
}
