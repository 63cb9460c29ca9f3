import { describe, expect, it } from '@jest/globals';
import type { Message } from '@sluice/contracts';
import { type Events, InProcessBus } from '@sluice/messaging';
import { type EventFaults, faultyEvents } from './faulty-messaging.js';
import { event } from './contract-messages.js';
import { messagingContract } from './messaging-contract.js';
import { seededRandom } from './seeded-random.js';

describe('the adapter in process with reordered keys', () => {
  // Nothing is lost and each key keeps its order, so every rule of the suite must still hold.
  messagingContract(() => {
    const bus = new InProcessBus();
    const random = seededRandom('contract');
    const faults = { random, duplicateShare: 0, olderShare: 0, order: 'acrossKeys' } as const;
    return Promise.resolve({
      commands: bus.commands,
      queries: bus.queries,
      events: faultyEvents(bus.events, faults),
      transport: (service: string) => bus.transport(service),
      close: () => bus.close(),
    });
  });
});

describe('events with faults', () => {
  const messages = Array.from({ length: 200 }, (_, n) => event(`key ${n % 5}`, String(n)));

  async function publish(faults: Partial<EventFaults>): Promise<Message[]> {
    const sent: Message[] = [];
    const events: Events = {
      publish: (_topic, batch) => Promise.resolve(void sent.push(...batch)),
      subscribe: () => Promise.reject(new Error('not here')),
    };
    const faulty = faultyEvents(events, {
      random: seededRandom('faults'),
      duplicateShare: 0,
      olderShare: 0,
      order: 'kept',
      ...faults,
    });
    await faulty.publish('book.v1', messages.slice(0, 100));
    await faulty.publish('book.v1', messages.slice(100));
    return sent;
  }

  const ids = (all: readonly Message[]) => all.map(({ id }) => id);

  it('are the same without faults', async () => {
    expect(await publish({})).toEqual(messages);
  });

  it('are repeated, and none is missing', async () => {
    const sent = await publish({ duplicateShare: 0.5, olderShare: 0.2 });
    expect(new Set(ids(sent)).size).toBe(200);
    expect(sent.length).toBeGreaterThan(280);
    // Something of the first publication comes again in the second.
    const second = ids(sent).slice(ids(sent).indexOf('100'));
    expect(second.some((id) => Number(id) < 100)).toBe(true);
  });

  it('are shuffled, but not within a key', async () => {
    const sent = await publish({ order: 'acrossKeys' });
    expect(ids(sent)).not.toEqual(ids(messages));
    for (const key of ['key 0', 'key 1', 'key 2', 'key 3', 'key 4']) {
      expect(sent.filter((message) => message.key === key)).toEqual(
        messages.filter((message) => message.key === key),
      );
    }
  });

  it('are shuffled everywhere when no order is kept', async () => {
    const sent = await publish({ order: 'lost' });
    const ofKey = sent.filter(({ key }) => key === 'key 0');
    expect(ids(ofKey)).not.toEqual(ids(messages.filter(({ key }) => key === 'key 0')));
    expect(new Set(ids(sent)).size).toBe(200);
  });
});
