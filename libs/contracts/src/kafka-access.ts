import { cellName, FIRST_CELL, SERVICE_OF_CELLS } from './cells.js';
import {
  eventsHeardBy,
  eventsRelayedBy,
  commandTakers,
  type ServiceName,
  serviceNames,
  serviceRow,
  type ServicesWith,
} from './services.js';
import { commandTopicOf, deadTopicOf, eventTopics, REPLY_TOPIC } from './topics.js';

/** What one client of Kafka needs; it may do nothing else. */
export interface KafkaNeeds {
  /** Topics whose messages it takes. */
  readonly reads: readonly string[];
  /** Topics that it appends to. */
  readonly writes: readonly string[];
  /** The prefixes of its consumer groups. */
  readonly groups: readonly string[];
}

/** A service that speaks to Kafka, as its certificate names it. */
export type KafkaClientName = ServicesWith<
  | { takesCommands: true }
  | { sendsCommands: true }
  | { relays: readonly string[] }
  | { readsEventsOf: readonly string[] }
  | { followsEventsOf: readonly string[] }
>;

/**
 * Who may do what on Kafka (D-47), by the name in a client's certificate. No service makes, changes
 * or deletes a topic: only the operator does, who is a super user and is not in this table. Access
 * rules of the broker, Strimzi's users and tests derive from the table.
 */
export const kafkaAccess = Object.fromEntries(
  serviceNames.flatMap((name) => {
    const needs = needsOf(name);
    return needs.reads.length + needs.writes.length === 0 ? [] : [[name, needs]];
  }),
) as Readonly<Record<KafkaClientName, KafkaNeeds>>;

function needsOf(name: ServiceName, cells = FIRST_CELL): KafkaNeeds {
  const { sendsCommands, takesCommands } = serviceRow(name);
  const commands = takesCommands === true ? commandTopicsOf(name, cells) : [];
  const events = eventsHeardBy(name).map((one) => eventTopics[one]);
  const reads = [...(sendsCommands === true ? [REPLY_TOPIC] : []), ...commands, ...events];
  return {
    reads,
    writes: [
      ...(sendsCommands === true
        ? commandTakers.flatMap((taker) => commandTopicsOf(taker, cells))
        : []),
      ...(takesCommands === true ? [REPLY_TOPIC] : []),
      // For messages that it could not handle; lost replies do not become dead letters (D-02).
      ...[...commands, ...events].map(deadTopicOf),
      ...eventsRelayedBy(name).map((one) => eventTopics[one]),
    ],
    // Of commands, of each table set, or of each start of each instance, see ReplyReader.
    groups: reads.length === 0 ? [] : [`${name}.`],
  };
}

/** One of each cell, where the service has some (page 0047). */
function commandTopicsOf(service: ServiceName, cells: number): readonly string[] {
  const count = service === SERVICE_OF_CELLS ? cells : FIRST_CELL;
  return Array.from({ length: count }, (_, index) =>
    commandTopicOf(cellName(service, index + FIRST_CELL)),
  );
}

/** All of them. */
export const kafkaClients = Object.keys(kafkaAccess) as readonly KafkaClientName[];

/** One operation, as Kafka names it. */
export type KafkaOperation = 'Read' | 'Write' | 'Describe' | 'DescribeConfigs';

/** What is allowed on one topic, or on all groups with a prefix. */
export interface KafkaAccessRule {
  readonly resource: 'topic' | 'group';
  readonly name: string;
  readonly pattern: 'literal' | 'prefix';
  readonly operations: readonly KafkaOperation[];
}

/**
 * The access rules of a service in an installation with so many cells of payments: each cell has the
 * certificate of payments. `prefix` is put before every name; only tests use one.
 */
export function kafkaAccessRules(
  client: KafkaClientName,
  prefix = '',
  cells = FIRST_CELL,
): readonly KafkaAccessRule[] {
  const { reads, writes, groups } = needsOf(client, cells);
  const topics = [...new Set([...reads, ...writes])].map((topic): KafkaAccessRule => {
    const reading = reads.includes(topic) ? (['Read'] as const) : [];
    const writing = writes.includes(topic) ? (['Write'] as const) : [];
    return {
      resource: 'topic',
      name: prefix + topic,
      pattern: 'literal',
      // Everybody who uses a topic checks that it is as declared (D-15).
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
export function kafkaUserAcls(
  client: KafkaClientName,
  cells = FIRST_CELL,
): readonly KafkaUserAcl[] {
  return kafkaAccessRules(client, '', cells).map(({ resource, name, pattern, operations }) => ({
    resource: { type: resource, name, patternType: pattern },
    operations,
    host: '*',
  }));
}
