import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  declareEvents,
  eventTopics,
  internalCallers,
  type Message,
  type RecordedTransactions,
} from '@sluice/contracts';
import { finishRestoration } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import {
  applyTopics,
  createKafka,
  HttpQueries,
  KafkaBus,
  queryPattern,
  QueryServer,
} from '@sluice/messaging';
import { rebuildLock } from '@sluice/projections';
import { createLogger, InternalServer } from '@sluice/service';
import { type ServiceProcess, startServiceProcess, testKafka } from '@sluice/testing';
import { projections } from '../src/projections.js';
import { transactions } from '../src/projections/transactions.projection.js';
import { eventually, ReportingWorld } from './reporting-fixture.js';
import { ENTITY_ID, momentOf, ofPayment } from './payment-streams-fixture.js';

/** Reporting as processes of its own, over a real Kafka and PostgreSQL. */
const kafka = testKafka();
const START_MS = 180_000;
const LOGGED_WITHIN_MS = 60_000;
const PAYMENTS = 40_000;
/** Of the tables that this release makes. */
const VERSION = transactions.version;
const FILLED = 'The new tables are filled; queries read them once they have caught up.';
/** Of the rebuild: each projection has one already. */
const SET = projections.length + 1;
const READ = 'Queries read the rebuilt tables.';
const WAITS = 'Another process rebuilds the tables; this one waits for it.';

let world: ReportingWorld;
let bus: KafkaBus;
let paymentsServer: QueryServer;
let paymentsUrl: string;
let processes: ServiceProcess[] = [];

beforeAll(async () => {
  world = await ReportingWorld.make();
  const { brokers, topicPrefix: prefix } = kafka;
  const admin = createKafka({ brokers, clientId: 'test' }).admin();
  await admin.connect();
  const declarations = declareEvents(eventTopics.payments);
  await applyTopics(admin, { prefix, declarations });
  await admin.disconnect();
  bus = new KafkaBus({ brokers, topicPrefix: prefix, clientId: 'relay' });
  const logger = createLogger({ service: 'payments', level: 'silent' });
  const server = new InternalServer({ logger });
  paymentsServer = new QueryServer(server, { host: '127.0.0.1', port: 0 }, internalCallers);
  for (const query of ['payments.streamEvents', 'payments.streamHeads']) {
    paymentsServer.addHandler(queryPattern(query), (parameters) =>
      world.payments.queries.ask('payments', query, parameters as object),
    );
  }
  paymentsUrl = await paymentsServer.listen();
}, START_MS);

afterEach(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  processes = [];
}, START_MS);

afterAll(async () => {
  await bus.close();
  await paymentsServer.close();
  await world.close();
}, START_MS);

/** An instance of reporting; resolves when it answers queries. */
async function started(): Promise<{ process: ServiceProcess; url: string }> {
  const process = startServiceProcess({
    entry: 'apps/reporting/dist/main.js',
    environment: {
      REPORTING_DATABASE_URL: world.database.appUrl,
      REPORTING_OWNER_DATABASE_URL: world.database.ownerUrl,
      PAYMENTS_READER_DATABASE_URL: world.payments.database.appUrl,
      REPORTING_COMPARE_HEADS_MS: '200',
      REPORTING_POLL_INTERVAL_MS: '50',
      PAYMENTS_URLS: paymentsUrl,
      REGISTRATIONS_URLS: paymentsUrl,
      SCHEDULING_URLS: paymentsUrl,
      KAFKA_BROKERS: kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
      LOG_LEVEL: 'info',
    },
  });
  processes.push(process);
  const { url } = await process.logged('Other services are answered.');
  return { process, url: String(url) };
}

const publish = (messages: readonly Message[]) =>
  bus.events.publish(eventTopics.payments, messages);

async function found(
  url: string,
  id: TransactionId,
): Promise<RecordedTransactions['transactions']> {
  const queries = new HttpQueries({ urls: { reporting: [url] } });
  try {
    const name = 'reporting.transactions';
    const { transactions: all } = await queries.ask<RecordedTransactions>('reporting', name, {
      ...{ entityId: ENTITY_ID, by: momentOf(id), includeLinked: true, limit: 100, pageNo: 1 },
      // Of payments alone: nobody answers for registrations here.
      operations: ['debit', 'authorization', 'capture'],
    });
    return ofPayment(id, all);
  } finally {
    await queries.close();
  }
}

/** How many transactions of the payment an instance answers. */
const count = async (url: string, id: TransactionId) => (await found(url, id)).length;

const logged = (sentence: string) =>
  processes.flatMap(({ lines }) => lines).filter(({ msg }) => msg === sentence).length;

/** The tables that were not live before, and their state. */
const newest = async () => (await world.states()).at(-1);

describe('several processes of reporting', () => {
  it(
    'rebuild in one of them, and when that is killed half-way the next one goes on',
    async () => {
      await world.payments.payMany(PAYMENTS);
      await world.makeEarlier();
      const lock = await rebuildLock(world.rebuildOptions.target, transactions);
      const both = [await started(), await started()];
      for (const { process } of both) await process.logged(WAITS);
      await lock?.release();
      const fills = ({ process }: (typeof both)[number]) =>
        process.lines.some(({ msg }) => msg.startsWith('Rebuilding'));
      await eventually(() => Promise.resolve(both.some(fills)), LOGGED_WITHIN_MS);
      const [second, first] = fills(both[0]!) ? [both[1]!, both[0]!] : [both[0]!, both[1]!];
      // Whoever fills cannot note how far it is now, so it stays in the middle of its next chunk.
      const holder = await world.admin.connect();
      try {
        await holder.query(`BEGIN; SELECT FROM reporting.table_sets WHERE id = ${SET} FOR UPDATE`);
        expect(await newest()).toEqual([SET, VERSION, 'filling']);
        await first.process.kill();
      } finally {
        holder.release(true);
      }
      await second.process.logged(READ);
      expect(await world.states()).toEqual([
        [1, 1, 'previous'],
        [SET, VERSION, 'live'],
      ]);
      // The key of the rows would have refused what was filled twice.
      expect(await world.count(SET)).toBe(PAYMENTS);
      expect(logged(FILLED)).toBe(1);
      const { id, messages } = await world.payments.pay();
      await publish(messages);
      await eventually(async () => (await count(second.url, id)) === 1);
    },
    START_MS,
  );

  it(
    'rebuild once after a restore, and none answers what the store has lost and the topic has (D-23)',
    async () => {
      const [one, other] = [await started(), await started()];
      const kept = await world.payments.pay({ captured: true });
      const lost = await world.payments.pay();
      const halfLost = await world.payments.pay({ captured: true });
      const late = await world.payments.pay();
      await publish([...kept.messages, ...lost.messages, ...halfLost.messages]);
      await eventually(async () => (await count(one.url, halfLost.id)) === 2);
      await eventually(async () => (await count(other.url, lost.id)) === 1);

      for (const { id } of [lost, late]) await world.payments.lose(id);
      await world.payments.lose(halfLost.id, 2);
      await world.admin.query('UPDATE reporting.table_sets SET heads_cursor = $1', [
        '{"transactionId":"9999999999","position":"9"}',
      ]);
      await finishRestoration(world.admin, 'payments');
      // Of the life before, and published late: the topic is ahead of the store.
      await publish(late.messages);
      const published = await world.payments.pay();
      await publish(published.messages);
      const unpublished = await world.payments.pay();

      await eventually(() => Promise.resolve(logged(READ) > 0), LOGGED_WITHIN_MS);
      for (const { url } of [one, other]) {
        await eventually(async () => (await count(url, unpublished.id)) === 1);
        await eventually(async () => (await count(url, published.id)) === 1);
        expect(await count(url, lost.id)).toBe(0);
        expect(await count(url, late.id)).toBe(0);
        expect(await count(url, halfLost.id)).toBe(1);
        expect(await count(url, kept.id)).toBe(2);
      }
      expect([logged(FILLED), logged(READ)]).toEqual([1, 1]);
      await eventually(async () => (await world.states()).length === 1);

      // The payment that was cut goes on, with the versions that lost events had.
      const [captured, declined] = halfLost.messages.slice(2).map(({ type, data }) => ({
        type,
        data: (data as { event: Record<string, unknown> }).event,
      }));
      const again = { ...declined!, type: 'TransactionApproved' };
      await publish(await world.payments.record(halfLost.id, [captured!, again]));
      await eventually(async () => (await count(one.url, halfLost.id)) === 2);
      const statuses = (await found(other.url, halfLost.id)).map(({ status }) => status);
      expect(statuses).toEqual(['approved', 'approved']);
    },
    START_MS,
  );
});
