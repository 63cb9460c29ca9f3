import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { finishRestoration } from '@sluice/event-store';
import { newTransactionId } from '@sluice/identifiers';
import { eventually, ReportingWorld } from '../test/reporting-fixture.js';
import {
  ENTITY_ID,
  FROM_STREAMS,
  momentOf,
  OTHER_ENTITY_ID,
  paymentEvents,
} from '../test/payment-streams-fixture.js';

/** Long enough for whatever a test does meanwhile. */
const LONG_MS = 30_000;

let world: ReportingWorld;
let references = 0;
let reference: string;

beforeAll(async () => {
  world = await ReportingWorld.make();
}, 60_000);
afterAll(() => world.close());
beforeEach(() => {
  references += 1;
  reference = `order-${references}`;
  world.payments.asked.length = 0;
});
afterEach(async () => {
  world.payments.isAway = false;
  world.payments.hasMore = false;
  await world.stop();
});

const pay = (entityId = ENTITY_ID) =>
  world.payments.pay({ parameters: { merchantTransactionId: reference } }, entityId);

const byReference = (parameters: object = {}) =>
  world.search({ by: { merchantTransactionId: reference }, ...parameters });

async function behind(by: string): Promise<number> {
  const line = new RegExp(`^sluice_queries_behind_total\\{by="${by}"\\} ([0-9]{1,9})$`, 'm');
  return Number(line.exec(await world.metrics.exposition())?.[1] ?? 0);
}

describe("a query by the merchant's own id", () => {
  it('waits for the rows of what was recorded before it came', async () => {
    await world.startCompared({}, LONG_MS);
    const { id, messages } = await pay();
    const [begun, approved] = messages;
    const found = byReference();
    await world.publish([begun!]);
    await world.publish([approved!]);
    expect(await found).toMatchObject({ transactions: [{ id, status: 'approved' }], total: 1 });
    expect(world.payments.asked).toEqual([]);
  });

  it('waits for nobody else', async () => {
    await world.startCompared({}, LONG_MS);
    await pay(OTHER_ENTITY_ID);
    reference = 'another';
    const { id, messages } = await pay();
    await world.publish(messages);
    expect((await byReference()).transactions).toMatchObject([{ id }]);
    reference = 'nobody has it';
    expect(await byReference()).toEqual({ transactions: [], total: 0 });
  });

  it('is answered from the payments themselves when the rows do not come', async () => {
    await world.startCompared();
    const before = await behind('merchantTransactionId');
    await pay();
    const query = { operations: ['debit'], limit: 200, pageNo: 2, includeLinked: true };
    // What other streams have to do with them is in the rows alone.
    expect(await byReference(query)).toEqual({ ...FROM_STREAMS, isBehind: true });
    expect(world.payments.asked).toEqual([
      { ...query, entityId: ENTITY_ID, by: { merchantTransactionId: reference } },
    ]);
    expect(await behind('merchantTransactionId')).toBe(before + 1);
  });

  it('does not wait for a payment of which an event is parked', async () => {
    await world.startCompared({}, LONG_MS);
    const id = newTransactionId(Date.now());
    const parameters = { merchantTransactionId: reference };
    const [begun, approved] = paymentEvents(id, { parameters });
    const bad = { ...begun!, data: { ...begun!.data, transactionId: 'x' } };
    await world.publish(await world.payments.record(id, [bad, approved!]));
    expect(await byReference()).toEqual(FROM_STREAMS);
  });

  it('does not believe rows of a store that was restored', async () => {
    await world.startCompared({ compareHeadsMs: 600_000 }, LONG_MS);
    const { messages } = await pay();
    await world.publish(messages);
    expect((await byReference()).total).toBe(1);
    const [row] = (await world.admin.query('SELECT id FROM payments.incarnation')).rows as [
      { readonly id: string },
    ];
    await finishRestoration(world.admin, 'payments');
    expect(await byReference()).toEqual(FROM_STREAMS);
    await world.admin.query('UPDATE payments.incarnation SET id = $1', [row.id]);
  });

  it('of more payments than one answer has waits for all rows, and pages through them', async () => {
    await world.startCompared({}, LONG_MS);
    world.payments.hasMore = true;
    const { id, messages } = await pay();
    const found = byReference();
    await world.publish(messages);
    expect((await found).transactions).toMatchObject([{ id }]);
    await world.stop();
    await world.startCompared();
    await pay();
    expect(await byReference()).toMatchObject({ total: 1, transactions: [{ id }] });
    expect(world.payments.asked).toEqual([]);
  });

  it('has no answer while payments cannot be asked', async () => {
    await world.startCompared({}, LONG_MS);
    world.payments.isAway = true;
    await expect(byReference()).rejects.toThrow('no answer');
  });
});

describe('a query by time', () => {
  it('waits for all that was recorded before it came', async () => {
    await world.startCompared({}, LONG_MS);
    const [early, late] = [await pay(), await pay(OTHER_ENTITY_ID)];
    const found = world.search({ by: momentOf(early.id) });
    await world.publish(late.messages);
    await world.publish(early.messages);
    expect((await found).transactions).toMatchObject([{ id: early.id, status: 'approved' }]);
  });

  it('looks no further back than where it saw everything in the rows', async () => {
    await world.startCompared({ compareHeadsMs: 600_000 }, LONG_MS);
    const { id, messages } = await pay();
    await world.publish(messages);
    await world.find(id);
    world.payments.headsLooked.length = 0;
    await world.find(id);
    expect(world.payments.headsLooked).toEqual([0]);
  });

  it('is answered as far as the rows are when they do not come, and counted', async () => {
    await world.startCompared({ compareHeadsMs: 600_000 });
    const before = await behind('time');
    const published = await pay();
    await world.publish(published.messages);
    const unpublished = await pay();
    const by = { fromMs: momentOf(published.id).fromMs, toMs: momentOf(unpublished.id).toMs };
    const early = await world.search({ by });
    expect(early).toMatchObject({ transactions: [{ id: published.id }], isBehind: true });
    expect(await behind('time')).toBe(before + 1);
    await world.publish(unpublished.messages);
    const whole = await world.search({ by });
    expect([whole.total, whole.isBehind]).toEqual([2, undefined]);
    expect(await behind('time')).toBe(before + 1);
  });

  it('is answered while payments cannot be asked', async () => {
    await world.startCompared({}, LONG_MS);
    const { id, messages } = await pay();
    await world.publish(messages);
    await eventually(async () => (await world.find(id)).length === 1);
    const before = await behind('time');
    world.payments.isAway = true;
    expect(await world.find(id)).toMatchObject([{ id }]);
    expect(await behind('time')).toBe(before + 1);
  });
});
