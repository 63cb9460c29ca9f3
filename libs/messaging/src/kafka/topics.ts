import { setTimeout as delay } from 'node:timers/promises';
import { declaredTopics, type TopicDeclaration } from '@sluice/contracts';
import kafkajs, { type Admin } from 'kafkajs';

/** The topics as they are named on the broker, with their partitions. */
export class TopicTable {
  readonly #partitionOf = kafkajs.Partitioners.DefaultPartitioner();
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

const LEADERS_WITHIN_MS = 20_000;
const LEADERS_POLL_MS = 20;

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

/** Creates the topics that are missing; changes and deletes nothing. */
export async function applyTopics(
  admin: Admin,
  { prefix = '', replicationFactor = 1, declarations = declaredTopics }: ApplyTopicsOptions = {},
): Promise<AppliedTopics> {
  const existing = new Set(await admin.listTopics());
  const missing = declarations.filter(({ name }) => !existing.has(prefix + name));
  if (missing.length > 0) {
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
    await untilLed(
      admin,
      missing.map(({ name }) => prefix + name),
    );
  }
  const present = declarations.filter(({ name }) => existing.has(prefix + name));
  return {
    created: missing.map(({ name }) => prefix + name),
    differences: await differencesOf(admin, prefix, present),
  };
}

/** Resolves when every partition can be written to. */
async function untilLed(admin: Admin, topics: readonly string[]): Promise<void> {
  const giveUpAtMs = performance.now() + LEADERS_WITHIN_MS;
  for (;;) {
    try {
      // The leaders themselves are asked: what the controller has decided they may not know yet.
      for (const topic of topics) await admin.fetchTopicOffsets(topic);
      return;
    } catch (error) {
      if (performance.now() > giveUpAtMs) throw error;
    }
    await delay(LEADERS_POLL_MS);
  }
}

async function differencesOf(
  admin: Admin,
  prefix: string,
  declarations: readonly TopicDeclaration[],
): Promise<string[]> {
  if (declarations.length === 0) return [];
  const names = declarations.map(({ name }) => prefix + name);
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
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
