import { deadTopicOf, declaredTopics } from '@sluice/contracts';
import {
  counter,
  type CounterSeries,
  gauge,
  histogram,
  type HistogramSeries,
  type MetricDeclaration,
  type Metrics,
  noMetrics,
} from '@sluice/service';
import type { CommandResult } from '../ports.js';

const TOPICS = declaredTopics.map(({ name }) => name);
const SYSTEM = 'kafka';
/** What the names of dead letters' topics end in. */
const DEAD = deadTopicOf('');
/** Our own groups, a handful; see `groupLabel`. */
const GROUPS_MAX = 20;

const place = { messaging_system: [SYSTEM], messaging_destination_name: TOPICS } as const;
const group = { messaging_consumer_group_name: { atMost: GROUPS_MAX } } as const;

const sent = counter(
  'messaging_client_sent_messages_total',
  'Messages that the broker has acknowledged.',
  place,
);
const requests = histogram(
  'messaging_client_operation_duration_seconds',
  'Produce requests, each with the messages of many partitions; error_type is empty when it was taken.',
  { ...place, messaging_operation_name: ['send'], error_type: ['', 'failed'] },
);
const consumed = counter(
  'messaging_client_consumed_messages_total',
  'Messages that were fetched, those that come again included.',
  { ...place, ...group },
);
const lag = gauge(
  'sluice_kafka_consumer_lag',
  "Messages of this instance's partitions that are not dealt with; the sum over all instances is the group's.",
  { group: { atMost: GROUPS_MAX }, topic: TOPICS },
);
const processed = histogram(
  'messaging_process_duration_seconds',
  'From the arrival of a command to its reply, calls included; or the handling of one batch of events.',
  { ...place, ...group },
);
const dead = counter(
  'sluice_dead_letters_total',
  'Messages that could not be handled and were copied to the dead letters, by the topic they came from.',
  { topic: TOPICS },
);
const commands = counter(
  'sluice_commands_sent_total',
  'Commands by what their sender learned: replied, unanswered (no reply in time: pending), failed, uncertain, notSent.',
  { result: ['replied', 'unanswered', 'failed', 'uncertain', 'notSent'] },
);
const awaited = gauge('sluice_replies_awaited', 'Commands whose sender waits for the reply.');

/** The metrics of a process that sends. */
export const kafkaProducerMetrics: readonly MetricDeclaration[] = [sent, requests];
/** The metrics of a process that reads a topic. */
export const kafkaReaderMetrics: readonly MetricDeclaration[] = [consumed, lag];
/** The additional metrics of a process with handlers or subscriptions. */
export const kafkaHandlerMetrics: readonly MetricDeclaration[] = [processed, dead];
/** The metrics of a process that sends commands. */
export const commandSenderMetrics: readonly MetricDeclaration[] = [commands, awaited];

/** What is measured of one producer. */
export interface ProducerMeter {
  /** So many messages of a topic (by its name on the broker) are safe. */
  sent(topic: string, count: number): void;
  /** A request has ended. */
  requested(topic: string, seconds: number, failed: boolean): void;
}

/** What is measured of one consumer. */
export interface ConsumerMeter {
  readonly group: string;
  consumed(topic: string, count: number): void;
}

/** What counts the handling of one consumer's messages. */
export interface HandlerMeter extends ConsumerMeter {
  processed(topic: string, seconds: number): void;
}

/** What is measured of a sender of commands. */
export interface CommandMeter {
  ended(kind: CommandResult<unknown>['kind']): void;
}

/** Messages of one group and topic that are not dealt with. */
export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  readonly messages: number;
}

/**
 * The metrics of one bus. A series is looked up once for each topic and remembered by the topic's
 * name on the broker. A process registers only the metrics of what it does.
 */
export class KafkaMetrics {
  constructor(
    private readonly prefix: string,
    private readonly metrics: Metrics = noMetrics,
  ) {}

  producer(): ProducerMeter {
    const { metrics } = this;
    const counts = metrics.counter(sent);
    const durations = metrics.histogram(requests);
    const countOf = this.#byTopic((topic) => counts.of(placeOf(topic)));
    const timesOf = (errorType: string): ((topic: string) => HistogramSeries) =>
      this.#byTopic((topic) =>
        durations.of({
          ...placeOf(topic),
          messaging_operation_name: 'send',
          error_type: errorType,
        }),
      );
    const [taken, refused] = [timesOf(''), timesOf('failed')];
    return {
      sent: (topic, count) => countOf(topic).add(count),
      requested: (topic, seconds, failed) => (failed ? refused : taken)(topic).observe(seconds),
    };
  }

  consumer(groupId: string): ConsumerMeter {
    const groupName = this.groupLabel(groupId);
    const counts = this.metrics.counter(consumed);
    const countOf = this.#byTopic((topic) =>
      counts.of({ ...placeOf(topic), messaging_consumer_group_name: groupName }),
    );
    return { group: groupName, consumed: (topic, count) => countOf(topic).add(count) };
  }

  /** The dead letters of its topics begin at 0, so that the first one is an increase. */
  handler(groupId: string, topics: readonly string[]): HandlerMeter {
    const consumer = this.consumer(groupId);
    const durations = this.metrics.histogram(processed);
    const timeOf = this.#byTopic((topic) =>
      durations.of({ ...placeOf(topic), messaging_consumer_group_name: consumer.group }),
    );
    for (const topic of topics) this.metrics.counter(dead).of({ topic });
    return { ...consumer, processed: (topic, seconds) => timeOf(topic).observe(seconds) };
  }

  /** Subscribers publish their dead letters themselves (D-17). */
  published(topic: string, count: number): void {
    if (topic.endsWith(DEAD)) this.buried(topic.slice(0, -DEAD.length), count);
  }

  /** Messages that are safe among the dead letters of a declared topic. */
  buried(topic: string, count: number): void {
    this.metrics.counter(dead).add({ topic }, count);
  }

  commands(waiting: () => number): CommandMeter {
    const counts = this.metrics.counter(commands);
    const series: Record<CommandResult<unknown>['kind'], CounterSeries> = {
      replied: counts.of({ result: 'replied' }),
      unanswered: counts.of({ result: 'unanswered' }),
      failed: counts.of({ result: 'failed' }),
      uncertain: counts.of({ result: 'uncertain' }),
      notSent: counts.of({ result: 'notSent' }),
    };
    this.metrics.gauge(awaited, waiting);
    return { ended: (kind) => series[kind].add() };
  }

  lag(look: () => Promise<readonly GroupLag[]>): void {
    this.metrics.look(look, [
      {
        declaration: lag,
        read: (found: readonly GroupLag[]) =>
          found.map(({ group: name, topic, messages }) => ({
            labels: { group: name, topic: this.#declared(topic) },
            value: messages,
          })),
      },
    ]);
  }

  /**
   * A group's name without what differs from one start, rebuild or test to the next: those of
   * replies have a random part, those of projections the number of a table set.
   */
  groupLabel(groupId: string): string {
    const [service = '', second = ''] = this.#declared(groupId).split('.');
    return /^[a-z]/.test(second) ? `${service}.${second}` : service;
  }

  #declared(brokerName: string): string {
    return brokerName.slice(this.prefix.length);
  }

  #byTopic<Series>(make: (topic: string) => Series): (topic: string) => Series {
    const known = new Map<string, Series>();
    return (topic) => {
      let series = known.get(topic);
      if (series === undefined) known.set(topic, (series = make(this.#declared(topic))));
      return series;
    };
  }
}

function placeOf(topic: string) {
  return { messaging_system: SYSTEM, messaging_destination_name: topic };
}
