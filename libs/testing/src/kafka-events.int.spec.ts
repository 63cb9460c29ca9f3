import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { declareEvents, type TopicDeclaration } from '@sluice/contracts';
import { type EventBatch, KafkaBus, MessagesRefused } from '@sluice/messaging';
import { newGate, until } from './gate.js';
import { freshTopics, type TopicsOfTest } from './kafka-messaging-fixture.js';
import { event } from './contract-messages.js';
import { testKafka } from './test-kafka.js';

const TOPIC = 'ledger.book.v1';
/** A tenth of what the broker takes otherwise, so that a gathered batch does not fit. */
const SMALL_BYTES = 100_000;

describe('events over Kafka', () => {
  const kafka = testKafka();
  let topics: TopicsOfTest;
  let buses: KafkaBus[];

  async function useTopics(declarations: readonly TopicDeclaration[]): Promise<void> {
    topics = await freshTopics(kafka.brokers, kafka.topicPrefix, declarations);
  }

  beforeEach(async () => {
    buses = [];
    await useTopics(declareEvents(TOPIC, 4));
  });

  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
  });

  function newBus(): KafkaBus {
    const bus = new KafkaBus({ ...topics, clientId: 'events' });
    buses.push(bus);
    return bus;
  }

  /** Each id as it came first: delivery is at least once. */
  const idsOf = (batches: readonly EventBatch[]) => [
    ...new Set(batches.flatMap(({ messages }) => messages.map(({ message }) => message.id))),
  ];

  it('that are too large together are sent apart, and one that is too large fails alone', async () => {
    const small = declareEvents(TOPIC, 1).map((topic) => ({
      ...topic,
      config: { ...topic.config, 'max.message.bytes': String(SMALL_BYTES) },
    }));
    await useTopics(small);
    const bus = newBus();
    const text = 'x'.repeat(1_000);
    const messages = Array.from({ length: 400 }, (_, n) => event('key', String(n), { text }));
    messages.splice(200, 0, event('key', 'huge', { text: 'x'.repeat(2 * SMALL_BYTES) }));
    const failure = await bus.events.publish(TOPIC, messages).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MessagesRefused);
    expect((failure as MessagesRefused).messageIds).toEqual(['huge']);
    const seen: EventBatch[] = [];
    await bus.events.subscribe({
      group: 'reader',
      topics: [TOPIC],
      handle: (batch) => Promise.resolve(void seen.push(batch)),
    });
    await until(() => idsOf(seen).length >= 400);
    expect(idsOf(seen)).toEqual(Array.from({ length: 400 }, (_, n) => String(n)));
  });

  it('are read from behind the position that the subscriber names, whatever was committed', async () => {
    const bus = newBus();
    const messages = Array.from({ length: 40 }, (_, n) => event(`key ${n % 7}`, String(n)));
    await bus.events.publish(TOPIC, messages);
    const first: EventBatch[] = [];
    const subscription = await bus.events.subscribe({
      group: 'reader',
      topics: [TOPIC],
      handle: (batch) => Promise.resolve(void first.push(batch)),
    });
    await until(() => idsOf(first).length === 40);
    await subscription.close();

    const second: EventBatch[] = [];
    const asked: string[] = [];
    await bus.events.subscribe({
      group: 'reader',
      topics: [TOPIC],
      startAfter: (topic, partition) => {
        asked.push(`${topic}/${partition}`);
        return Promise.resolve('2');
      },
      handle: (batch) => Promise.resolve(void second.push(batch)),
    });
    const expected = first
      .flatMap(({ messages: received }) => received)
      .filter(({ offset }) => Number(offset) > 2);
    const expectedIds = [...new Set(expected.map(({ message }) => message.id))].sort();
    await until(() => idsOf(second).length >= expectedIds.length);
    expect(asked.sort()).toEqual([0, 1, 2, 3].map((partition) => `${TOPIC}/${partition}`));
    expect(idsOf(second).sort()).toEqual(expectedIds);
  });

  it('go on where the last instance has stopped when the subscriber names no position', async () => {
    const bus = newBus();
    const seen = new Set<string>();
    const subscribe = () =>
      bus.events.subscribe({
        group: 'reader',
        topics: [TOPIC],
        handle: (batch) => {
          for (const id of idsOf([batch])) seen.add(id);
          return Promise.resolve();
        },
      });
    const first = await subscribe();
    await bus.events.publish(TOPIC, [event('a', '1'), event('b', '2')]);
    await until(() => seen.size === 2);
    await first.close();
    seen.clear();
    await bus.events.publish(TOPIC, [event('a', '3'), event('b', '4')]);
    await subscribe();
    await until(() => seen.has('3') && seen.has('4'));
    expect([...seen].sort()).toEqual(['3', '4']);
  });

  it('of one partition wait for a position that nobody knows yet', async () => {
    const bus = newBus();
    await bus.events.publish(TOPIC, [event('a', '1')]);
    const known = newGate();
    const seen: string[] = [];
    let tries = 0;
    await bus.events.subscribe({
      group: 'reader',
      topics: [TOPIC],
      startAfter: async () => {
        tries += 1;
        if (tries === 1) throw new Error('the database is away');
        await known.opened;
        return undefined;
      },
      handle: (batch) => Promise.resolve(void seen.push(...idsOf([batch]))),
    });
    await until(() => tries > 4);
    expect(seen).toEqual([]);
    known.open();
    await until(() => seen.length > 0);
    expect(new Set(seen)).toEqual(new Set(['1']));
  });

  it('of a slow partition hold up no other', async () => {
    const bus = newBus();
    const gate = newGate();
    const seen: string[] = [];
    await bus.events.subscribe({
      group: 'reader',
      topics: [TOPIC],
      handle: async (batch) => {
        const ids = idsOf([batch]);
        if (ids.includes('slow')) await gate.opened;
        seen.push(...ids);
      },
    });
    await bus.events.publish(TOPIC, [event('slow', 'slow')]);
    // Of many keys most lie in other partitions.
    for (let n = 0; n < 40; n += 1) await bus.events.publish(TOPIC, [event(`key ${n}`, String(n))]);
    await until(() => seen.length >= 20);
    expect(seen).not.toContain('slow');
    gate.open();
    await until(() => new Set(seen).size === 41);
  });
});
