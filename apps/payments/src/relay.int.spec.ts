import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningRelay, startRelay } from '@sluice/aggregates';
import {
  eventTopics,
  type Message,
  type PersonalParametersAnswer,
  type PaymentEvents,
  type PublishedEvent,
  type EventsOfStreamsAnswer,
  STREAM_EVENTS_MAX,
  STREAM_HEADS_MAX,
  type StreamEventsAnswer,
  type StreamHeadsAnswer,
} from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import { MessagesRefused } from '@sluice/messaging';
import { createLogger } from '@sluice/service';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
}, 60_000);
afterAll(async () => {
  await payments.die();
  await world.close();
});

/** Runs a relay until the outbox is empty; gives back what it published. */
async function relayed(
  fault: (messages: readonly Message[]) => void = () => undefined,
): Promise<PublishedEvent[]> {
  const published: PublishedEvent[] = [];
  const relay: RunningRelay = await startRelay({
    ...{ service: 'payments', schema: 'payments', topic: eventTopics.payments },
    databaseUrl: world.database.appUrl,
    limits: { pollMs: 1, idlePollMs: 5, unsignalledPollMs: 5 },
    events: {
      publish: async (topic, messages) => {
        expect(topic).toBe(eventTopics.payments);
        fault(messages);
        published.push(...(messages as PublishedEvent[]));
      },
    },
    logger: createLogger({ service: 'relay', level: 'silent' }),
  });
  try {
    while ((await relay.lag()).waiting > 0);
  } finally {
    await relay.close();
  }
  return published;
}

async function paid(): Promise<TransactionId> {
  const personal = { 'customer.givenName': 'Zoë', 'customer.email': 'zoe@example.org' };
  const parameters = { merchantTransactionId: 'order-0001' };
  const command = payments.initiation('debit', 10_000, { personal, parameters });
  return (await payments.outcome(command)).id;
}

function ask<Answer>(query: string, parameters: object): Promise<Answer> {
  return payments.bus.queries.ask<Answer>('payments', query, parameters);
}

function sealedOf(events: readonly PublishedEvent[], streamId: string): string {
  const first = events.find(({ key }) => key === streamId);
  if (first?.type !== 'PaymentInitiated') throw new Error('no first event');
  const { personal = '' } = first.data.event as PaymentEvents['PaymentInitiated'];
  return personal;
}

describe('the relay of payments', () => {
  it('publishes every event of a payment, in order, and nothing secret', async () => {
    const id = await paid();
    await payments.outcome(reference('refund', id, 4_000));
    const events = (await relayed()).filter(({ key }) => key === id);
    expect(events.map(({ type, data }) => [data.version, type])).toEqual([
      [1, 'PaymentInitiated'],
      [2, 'TransactionApproved'],
      [3, 'TransactionRequested'],
      [4, 'TransactionApproved'],
    ]);
    const [first] = events;
    expect(first?.data).toMatchObject({
      streamId: id,
      event: { amount: { minor: '10000', currency: 'EUR' }, parameters: {} },
      metadata: { channelName: 'demo', mode: 'INTERNAL' },
    });
    expect(first?.data.metadata).toMatchObject({ ndc: first?.correlationId });
    const text = JSON.stringify(events);
    for (const secret of ['4200000000000000', 'Zoë', 'zoe@example.org']) {
      expect(text).not.toContain(secret);
    }
  });

  it('parks what the transport refuses, with its stream, and no other', async () => {
    const [bad, good] = [await paid(), await paid()];
    const events = await relayed((messages) => {
      const refused = messages.filter(({ key }) => key === bad).map(({ id }) => id);
      if (refused.length > 0) throw new MessagesRefused(refused, 'too large');
    });
    expect(events.map(({ key }) => key)).toEqual([good, good]);
    const { rows } = await world.admin.query<{ version: number; reason: string }>(
      'SELECT version, reason FROM payments.outbox_parked ORDER BY version',
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 2]);
    expect(rows[0]?.reason).toContain('too large');
  });
});

describe('the queries about streams', () => {
  it('give what was published again, from any version on', async () => {
    const id = await paid();
    const events = (await relayed()).filter(({ key }) => key === id);
    const all = await ask<StreamEventsAnswer>('payments.streamEvents', {
      streamId: id,
      afterVersion: 0,
    });
    expect(all.events).toEqual(events);
    expect(all.events.length).toBeLessThan(STREAM_EVENTS_MAX);
    for (const [streamId, afterVersion, count] of [
      [id, 1, 1],
      [id, 2, 0],
      [newTransactionId(Date.now()), 0, 0],
    ] as const) {
      const query = { streamId, afterVersion };
      const some = await ask<StreamEventsAnswer>('payments.streamEvents', query);
      expect(some.events).toHaveLength(count);
    }
  });

  it('give many at once', async () => {
    const ids = [await paid(), newTransactionId(Date.now()), await paid()];
    const { streams } = await ask<EventsOfStreamsAnswer>('payments.eventsOfStreams', {
      streamIds: ids,
    });
    const each = await Promise.all(
      ids.map((streamId) =>
        ask<StreamEventsAnswer>('payments.streamEvents', { streamId, afterVersion: 0 }),
      ),
    );
    expect(streams).toEqual(each.map(({ events }) => events));
    expect(streams[0]).toHaveLength(2);
  });

  it('give the heads that have changed since a cursor', async () => {
    const heads = (query: object): Promise<StreamHeadsAnswer> =>
      ask<StreamHeadsAnswer>('payments.streamHeads', { olderThanMs: 0, limit: 1_000, ...query });
    const { next: start } = await heads({});
    const id = await paid();
    const page = await heads({ after: start });
    expect(page).toMatchObject({ heads: [{ streamId: id, version: 2 }], more: false });
    const [published] = await relayed();
    expect(published?.data.incarnation).toBe(page.incarnation);
    expect(await heads({ after: page.next })).toMatchObject({ heads: [], next: page.next });
    expect((await heads({ after: start, olderThanMs: 60_000 })).heads).toEqual([]);
    for (const wrong of [{ limit: 0 }, { limit: STREAM_HEADS_MAX + 1 }, { after: '1; DROP' }]) {
      await expect(heads(wrong)).rejects.toThrow('no answer');
    }
  });

  it('open personal parameters, each for itself', async () => {
    const [kept, erased] = [await paid(), await paid()];
    const events = await relayed();
    await world.admin.query('DELETE FROM payments.personal_keys WHERE stream_id = $1', [erased]);
    const item = (streamId: string, transactionId = streamId) => ({
      streamId,
      transactionId,
      sealed: sealedOf(events, streamId),
    });
    const items = [item(kept), item(erased), item(kept, erased)];
    const answer = await ask<PersonalParametersAnswer>('payments.personalParameters', { items });
    expect(answer.blocks).toEqual([
      {
        state: 'opened',
        personal: { 'customer.givenName': 'Zoë', 'customer.email': 'zoe@example.org' },
      },
      { state: 'erased', personal: {} },
      { state: 'unreadable', personal: {} },
    ]);
    const many = { items: Array.from({ length: 501 }, () => item(kept)) };
    await expect(ask('payments.personalParameters', many)).rejects.toThrow('no answer');
  });
});
