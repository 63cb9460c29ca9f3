import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connector } from '@sluice/connectors';
import {
  cellName,
  commandTopicOf,
  commandTopics,
  deadTopicOf,
  eventTopics,
  internalCallers,
  SERVICE_OF_CELLS,
} from '@sluice/contracts';
import { newMessageId, newTransactionId } from '@sluice/identifiers';
import { createKafka, KafkaBus, QueryServer, ServiceTransport } from '@sluice/messaging';
import { PaymentsModule } from '@sluice/payments';
import { createLogger, EnvelopeSealer, InternalServer, systemClock } from '@sluice/service';
import { testKafka } from '@sluice/testing';
import type { Kafka, Producer } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Ran, sluice } from './command-line-fixture.js';
import { ENTITY_ID, PaymentsFixture } from './payments-fixture.js';

const broker = testKafka();
const payments = new PaymentsFixture();
let kafka: Kafka;
let producer: Producer;

beforeAll(async () => {
  kafka = createKafka({ brokers: broker.brokers, clientId: 'test' });
  await run('topics apply');
  producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
}, 60_000);
afterEach(async () => {
  await payments.rows('reporting', 'DELETE FROM reporting.parked');
});
afterAll(() => producer.disconnect());

function run(line: string): Promise<Ran> {
  return sluice(`--brokers ${broker.brokers.join(',')} ${line}`, {
    environment: payments.environment,
    topicPrefix: broker.topicPrefix,
  });
}

interface Buried {
  readonly type: string;
  readonly key: string;
  readonly data: object;
  readonly deadReason?: string;
}

/** Puts a message where the Kafka adapter puts what it gave up on. */
async function bury(
  topic: string,
  { type, key, data, deadReason = 'TypeError: it broke' }: Buried,
): Promise<string> {
  const [placed] = await producer.send({
    topic: broker.topicPrefix + deadTopicOf(topic),
    messages: [
      {
        ...{ partition: 3, key, value: JSON.stringify(data) },
        headers: {
          ...{ id: newMessageId(Date.now()), type, schemaVersion: '1', timeToLiveMs: '25000' },
          ...{ correlationId: 'ndc-1', causationId: 'c', replyPartition: '0' },
          ...{ replyCorrelation: 'r', deadReason, deadOffset: '41' },
        },
      },
    ],
  });
  return `${broker.topicPrefix}${deadTopicOf(topic)}:3:${placed!.baseOffset}`;
}

async function initiation(transactionId: string): Promise<object> {
  const sealer = new EnvelopeSealer(new PlainKeys(), systemClock);
  const email = JSON.stringify({ 'customer.email': 'jane@example.org' });
  return {
    transactionId,
    operation: 'debit',
    amount: { minor: '100', currency: 'EUR' },
    instrument: {
      kind: 'card',
      ...{ vaultReference: 'vault-0:secret', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '12', expiryYear: '2030' },
    },
    context: {
      ...{ entityId: ENTITY_ID, channelName: 'Demo channel', ndc: `${ENTITY_ID}_1` },
      ...{ mode: 'INTERNAL', actor: ENTITY_ID, merchantName: 'Demo' },
    },
    parameters: {},
    personal: await sealer.seal(transactionId, email),
  };
}

/** An event that the live tables could not take, as reporting parks it. */
async function park(streamId: string): Promise<string> {
  await payments.rows(
    'reporting',
    `INSERT INTO reporting.parked (table_set, stream_id, version, topic, event, reason)
     SELECT id, $1, 2, 'payments.payment.v1', $2, 'TypeError: it makes no sense'
     FROM reporting.table_sets WHERE state = 'live'`,
    [streamId, JSON.stringify({ data: { personal: 'c2VhbGVk', resultCode: '000.100.110' } })],
  );
  const [set] = await payments.rows<{ id: number }>(
    'reporting',
    "SELECT id FROM reporting.table_sets WHERE state = 'live'",
  );
  return `parked:${set!.id}:${streamId}:2`;
}

describe('where nothing has died', () => {
  it('nothing is listed', async () => {
    const { exitCode, output } = await run('dead-letters list');
    expect([exitCode, output]).toEqual([0, 'There are no dead letters.\n']);
  });
});

describe('a command that was given up', () => {
  it('is listed and shown with its reason, without personal data', async () => {
    const transactionId = newTransactionId(Date.now());
    const id = await bury(commandTopics.payments, {
      type: 'InitiatePayment',
      key: 'k',
      data: await initiation(transactionId),
    });
    const list = await run('dead-letters list');
    expect(list.errors).toBe('');
    expect(list.output).toMatch(/command InitiatePayment +TypeError: it broke\n/);
    expect((await run('dead-letters list --topic other')).output).toMatch(/no dead letters/);
    const { output, exitCode } = await run(`dead-letters show ${id}`);
    expect(output).toContain(`"transactionId": "${transactionId}"`);
    expect(output).toMatch(/deadOffset: +41\n/);
    expect(output).not.toMatch(/jane|vault-0:secret/);
    expect(exitCode).toBe(0);
    const json = await run(`dead-letters show ${id} --json`);
    expect(json.json().content.personal).toBe('(not shown)');
  });

  it('that could not even be read is not redriven: it would only die again', async () => {
    const reason = 'Undecodable: the header type is missing';
    const id = await bury(commandTopics.payments, {
      type: 'unknown',
      key: 'k3',
      data: {},
      deadReason: reason,
    });
    const { exitCode, errors } = await run(`dead-letters redrive ${id} --execute`);
    expect([exitCode, errors]).toEqual([2, expect.stringContaining('is no command that could be')]);
    const before = await run('dead-letters list');
    expect((await run('dead-letters redrive --all')).output).toMatch(/^1 command to/);
    expect(before.output.match(/Undecodable/g)).toHaveLength(1);
  });

  it('is recorded as not performed when it is redriven, and the acquirer never hears of it', async () => {
    const transactionId = newTransactionId(Date.now());
    const key = 'k2';
    const id = await bury(commandTopics.payments, {
      type: 'InitiatePayment',
      key,
      data: await initiation(transactionId),
    });
    const dry = await run(`dead-letters redrive ${id}`);
    expect(dry.output).toMatch(/^1 command to record as not performed.*\nNothing was done\./);
    const started = await startPayments();
    try {
      const { output, exitCode } = await run(`dead-letters redrive ${id} --execute`);
      expect([exitCode, output.split('\n').at(-2)]).toEqual([0, 'Done.']);
      expect(await eventTypes(transactionId)).toEqual([
        'PaymentInitiated',
        'TransactionNotPerformed',
      ]);
      // Again: it was decided before, so nothing more is recorded (D-13).
      await run(`dead-letters redrive ${id} --execute`);
      const marker = newTransactionId(Date.now());
      const last = await bury(commandTopics.payments, {
        type: 'InitiatePayment',
        key,
        data: await initiation(marker),
      });
      await run(`dead-letters redrive ${last} --execute`);
      expect(await eventTypes(marker)).toHaveLength(2);
      expect(await eventTypes(transactionId)).toHaveLength(2);
      expect(started.calls).toEqual([]);
    } finally {
      await started.close();
    }
  }, 60_000);
});

/** Payments over Kafka with an acquirer and a vault that must not be called. */
async function startPayments(): Promise<{ calls: string[]; close: () => Promise<void> }> {
  const calls: string[] = [];
  const called = (name: string) => async (): Promise<never> => {
    calls.push(name);
    throw new Error(`${name} was called`);
  };
  const connector: Connector = {
    takes: [],
    name: 'untouchable',
    capabilities: {
      ...{ instruments: ['card'], canInquire: false, canReverse: false },
      ...{ partialReversal: false, incrementalAuthorization: false, reauthorization: false },
      ...{ maxInFlightMs: 0, callTimeoutMs: 100, reversalCutOffMs: (ms) => ms },
    },
    submit: called('submit'),
    inquire: called('inquire'),
    reverse: called('reverse'),
    close: async () => {},
  };
  const vault = {
    ...{ hold: called('hold'), reveal: called('reveal'), revealProof: called('revealProof') },
    forget: async () => {},
  };
  const bus = new KafkaBus({
    brokers: broker.brokers,
    clientId: 'payments',
    topicPrefix: broker.topicPrefix,
  });
  await bus.start();
  const logger = createLogger({ service: 'payments', level: 'silent' });
  const server = new InternalServer({ logger });
  const transport = new ServiceTransport({
    commands: bus.transport('payments'),
    queries: new QueryServer(server, { host: '127.0.0.1', port: 0 }, internalCallers),
  });
  const { appUrl, schema } = payments.services.payments;
  const running = await PaymentsModule.start({
    settings: { databaseUrl: appUrl, schema },
    transport,
    connectors: [connector],
    keyProvider: new PlainKeys(),
    commandKeys: new PlainKeys(),
    vault,
    logger,
  }).catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await running.close();
    await server.close();
    await bus.close();
  };
  return { calls, close };
}

/** Wraps nothing: what is sealed in this spec is nobody's. */
class PlainKeys {
  currentVersion(): string {
    return 'test';
  }
  hasVersion(): boolean {
    return true;
  }
  async wrap(clear: Buffer) {
    return { wrapped: Buffer.from(clear), version: 'test' };
  }
  async unwrap(wrapped: Buffer) {
    return Buffer.from(wrapped);
  }
}

/** The events of a payment once it has two of them. */
async function eventTypes(streamId: string): Promise<string[]> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const rows = await payments.rows<{ type: string }>(
      'payments',
      'SELECT type FROM payments.events WHERE stream_id = $1 ORDER BY version',
      [streamId],
    );
    if (rows.length >= 2) return rows.map(({ type }) => type);
    await delay(50);
  }
  throw new Error(`${streamId} was never recorded`);
}

describe('an event that a projection parked', () => {
  it('is listed, shown, and folded again when it is redriven', async () => {
    const streamId = newTransactionId(Date.now());
    const id = await park(streamId);
    const list = await run('dead-letters list --projection transactions');
    expect(list.output).toMatch(new RegExp(`event 2 of ${streamId} +TypeError: it makes no sense`));
    const shown = await run(`dead-letters show ${id}`);
    expect(shown.output).toContain('"resultCode": "000.100.110"');
    expect(shown.output).not.toContain('c2VhbGVk');
    const asked = () =>
      payments.rows(
        'reporting',
        'SELECT FROM reporting.parked WHERE redrive_requested_at IS NOT NULL',
      );
    await run(`dead-letters redrive ${id}`);
    expect(await asked()).toHaveLength(0);
    const { output } = await run('dead-letters redrive --all --projection transactions --execute');
    expect(output).toBe('1 payment for reporting to fold again.\nDone.\n');
    expect(await asked()).toHaveLength(1);
  });

  it('is not redriven from its topic: what is parked is', async () => {
    const id = await bury(eventTopics.payments, {
      type: 'TransactionApproved',
      key: 'k',
      data: {},
    });
    const { exitCode, errors } = await run(`dead-letters redrive ${id} --execute`);
    expect(errors).toMatch(/is an event: redrive what projections have parked/);
    expect(exitCode).toBe(2);
  });

  it('that nobody knows is said so', async () => {
    const { exitCode, errors } = await run('dead-letters show parked:1:x:1');
    expect(errors).toMatch(/no dead letter parked:1:x:1; see "dead-letters list"/);
    expect(exitCode).toBe(1);
  });
});

describe('the reading of dead letters', () => {
  it('leaves no group behind', async () => {
    const admin = kafka.admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    const own = groups.filter(({ groupId }) =>
      groupId.startsWith(`${broker.topicPrefix}sluice.dead-letters`),
    );
    expect(own).toEqual([]);
  });
});

describe('a command to another cell than the first that was given up', () => {
  it('is listed like any other', async () => {
    const topic = commandTopicOf(cellName(SERVICE_OF_CELLS, 3));
    const admin = kafka.admin();
    await admin.connect();
    const name = broker.topicPrefix + deadTopicOf(topic);
    await admin.createTopics({ topics: [{ topic: name, numPartitions: 4 }], waitForLeaders: true });
    await admin.disconnect();
    await bury(topic, { type: 'InitiatePayment', key: 'k9', data: {}, deadReason: 'in cell 3' });
    expect((await run(`dead-letters list --topic ${topic}`)).output).toContain('in cell 3');
  });
});
