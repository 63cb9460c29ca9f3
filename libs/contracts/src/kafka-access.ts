import {
  eventsReadBy,
  eventsRelayedBy,
  type ServiceName,
  serviceNames,
  serviceRow,
  type ServicesWith,
} from './services.js';
import { commandTopicOf, commandTopics, deadTopicOf, eventTopics, REPLY_TOPIC } from './topics.js';

/** What one client of Kafka needs; whatever is not named it may not do. */
export interface KafkaNeeds {
  /** Topics whose messages it takes. */
  readonly reads: readonly string[];
  /** Topics that it appends to. */
  readonly writes: readonly string[];
  /** How the names of the groups begin that it reads in. */
  readonly groups: readonly string[];
}

/** A service that speaks to Kafka, as its certificate names it. */
export type KafkaClientName = ServicesWith<
  | { takesCommands: true }
  | { sendsCommands: true }
  | { relays: readonly string[] }
  | { readsEventsOf: readonly string[] }
>;

/**
 * Who may do what on Kafka (D-47), by the name in a client's certificate. No service makes, changes
 * or deletes a topic: that is the operator's, who is a super user and stands in no table. Access
 * rules of the broker, Strimzi's users and tests derive from it.
 */
export const kafkaAccess = Object.fromEntries(
  serviceNames.flatMap((name) => {
    const needs = needsOf(name);
    return needs.reads.length + needs.writes.length === 0 ? [] : [[name, needs]];
  }),
) as Readonly<Record<KafkaClientName, KafkaNeeds>>;

function needsOf(name: ServiceName): KafkaNeeds {
  const { sendsCommands, takesCommands } = serviceRow(name);
  const commands = takesCommands === true ? [commandTopicOf(name)] : [];
  const events = eventsReadBy(name).map((one) => eventTopics[one]);
  const reads = [...(sendsCommands === true ? [REPLY_TOPIC] : []), ...commands, ...events];
  return {
    reads,
    writes: [
      ...(sendsCommands === true ? Object.values(commandTopics) : []),
      ...(takesCommands === true ? [REPLY_TOPIC] : []),
      // What it could not handle. Replies have no dead letters: a lost one is dropped (D-02).
      ...[...commands, ...events].map(deadTopicOf),
      ...eventsRelayedBy(name).map((one) => eventTopics[one]),
    ],
    // Of commands, of each table set, or of each start of each instance, see ReplyReader.
    groups: reads.length === 0 ? [] : [`${name}.`],
  };
}

/** All of them. */
export const kafkaClients = Object.keys(kafkaAccess) as readonly KafkaClientName[];

/** One kind of thing to do, in Kafka's words. */
export type KafkaOperation = 'Read' | 'Write' | 'Describe' | 'DescribeConfigs';

/** What is allowed on one topic, or on all groups that begin alike. */
export interface KafkaAccessRule {
  readonly resource: 'topic' | 'group';
  readonly name: string;
  readonly pattern: 'literal' | 'prefix';
  readonly operations: readonly KafkaOperation[];
}

/** The access rules of a service; `prefix` goes before every name, and only tests have one. */
export function kafkaAccessRules(client: KafkaClientName, prefix = ''): readonly KafkaAccessRule[] {
  const { reads, writes, groups }: KafkaNeeds = kafkaAccess[client];
  const topics = [...new Set([...reads, ...writes])].map((topic): KafkaAccessRule => {
    const reading = reads.includes(topic) ? (['Read'] as const) : [];
    const writing = writes.includes(topic) ? (['Write'] as const) : [];
    return {
      resource: 'topic',
      name: prefix + topic,
      pattern: 'literal',
      // Whether a topic is as declared is anybody's business who uses it (D-15).
      operations: [...reading, ...writing, 'Describe', 'DescribeConfigs'],
    };
  });
  return [
    ...topics,
    ...groups.map((group): KafkaAccessRule => {
      const operations = ['Read', 'Describe'] as const;
      return { resource: 'group', name: prefix + group, pattern: 'prefix', operations };
    }),
  ];
}

/** One entry of `spec.authorization.acls` in Strimzi's KafkaUser. */
export interface KafkaUserAcl {
  readonly resource: {
    readonly type: 'topic' | 'group';
    readonly name: string;
    readonly patternType: 'literal' | 'prefix';
  };
  readonly operations: readonly KafkaOperation[];
  readonly host: '*';
}

/** The same rules as Strimzi has them; the manifests of production are compared with this. */
export function kafkaUserAcls(client: KafkaClientName): readonly KafkaUserAcl[] {
  return kafkaAccessRules(client).map(({ resource, name, pattern, operations }) => ({
    resource: { type: resource, name, patternType: pattern },
    operations,
    host: '*',
  }));
}
