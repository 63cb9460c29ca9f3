import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadTopicOf, eventTopics, type Message } from '@sluice/contracts';
import { newMessageId, newTransactionId } from '@sluice/identifiers';
import { Feeder, fedTableSet, QueriedEventSource, requestRedrive } from '@sluice/projections';
import { createLogger } from '@sluice/service';
import { seededRandom } from '@sluice/testing';
import { randomUUID } from 'node:crypto';
import { eventually, ReportingWorld } from '../test/reporting-fixture.js';
import { paymentEvents } from '../test/payment-streams-fixture.js';
import { transactions } from './projections/transactions.projection.js';

let world: ReportingWorld;

beforeAll(async () => {
  world = await ReportingWorld.make();
  await world.start({ compareHeadsMs: 600_000 });
}, 60_000);
afterAll(() => world.close());

async function parked(): Promise<readonly { stream_id: string; version: number }[]> {
  const { rows } = await world.admin.query<{ stream_id: string; version: number }>(
    'SELECT stream_id, version FROM reporting.parked ORDER BY stream_id, version',
  );
  return rows;
}

describe('published events', () => {
  it('become one row a transaction', async () => {
    const { id, messages } = await world.payments.pay({
      captured: true,
      parameters: { merchantTransactionId: 'order-4711' },
    });
    await world.publish(messages);
    const rows = await world.rows();
    expect(rows).toMatchObject([
      { status: 'approved', result_code: '000.100.110', merchant_transaction_id: 'order-4711' },
      { status: 'declined', operation: 'capture', result_details: '{"a":"b"}' },
    ]);
    expect(String(rows[0]?.['transaction_id']).replaceAll('-', '')).toBe(id);
    expect(JSON.stringify(rows)).not.toContain('vaultReference');
  });

  it('delivered three times and in any order make the same rows (R-ES-05)', async () => {
    const random = seededRandom('R-ES-05');
    const payments = await Promise.all(
      Array.from({ length: 30 }, (_, n) => world.payments.pay({ captured: n % 2 === 0 })),
    );
    const once = payments.flatMap(({ messages }) => messages);
    await world.publish(once);
    const expected = await world.rows();
    const again: Message[] = [...once, ...once, ...once];
    for (let index = again.length - 1; index > 0; index -= 1) {
      const other = random.integer(0, index);
      [again[index], again[other]] = [again[other]!, again[index]!];
    }
    await world.publish(again);
    expect(await world.rows()).toEqual(expected);
  });

  it('that arrive shuffled for the first time end as in order', async () => {
    const { id, messages } = await world.payments.pay({ captured: true });
    await world.publish([...messages].reverse());
    const { rows } = await world.admin.query(
      'SELECT version FROM reporting.transactions_1_streams WHERE stream_id = $1',
      [id],
    );
    expect(rows).toEqual([{ version: 4 }]);
    expect(world.payments.healed).toContain(id);
  });

  it('wait while payments cannot fill a hole, and are not lost', async () => {
    const { id, messages } = await world.payments.pay();
    world.payments.isAway = true;
    const published = world.publish(messages.slice(1));
    await new Promise((resolve) => setImmediate(resolve));
    world.payments.isAway = false;
    await published;
    expect(await world.find(id)).toMatchObject([{ id, status: 'approved' }]);
  });
});

describe('a poison event', () => {
  it('is parked with the rest of its stream, and others flow (R-ES-07)', async () => {
    const id = newTransactionId(Date.now());
    const [initiated, approved] = paymentEvents(id);
    const bad = { type: 'PaymentInitiated', data: { ...initiated?.data, transactionId: 'x' } };
    const dead: Message[] = [];
    const subscription = await world.bus.events.subscribe({
      group: 'test',
      topics: ['payments.payment.v1.dead'],
      handle: async ({ messages }) => {
        dead.push(...messages.map(({ message }) => message));
      },
    });
    const poison = await world.payments.record(id, [bad, approved!]);
    const { id: otherId, messages } = await world.payments.pay();
    await world.publish([...poison, ...messages]);
    expect(await parked()).toEqual([
      { stream_id: id, version: 1 },
      { stream_id: id, version: 2 },
    ]);
    expect(dead.map((message) => message.id)).toEqual([poison[0]?.id]);
    expect(
      (await world.rows()).map((row) => String(row['stream_id']).replaceAll('-', '')),
    ).toContain(otherId);
    const later = await world.payments.record(id, [approved!]);
    await world.publish(later);
    expect(await parked()).toHaveLength(3);
    await subscription.close();
  });

  it('is tried again when asked for, and its stream goes on once it can', async () => {
    const before = await parked();
    const id = before[0]?.stream_id ?? '';
    expect(await requestRedrive(world.admin, 'reporting', id)).toBe(1);
    const asked = async (): Promise<boolean> => {
      const { rows } = await world.admin.query(
        'SELECT FROM reporting.parked WHERE redrive_requested_at IS NOT NULL',
      );
      return rows.length === 0;
    };
    await eventually(asked);
    expect(await parked()).toEqual(before);
    // The owner mends its record; only a superuser can.
    await world.admin.query(
      `UPDATE payments.events SET data = replace(data::text, '"x"', '"' || stream_id || '"')::json
       WHERE stream_id = $1`,
      [id],
    );
    await requestRedrive(world.admin, 'reporting');
    await eventually(async () => (await parked()).length === 0);
    const { rows } = await world.admin.query(
      'SELECT version FROM reporting.transactions_1_streams WHERE stream_id = $1',
      [id],
    );
    expect(rows).toEqual([{ version: 3 }]);
  });
});

describe('events that never arrive', () => {
  it('are found by comparing heads, the last of a stream included (R-ES-06)', async () => {
    const lost = await Promise.all(Array.from({ length: 20 }, () => world.payments.pay()));
    const halfLost = await world.payments.pay({ captured: true });
    await world.publish(halfLost.messages.slice(0, 3));
    await world.stop();
    await world.start({ compareHeadsMs: 50 });
    const known = async (): Promise<ReadonlySet<string>> =>
      new Set((await world.rows()).map((row) => String(row['transaction_id']).replaceAll('-', '')));
    await eventually(async () => {
      const ids = await known();
      return lost.every(({ id }) => ids.has(id));
    });
    await eventually(async () =>
      (await world.rows()).some(
        (row) =>
          String(row['stream_id']).replaceAll('-', '') === halfLost.id &&
          row['status'] === 'declined',
      ),
    );
    // While it runs as well, not only at its start.
    const later = await world.payments.pay();
    await eventually(async () => (await known()).has(later.id));
  });
});

describe('what is no event of payments', () => {
  it('goes to the dead letters, once, and holds nothing up', async () => {
    const { messages, id } = await world.payments.pay();
    const [first] = messages;
    const spoilt = [
      null,
      [],
      'x',
      { version: 1, event: {} },
      ...[
        { streamId: 'x\u0000' },
        { streamId: 7 },
        { version: 1e30 },
        { version: 0 },
        { version: 1.5 },
        { incarnation: 'none' },
        { event: null },
        { metadata: [] },
      ].map((change) => ({ ...(first!.data as object), ...change })),
    ].map((data) => ({ ...first!, id: newMessageId(Date.now()), data }));
    const dead: string[] = [];
    const subscription = await world.bus.events.subscribe({
      group: 'dead letters of this test',
      topics: [deadTopicOf(eventTopics.payments)],
      handle: ({ messages: copies }) => {
        dead.push(...copies.map(({ message }) => message.id));
        return Promise.resolve();
      },
    });
    await world.publish(spoilt);
    await world.publish(messages);
    expect(dead.sort()).toEqual(spoilt.map((message) => message.id).sort());
    expect((await world.rows()).map((row) => row['transaction_id'])).toContain(dashed(id));
    await subscription.close();
  });
});

describe('a batch that comes again', () => {
  it('copies what is no event once, however often its other events cannot be applied', async () => {
    const { messages } = await world.payments.pay();
    const [first] = messages;
    const spoilt = { ...first!, id: newMessageId(Date.now()), data: null };
    const copied: string[] = [];
    const publish = (_topic: string, copies: readonly Message[]): Promise<void> => {
      copied.push(...copies.map(({ id }) => id));
      return Promise.resolve();
    };
    const feeder = new Feeder(fedTableSet(transactions, 'reporting', 1), {
      pool: world.admin,
      source: new QueriedEventSource(world.payments.queries, transactions),
      events: { publish },
      logger: createLogger({ service: 'reporting', level: 'silent' }),
    });
    const received = [spoilt, ...messages].map((message, index) => ({
      offset: String(index),
      message,
    }));
    const batch = { topic: eventTopics.payments, partition: 0, messages: received };
    await world.admin.query('ALTER TABLE reporting.parked RENAME TO parked_away');
    for (let time = 0; time < 3; time += 1) await expect(feeder.handle(batch)).rejects.toThrow();
    await world.admin.query('ALTER TABLE reporting.parked_away RENAME TO parked');
    await feeder.handle(batch);
    expect(copied).toEqual([spoilt.id]);
  });
});

describe('events of another store', () => {
  const ofAnother = (messages: readonly Message[], incarnation: string): readonly Message[] =>
    messages.map((message) => ({
      ...message,
      data: { ...(message.data as object), incarnation },
    }));

  it('are passed over, the first ones after an empty start too', async () => {
    const { messages, id } = await world.payments.pay();
    const gone = await world.payments.pay();
    await world.admin.query('UPDATE reporting.table_sets SET incarnation = NULL');
    await world.stop();
    await world.start();
    await world.publish(ofAnother(gone.messages, randomUUID()));
    await world.publish(messages);
    const rows = (await world.rows()).map((row) => row['transaction_id']);
    expect(rows).toContain(dashed(id));
  });

  it('are not mixed with rows of the one before when that is what payments has now (D-23)', async () => {
    const { messages } = await world.payments.pay();
    await world.publish(messages);
    // Stopped before it is paid, or the comparison of heads finds it while the store is still its own.
    await world.stop();
    const other = await world.payments.pay();
    await world.admin.query('UPDATE reporting.table_sets SET incarnation = $1', [randomUUID()]);
    await world.start();
    const told = 'The store of payments was restored; a table set of the one before is not fed.';
    await eventually(() => Promise.resolve(world.log.count(told) > 0));
    const before = await world.count();
    // Refused by whoever is still there, or taken by nobody.
    await world.publish(other.messages).catch(() => undefined);
    await world.stop();
    expect(await world.count()).toBe(before);
    const rows = (await world.rows()).map((row) => row['transaction_id']);
    expect(rows).not.toContain(dashed(other.id));
  });
});

function dashed(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
