import type { Message } from '@sluice/contracts';
import type { Events } from '@sluice/messaging';
import type { SeededRandom } from './seeded-random.js';

/** What a transport may do to events, and sometimes does (R-ES-05, D-21). */
export interface EventFaults {
  readonly random: SeededRandom;
  /** Of all messages, 0 to 1: published once more, at once. */
  readonly duplicateShare: number;
  /** With each message, 0 to 1: one of an earlier publication comes again. */
  readonly olderShare: number;
  /** `acrossKeys` keeps the order of each key, as Kafka does; a stalled relay keeps none. */
  readonly order: 'kept' | 'acrossKeys' | 'lost';
}

/**
 * The same events with faults; every message is still published at least once. The same seed makes
 * the same faults.
 */
export function faultyEvents(events: Events, faults: EventFaults): Events {
  const published = new Map<string, Message[]>();
  return {
    publish: (topic, messages) => {
      const earlier = published.get(topic) ?? [];
      const sent = reordered(withRepetitions(messages, earlier, faults), faults);
      published.set(topic, [...earlier, ...messages]);
      return events.publish(topic, sent);
    },
    subscribe: (subscription) => events.subscribe(subscription),
  };
}

function withRepetitions(
  messages: readonly Message[],
  earlier: readonly Message[],
  { random, duplicateShare, olderShare }: EventFaults,
): Message[] {
  return messages.flatMap((message) => {
    const copies = random.chance(duplicateShare) ? [message, message] : [message];
    if (earlier.length === 0 || !random.chance(olderShare)) return copies;
    return [random.pick(earlier), ...copies];
  });
}

function reordered(messages: readonly Message[], { random, order }: EventFaults): Message[] {
  if (order === 'kept') return [...messages];
  const shuffled = messages
    .map((message) => ({ message, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ message }) => message);
  if (order === 'lost') return shuffled;
  // The places of each key stay shuffled, its messages come in their own order again.
  const byKey = new Map<string, Message[]>();
  for (const message of messages) {
    byKey.set(message.key, [...(byKey.get(message.key) ?? []), message]);
  }
  return shuffled
    .map(({ key }) => byKey.get(key)?.shift())
    .filter((message) => message !== undefined);
}
