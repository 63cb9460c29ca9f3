import { describe, expect, it } from '@jest/globals';
import {
  kafkaAccess,
  kafkaAccessRules,
  kafkaClients,
  type KafkaNeeds,
  kafkaUserAcls,
} from './kafka-access.js';
import { deadTopicOf, declaredTopics, eventTopics, REPLY_TOPIC } from './topics.js';

const needs: readonly (readonly [string, KafkaNeeds])[] = Object.entries(kafkaAccess);
const writersOf = (topic: string) =>
  needs.filter(([, { writes }]) => writes.includes(topic)).map(([name]) => name);
const readersOf = (topic: string) =>
  needs.filter(([, { reads }]) => reads.includes(topic)).map(([name]) => name);

describe('the table of who may do what on Kafka', () => {
  it('names declared topics alone, and everyone of them has a writer', () => {
    const declared = declaredTopics.map(({ name }) => name);
    const named = needs.flatMap(([, { reads, writes }]) => [...reads, ...writes]);
    expect(named.filter((topic) => !declared.includes(topic))).toEqual([]);
    // Whoever reads a topic writes its dead letters, so those of one that nobody reads have no writer.
    const unread = declared.filter((topic) => readersOf(topic).length === 0).map(deadTopicOf);
    const unwritten = declared.filter((topic) => writersOf(topic).length === 0);
    expect(unwritten.filter((topic) => !unread.includes(topic))).toEqual([]);
  });

  it('has one writer of each topic of events, and one reader of replies', () => {
    for (const topic of Object.values(eventTopics)) expect(writersOf(topic)).toHaveLength(1);
    expect(readersOf(REPLY_TOPIC)).toEqual(['edge']);
  });

  it('lets dead letters be written by whoever reads the topic, and read by no service', () => {
    for (const topic of [...new Set(needs.flatMap(([, { reads }]) => reads))]) {
      const dead = deadTopicOf(topic);
      // A lost reply is dropped, so its topic has none (D-02).
      if (topic === REPLY_TOPIC) continue;
      expect(writersOf(dead)).toEqual(readersOf(topic));
      expect(readersOf(dead)).toEqual([]);
    }
  });

  it('gives groups to readers alone, and to each its own', () => {
    for (const [name, { reads, groups }] of needs) {
      expect(groups).toEqual(reads.length === 0 ? [] : [`${name}.`]);
    }
  });
});

describe('the access rules', () => {
  it('hold what the table says and nothing that makes, changes or deletes', () => {
    expect(kafkaAccessRules('payments', 'test-1.')).toEqual([
      {
        resource: 'topic',
        name: 'test-1.payments.commands.v1',
        pattern: 'literal',
        operations: ['Read', 'Describe', 'DescribeConfigs'],
      },
      {
        resource: 'topic',
        name: 'test-1.edge.replies.v1',
        pattern: 'literal',
        operations: ['Write', 'Describe', 'DescribeConfigs'],
      },
      {
        resource: 'topic',
        name: 'test-1.payments.commands.v1.dead',
        pattern: 'literal',
        operations: ['Write', 'Describe', 'DescribeConfigs'],
      },
      {
        resource: 'group',
        name: 'test-1.payments.',
        pattern: 'prefix',
        operations: ['Read', 'Describe'],
      },
    ]);
  });

  it('let who sends commands and who takes them at the topics of every cell', () => {
    const added = kafkaClients.flatMap((client) => {
      const before = kafkaAccessRules(client).map(({ name }) => name);
      return kafkaAccessRules(client, '', 2)
        .filter(({ name }) => !before.includes(name))
        .map(({ name, operations }) => `${client} ${operations.join(' ')} ${name}`);
    });
    expect(added).toEqual([
      'edge Write Describe DescribeConfigs payments.2.commands.v1',
      'payments Read Describe DescribeConfigs payments.2.commands.v1',
      'payments Write Describe DescribeConfigs payments.2.commands.v1.dead',
    ]);
  });

  it('are the same for Strimzi, in its words', () => {
    for (const client of kafkaClients) {
      expect(kafkaUserAcls(client)).toHaveLength(kafkaAccessRules(client).length);
    }
    expect(kafkaUserAcls('payments-relay')).toEqual([
      {
        resource: { type: 'topic', name: 'payments.payment.v1', patternType: 'literal' },
        operations: ['Write', 'Describe', 'DescribeConfigs'],
        host: '*',
      },
    ]);
  });
});
