import { eventTopics } from '@sluice/contracts';
import { createKafka } from '@sluice/messaging';
import { randomBytes } from 'node:crypto';
import { withClient } from './gateway-side.js';
import type { Violation } from './records.js';

/** One event as it lies in the topic or in the store. */
export interface PublishedRecord {
  readonly eventId: string;
  readonly streamId: string;
  readonly version: number;
}

/** One event as the store has it, with what explains it. */
export interface StoredRecord extends PublishedRecord {
  /** Which of the databases has it, from 0 on. */
  readonly database: number;
  readonly recordedAt: Date;
  readonly type: string;
  readonly transactionId: string | null;
  readonly resultCode: string | null;
  readonly reason: string | null;
}

const TOPIC = eventTopics.payments;
const READ_WITHIN_MS = 60_000;

/** Everything in the topic of payments' events, each partition in its order. */
export async function readTopic(brokers: string): Promise<readonly PublishedRecord[]> {
  const clientId = `kill-test-${randomBytes(4).toString('hex')}`;
  const kafka = createKafka({ brokers: brokers.split(','), clientId });
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(TOPIC);
  await admin.disconnect();
  const open = new Map(
    ends
      .filter(({ high, low }) => BigInt(high) > BigInt(low))
      .map(({ partition, high }) => [partition, BigInt(high)]),
  );
  const records: PublishedRecord[] = [];
  if (open.size === 0) return records;
  const consumer = kafka.consumer({ groupId: clientId });
  await consumer.connect();
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`${open.size} partitions of ${TOPIC} could not be read to their end`));
    }, READ_WITHIN_MS);
    consumer
      .run({
        autoCommit: false,
        eachMessage: ({ partition, message }) => {
          records.push(recordOf(message));
          const end = open.get(partition);
          if (end !== undefined && BigInt(message.offset) + 1n >= end) open.delete(partition);
          if (open.size === 0) {
            clearTimeout(timer);
            resolve();
          }
          return Promise.resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  return records;
}

function recordOf(message: {
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
}): PublishedRecord {
  const { streamId, version } = JSON.parse(String(message.value)) as PublishedRecord;
  return { eventId: String(message.headers?.['id']), streamId, version };
}

/** Every event of the store, in all its databases. */
export async function readStore(...urls: readonly string[]): Promise<readonly StoredRecord[]> {
  const text = `SELECT event_id AS "eventId", stream_id AS "streamId", version, type,
                       recorded_at AS "recordedAt", $1::int AS database,
                       data->>'transactionId' AS "transactionId",
                       data->>'resultCode' AS "resultCode", data->>'reason' AS reason
                FROM payments.events`;
  const stores = await Promise.all(
    urls.map((url, index) =>
      withClient(url, (client) => client.query<StoredRecord>(text, [index])),
    ),
  );
  return stores.flatMap(({ rows }) => rows);
}

/**
 * Where topic and store disagree: each event is in the topic at least once (D-21), nothing is in it
 * that was not recorded, and of each stream the first appearances are in order and without a hole.
 */
export function topicDisagreements(
  store: readonly PublishedRecord[],
  topic: readonly PublishedRecord[],
): Violation[] {
  const byId = new Map(store.map((event) => [event.eventId, event]));
  const seen = new Set<string>();
  const heads = new Map<string, number>();
  const found: Violation[] = [];
  for (const { eventId, streamId, version } of topic) {
    const stored = byId.get(eventId);
    if (stored?.streamId !== streamId || stored.version !== version) {
      found.push(violation(eventId, 'is in the topic and was never recorded like this'));
      continue;
    }
    if (seen.has(eventId)) continue;
    seen.add(eventId);
    const before = heads.get(streamId) ?? 0;
    if (version !== before + 1) {
      found.push(violation(streamId, `version ${version} comes after ${before} in the topic`));
    }
    heads.set(streamId, version);
  }
  const missing = store.filter(({ eventId }) => !seen.has(eventId));
  return [
    ...found,
    ...missing.map(({ eventId, streamId, version }) =>
      violation(eventId, `version ${version} of ${streamId} is not in the topic`),
    ),
  ];
}

function violation(subject: string, sentence: string): Violation {
  return { rule: 'topic', subject, sentence };
}
