import {
  commandGroupOf,
  commandTopicOf,
  type Message,
  REPLY_GROUP,
  type TopicDeclaration,
} from '@sluice/contracts';
import { type Metrics, outsideOfRequests } from '@sluice/service';
import type { Kafka } from 'kafkajs';
import process from 'node:process';
import type { Commands, Events, EventSubscription } from '../ports.js';
import { BrokerClock } from './broker-clock.js';
import { CommandConsumer } from './command-consumer.js';
import { CommandSender } from './command-sender.js';
import { ConsumerLag, type FollowedConsumer } from './consumer-lag.js';
import { ConsumerWatch } from './consumer-watch.js';
import { DeadLetters } from './dead-letters.js';
import { EventConsumer } from './event-consumer.js';
import { EventPublisher } from './event-publisher.js';
import { GatheringProducer } from './gathering-producer.js';
import { createKafka, type KafkaClientOptions, REQUEST_TIMEOUT_MS } from './kafka-client.js';
import { KafkaMetrics } from './kafka-metrics.js';
import { defaultKafkaLimits, type KafkaLimits } from './kafka-limits.js';
import { type CommandHandlers, KafkaTransport, type ServingConsumers } from './kafka-transport.js';
import { Replies } from './replies.js';
import { ReplyReader } from './reply-reader.js';
import { TopicTable } from './topics.js';

/** What may be set when a bus is made. */
export interface KafkaBusOptions extends KafkaClientOptions {
  /** The ordinal of an instance of edge; without it no commands can be sent (D-02). */
  readonly replyPartition?: number;
  /** A prefix for the name of every topic and group; only tests use one. */
  readonly topicPrefix?: string;
  /** All that are declared in contracts, unless told. */
  readonly topics?: readonly TopicDeclaration[];
  readonly limits?: Partial<KafkaLimits>;
  /** Where it counts. */
  readonly metrics?: Metrics;
  /** The newest schema version that handlers read; 1 where a command's type is not named (D-18). */
  readonly schemaVersions?: Readonly<Record<string, number>>;
  /**
   * Whether a handler's error, other than InfrastructureAway, means that its infrastructure cannot
   * be reached.
   */
  readonly isInfrastructure?: (error: unknown) => boolean;
  /** A consumer is stuck for good (D-19); ends the process unless told otherwise. */
  readonly onStuck?: (groupId: string) => void;
}

/**
 * Commands and events over Kafka, behind the same ports as in process. Everything connects and
 * reconnects by itself; while Kafka is down, commands are answered `notSent` at their deadline.
 */
export class KafkaBus {
  readonly commands: Commands;
  readonly events: Events;

  readonly #kafka: Kafka;
  readonly #prefix: string;
  readonly #topics: TopicTable;
  readonly #limits: KafkaLimits;
  readonly #watch: ConsumerWatch;
  readonly #metrics: KafkaMetrics;
  #lag: ConsumerLag | undefined;
  readonly #producers: Record<'commands' | 'replies' | 'events' | 'dead', GatheringProducer>;
  readonly #deadLetters: DeadLetters;
  readonly #subscriptions = new Set<EventConsumer>();
  readonly #transports = new Set<KafkaTransport>();
  readonly #sender: CommandSender | undefined;
  readonly #replyReader: ReplyReader | undefined;
  #isClosed = false;

  constructor(private readonly options: KafkaBusOptions) {
    const { topicPrefix = '', replyPartition, limits } = options;
    this.#kafka = createKafka(options);
    this.#prefix = topicPrefix;
    this.#topics = new TopicTable(topicPrefix, options.topics);
    this.#limits = { ...defaultKafkaLimits, ...limits };
    this.#metrics = new KafkaMetrics(topicPrefix, options.metrics);
    this.#watch = new ConsumerWatch(this.#kafka, (groupId) => this.#stuck(groupId));
    const { produceGatherMs } = this.#limits;
    this.#producers = {
      commands: this.#producer('commands', produceGatherMs),
      replies: this.#producer('replies', produceGatherMs),
      events: this.#producer('events'),
      dead: this.#producer('dead'),
    };
    this.#deadLetters = new DeadLetters(this.#producers.dead, this.#topics, (topic) => {
      this.#metrics.buried(topic, 1);
    });
    if (replyPartition !== undefined) {
      const { commands } = this.#producers;
      this.#sender = new CommandSender(commands, this.#topics, replyPartition, {
        limits: this.#limits,
        metrics: this.#metrics,
      });
      this.#replyReader = this.#openReplyReader(this.#sender, replyPartition);
    }
    this.commands = this.#sender ?? {
      send: () => Promise.reject(new TypeError('Without a reply partition nobody can wait.')),
    };
    const publisher = new EventPublisher(
      this.#producers.events,
      this.#topics,
      this.#limits.publishTimeoutMs,
    );
    this.events = {
      publish: async (topic: string, messages: readonly Message[]) => {
        await publisher.publish(topic, messages);
        this.#metrics.published(topic, messages.length);
      },
      subscribe: (subscription) => Promise.resolve(this.#subscribe(subscription)),
    };
  }

  /**
   * Resolves when commands can be sent, or events published where no commands are. Nobody has to
   * wait: what is sent before waits too.
   */
  async start(): Promise<void> {
    if (this.#replyReader === undefined) return this.#producers.events.connect();
    await this.#replyReader.start();
    await this.#producers.commands.connect();
  }

  /** The receiving side of a service; each start of a service needs its own. */
  transport(service: string): KafkaTransport {
    const transport = new KafkaTransport((handlers) => this.#serve(service, handlers));
    this.#transports.add(transport);
    return transport;
  }

  /**
   * Sends nothing new, finishes the work under way, and leaves its groups. In this order, because
   * replies to this bus's commands may come from its own services.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const sent = this.#sender?.close();
    await Promise.all([
      ...[...this.#transports].map((transport) => transport.close()),
      ...[...this.#subscriptions].map((subscription) => subscription.close()),
    ]);
    await sent;
    this.#watch.close();
    await this.#replyReader?.close();
    await this.#lag?.close();
    await Promise.all(Object.values(this.#producers).map((producer) => producer.close()));
  }

  /** The time of a request, and of one that kafkajs may have to make before it. */
  get #timeLimitMs(): number {
    return 2 * (this.options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
  }

  #producer(name: string, gatherMs = 0): GatheringProducer {
    const { logger } = this.options;
    return new GatheringProducer({
      gatherMs,
      meter: this.#metrics.producer(),
      timeLimitMs: this.#timeLimitMs,
      makeProducer: () =>
        this.#kafka.producer({
          allowAutoTopicCreation: false,
          idempotent: false,
          retry: { retries: 0 },
        }),
      // Logged outside of requests: it concerns all messages, although one of some request happens
      // to meet it.
      onTrouble: (reason) =>
        outsideOfRequests(() => logger?.warn({ producer: name, reason }, 'Kafka takes nothing.')),
      onRecovered: () =>
        outsideOfRequests(() => logger?.info({ producer: name }, 'Kafka takes messages again.')),
    });
  }

  #openReplyReader(sender: CommandSender, partition: number): ReplyReader {
    const reader = new ReplyReader({
      kafka: this.#kafka,
      topics: this.#topics,
      prefix: this.#prefix,
      partition,
      received: (reply) => sender.received(reply),
      fetchGatherMs: this.#limits.fetchGatherMs,
      meter: this.#metrics.consumer(this.#prefix + REPLY_GROUP),
      logger: this.options.logger,
    });
    this.#follow(reader);
    return reader;
  }

  #subscribe(subscription: EventSubscription): EventConsumer {
    const consumer: EventConsumer = new EventConsumer({
      kafka: this.#kafka,
      topics: this.#topics,
      prefix: this.#prefix,
      subscription,
      deadLetters: this.#deadLetters,
      limits: this.#limits,
      fetchGatherMs: this.#limits.eventFetchGatherMs,
      meter: this.#metrics.handler(this.#prefix + subscription.group, subscription.topics),
      onClosing: () => {
        this.#subscriptions.delete(consumer);
        this.#unfollow(consumer);
      },
      logger: this.options.logger,
    });
    this.#subscriptions.add(consumer);
    this.#follow(consumer);
    void consumer.start();
    return consumer;
  }

  #serve(service: string, handlers: CommandHandlers): ServingConsumers {
    const commands = handlers.size === 0 ? undefined : this.#commandConsumer(service, handlers);
    const joined = commands?.start() ?? Promise.resolve();
    return {
      joined,
      close: async () => {
        if (commands !== undefined) this.#unfollow(commands);
        await commands?.close();
        // The last reply of the last executor still has to leave (D-20).
        await Promise.race([this.#producers.replies.idle(), timeout(REQUEST_TIMEOUT_MS)]);
      },
    };
  }

  #commandConsumer(service: string, handlers: CommandHandlers): CommandConsumer {
    const { options } = this;
    const topic = commandTopicOf(service);
    const groupId = this.#prefix + commandGroupOf(service);
    const consumer = new CommandConsumer({
      kafka: this.#kafka,
      groupId,
      topic: this.#topics.brokerName(topic),
      declaredTopic: topic,
      handlers,
      schemaVersions: options.schemaVersions ?? {},
      isInfrastructure: options.isInfrastructure ?? (() => false),
      replies: new Replies(this.#producers.replies, this.#topics, options.logger),
      deadLetters: this.#deadLetters,
      limits: this.#limits,
      fetchGatherMs: this.#limits.fetchGatherMs,
      meter: this.#metrics.handler(groupId, [topic]),
      brokerClock: new BrokerClock({
        ...{ producer: this.#producers.replies, topics: this.#topics, logger: options.logger },
      }),
      logger: options.logger,
    });
    this.#follow(consumer);
    return consumer;
  }

  /** Watches a consumer and shows how far it is behind. */
  #follow(consumer: FollowedConsumer): void {
    this.#watch.add(consumer.consumer);
    if (this.#lag === undefined) {
      const lag = new ConsumerLag(this.#kafka, (groupId) => this.#metrics.groupLabel(groupId));
      this.#metrics.lag(() => lag.look());
      this.#lag = lag;
    }
    this.#lag.add(consumer);
  }

  #unfollow(consumer: FollowedConsumer): void {
    this.#watch.remove(consumer.consumer);
    this.#lag?.remove(consumer);
  }

  #stuck(groupId: string): void {
    this.options.logger?.fatal(
      { groupId },
      'A consumer is stuck; only a new process helps (D-19).',
    );
    if (this.options.onStuck === undefined) process.exit(1);
    this.options.onStuck(groupId);
  }
}

function timeout(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
