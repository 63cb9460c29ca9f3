import { declaredTopics } from '@sluice/contracts';
import { readTraceparent } from '@sluice/service';
import type { Consumer, KafkaMessage } from 'kafkajs';
import type { Answer } from './answer.js';
import { headerText } from './dead-letter-reader.js';
import { parseDuration } from './durations.js';
import { failed, usage } from './exit-codes.js';
import { groupJoined } from './groups.js';
import type { Session } from './session.js';
import { textTable } from './text-table.js';

/** A message of one request, by its headers; its content is nobody's business here. */
export interface FoundMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly atMs: number;
  /** A command's or event's type; for a reply what it says. */
  readonly type: string;
  readonly traceId: string | null;
}

interface Stretch {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  /** The last offset to read. */
  readonly to: bigint;
}

/** As edge writes it: 32 digits of the entity, 32 of its own. */
const NDC = /^[0-9a-f]{32}_[0-9a-f]{32}$/;
/** A topic of a busy day takes its time. */
const READ_WITHIN_MS = 120_000;

/** `topics find`: every message of one request, in the order of their times. */
export async function findMessages(
  session: Session,
  ndc: string,
  { within }: { readonly within: string },
): Promise<Answer> {
  if (!NDC.test(ndc)) throw usage(`"${ndc}" is no ndc; take that of an answer or a log line.`);
  const sinceMs = session.processContext.now() - parseDuration(within);
  const stretches = await stretchesSince(session, sinceMs);
  const read = stretches.length === 0 ? [] : await readThrough(session, stretches, ndc);
  const messages = [...read].sort((left, right) => left.atMs - right.atMs);
  const text = textTable(
    messages,
    [
      { title: 'AT', cell: ({ atMs }) => new Date(atMs).toISOString() },
      { title: 'TOPIC', cell: ({ topic }) => topic },
      { title: 'PLACE', cell: ({ partition, offset }) => `${partition}:${offset}` },
      { title: 'TYPE', cell: ({ type }) => type },
      { title: 'TRACE', cell: ({ traceId }) => traceId ?? '-' },
    ],
    `No message of the last ${within} names it.`,
  );
  return { data: { messages }, text };
}

/** What each partition has got since then; those with nothing are left out. */
async function stretchesSince(session: Session, sinceMs: number): Promise<readonly Stretch[]> {
  const admin = await session.admin();
  const existing = new Set(await admin.listTopics());
  const stretches: Stretch[] = [];
  for (const { name } of declaredTopics) {
    const topic = session.topicPrefix + name;
    if (!existing.has(topic)) continue;
    const ends = await admin.fetchTopicOffsets(topic);
    const begins = await admin.fetchTopicOffsetsByTimestamp(topic, sinceMs);
    for (const { partition, high } of ends) {
      const begin = begins.find((one) => one.partition === partition)?.offset ?? high;
      const [from, to] = [BigInt(begin), BigInt(high) - 1n];
      if (from >= 0n && from <= to) stretches.push({ topic, partition, from, to });
    }
  }
  return stretches;
}

/** kafkajs reads in groups only, so this is one of its own, which is deleted afterwards. */
async function readThrough(
  session: Session,
  stretches: readonly Stretch[],
  ndc: string,
): Promise<readonly FoundMessage[]> {
  const kafka = await session.kafka();
  const groupId = session.newGroup('find');
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  session.closeLater(async () => {
    await consumer.disconnect();
    await (await session.admin()).deleteGroups([groupId]);
  });
  // By place: after a second join everything comes again.
  const found = new Map<string, FoundMessage>();
  const isComplete = await consumed(session, consumer, stretches, (topic, partition, message) => {
    if (headerText(message.headers, 'correlationId') !== ndc) return;
    const one = foundMessage(topic, partition, message);
    found.set(`${topic}/${partition}/${message.offset}`, one);
  });
  session.throwIfInterrupted();
  if (!isComplete) throw failed('The topics could not be read in time; use a shorter --within.');
  return [...found.values()];
}

/** False when it took too long or was interrupted. */
async function consumed(
  session: Session,
  consumer: Consumer,
  stretches: readonly Stretch[],
  take: (topic: string, partition: number, message: KafkaMessage) => void,
): Promise<boolean> {
  const left = new Map(stretches.map((one) => [`${one.topic}/${one.partition}`, one.to]));
  let resolve: (isComplete: boolean) => void = () => undefined;
  const ended = new Promise<boolean>((end) => (resolve = end));
  const timer = setTimeout(() => resolve(false), READ_WITHIN_MS);
  session.signal.addEventListener('abort', () => resolve(false), { once: true });
  await consumer.connect();
  const topics = [...new Set(stretches.map(({ topic }) => topic))];
  await consumer.subscribe({ topics, fromBeginning: false });
  const joined = groupJoined(consumer);
  await consumer.run({
    autoCommit: false,
    eachBatch: ({ batch }) => {
      for (const message of batch.messages) take(batch.topic, batch.partition, message);
      const name = `${batch.topic}/${batch.partition}`;
      const last = left.get(name);
      if (last !== undefined && BigInt(batch.lastOffset()) >= last) left.delete(name);
      if (left.size === 0) resolve(true);
      return Promise.resolve();
    },
  });
  await joined;
  for (const { topic, partition, from } of stretches) {
    consumer.seek({ topic, partition, offset: from.toString() });
  }
  return ended.finally(() => clearTimeout(timer));
}

function foundMessage(topic: string, partition: number, message: KafkaMessage): FoundMessage {
  const { offset, timestamp, headers } = message;
  const trace = readTraceparent(headerText(headers, 'traceparent'));
  const outcome = headerText(headers, 'outcome');
  return {
    ...{ topic, partition, offset, atMs: Number(timestamp) },
    type: headerText(headers, 'type') ?? (outcome === undefined ? '-' : `reply: ${outcome}`),
    traceId: trace?.traceId ?? null,
  };
}
