import { setTimeout as delay } from 'node:timers/promises';
import { REPLY_TOPIC, replyGroupOf } from '@sluice/contracts';
import type { Logger } from '@sluice/service';
import type { Kafka, PartitionAssigner } from 'kafkajs';
import { loadedKafkajs } from './kafkajs.js';
import { randomBytes } from 'node:crypto';
import type { PartitionPosition } from './consumer-lag.js';
import { causeOf } from './kafka-client.js';
import type { ConsumerMeter } from './kafka-metrics.js';
import { type ArrivedBatch, SupervisedConsumer, unhurried } from './supervised-consumer.js';
import { headerOf, type RawMessage, type ReplyOutcome } from './message-headers.js';
import type { TopicTable } from './topics.js';

/** What a reply says. */
export interface ReceivedReply {
  readonly correlation: string;
  readonly outcome: ReplyOutcome;
  readonly value: Buffer | null;
  readonly traceparent: string | undefined;
}

/** What a reply reader is made of. */
export interface ReplyReaderParts {
  readonly kafka: Kafka;
  readonly topics: TopicTable;
  readonly prefix: string;
  readonly partition: number;
  readonly received: (reply: ReceivedReply) => void;
  readonly fetchGatherMs: number;
  readonly meter: ConsumerMeter;
  readonly logger: Logger | undefined;
}

const RETRY_MS = 500;

/** Reads the replies of this instance's own partition (D-02). */
export class ReplyReader {
  readonly consumer: SupervisedConsumer;
  readonly #closing = new AbortController();
  /** The next reply to read; undefined until the end of the partition is known. */
  #next: number | undefined;

  constructor(private readonly parts: ReplyReaderParts) {
    const { kafka, prefix, partition, logger } = parts;
    // kafkajs cannot be told a partition, so there is a group for it. A name for each start: a
    // group of the same name would wait for the session of a predecessor that was killed.
    const nonce = randomBytes(4).toString('hex');
    this.consumer = new SupervisedConsumer({
      kafka,
      groupId: prefix + replyGroupOf(partition, nonce),
      topics: [parts.topics.brokerName(REPLY_TOPIC)],
      gatherMs: parts.fetchGatherMs,
      onFetched: (name, count) => parts.meter.consumed(name, count),
      config: { ...unhurried, partitionAssigners: [alwaysPartition(partition)] },
      duties: {
        assigned: () => this.#position(),
        revoked: () => undefined,
        arrived: (batch) => this.#arrived(batch),
      },
      onTrouble: (reason) => logger?.warn({ reason }, 'The reply consumer starts again.'),
    });
  }

  /**
   * Resolves as soon as commands may be sent: the end of the partition is known, so that no reply
   * to them is overlooked, however much later the consumer joins.
   */
  async start(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#next === undefined && !signal.aborted) {
      try {
        this.#next = await this.#endOffset();
      } catch (error) {
        this.parts.logger?.warn({ reason: causeOf(error).message }, 'Kafka does not answer yet.');
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    if (!signal.aborted) void this.consumer.start();
  }

  /** How far it has read its partition. */
  positions(): readonly PartitionPosition[] {
    const topic = this.parts.topics.brokerName(REPLY_TOPIC);
    return [{ topic, partition: this.parts.partition, position: this.#next }];
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.consumer.close();
  }

  async #endOffset(): Promise<number> {
    const admin = this.parts.kafka.admin({ retry: { retries: 2 } });
    try {
      await admin.connect();
      const offsets = await admin.fetchTopicOffsets(this.parts.topics.brokerName(REPLY_TOPIC));
      const own = offsets.find(({ partition }) => partition === this.parts.partition);
      if (own === undefined) throw new Error(`there is no partition ${this.parts.partition}`);
      return Number(own.high);
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }

  /** Nothing is committed, so every join begins where reading stopped. */
  #position(): void {
    const topic = this.parts.topics.brokerName(REPLY_TOPIC);
    const { partition } = this.parts;
    this.consumer.seek({ topic, partition }, String(this.#next ?? 0));
  }

  #arrived({ messages }: ArrivedBatch): void {
    for (const message of messages) {
      const offset = Number(message.offset);
      if (offset < (this.#next ?? 0)) continue;
      this.#next = offset + 1;
      const reply = decodeReply(message);
      if (reply !== undefined) this.parts.received(reply);
    }
  }
}

const OUTCOMES: readonly string[] = ['replied', 'unanswered', 'failed'] satisfies ReplyOutcome[];

function decodeReply(raw: RawMessage): ReceivedReply | undefined {
  const correlation = headerOf(raw, 'correlation');
  const outcome = headerOf(raw, 'outcome');
  if (correlation === undefined || outcome === undefined || !OUTCOMES.includes(outcome)) {
    return undefined;
  }
  const traceparent = headerOf(raw, 'traceparent');
  return { correlation, outcome: outcome as ReplyOutcome, value: raw.value, traceparent };
}

/** Each member of the group gets this one partition of each topic. */
function alwaysPartition(partition: number): PartitionAssigner {
  const name = `partition-${partition}`;
  const version = 0;
  const { MemberAssignment, MemberMetadata } = loadedKafkajs().AssignerProtocol;
  return () => ({
    name,
    version,
    assign: ({ members, topics }) =>
      Promise.resolve(
        members.map(({ memberId }) => ({
          memberId,
          memberAssignment: MemberAssignment.encode({
            version,
            assignment: Object.fromEntries(topics.map((topic) => [topic, [partition]])),
            userData: Buffer.alloc(0),
          }),
        })),
      ),
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({
        version,
        topics,
        userData: Buffer.alloc(0),
      }),
    }),
  });
}
