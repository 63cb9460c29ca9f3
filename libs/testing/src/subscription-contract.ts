import { expect, it } from '@jest/globals';
import type { Message } from '@sluice/contracts';
import type { EventBatch, Events, EventSubscription } from '@sluice/messaging';
import { newGate, nextTurn, until } from './gate.js';
import { event } from './contract-messages.js';

/** The rules of `Events.subscribe`, which each adapter keeps. */
export function subscriptionContract(messaging: () => { readonly events: Events }): void {
  const topic = 'ledger.book.v1';
  const book: Topic = {
    subscribe: (fields) =>
      messaging().events.subscribe({ group: 'reporting', topics: [topic], ...fields }),
    publish: (messages) => messaging().events.publish(topic, messages),
  };
  everyGroup(book);
  rejections(book);
  oneGroup(book);
}

/** One topic of the adapter. */
interface Topic {
  readonly subscribe: (
    fields: Partial<EventSubscription> & Pick<EventSubscription, 'handle'>,
  ) => ReturnType<Events['subscribe']>;
  readonly publish: (messages: readonly Message[]) => Promise<void>;
}

function everyGroup({ subscribe, publish }: Topic): void {
  it('of every group get every event, per partition in order and with growing offsets', async () => {
    const messages = Array.from({ length: 60 }, (_, n) => event(`key ${n % 5}`, String(n)));
    const seen = { reporting: [] as EventBatch[], webhooks: [] as EventBatch[] };
    const complete = newGate();
    for (const group of ['reporting', 'webhooks'] as const) {
      await subscribe({
        group,
        handle: async (batch) => {
          await nextTurn();
          seen[group].push(batch);
          if (Object.values(seen).every((batches) => distinct(batches).length === 60))
            complete.open();
        },
      });
    }
    await publish(messages.slice(0, 30));
    await publish(messages.slice(30));
    await complete.opened;
    for (const batches of Object.values(seen)) {
      const received = distinct(batches);
      for (const key of ['key 0', 'key 1', 'key 2', 'key 3', 'key 4']) {
        expect(received.filter((message) => message.key === key)).toStrictEqual(
          messages.filter((message) => message.key === key),
        );
      }
      expectGrowingOffsets(batches);
    }
  });
}

function rejections({ subscribe, publish }: Topic): void {
  it('that reject get the same messages again before any later one; other partitions flow', async () => {
    const log: string[] = [];
    const away = newGate();
    const complete = newGate();
    let isAway = true;
    await subscribe({
      handle: ({ messages }) => {
        const keys = new Set(messages.map(({ message }) => message.key));
        if (isAway && keys.has('away')) {
          log.push('rejected');
          if (log.filter((line) => line === 'rejected').length > 1) away.open();
          return Promise.reject(new Error('the database is away'));
        }
        log.push(...messages.map(({ message }) => message.id));
        if (log.includes('last')) complete.open();
        return Promise.resolve();
      },
    });
    const publishing = publish([event('away', 'first'), event('away', 'second')]);
    await away.opened;
    // One of eight other keys lies in another partition, wherever the adapter puts them.
    const others = Array.from({ length: 8 }, (_, n) => event(`other ${n}`, `beside ${n}`));
    const publishingOthers = publish(others);
    await until(() => log.some((line) => line.startsWith('beside')));
    isAway = false;
    const publishingLast = publish([event('away', 'last')]);
    await complete.opened;
    await Promise.all([publishing, publishingOthers, publishingLast]);
    const own = log.filter((line) => ['first', 'second', 'last'].includes(line));
    expect([...new Set(own)]).toEqual(['first', 'second', 'last']);
  });
}

function oneGroup({ subscribe, publish }: Topic): void {
  it('of one group share the partitions between them', async () => {
    const seen = new Set<string>();
    const handle = ({ messages }: EventBatch) => {
      for (const { message } of messages) seen.add(message.id);
      return Promise.resolve();
    };
    const first = await subscribe({ handle });
    await subscribe({ handle });
    await publish(Array.from({ length: 20 }, (_, n) => event(`key ${n}`, `early ${n}`)));
    await until(() => seen.size === 20);
    await first.close();
    await publish(Array.from({ length: 20 }, (_, n) => event(`key ${n}`, `late ${n}`)));
    await until(() => seen.size === 40);
  });

  it('that close wait for the batch in hand', async () => {
    const begun = newGate();
    const gate = newGate();
    let ended = false;
    const subscription = await subscribe({
      handle: async () => {
        begun.open();
        await gate.opened;
        ended = true;
      },
    });
    const publishing = publish([event('a', '1')]);
    await begun.opened;
    const closing = subscription.close();
    await nextTurn();
    expect(ended).toBe(false);
    gate.open();
    await closing;
    expect(ended).toBe(true);
    await publishing;
  });
}

/** Every message as it came first: delivery is at least once. */
function distinct(batches: readonly EventBatch[]): Message[] {
  const byId = new Map<string, Message>();
  for (const { message } of batches.flatMap(({ messages }) => messages)) {
    if (!byId.has(message.id)) byId.set(message.id, message);
  }
  return [...byId.values()];
}

function expectGrowingOffsets(batches: readonly EventBatch[]): void {
  const last = new Map<number, bigint>();
  for (const { partition, messages } of batches) {
    for (const { offset } of messages) {
      expect(BigInt(offset) > (last.get(partition) ?? -1n)).toBe(true);
      last.set(partition, BigInt(offset));
    }
  }
}
