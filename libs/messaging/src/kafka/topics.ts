import { setTimeout as delay } from 'node:timers/promises';
import { declaredTopics, type TopicDeclaration } from '@sluice/contracts';
import type { Admin } from 'kafkajs';
import { loadedKafkajs } from './kafkajs.js';

/** The topics as they are named on the broker, with their partitions. */
export class TopicTable {
  readonly #partitionOf = loadedKafkajs().Partitioners.DefaultPartitioner();
  readonly #partitions = new Map<string, { partitionId: number; leader: number }[]>();

  constructor(
    private readonly prefix: string,
    declarations: readonly TopicDeclaration[] = declaredTopics,
  ) {
    for (const { name, partitions } of declarations) {
      const metadata = Array.from({ length: partitions }, (_, index) => ({
        partitionId: index,
        leader: 0,
      }));
      this.#partitions.set(name, metadata);
    }
  }

  has(topic: string): boolean {
    return this.#partitions.has(topic);
  }

  /** Its name on the broker; tests have their own copies of all topics. */
  brokerName(topic: string): string {
    if (!this.has(topic)) throw new TypeError(`The topic ${topic} is not declared in contracts.`);
    return this.prefix + topic;
  }

  /** The declared name of a topic of the broker. */
  declaredName(brokerName: string): string {
    return brokerName.slice(this.prefix.length);
  }

  /** The partition of a key: murmur2, as Kafka's own clients compute it. */
  partitionOf(topic: string, key: string): number {
    const partitionMetadata = this.#partitions.get(topic);
    if (partitionMetadata === undefined) throw new TypeError(`The topic ${topic} is not declared.`);
    const message = { key, value: null };
    return this.#partitionOf({ topic, partitionMetadata: partitionMetadata as never, message });
  }
}

/** A Kafka on a busy machine was seen to need more than 20 s for the logs of all topics. */
const PASSES_WITHIN_MS = 120_000;
const POLL_MS = 50;

/** How topics are made. */
export interface ApplyTopicsOptions {
  /** Goes before every name; only tests have one. */
  readonly prefix?: string;
  /** 3 in production, with `min.insync.replicas` 2 (R-ES-10). */
  readonly replicationFactor?: number;
  readonly declarations?: readonly TopicDeclaration[];
}

/** What was done, and what a person has to decide. */
export interface AppliedTopics {
  readonly created: readonly string[];
  /** One sentence per topic that is not as declared; it stays as it is (D-15: drain, apply). */
  readonly differences: readonly string[];
}

/**
 * Creates the topics that are missing; changes and deletes nothing. What passes by itself at a Kafka
 * that has just started is waited for (D-19): a leader that does not know yet that it is one, a
 * request that a busy broker did not finish in time.
 */
export async function applyTopics(
  admin: Admin,
  { prefix = '', replicationFactor = 1, declarations = declaredTopics }: ApplyTopicsOptions = {},
): Promise<AppliedTopics> {
  const created = new Set<string>();
  await untilItPasses(async () => {
    const existing = new Set(await admin.listTopics());
    const missing = declarations.filter(({ name }) => !existing.has(prefix + name));
    if (missing.length === 0) return;
    for (const { name } of missing) created.add(prefix + name);
    await admin.createTopics({
      // kafkajs' own wait gives up when a broker has not heard of the topic yet.
      waitForLeaders: false,
      topics: missing.map(({ name, partitions, config }) => ({
        topic: prefix + name,
        numPartitions: partitions,
        replicationFactor,
        configEntries: Object.entries(config).map(([key, value]) => ({ name: key, value })),
      })),
    });
  });
  await untilItPasses(async () => {
    // The leaders themselves are asked: what the controller has decided they may not know yet.
    for (const topic of created) await admin.fetchTopicOffsets(topic);
    // Of a topic that the broker has not heard of yet kafkajs throws a TypeError, too.
  }, Boolean);
  const present = declarations.filter(({ name }) => !created.has(prefix + name));
  return {
    created: [...created],
    differences: await untilItPasses(() => differencesOf(admin, prefix, present)),
  };
}

/** Tries again while Kafka says that it may; what is wrong for good is thrown at once. */
async function untilItPasses<Result>(
  attempt: () => Promise<Result>,
  isPassing: (error: unknown) => boolean = mayPass,
): Promise<Result> {
  const giveUpAtMs = performance.now() + PASSES_WITHIN_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || performance.now() > giveUpAtMs) throw error;
    }
    await delay(POLL_MS);
  }
}

/** Whether Kafka, or kafkajs for it, says that the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  const kafkajs = loadedKafkajs();
  if (error instanceof kafkajs.KafkaJSAggregateError) {
    return error.errors.every((each) => isMadeAlready(each) || mayPass(each));
  }
  if (error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded) return mayPass(error.cause);
  return error instanceof kafkajs.KafkaJSError && error.retriable;
}

/** By a request that timed out here and went on there, or by another process that starts. */
function isMadeAlready(error: unknown): boolean {
  const { KafkaJSProtocolError } = loadedKafkajs();
  return error instanceof KafkaJSProtocolError && error.type === 'TOPIC_ALREADY_EXISTS';
}

async function differencesOf(
  admin: Admin,
  prefix: string,
  declarations: readonly TopicDeclaration[],
): Promise<string[]> {
  if (declarations.length === 0) return [];
  const { ConfigResourceTypes } = loadedKafkajs();
  const names = declarations.map(({ name }) => prefix + name);
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  return declarations.flatMap(({ name, partitions, config }) => {
    const found = topics.find((topic) => topic.name === prefix + name)?.partitions.length ?? 0;
    const entries = resources.find(({ resourceName }) => resourceName === prefix + name);
    const values = new Map(
      entries?.configEntries.map(({ configName, configValue }) => [configName, configValue]),
    );
    const wrong = Object.entries(config).filter(([key, value]) => values.get(key) !== value);
    return [
      ...(found === partitions
        ? []
        : [`${prefix}${name} has ${found} partitions, not ${partitions}`]),
      ...wrong.map(
        ([key, value]) => `${prefix}${name}: ${key} is ${String(values.get(key))}, not ${value}`,
      ),
    ];
  });
}
