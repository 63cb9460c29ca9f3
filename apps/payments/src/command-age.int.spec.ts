import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { internalCallers } from '@sluice/contracts';
import {
  applyTopics,
  createKafka,
  KafkaBus,
  QueryServer,
  ServiceTransport,
} from '@sluice/messaging';
import { createLogger, InternalServer } from '@sluice/service';
import { settableDatabaseClock, testKafka } from '@sluice/testing';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';

const HOUR_MS = 3_600_000;
/** A rebalance and a produce request on a busy machine. */
const DEADLINE_MS = 30_000;

const broker = testKafka();
const logger = createLogger({ service: 'payments', level: 'silent' });
const closing: (() => Promise<void>)[] = [];
let world: PaymentsWorld;
let databaseClock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let sender: KafkaBus;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  databaseClock = await settableDatabaseClock(world.admin);
  const admin = createKafka({ brokers: broker.brokers, clientId: 'test' }).admin();
  await admin.connect();
  await applyTopics(admin, { prefix: broker.topicPrefix });
  await admin.disconnect();
}, 180_000);
beforeEach(async () => {
  world.connector = new ScriptedConnector();
  sender = bus({ replyPartition: 0 });
  await sender.start();
}, 60_000);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
}, 60_000);
afterAll(() => world.close());

function bus(options: { replyPartition?: number } = {}): KafkaBus {
  const { brokers, topicPrefix } = broker;
  const made = new KafkaBus({ brokers, topicPrefix, clientId: 'test', ...options });
  closing.push(() => made.close());
  return made;
}

/** Payments over Kafka, on a database whose clock is so far from the broker's. */
async function startPayments(aheadMs: number): Promise<PaymentsProcess> {
  await databaseClock.setAhead(aheadMs);
  const transport = new ServiceTransport({
    commands: bus().transport('payments'),
    queries: new QueryServer(
      new InternalServer({ logger }),
      { host: '127.0.0.1', port: 0 },
      internalCallers,
    ),
  });
  const payments = await PaymentsProcess.start(world, { transport });
  closing.push(() => payments.die());
  return payments;
}

describe.each([
  ['an hour ahead of', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])("a database clock %s the broker's", (_name, aheadMs) => {
  it('a command that arrives is performed', async () => {
    const payments = await startPayments(aheadMs);
    const command = await payments.sealed(payments.initiation('debit', 10_000));
    const sent = sender.commands.send('payments', command, { deadlineMs: DEADLINE_MS });
    expect(await sent).toMatchObject({
      kind: 'replied',
      reply: { outcome: { status: 'approved' } },
    });
    expect(world.connector.effects('debit')).toHaveLength(1);
  }, 60_000);

  it('one that its sender no longer waits for never is', async () => {
    const unsent = await PaymentsProcess.start(world);
    const initiation = { ...unsent.initiation('debit', 10_000), timeToLiveMs: 500 };
    const command = await unsent.sealed(initiation);
    await unsent.die();
    const tooLate = { deadlineMs: 1_000 };
    expect(await sender.commands.send('payments', command, tooLate)).toEqual({
      kind: 'unanswered',
    });
    await startPayments(aheadMs);
    for (;;) {
      const types = await world.eventTypes(command.data.transactionId);
      if (types.length === 0) continue;
      expect(types).toEqual(['PaymentInitiated', 'TransactionNotPerformed']);
      break;
    }
    expect(world.connector.submitted).toEqual([]);
  }, 60_000);
});
