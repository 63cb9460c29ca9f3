import type { Admin, Kafka } from 'kafkajs';
import { REQUEST_TIMEOUT_MS } from './kafka-client.js';
import type { GroupLag } from './kafka-metrics.js';
import type { SupervisedConsumer, TopicPartition } from './supervised-consumer.js';
import { inTime } from './time-limit.js';

/** How far a consumer has come in one of its partitions. */
export interface PartitionPosition extends TopicPartition {
  /** The first message that is not handled yet; undefined before any has come. */
  readonly position: number | undefined;
}

/** A consumer whose lag is asked for. */
export interface FollowedConsumer {
  readonly consumer: SupervisedConsumer;
  /** Of the partitions that are its own now. */
  positions(): readonly PartitionPosition[];
}

/** Connecting, and a request or two for each topic. */
const LOOK_WITHIN_MS = 2 * REQUEST_TIMEOUT_MS;

interface Ends {
  readonly low: number;
  readonly high: number;
}

/**
 * How far the consumers of a process are behind: their positions, compared with the ends of the
 * partitions. The ends come from the broker, because a stuck or paused consumer does not see new
 * messages. The connection is opened at the first request, so a process that nobody scrapes has
 * none.
 */
export class ConsumerLag {
  readonly #consumers = new Set<FollowedConsumer>();
  #admin: Promise<Admin> | undefined;

  constructor(
    private readonly kafka: Kafka,
    private readonly groupLabel: (groupId: string) => string,
  ) {}

  add(consumer: FollowedConsumer): void {
    this.#consumers.add(consumer);
  }

  remove(consumer: FollowedConsumer): void {
    this.#consumers.delete(consumer);
  }

  /** The lag of each group and topic; rejects when the broker does not answer. */
  async look(): Promise<readonly GroupLag[]> {
    try {
      return await inTime(LOOK_WITHIN_MS, 'the consumer lag', this.#look());
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Ends the connection; the next look makes another. */
  async close(): Promise<void> {
    const admin = this.#admin;
    this.#admin = undefined;
    await admin?.then((connected) => connected.disconnect()).catch(() => undefined);
  }

  async #look(): Promise<readonly GroupLag[]> {
    this.#admin ??= this.#connect();
    const admin = await this.#admin;
    const ends = new Map<string, ReadonlyMap<number, Ends>>();
    const lags: GroupLag[] = [];
    for (const consumer of this.#consumers) {
      const { groupId } = consumer.consumer;
      const group = this.groupLabel(groupId);
      for (const [topic, positions] of byTopic(consumer.positions())) {
        const known = ends.get(topic) ?? (await endsOf(admin, topic));
        ends.set(topic, known);
        const messages = await lagOf(admin, groupId, positions, known);
        lags.push({ group, topic, messages });
      }
    }
    return lags;
  }

  async #connect(): Promise<Admin> {
    const admin = this.kafka.admin({ retry: { retries: 0 } });
    await admin.connect();
    return admin;
  }
}

async function endsOf(admin: Admin, topic: string): Promise<ReadonlyMap<number, Ends>> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return new Map(
    offsets.map(({ partition, low, high }) => [
      partition,
      { low: Number(low), high: Number(high) },
    ]),
  );
}

async function lagOf(
  admin: Admin,
  groupId: string,
  positions: readonly PartitionPosition[],
  ends: ReadonlyMap<number, Ends>,
): Promise<number> {
  const areKnown = positions.every(({ position }) => position !== undefined);
  const committed = areKnown ? undefined : await committedOf(admin, groupId, positions);
  let messages = 0;
  for (const { partition, position } of positions) {
    const { low, high } = ends.get(partition) ?? { low: 0, high: 0 };
    const next = position ?? committed?.get(partition) ?? low;
    messages += Math.max(0, high - Math.max(low, next));
  }
  return messages;
}

/** Where the group will continue in partitions from which nothing has come yet. */
async function committedOf(
  admin: Admin,
  groupId: string,
  positions: readonly PartitionPosition[],
): Promise<ReadonlyMap<number, number>> {
  const topics = positions.slice(0, 1).map(({ topic }) => topic);
  const [found] = await admin.fetchOffsets({ groupId, topics });
  const committed = (found?.partitions ?? []).map(
    ({ partition, offset }) => [partition, Number(offset)] as const,
  );
  return new Map(committed.filter(([, offset]) => offset >= 0));
}

function byTopic(
  positions: readonly PartitionPosition[],
): ReadonlyMap<string, readonly PartitionPosition[]> {
  const topics = new Map<string, PartitionPosition[]>();
  for (const position of positions) {
    const known = topics.get(position.topic);
    if (known === undefined) topics.set(position.topic, [position]);
    else known.push(position);
  }
  return topics;
}
