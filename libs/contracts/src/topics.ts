import {
  commandSender,
  commandTakers,
  type CommandTaker,
  eventPublishers,
  type EventPublisher,
  services,
} from './services.js';

/** The topic of the commands for a service. */
export function commandTopicOf(service: string): string {
  return `${service}.commands.v1`;
}

/** The topic of a stream's events. */
export function eventTopicOf(service: string, stream: string): string {
  return `${service}.${stream}.v1`;
}

/** The topics of the services that take commands. */
export const commandTopics = Object.fromEntries(
  commandTakers.map((service) => [service, commandTopicOf(service)]),
) as Readonly<Record<CommandTaker, string>>;

/** The topics of the services that publish events. */
export const eventTopics = Object.fromEntries(
  eventPublishers.map((service) => [service, eventTopicOf(service, services[service].publishes)]),
) as Readonly<Record<EventPublisher, string>>;

/** The answers to commands: one partition per instance of their sender, read by it alone (D-02). */
export const REPLY_TOPIC = `${commandSender}.replies.v1`;

/** How old a command may be before it is recorded as not performed (D-03). */
export const COMMAND_TIME_TO_LIVE_MS = 25_000;

/** The topic that takes what could not be handled (D-17). */
export function deadTopicOf(topic: string): string {
  return `${topic}.dead`;
}

/** A topic as it must be; nobody creates one at run time. */
export interface TopicDeclaration {
  readonly name: string;
  readonly partitions: number;
  /** Kafka's own words; whatever is not named is the broker's default. */
  readonly config: Readonly<Record<string, string>>;
}

/** D-15; instances of a service share them, so this is also the most that can work at once. */
const WORK_PARTITIONS = 24;
/** As many instances of edge as there can be (D-02). */
const REPLY_PARTITIONS = 32;
/** D-15: a command of 2 MiB, what surrounds it, and room. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A command that nobody took for a day has long been answered (D-45). */
const COMMAND_RETENTION_MS = DAY_MS;
/** The store can publish again what is older (D-45, S-GDPR-03). */
const EVENT_RETENTION_MS = 7 * DAY_MS;
/** Nobody waits longer than 25 s for a reply; the rest is for operators who investigate (D-02). */
const REPLY_RETENTION_MS = 15 * MINUTE_MS;

/** A topic is shortened only by whole segments, so a segment is much shorter than the retention. */
function declared(
  name: string,
  partitions: number,
  retentionMs: number,
  segmentMs = HOUR_MS,
): TopicDeclaration {
  return {
    name,
    partitions,
    config: {
      'cleanup.policy': 'delete',
      'retention.ms': String(retentionMs),
      'segment.ms': String(segmentMs),
      'max.message.bytes': String(MESSAGE_BYTES_MAX),
      // A command's age and the relay's lag are measured from the broker's clock (D-03, D-60).
      'message.timestamp.type': 'LogAppendTime',
    },
  };
}

/** A topic of commands and the one for its dead letters. */
export function declareCommands(
  topic: string,
  partitions = WORK_PARTITIONS,
): readonly TopicDeclaration[] {
  return [
    declared(topic, partitions, COMMAND_RETENTION_MS),
    declared(deadTopicOf(topic), partitions, EVENT_RETENTION_MS),
  ];
}

/** A topic of events and the one for its dead letters. */
export function declareEvents(
  topic: string,
  partitions = WORK_PARTITIONS,
): readonly TopicDeclaration[] {
  return [
    declared(topic, partitions, EVENT_RETENTION_MS),
    declared(deadTopicOf(topic), partitions, EVENT_RETENTION_MS),
  ];
}

/** The topic of replies. */
export function declareReplies(partitions = REPLY_PARTITIONS): TopicDeclaration {
  return declared(REPLY_TOPIC, partitions, REPLY_RETENTION_MS, 5 * MINUTE_MS);
}

/** Every topic there is. */
export const declaredTopics: readonly TopicDeclaration[] = [
  ...Object.values(commandTopics).flatMap((topic) => declareCommands(topic)),
  ...Object.values(eventTopics).flatMap((topic) => declareEvents(topic)),
  declareReplies(),
];
