import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/service';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { whileProcessing } from '../message-spans.js';
import type { EventBatch, EventSubscription, OpenSubscription, ReceivedEvent } from '../ports.js';
import { CommitTimer } from './commit-timer.js';
import type { PartitionPosition } from './consumer-lag.js';
import type { DeadLetters } from './dead-letters.js';
import { describeError } from './describe-error.js';
import { EventLine } from './event-line.js';
import { sayingWhenLate } from './late-steps.js';
import type { HandlerMeter } from './kafka-metrics.js';
import {
  type ArrivedBatch,
  SupervisedConsumer,
  type TopicPartition,
  unhurried,
} from './supervised-consumer.js';
import { decodeMessage } from './message-headers.js';
import type { TopicTable } from './topics.js';

/** How events are read. */
export interface EventConsumerLimits {
  /** The pauses before a subscription's batch is tried again; the last one repeats for ever. */
  readonly batchRetryDelaysMs: readonly number[];
  /** Kafka's offsets are only a hint, so they are rarely committed. */
  readonly eventCommitIntervalMs: number;
}

/** What an event consumer is made of. */
export interface EventConsumerParts {
  readonly kafka: Kafka;
  readonly topics: TopicTable;
  readonly prefix: string;
  readonly subscription: EventSubscription;
  readonly deadLetters: DeadLetters;
  readonly limits: EventConsumerLimits;
  readonly fetchGatherMs: number;
  readonly meter: HandlerMeter;
  readonly onClosing: () => void;
  readonly logger: Logger | undefined;
}

/** Longer than a restart of the broker or of a database keeps a step waiting. */
const LATE_AFTER_MS = 15_000;

/** A partition, its messages, and whether its position is known. */
interface Assignment {
  readonly place: TopicPartition;
  readonly line: EventLine;
}

/**
 * One subscription over Kafka. Every partition has a line of its own, so that a slow one holds up
 * no other; its position comes from the subscriber's database, if it has one (D-22).
 */
export class EventConsumer implements OpenSubscription {
  readonly consumer: SupervisedConsumer;
  readonly #closing = new AbortController();
  readonly #commits: CommitTimer;
  #assigned = new Map<string, Assignment>();
  /** Batches of earlier generations that have not ended. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(private readonly parts: EventConsumerParts) {
    const { kafka, prefix, subscription, topics, limits, logger } = parts;
    const { group } = subscription;
    this.consumer = new SupervisedConsumer({
      kafka,
      groupId: prefix + group,
      topics: subscription.topics.map((topic) => topics.brokerName(topic)),
      gatherMs: parts.fetchGatherMs,
      config: unhurried,
      onFetched: (name, count) => parts.meter.consumed(name, count),
      duties: {
        assigned: (partitions) => this.#assign(partitions),
        revoked: () => this.#revoke(),
        arrived: (batch) => this.#arrived(batch),
      },
      onTrouble: (reason) => logger?.warn({ group, reason }, 'A subscription starts again.'),
    });
    this.#commits = new CommitTimer(
      limits.eventCommitIntervalMs,
      () => this.#commit(),
      () => [...this.#assigned.values()].some(({ line }) => line.offsets.isUnsettled),
    );
  }

  /** Resolves when it has joined its group. */
  start(): Promise<void> {
    return this.consumer.start();
  }

  /** How far it has come in each of its partitions. */
  positions(): readonly PartitionPosition[] {
    return [...this.#assigned.values()].map(({ place, line }) => {
      return { ...place, position: line.offsets.position };
    });
  }

  async close(): Promise<void> {
    this.parts.onClosing();
    this.#closing.abort();
    const lastCommit = this.#commits.close();
    this.consumer.pause([...this.#assigned.values()].map(({ place }) => place));
    await Promise.all([...this.#assigned.values()].map(({ line }) => line.end()));
    await Promise.all(this.#ending.values());
    await lastCommit;
    await this.#commit();
    await this.consumer.close();
  }

  #assign(partitions: readonly TopicPartition[]): void {
    this.#endLines();
    this.#assigned = new Map(
      partitions.map((place) => [nameOf(place), { place, line: this.#line(place) }]),
    );
    this.consumer.pause(partitions);
    for (const assignment of this.#assigned.values()) void this.#position(assignment);
  }

  #line(place: TopicPartition): EventLine {
    const { subscription, topics, limits, logger } = this.parts;
    return new EventLine({
      topic: topics.declaredName(place.topic),
      partition: place.partition,
      handle: (batch) =>
        whileProcessing(
          {
            ...{ system: 'kafka', group: subscription.group, destination: batch.topic },
            ...{ partition: batch.partition, offset: batch.messages[0]?.offset },
          },
          batch.messages.map(({ message }) => message),
          () => this.#handle(place.topic, batch),
        ),
      retryDelaysMs: limits.batchRetryDelaysMs,
      pause: () => this.consumer.pause([place]),
      resume: () => this.consumer.resume([place]),
      onRejected: (error) => {
        const fields = { group: subscription.group, ...place, reason: describeError(error) };
        logger?.warn(fields, 'A batch of events was rejected and comes again.');
      },
    });
  }

  async #handle(brokerTopic: string, batch: EventBatch): Promise<void> {
    const startMs = performance.now();
    const { topic, partition, messages } = batch;
    await this.#named(this.parts.subscription.handle(batch), {
      ...{ topic, partition, step: 'handling events' },
      ...{ offset: messages[0]?.offset, messages: messages.length },
    });
    this.parts.meter.processed(brokerTopic, (performance.now() - startMs) / 1_000);
  }

  /** Reads nothing from the partition before the subscriber has said where to begin. */
  async #position({ place, line }: Assignment): Promise<void> {
    const { subscription, topics, limits } = this.parts;
    const ending = this.#ending.get(nameOf(place)) ?? Promise.resolve();
    await this.#named(ending, { ...place, step: 'ending the generation before' });
    const delaysMs = limits.batchRetryDelaysMs;
    for (let tries = 0; !line.hasEnded(); tries += 1) {
      try {
        const topic = topics.declaredName(place.topic);
        const asked = Promise.resolve(subscription.startAfter?.(topic, place.partition));
        const after = await this.#named(asked, { ...place, step: 'asking where to begin' });
        if (line.hasEnded()) return;
        if (after !== undefined) {
          this.consumer.seek(place, String(BigInt(after) + 1n));
          line.offsets.startAt(Number(after) + 1);
        }
        if (!this.#closing.signal.aborted) this.consumer.resume([place]);
        return;
      } catch (error) {
        const fields = { group: subscription.group, ...place, reason: describeError(error) };
        this.parts.logger?.warn(fields, 'A subscriber does not know its position yet.');
        const pauseMs = delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0;
        const { signal } = this.#closing;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  }

  /** Nothing of the partition is read meanwhile, so whoever looks for the events must find why. */
  #named<Result>(step: Promise<Result>, what: object): Promise<Result> {
    const { logger, subscription } = this.parts;
    return sayingWhenLate(step, LATE_AFTER_MS, () => {
      const fields = { group: subscription.group, ...what };
      logger?.warn(fields, 'A partition of events waits, and nothing of it is read.');
    });
  }

  #revoke(): void {
    void this.#commit();
    this.#endLines();
  }

  #endLines(): void {
    for (const [name, { line }] of this.#assigned) {
      const before = this.#ending.get(name);
      const ended = Promise.all([before, line.end()]).then(() => {
        if (this.#ending.get(name) === ended) this.#ending.delete(name);
      });
      this.#ending.set(name, ended);
    }
    this.#assigned = new Map();
  }

  #arrived({ topic, partition, messages }: ArrivedBatch): void {
    const assignment = this.#assigned.get(nameOf({ topic, partition }));
    if (assignment === undefined || this.#closing.signal.aborted) return;
    const received: ReceivedEvent[] = [];
    for (const raw of messages) {
      try {
        received.push({ offset: raw.offset, message: decodeMessage(raw) });
      } catch (error) {
        void this.#bury({ topic, partition }, raw, describeError(error));
      }
    }
    if (received.length === 0) return;
    assignment.line.add(received);
    this.#commits.stir();
  }

  /** It is not an event of Sluice, so no stream waits behind it. */
  async #bury(place: TopicPartition, raw: KafkaMessage, reason: string): Promise<void> {
    const isKept = await this.parts.deadLetters.copy(place.topic, place.partition, raw, reason);
    const fields = { ...place, offset: raw.offset, reason, isKept };
    this.parts.logger?.error(fields, 'A message that is not an event was skipped.');
  }

  async #commit(): Promise<void> {
    const changed = [...this.#assigned.values()].flatMap(({ place, line }) => {
      const position = line.offsets.uncommitted;
      return position === undefined ? [] : [{ place, line, position }];
    });
    const positions = changed.map(({ place, position }) => ({
      ...place,
      offset: String(position),
    }));
    if (!(await this.consumer.commit(positions))) return;
    for (const { line, position } of changed) line.offsets.committed(position);
  }
}

function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
