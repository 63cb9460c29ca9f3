import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  commandTopics,
  type CommandMessage,
  deadTopicOf,
  declaredTopics,
  eventTopics,
  kafkaAccess,
  type KafkaClientName,
  kafkaClients,
  type KafkaNeeds,
} from '@sluice/contracts';
import { applyAccess, applyTopics, createKafka, KafkaBus } from '@sluice/messaging';
import kafkajs, { type AclEntry, type Admin } from 'kafkajs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { command, event } from './contract-messages.js';
import { until } from './gate.js';
import { type SecuredKafka, startSecuredKafka } from './secured-kafka.js';
import { startTestAuthority } from './test-certificates.js';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes } = kafkajs;
const { ConfigResourceTypes, ResourcePatternTypes } = kafkajs;

/** Java, and at the very first start on a machine Maven. */
const START_WITHIN_MS = 180_000;
const TEST_WITHIN_MS = 60_000;
/** Of a command; as long one that is poison is tried (D-17). */
const LIFE_MS = 3_000;
const COMMANDS = commandTopics.payments;
const EVENTS = eventTopics.payments;
const NO_TOPIC = 'TOPIC_AUTHORIZATION_FAILED';
/** kafkajs says no more when a group is refused; groups of one's own it finds on the same broker. */
const NO_GROUP = 'KafkaJSGroupCoordinatorNotFound';
/** Of the local cluster: names the installation that a Kafka belongs to. */
const MARKER = 'sluice.installation.test';

let broker: SecuredKafka;
let operator: Admin;
const buses: KafkaBus[] = [];
const admins: Admin[] = [];

beforeAll(async () => {
  broker = await startSecuredKafka();
  operator = await adminOf('operator');
  await applyTopics(operator);
  await applyAccess(operator);
}, START_WITHIN_MS);

afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});

afterAll(async () => {
  await Promise.all(admins.map((admin) => admin.disconnect()));
  await broker.stop();
}, TEST_WITHIN_MS);

async function kafkaOf(name: string) {
  const { brokers } = broker;
  return createKafka({ brokers, clientId: name, tls: await broker.tlsOf(name) });
}

async function adminOf(name: string): Promise<Admin> {
  const admin = (await kafkaOf(name)).admin({ retry: { retries: 0 } });
  await admin.connect();
  admins.push(admin);
  return admin;
}

async function busOf(name: KafkaClientName, replyPartition?: number): Promise<KafkaBus> {
  const bus = new KafkaBus({
    brokers: broker.brokers,
    clientId: name,
    tls: await broker.tlsOf(name),
    ...(replyPartition !== undefined && { replyPartition }),
    limits: { commandRetryDelaysMs: [1, 1], eventCommitIntervalMs: 50 },
  });
  buses.push(bus);
  return bus;
}

function allowed(
  client: KafkaClientName,
  operation: AclEntry['operation'],
  resourceName: string,
): AclEntry {
  return {
    ...{ principal: `User:${client}`, host: '*', operation, resourceName },
    permissionType: AclPermissionTypes.ALLOW,
    resourceType: AclResourceTypes.TOPIC,
    resourcePatternType: ResourcePatternTypes.LITERAL,
  };
}

/** The broker's word, whatever kafkajs wrapped it in. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'allowed',
    (error: unknown) => {
      for (let cause = error; cause instanceof Error; cause = cause.cause) {
        const { type, errors = [] } = cause as { type?: string; errors?: { type?: string }[] };
        const found = type ?? errors[0]?.type;
        if (found !== undefined || cause.name === NO_GROUP) return found ?? NO_GROUP;
      }
      return String(error);
    },
  );
}

async function messagesIn(topic: string): Promise<number> {
  const partitions = await operator.fetchTopicOffsets(topic);
  return partitions.reduce((sum, { high }) => sum + Number(high), 0);
}

/** Looks again until it is so; the test's own limit ends it. */
async function untilAsked(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

describe('with the access rules of the table', () => {
  it(
    'a command finds its service, and the reply its sender; what cannot be handled is buried',
    async () => {
      const payments = (await busOf('payments')).transport('payments');
      payments.addHandler('Book', ({ key }: CommandMessage) =>
        key === 'poison' ? Promise.reject(new Error('poison')) : Promise.resolve({ key }),
      );
      payments.listen(() => undefined);
      const edge = await busOf('edge', 3);
      await edge.start();
      const send = (key: string) =>
        edge.commands.send('payments', command(key, { timeToLiveMs: LIFE_MS }), {
          deadlineMs: TEST_WITHIN_MS / 2,
        });
      expect(await send('good')).toEqual({ kind: 'replied', reply: { key: 'good' } });
      expect(await send('poison')).toEqual({ kind: 'failed' });
      expect(await messagesIn(deadTopicOf(COMMANDS))).toBe(1);
    },
    TEST_WITHIN_MS,
  );

  it(
    'an event is published, taken, and its position kept; what is no event is buried',
    async () => {
      const producer = (await kafkaOf('operator')).producer();
      await producer.connect();
      const message = { key: 'key', value: 'no event' };
      await producer.send({ topic: EVENTS, messages: [message] });
      await producer.disconnect();
      await (await busOf('payments-relay')).events.publish(EVENTS, [event('key', 'event-1')]);

      const taken: string[] = [];
      const group = 'reporting.transactions-1';
      await (
        await busOf('reporting')
      ).events.subscribe({
        ...{ group, topics: [EVENTS] },
        handle: ({ messages }) => {
          taken.push(...messages.map(({ message: { id } }) => id));
          return Promise.resolve();
        },
      });
      await until(() => taken.length > 0);
      expect(taken).toEqual(['event-1']);
      await untilAsked(async () => (await messagesIn(deadTopicOf(EVENTS))) === 1);
      await untilAsked(async () => {
        const topics = await operator.fetchOffsets({ groupId: group, topics: [EVENTS] });
        return topics.some(({ partitions }) => partitions.some(({ offset }) => offset === '2'));
      });
    },
    TEST_WITHIN_MS,
  );

  it.each(kafkaClients)('%s sees whether its topics are as declared', async (client) => {
    const admin = await adminOf(client);
    const { reads, writes }: KafkaNeeds = kafkaAccess[client];
    for (const name of [...reads, ...writes]) {
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name }],
      });
      expect(resources[0]?.errorCode).toBe(0);
    }
  });

  it('the operator makes topics and rules once, and nothing is left to do after that', async () => {
    expect(await applyTopics(operator)).toEqual({ created: [], differences: [] });
    expect(await applyAccess(operator)).toEqual({ granted: [], differences: [] });
    const topics = [{ topic: MARKER, numPartitions: 1, replicationFactor: 1 }];
    expect(await operator.createTopics({ topics })).toBe(true);
    expect(await operator.listTopics()).toContain(MARKER);
  });

  it('a right that nobody needs is named, and not taken away', async () => {
    const entry = allowed('edge', AclOperationTypes.WRITE, EVENTS);
    await operator.createAcls({ acl: [entry] });
    try {
      expect((await applyAccess(operator)).differences).toEqual([
        `User:edge may write topic ${EVENTS} without need`,
      ]);
    } finally {
      await operator.deleteAcls({ filters: [entry] });
    }
    expect((await applyAccess(operator)).differences).toEqual([]);
  });
});

describe.each(kafkaClients)('%s', (client) => {
  const { writes, groups, reads }: KafkaNeeds = kafkaAccess[client];

  it('appends to no topic but its own', async () => {
    const producer = (await kafkaOf(client)).producer({ retry: { retries: 0 } });
    await producer.connect();
    const messages = [{ key: 'key', value: 'nobody asked for it' }];
    const foreign = declaredTopics.filter(({ name }) => !writes.includes(name));
    const refusals: string[] = [];
    for (const { name: topic } of foreign) {
      refusals.push(await refusalOf(producer.send({ topic, messages })));
    }
    await producer.disconnect();
    expect(refusals).toEqual(foreign.map(() => NO_TOPIC));
  });

  it('takes from no topic but its own', async () => {
    const foreign = declaredTopics.filter(({ name }) => !reads.includes(name));
    for (const { name } of foreign) {
      const refusal = await readingRefused(client, `${groups[0] ?? 'edge.'}trespasser`, name);
      // Whoever has no group of his own is not even let into one.
      expect(groups.length === 0 ? [NO_TOPIC, NO_GROUP] : [NO_TOPIC]).toContain(refusal);
    }
    // By which the refusals are told from a reader that never works.
    for (const topic of reads) {
      const refusal = await readingRefused(client, `${String(groups[0])}own`, topic);
      expect(refusal).toBe('Error: allowed');
    }
  });

  it('reads in no group of another service', async () => {
    for (const other of kafkaClients.filter((name) => name !== client)) {
      const [group] = kafkaAccess[other].groups;
      const [topic = EVENTS] = [...reads, ...writes];
      if (group === undefined) continue;
      expect(await readingRefused(client, `${group}stolen`, topic)).toBe(NO_GROUP);
    }
  });

  it('makes, changes and deletes neither topics nor rules', async () => {
    const admin = await adminOf(client);
    const topics = [{ topic: 'sluice.installation.forged' }];
    const rule = allowed(client, AclOperationTypes.ALL, EVENTS);
    const [own = EVENTS] = [...writes, ...reads];
    const configEntries = [{ name: 'retention.ms', value: '1' }];
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: own, configEntries }];
    expect([
      await refusalOf(admin.createTopics({ topics })),
      await refusalOf(admin.deleteTopics({ topics: [own] })),
      await refusalOf(admin.createPartitions({ topicPartitions: [{ topic: own, count: 99 }] })),
      await refusalOf(admin.alterConfigs({ validateOnly: false, resources })),
      await refusalOf(admin.createAcls({ acl: [rule] })),
    ]).toEqual([...Array.from({ length: 4 }, () => NO_TOPIC), 'CLUSTER_AUTHORIZATION_FAILED']);
  });
});

async function readingRefused(
  client: KafkaClientName,
  groupId: string,
  topic: string,
): Promise<string> {
  const consumer = (await kafkaOf(client)).consumer({
    ...{ groupId, maxWaitTimeInMs: 50, retry: { retries: 0 } },
  });
  const crashed = new Promise<unknown>((resolve) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
    consumer.on(consumer.events.FETCH, () => resolve(new Error('allowed')));
  });
  try {
    await consumer.connect();
    const reading = (async () => {
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
      throw await crashed;
    })();
    return await refusalOf(reading);
  } finally {
    await consumer.disconnect();
  }
}

describe('whoever has no certificate of the authority', () => {
  it.each(['nobody', 'a stranger'])('does not get in: %s', async (who) => {
    const stranger = await startTestAuthority();
    const { certificateFile, keyFile } = await stranger.certificateOf('operator');
    const [host = '', port = ''] = String(broker.brokers[0]).split(':');
    const own = { cert: await readFile(certificateFile), key: await readFile(keyFile) };
    const ca = (await broker.tlsOf('edge')).current.ca;
    const socket = connect({ host, port: Number(port), ca, ...(who === 'nobody' ? {} : own) });
    const ended = new Promise<string>((resolve) => {
      socket.on('error', ({ message }) => resolve(message));
      socket.on('close', () => resolve('closed'));
    });
    socket.resume();
    expect(await ended).toMatch(/alert|closed|ECONNRESET|unknown|certificate/);
    await stranger.remove();
  });
});
