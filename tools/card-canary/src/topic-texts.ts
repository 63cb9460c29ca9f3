import type { createKafka } from '@sluice/messaging';
import { randomBytes } from 'node:crypto';

/** A client of the brokers. */
export type Kafka = ReturnType<typeof createKafka>;

const READ_WITHIN_MS = 60_000;
/** Of Kafka's own topics, which are in its own formats. */
const INTERNAL = '__';

/** What lies in a topic, in the order of its partitions. */
export interface TopicRecords {
  readonly topic: string;
  /** Keys, headers and values. */
  readonly bytes: Buffer;
}

/**
 * Every topic with all that lies in it: what a producer has compressed, and a search of the segments
 * on the disk would miss, is plain here.
 * @throws Error where a topic cannot be read to the end that it had at the beginning
 */
export async function topicRecords(kafka: Kafka): Promise<readonly TopicRecords[]> {
  const open = await openPartitions(kafka);
  const found = new Map<string, Buffer[]>();
  if (open.size === 0) return [];
  const topics = [...new Set([...open.keys()].map((partition) => topicIn(partition)))];
  const consumer = kafka.consumer({ groupId: `canary-${randomBytes(4).toString('hex')}` });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${[...open.keys()].join(', ')} could not be read to the end`));
      }, READ_WITHIN_MS);
      consumer
        .run({
          autoCommit: false,
          eachMessage: ({ topic, partition, message }) => {
            found.set(topic, [...(found.get(topic) ?? []), ...partsOf(message)]);
            const end = open.get(`${topic} ${partition}`);
            if (end !== undefined && BigInt(message.offset) + 1n >= end) {
              open.delete(`${topic} ${partition}`);
            }
            if (open.size === 0) {
              clearTimeout(timer);
              resolve();
            }
            return Promise.resolve();
          },
        })
        .catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return [...found].map(([topic, parts]) => ({ topic, bytes: Buffer.concat(parts) }));
}

/** Those that hold something, as `topic partition`, with where they end. */
async function openPartitions(kafka: Kafka): Promise<Map<string, bigint>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => !topic.startsWith(INTERNAL));
    const open = new Map<string, bigint>();
    for (const topic of topics) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        if (BigInt(high) > BigInt(low)) open.set(`${topic} ${partition}`, BigInt(high));
      }
    }
    return open;
  } finally {
    await admin.disconnect();
  }
}

function topicIn(partition: string): string {
  return partition.split(' ')[0] ?? '';
}

const LINE_BREAK = Buffer.from('\n');

interface KafkaRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
}

function partsOf({ key, value, headers = {} }: KafkaRecord): readonly Buffer[] {
  const texts = Object.entries(headers).map(([name, header]) => `${name}: ${String(header)}`);
  return [key, ...texts.map((text) => Buffer.from(text)), value].flatMap((part) =>
    part === null ? [] : [part, LINE_BREAK],
  );
}
