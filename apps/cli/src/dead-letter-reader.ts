import {
  cellName,
  CELLS_MAX,
  commandTopicOf,
  commandTopics,
  deadTopicOf,
  eventTopics,
  FIRST_CELL,
  SERVICE_OF_CELLS,
} from '@sluice/contracts';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import { failed } from './exit-codes.js';
import { groupJoined } from './groups.js';
import type { Session } from './session.js';

/** A message that could not be handled, as it lies in its `.dead` topic. */
export interface DeadLetter {
  readonly kind: 'command' | 'event';
  /** `topic:partition:offset` in the `.dead` topic. */
  readonly id: string;
  /** Where it came from. */
  readonly topic: string;
  readonly partition: number;
  /** When it was copied, milliseconds since the epoch. */
  readonly diedAtMs: number;
  readonly key: string;
  readonly type: string;
  readonly reason: string;
  readonly message: KafkaMessage;
}

/** Newest ones of each partition; more are seldom looked at. */
export const LETTERS_PER_PARTITION = 1_000;
/** Reading ends within a second where a broker answers; a hole at the end would last for ever. */
const READ_WITHIN_MS = 15_000;

/** Of every cell but the first, whose topic is called like the service's (page 0047). */
const cellTopics = Array.from({ length: CELLS_MAX - FIRST_CELL }, (_, index) =>
  commandTopicOf(cellName(SERVICE_OF_CELLS, index + FIRST_CELL + 1)),
);

/** The topics that may have dead letters, by the topic they come from. */
export function deadTopics(): readonly {
  readonly topic: string;
  readonly kind: DeadLetter['kind'];
}[] {
  return [
    ...[...Object.values(commandTopics), ...cellTopics].map((topic) => ({
      topic,
      kind: 'command' as const,
    })),
    ...Object.values(eventTopics).map((topic) => ({ topic, kind: 'event' as const })),
  ];
}

interface DeadTopic {
  readonly kind: DeadLetter['kind'];
  readonly topic: string;
  readonly brokerName: string;
  /** Last offset to read by partition. */
  readonly ends: Map<number, bigint>;
  readonly starts: ReadonlyMap<number, bigint>;
}

/** Reads what lies in the `.dead` topics, oldest first; nothing is taken away or committed. */
export async function readDeadLetters(session: Session): Promise<readonly DeadLetter[]> {
  const topics = await nonEmptyTopics(session);
  if (topics.length === 0) return [];
  const letters = await consumed(session, topics);
  return [...letters].sort((left, right) => left.diedAtMs - right.diedAtMs);
}

async function nonEmptyTopics(session: Session): Promise<readonly DeadTopic[]> {
  const admin = await session.admin();
  const existing = new Set(await admin.listTopics());
  const topics: DeadTopic[] = [];
  for (const { topic, kind } of deadTopics()) {
    const brokerName = session.topicPrefix + deadTopicOf(topic);
    if (!existing.has(brokerName)) continue;
    const offsets = await admin.fetchTopicOffsets(brokerName);
    const filled = offsets.filter(({ low, high }) => BigInt(high) > BigInt(low));
    if (filled.length === 0) continue;
    topics.push({
      ...{ kind, topic, brokerName },
      ends: new Map(filled.map(({ partition, high }) => [partition, BigInt(high) - 1n])),
      starts: new Map(
        filled.map(({ partition, low, high }) => {
          const first = BigInt(high) - BigInt(LETTERS_PER_PARTITION);
          return [partition, first > BigInt(low) ? first : BigInt(low)];
        }),
      ),
    });
  }
  return topics;
}

/** kafkajs reads in groups only, so this is one of its own, which is deleted afterwards. */
async function consumed(
  session: Session,
  topics: readonly DeadTopic[],
): Promise<readonly DeadLetter[]> {
  const kafka = await session.kafka();
  const groupId = session.newGroup('dead-letters');
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  session.closeLater(async () => {
    await consumer.disconnect();
    await (await session.admin()).deleteGroups([groupId]);
  });
  // By id: after a second join everything comes again.
  const letters = new Map<string, DeadLetter>();
  let resolve: (isComplete: boolean) => void = () => undefined;
  const ended = new Promise<boolean>((end) => (resolve = end));
  const timer = setTimeout(() => resolve(false), READ_WITHIN_MS);
  session.signal.addEventListener('abort', () => resolve(false), { once: true });
  await consumer.connect();
  await consumer.subscribe({
    topics: topics.map(({ brokerName }) => brokerName),
    fromBeginning: true,
  });
  const joined = groupJoined(consumer);
  await consumer.run({
    autoCommit: false,
    eachBatch: ({ batch }) => {
      const topic = topics.find(({ brokerName }) => brokerName === batch.topic);
      if (topic === undefined) return Promise.resolve();
      for (const message of batch.messages) {
        const letter = letterOf(topic, batch.partition, message);
        letters.set(letter.id, letter);
      }
      const end = topic.ends.get(batch.partition);
      if (end !== undefined && BigInt(batch.lastOffset()) >= end)
        topic.ends.delete(batch.partition);
      if (topics.every(({ ends }) => ends.size === 0)) resolve(true);
      return Promise.resolve();
    },
  });
  await joined;
  for (const { brokerName, starts } of topics) {
    for (const [partition, offset] of starts) {
      consumer.seek({ topic: brokerName, partition, offset: offset.toString() });
    }
  }
  const isComplete = await ended;
  clearTimeout(timer);
  session.throwIfInterrupted();
  if (!isComplete) throw failed('The dead letters could not be read in time; try again.');
  return [...letters.values()];
}

function letterOf(
  { kind, topic, brokerName }: DeadTopic,
  partition: number,
  message: KafkaMessage,
): DeadLetter {
  return {
    kind,
    id: `${brokerName}:${partition}:${message.offset}`,
    topic,
    partition,
    diedAtMs: Number(message.timestamp),
    key: message.key?.toString('utf8') ?? '',
    type: headerText(message.headers, 'type') ?? 'unknown',
    reason: headerText(message.headers, 'deadReason') ?? 'unknown',
    message,
  };
}

/** A header as text; kafkajs gives bytes. */
export function headerText(headers: IHeaders | undefined, name: string): string | undefined {
  const value = headers?.[name];
  const single = Array.isArray(value) ? value[0] : value;
  return single === undefined ? undefined : String(single);
}
