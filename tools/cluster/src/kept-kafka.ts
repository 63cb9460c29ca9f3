import { declaredTopics, type TopicDeclaration } from '@sluice/contracts';
import { type LocalKafka, startLocalKafka, stopKafkaOf } from '@sluice/local-kafka';
import { SettingRefused } from '@sluice/local-installation';
import { applyTopics, createKafka } from '@sluice/messaging';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

type Admin = ReturnType<ReturnType<typeof createKafka>['admin']>;

/** What somebody who keeps a broker hears of it. */
export interface KafkaListeners {
  readonly onNews: (name: string, sentence: string) => void;
  readonly onSpawned: () => void;
}

/** The broker of the cluster. */
export interface ClusterKafka {
  readonly brokers: string;
  /** Undefined while it is down, and where it is somebody else's. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Its folder in the data folder. */
export const KAFKA_FOLDER = 'kafka';

const RESTART_PAUSE_MS = 1_000;
/** In production 3, with two of them in sync (R-ES-10); never more than there are brokers. */
const REPLICAS_MAX = 3;

/** Starts the broker of a data folder; it is started again on the same port whenever it ends. */
export async function startKafka(
  dataFolder: string,
  port: number,
  { onNews, onSpawned }: KafkaListeners,
): Promise<ClusterKafka> {
  const folder = join(dataFolder, KAFKA_FOLDER);
  // Left behind by a cluster that was killed a moment ago: two on one log would destroy it.
  await stopKafkaOf(folder);
  const start = (): Promise<LocalKafka> => startLocalKafka({ folder, port, benchmark: true });
  let running: LocalKafka | undefined = await start();
  let isStopping = false;
  let restarting: Promise<void> = Promise.resolve();
  const keep = (broker: LocalKafka): void => {
    void broker.ended.then(() => {
      running = undefined;
      if (!isStopping) restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    onNews('kafka', 'has ended and is started again');
    while (!isStopping) {
      try {
        running = await start();
        keep(running);
        onSpawned();
        onNews('kafka', 'is back');
        return;
      } catch (error) {
        onNews('kafka', error instanceof Error ? error.message : 'did not start');
        await pause(RESTART_PAUSE_MS);
      }
    }
  };
  keep(running);
  return {
    brokers: running.brokers,
    get pid() {
      return running?.pid;
    },
    stop: async () => {
      isStopping = true;
      await restarting;
      await running?.stop();
    },
  };
}

/** Who wants to use a Kafka that is there already. */
export interface KafkaUser {
  /** Of the data folder. */
  readonly installationId: string;
  /** After a reset the installation is another one, and may take the place of whatever was there. */
  readonly takesOver: boolean;
}

/**
 * A Kafka of somebody else's. Throws SettingRefused when nobody answers there, or when it belongs to
 * another installation.
 */
export async function existingKafka(brokers: string, user: KafkaUser): Promise<ClusterKafka> {
  await withTopics(brokers, { user }).catch((error: unknown) => {
    if (error instanceof SettingRefused) throw error;
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new SettingRefused(
      `Kafka at ${brokers} cannot be used (${reason}). Check --kafka (KAFKA_BROKERS).`,
      { cause: error },
    );
  });
  return { brokers, pid: undefined, stop: () => Promise.resolve() };
}

/**
 * Names the installation that a Kafka belongs to; nothing is ever in it. Two installations on one
 * Kafka would take each other's commands, and neither would have the other's cards.
 */
const OWNER_TOPIC = 'sluice.installation.';

async function claim(admin: Admin, brokers: string, user: KafkaUser): Promise<void> {
  const own = OWNER_TOPIC + user.installationId;
  const othersOf = (topics: readonly string[]): string[] =>
    topics.filter((name) => name.startsWith(OWNER_TOPIC) && name !== own);
  const before = await admin.listTopics();
  if (user.takesOver && othersOf(before).length > 0) {
    await admin.deleteTopics({ topics: othersOf(before) });
  } else if (othersOf(before).length > 0) {
    throw belongsToAnother(brokers);
  }
  if (before.includes(own)) return;
  await admin.createTopics({
    // Nobody writes to it, so nobody needs to wait for who leads it.
    waitForLeaders: false,
    topics: [{ topic: own, numPartitions: 1, replicationFactor: 1 }],
  });
  // Two that start for the first time at once have both seen none.
  if (!user.takesOver && othersOf(await admin.listTopics()).length > 0) {
    await admin.deleteTopics({ topics: [own] });
    throw belongsToAnother(brokers);
  }
}

function belongsToAnother(brokers: string): SettingRefused {
  return new SettingRefused(
    `Kafka at ${brokers} belongs to a cluster with another data folder: they would take each ` +
      "other's payments. Give this one a Kafka of its own (--kafka, KAFKA_BROKERS), or, if the " +
      'other one is gone for good, start it once with --reset.',
  );
}

/** What a Kafka is prepared for. */
export interface WantedTopics {
  /** Of a Kafka that belongs to somebody else. */
  readonly user?: KafkaUser;
  readonly declarations?: readonly TopicDeclaration[];
}

/** Makes the topics that are missing; the sentences name those that are not as declared. */
export async function withTopics(
  brokers: string,
  { user, declarations = declaredTopics }: WantedTopics = {},
): Promise<readonly string[]> {
  const kafka = createKafka({ brokers: brokers.split(','), clientId: 'cluster' });
  const admin = kafka.admin({ retry: { retries: 2 } });
  await admin.connect();
  try {
    if (user !== undefined) await claim(admin, brokers, user);
    const cluster = await admin.describeCluster();
    const replicationFactor = Math.min(REPLICAS_MAX, cluster.brokers.length);
    return (await applyTopics(admin, { replicationFactor, declarations })).differences;
  } finally {
    await admin.disconnect();
  }
}
