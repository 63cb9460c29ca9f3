import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer, ConsumerConfig, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { causeOf } from './kafka-client.js';
import { RequestPace } from './request-pace.js';
import { inTime } from './time-limit.js';

/** One partition of one topic, by its name on the broker. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** What arrived of one partition. */
export interface ArrivedBatch extends TopicPartition {
  readonly messages: readonly KafkaMessage[];
}

/** What is done with a consumer; every call comes from its own loop and must return soon. */
export interface ConsumerDuties {
  /** From now on exactly these partitions are assigned here (a new generation, D-16). */
  assigned(partitions: readonly TopicPartition[]): void;
  /** Nothing is assigned until the next `assigned`; what is committed now may still count. */
  revoked(): void;
  /** Hands over; kafkajs awaits all batches of a fetch before the next one (D-12). */
  arrived(batch: ArrivedBatch): void;
}

/** A consumer that is kept going. */
export interface SupervisedConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  /** By their names on the broker. */
  readonly topics: readonly string[];
  readonly duties: ConsumerDuties;
  readonly config?: Partial<ConsumerConfig>;
  /** The least time from one fetch to the next when busy; see RequestPace. */
  readonly gatherMs?: number;
  /** Told how many messages were fetched. */
  readonly onFetched?: (topic: string, count: number) => void;
  /** Told each time it has to be started again. */
  readonly onTrouble?: (reason: string) => void;
}

/** D-16, with shorter heartbeats: a member that joins or leaves is noticed by the next one. */
const SESSION_TIMEOUT_MS = 3_000;
const HEARTBEAT_INTERVAL_MS = 200;
const REBALANCE_TIMEOUT_MS = 6_000;
/** A message ends a fetch at once; what waits for its end is a rebalance (D-16). See FetchWait. */
const FETCH_WAIT_MS = 100;
/** One message may have this size (D-15). */
const PARTITION_BYTES_MAX = 4 * 1024 * 1024;
/** For groups whose rebalances nobody waits for. */
export const unhurried: Partial<ConsumerConfig> = {
  maxWaitTimeInMs: 500,
  // Less than a fetch at rest waits, so that none of them ends too early for a heartbeat.
  heartbeatInterval: 900,
};
/** More than a rebalance takes; then it is replaced. D-19's watch looks after this one. */
const SILENT_MAX_MS = 12_000;
/** Often enough to be far sooner than D-19's watch; each look wakes a process that is at rest. */
const SILENCE_LOOK_MS = SILENT_MAX_MS / 3;
/** How long a message that nobody is assigned for is left before it is fetched again. */
const UNASSIGNED_PAUSE_MS = 100;
/** One session: after it, the group continues without what was left behind. */
const DISPOSE_WITHIN_MS = 8_000;
/** Enough for every partition of a fetch, because handing over takes no time. */
const BATCHES_AT_ONCE = 64;
const RESTART_PAUSE_MS = 250;
const RESTART_PAUSE_MAX_MS = 2_000;

/**
 * A consumer of kafkajs that does not stay dead: kafkajs gives up for reasons that pass (#1445,
 * #1513, #1630), so it is made anew each time it crashes.
 */
export class SupervisedConsumer {
  readonly #closing = new AbortController();
  readonly #options: SupervisedConsumerOptions;
  #consumer: Consumer | undefined;
  #kept: Promise<void> | undefined;
  readonly #pace: RequestPace;
  /** On the clock of performance.now(): the last sign that the broker answers (D-19). */
  lastActivityMs = performance.now();
  /** On the same clock: when kafkajs began to join the group again; undefined once it has. */
  #rejoinsSinceMs: number | undefined;

  constructor(options: SupervisedConsumerOptions) {
    this.#options = options;
    this.#pace = new RequestPace(options.gatherMs ?? 0);
  }

  get groupId(): string {
    return this.#options.groupId;
  }

  /** Resolves when it has joined its group for the first time. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#kept = this.#keep(resolve).finally(resolve);
    });
  }

  pause(partitions: readonly TopicPartition[]): void {
    this.#consumer?.pause(grouped(partitions));
  }

  resume(partitions: readonly TopicPartition[]): void {
    this.#consumer?.resume(grouped(partitions));
  }

  /** The next message of a partition to be read. */
  seek({ topic, partition }: TopicPartition, offset: string): void {
    this.#consumer?.seek({ topic, partition, offset });
  }

  /** Whether the broker has taken it; a failed commit is no error, its messages come again. */
  async commit(
    positions: readonly (TopicPartition & { readonly offset: string })[],
  ): Promise<boolean> {
    const consumer = this.#consumer;
    if (consumer === undefined || positions.length === 0) return false;
    return consumer.commitOffsets([...positions]).then(
      () => true,
      () => false,
    );
  }

  /** Leaves the group, so that others take over at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#kept;
  }

  async #keep(joined: () => void): Promise<void> {
    const { signal } = this.#closing;
    const closing = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    for (let restarts = 0; !this.#isClosing(); restarts += 1) {
      const consumer = this.#make();
      this.lastActivityMs = performance.now();
      this.#rejoinsSinceMs = undefined;
      const failed = this.#observe(consumer, () => {
        restarts = 0;
        joined();
      });
      const running = this.#run(consumer);
      try {
        await Promise.race([running, failed.promise, closing]);
        await Promise.race([failed.promise, closing]);
      } catch (error) {
        this.#options.onTrouble?.(causeOf(error).message);
      }
      failed.end();
      if (!this.#isClosing()) this.#options.duties.revoked();
      await this.#dispose(consumer, running);
      const pauseMs = Math.min(RESTART_PAUSE_MS * 2 ** restarts, RESTART_PAUSE_MAX_MS);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #dispose(consumer: Consumer, running: Promise<void>): Promise<void> {
    try {
      // #1639: a consumer that is still joining does not notice that it is stopped.
      await inTime(DISPOSE_WITHIN_MS, 'joining', running).catch(() => undefined);
      this.#consumer = undefined;
      await inTime(DISPOSE_WITHIN_MS, 'leaving', consumer.disconnect());
    } catch (error) {
      // What is left of it finds that it is not the one any more, and crashes.
      this.#options.onTrouble?.(causeOf(error).message);
    }
  }

  /** Asked again after every wait. */
  #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  #make(): Consumer {
    const { kafka, groupId, config } = this.#options;
    return kafka.consumer({
      groupId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_INTERVAL_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytesPerPartition: PARTITION_BYTES_MAX,
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 5, restartOnFailure: notAgain },
      ...config,
    });
  }

  async #run(consumer: Consumer): Promise<void> {
    await consumer.connect();
    if (this.#isClosing()) return;
    await consumer.subscribe({ topics: [...this.#options.topics], fromBeginning: true });
    this.#consumer = consumer;
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: BATCHES_AT_ONCE,
      eachBatch: (payload) => this.#arrived(consumer, payload),
    });
  }

  /** The promise rejects when kafkajs gives up, or is silent for too long. */
  #observe(consumer: Consumer, joined: () => void): { promise: Promise<never>; end(): void } {
    const { duties } = this.#options;
    const isActive = (): void => {
      this.lastActivityMs = performance.now();
    };
    const { FETCH, FETCH_START, HEARTBEAT, GROUP_JOIN, REBALANCING, CRASH } = consumer.events;
    consumer.on(FETCH, isActive);
    consumer.on(FETCH_START, () => {
      this.#pace.started(performance.now());
    });
    consumer.on(HEARTBEAT, isActive);
    consumer.on(GROUP_JOIN, ({ payload }) => {
      if (consumer !== this.#consumer) return;
      isActive();
      this.#rejoinsSinceMs = undefined;
      duties.assigned(partitionsOf(payload.memberAssignment));
      joined();
    });
    consumer.on(REBALANCING, () => {
      if (consumer !== this.#consumer) return;
      this.#rejoinsSinceMs ??= performance.now();
      duties.revoked();
    });
    let timer: NodeJS.Timeout | undefined;
    const promise = new Promise<never>((_resolve, reject) => {
      consumer.on(CRASH, ({ payload }) => reject(payload.error));
      timer = setInterval(() => {
        const silentMs = performance.now() - this.lastActivityMs;
        if (silentMs > SILENT_MAX_MS) reject(new Error('no answer to a fetch or a heartbeat'));
        // kafkajs goes on as the member that it was when joining again has failed, and says nothing.
        const rejoinsMs = performance.now() - (this.#rejoinsSinceMs ?? Infinity);
        if (rejoinsMs > SILENT_MAX_MS) reject(new Error('the group was not joined again'));
      }, SILENCE_LOOK_MS).unref();
    });
    promise.catch(() => undefined); // it may crash while nobody waits any more
    return { promise, end: () => clearInterval(timer) };
  }

  async #arrived(consumer: Consumer, payload: EachBatchPayload): Promise<void> {
    if (consumer !== this.#consumer) throw new Error('this consumer has been replaced');
    const { batch } = payload;
    const last = batch.messages.at(-1);
    if (last === undefined || payload.isStale()) return;
    // Nobody would take them, so they are not resolved.
    if (this.#rejoinsSinceMs !== undefined) return delay(UNASSIGNED_PAUSE_MS);
    const { topic, partition, messages } = batch;
    this.#options.onFetched?.(topic, messages.length);
    this.#options.duties.arrived({ topic, partition, messages });
    payload.resolveOffset(last.offset);
    // All batches of a fetch are here at once, and wait together for the time of the next one.
    const waitMs = this.#pace.nextMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
  }
}

/** Asked by kafkajs: a crashed consumer is replaced here, not started again there. */
function notAgain(): Promise<boolean> {
  return Promise.resolve(false);
}

function partitionsOf(assignment: Readonly<Record<string, number[]>>): TopicPartition[] {
  return Object.entries(assignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
}

function grouped(partitions: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const byTopic = new Map<string, number[]>();
  for (const { topic, partition } of partitions) {
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), partition]);
  }
  return [...byTopic].map(([topic, numbers]) => ({ topic, partitions: numbers }));
}
