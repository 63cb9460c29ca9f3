import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { declareEvents, eventTopics, internalCallers } from '@sluice/contracts';
import { newCheckoutId } from '@sluice/identifiers';
import {
  applyTopics,
  createKafka,
  HttpQueries,
  KafkaBus,
  queryPattern,
  QueryServer,
} from '@sluice/messaging';
import { createLogger, InternalServer } from '@sluice/service';
import {
  type ServiceProcess,
  settableDatabaseClock,
  startServiceProcess,
  testKafka,
} from '@sluice/testing';
import { OPEN_FOR_EACH_CALL } from '../src/receivers.js';
import { CalledShop } from './called-shop.js';
import { CHANNEL } from './scripted-queries.js';
import {
  calling,
  LocalReceiver,
  newPayment,
  paymentEvent,
  WebhooksProcess,
  WebhooksWorld,
} from './webhooks-fixture.js';

/** Webhooks as processes of its own, over a real Kafka and PostgreSQL. */
const kafka = testKafka();
const START_MS = 180_000;
const READY = 'Webhooks hears what happens, and tells receivers.';
const PAYMENTS = 300;
const CALLED = 100;
const KILLS = 5;
/** Of one receiver, called or not recorded (`WEBHOOKS_CALLS_PER_RECEIVER_MAX` is 16). */
const OPEN_MAX = OPEN_FOR_EACH_CALL * 16;
const MINUTE_MS = 60_000;

let world: WebhooksWorld;
let operator: WebhooksProcess;
let receiver: LocalReceiver;
let bus: KafkaBus;
let others: QueryServer;
let othersUrl: string;
let clock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let running: ServiceProcess[] = [];

beforeAll(async () => {
  world = await WebhooksWorld.make();
  clock = await settableDatabaseClock(world.administrator);
  operator = await WebhooksProcess.start(world);
  receiver = await LocalReceiver.start();
  const { brokers, topicPrefix: prefix } = kafka;
  const admin = createKafka({ brokers, clientId: 'test' }).admin();
  await admin.connect();
  const declarations = Object.values(eventTopics).flatMap((topic) => declareEvents(topic));
  await applyTopics(admin, { prefix, declarations });
  await admin.disconnect();
  bus = new KafkaBus({ brokers, topicPrefix: prefix, clientId: 'relay' });
  const server = new InternalServer({ logger: createLogger({ service: 'test', level: 'silent' }) });
  others = new QueryServer(server, { host: '127.0.0.1', port: 0 }, internalCallers);
  for (const query of ['payments.transaction', 'accounts.routing', 'checkouts.resultPage']) {
    others.addHandler(queryPattern(query), (parameters) =>
      world.queries.ask('', query, parameters as object),
    );
  }
  othersUrl = await others.listen();
}, START_MS);
afterEach(async () => {
  await Promise.all(running.map((process) => process.kill()));
  running = [];
}, START_MS);
afterAll(async () => {
  await bus.close();
  await others.close();
  await operator.close();
  await receiver.close();
  await world.close();
}, START_MS);

async function started(): Promise<ServiceProcess> {
  const { appUrl, schema } = world.database;
  const process = startServiceProcess({
    entry: 'apps/webhooks/dist/main.js',
    environment: {
      ...{ WEBHOOKS_DATABASE_URL: appUrl, WEBHOOKS_SCHEMA: schema },
      ...{ WEBHOOKS_KEY_FILE: world.keyFile, WEBHOOKS_PRIVATE_TARGETS: 'all' },
      ...{ PAYMENTS_URLS: othersUrl, ACCOUNTS_URLS: othersUrl, REGISTRATIONS_URLS: othersUrl },
      ...{ SCHEDULING_URLS: othersUrl, CHECKOUTS_URLS: othersUrl },
      ...{ KAFKA_BROKERS: kafka.brokers.join(','), KAFKA_TOPIC_PREFIX: kafka.topicPrefix },
    },
  });
  running.push(process);
  await process.logged(READY);
  return process;
}

/** Once so many different notifications were heard. */
async function heardOf(count: number): Promise<void> {
  while (idsHeard().size < count) await receiver.next();
}

function idsHeard(): ReadonlySet<string> {
  return new Set(receiver.heard.map(({ id }) => id));
}

describe('webhooks, killed again and again while three hundred payments are told', () => {
  it(
    'tells each of them, hardly any twice, and each payment in its order',
    async () => {
      await operator.subscribe(receiver.url);
      const payments = Array.from({ length: PAYMENTS / 2 }, () => newPayment());
      let process = await started();
      const pending = payments.map((id) => paymentEvent(id, 2, 'TransactionPending'));
      const approved = payments.map((id) => paymentEvent(id, 3, 'TransactionApproved'));
      await bus.events.publish(eventTopics.payments, [...pending, ...approved]);
      for (let kills = 1; kills <= KILLS; kills += 1) {
        await heardOf(kills * 20);
        await process.kill();
        // What was under way counts as lost once its time is over.
        await clock.setAhead(kills * 2 * MINUTE_MS);
        process = await started();
      }
      await heardOf(PAYMENTS);
      expect(receiver.heard.length - PAYMENTS).toBeLessThanOrEqual(KILLS * OPEN_MAX);
      const latest = new Map<unknown, number>();
      for (const { notification } of receiver.heard) {
        const { id, sequence } = notification.payload;
        expect(Number(sequence)).toBeGreaterThanOrEqual(latest.get(id) ?? 0);
        latest.set(id, Number(sequence));
      }
      expect((await process.stop()).code).toBe(0);
    },
    START_MS,
  );
});

describe('webhooks, killed again and again while a hundred addresses of requests are called', () => {
  it(
    'calls each of them, hardly any twice',
    async () => {
      const shop = await CalledShop.open();
      const notificationUrl = `http://${shop.host}/told`;
      const payments = Array.from({ length: CALLED }, () => newPayment());
      for (const id of payments) {
        world.queries.views.set(`${id} 2`, { personal: { notificationUrl } });
      }
      let process = await started();
      const ends = payments.map((id) => calling(paymentEvent(id, 2, 'TransactionApproved')));
      await bus.events.publish(eventTopics.payments, ends);
      for (let kills = 1; kills <= KILLS; kills += 1) {
        await shop.asked(kills * 10);
        await process.kill();
        await clock.setAhead((KILLS + kills) * 2 * MINUTE_MS);
        process = await started();
      }
      await shop.asked(CALLED);
      expect(shop.taken().length - CALLED).toBeLessThanOrEqual(KILLS * OPEN_MAX);
      await shop.close();
    },
    START_MS,
  );

  it(
    'calls the page of results that checkouts has asked for, though it was killed at once',
    async () => {
      const shop = await CalledShop.open();
      const checkoutId = newCheckoutId('test');
      const shopperResultUrl = `http://${shop.host}/done`;
      world.queries.pages.set(checkoutId, { shopperResultUrl, purpose: 'payment' });
      const process = await started();
      const { url } = await process.logged('Other services are answered.');
      const queries = new HttpQueries({ urls: { webhooks: [String(url)] } });
      await queries.ask('webhooks', 'webhooks.callResult', { checkoutId, entityId: CHANNEL });
      await process.kill();
      await clock.setAhead((2 * KILLS + 1) * 2 * MINUTE_MS);
      await started();
      await shop.asked(1);
      await queries.close();
      await shop.close();
    },
    START_MS,
  );
});
