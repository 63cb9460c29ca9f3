import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { eventTopics, type Message } from '@sluice/contracts';
import { DELIVERY_LIFE_MS } from '@sluice/domain-webhooks';
import { PrometheusMetrics } from '@sluice/service';
import { Retention } from './retention.js';
import { WebhookMetrics, webhooksMetrics } from './webhooks-metrics.js';
import { askForTest, findTest } from './receiver-tests.js';
import { CHANNEL, EMAIL, PLANNED_AT_VERSION, REGISTRATION } from '../test/scripted-queries.js';
import {
  happened,
  LocalReceiver,
  NEW_SECRET,
  newPayment,
  paymentEvent,
  SECRET,
  WebhooksProcess,
  WebhooksWorld,
} from '../test/webhooks-fixture.js';

const MINUTE_MS = 60_000;

let world: WebhooksWorld;
let webhooks: WebhooksProcess;
let receiver: LocalReceiver;

beforeAll(async () => {
  world = await WebhooksWorld.make();
}, 60_000);
afterAll(() => world.close());

beforeEach(async () => {
  await world.empty();
  receiver = await LocalReceiver.start();
  webhooks = await WebhooksProcess.start(world);
});
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

const approved = (id: ReturnType<typeof newPayment>, version = 2): Message =>
  paymentEvent(id, version, 'TransactionApproved');

describe('a subscription', () => {
  it('that is paused is told later what has happened meanwhile', async () => {
    const id = await webhooks.subscribe(receiver.url);
    const decide = (type: 'PauseSubscription' | 'ResumeSubscription') =>
      webhooks.subscriptions.decide(id, 'spec', (metadata) => ({ type, metadata }));
    await decide('PauseSubscription');
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
    await decide('ResumeSubscription');
    world.clock.advance(MINUTE_MS);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });

  it('that is removed is told nothing any more', async () => {
    const id = await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    await webhooks.subscriptions.decide(id, 'spec', (metadata) => ({
      ...{ type: 'RemoveSubscription', metadata },
    }));
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
    const [delivery] = await webhooks.log.deliveries({ subscriptionId: id, limit: 9 });
    expect(delivery?.standing).toBe('discarded');
  });

  it('has two secrets for a day, and the receiver needs to know one of them (R-WH-08)', async () => {
    const id = await webhooks.subscribe(receiver.url);
    const sealedSecret = await webhooks.secrets.seal(id, NEW_SECRET);
    const secretId = 'b'.repeat(32);
    await webhooks.subscriptions.decide(id, 'spec', (metadata) => ({
      ...{ type: 'RotateSecret', secretId, sealedSecret, overlapMs: 86_400_000, metadata },
    }));
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    receiver.secrets = [NEW_SECRET];
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    const { secret } = (await webhooks.subscriptions.now()).get(id) ?? {};
    expect(secret).toMatchObject({ id: secretId, isConfirmed: true });
  });

  it('is active once its receiver has answered a test with 2xx, and not before', async () => {
    receiver.reactions.push(500);
    const id = await webhooks.subscribe(receiver.url, { isTrusted: false });
    const tested = async () => {
      const test = await askForTest(webhooks.pool, id, world.clock.now());
      await webhooks.tests.look();
      return findTest(webhooks.pool, test);
    };
    expect(await tested()).toMatchObject({ outcome: 'refused', statusCode: 500 });
    expect(await webhooks.standingOf(id)).toBe('untested');
    expect(await tested()).toMatchObject({ outcome: 'acknowledged', statusCode: 200 });
    expect(await webhooks.standingOf(id)).toBe('active');
    const [first] = receiver.taken();
    expect(JSON.parse(first?.text ?? '')).toEqual({ type: 'test', payload: {} });
  });

  it('is tested although the receiver of another one hangs', async () => {
    const hanging = createServer().listen(0, '127.0.0.1').unref();
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const untested = { isTrusted: false };
    const first = await webhooks.subscribe(`http://127.0.0.1:${port}/hook`, untested);
    const second = await webhooks.subscribe(receiver.url, untested);
    const called = once(hanging, 'connection') as Promise<[Socket]>;
    const held = await askForTest(webhooks.pool, first, world.clock.now());
    await webhooks.tests.begin();
    const [socket] = await called;
    const heard = receiver.next();
    await askForTest(webhooks.pool, second, world.clock.now());
    await webhooks.tests.begin();
    await heard;
    expect(await findTest(webhooks.pool, held)).toMatchObject({ outcome: null });
    socket.destroy();
    await webhooks.tests.ended();
    expect(await webhooks.standingOf(first)).toBe('untested');
    expect(await webhooks.standingOf(second)).toBe('active');
    hanging.close();
  });

  it('can have a notification sent once more, with the same id (R-WH-10)', async () => {
    const subscriptionId = await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    const [first] = receiver.taken();
    const [delivery] = await webhooks.log.deliveries({ subscriptionId, limit: 9 });
    const id = delivery?.id ?? '';
    expect(await webhooks.log.resend(id, world.entityClock)).toBe('resent');
    expect(await webhooks.log.resend(id, world.entityClock)).toBe('underWay');
    await webhooks.tell();
    expect(receiver.taken().map((each) => each.id)).toEqual([first?.id]);
  });
});

describe('a registration', () => {
  const registrationEvent = async (type: string, version: number, id = newPayment()) => {
    const { registrations } = eventTopics;
    await world.bus.events.publish(registrations, [paymentEvent(id, version, type)]);
    await webhooks.tell();
    return id;
  };
  const types = ['REGISTRATION'] as const;

  it('is told of with its action to whoever wants to hear of registrations', async () => {
    await webhooks.subscribe(receiver.url, { types });
    const id = await registrationEvent('DetailsKept', 2);
    await registrationEvent('RegistrationUpdated', 4, id);
    await registrationEvent('RegistrationDeleted', 5, id);
    const heard = receiver.taken().map(({ notification }) => notification);
    expect(heard.map(({ action }) => action)).toEqual(['CREATED', 'UPDATED', 'DELETED']);
    expect(heard[0]).toMatchObject({
      type: 'REGISTRATION',
      payload: {
        ...{ id, paymentBrand: 'VISA', result: { code: '000.100.110' }, ndc: 'checkout-1' },
        ...{ card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones' }, sequence: 2 },
        ...{ source: 'SYSTEM', authentication: { entityId: CHANNEL }, channelName: 'demo' },
      },
    });
    expect(JSON.stringify(heard)).not.toContain('kept.');
  });

  it('is created once it can be used: not while its payment is not decided', async () => {
    await webhooks.subscribe(receiver.url, { types });
    const id = newPayment();
    world.queries.registrations.set(`${id} 2`, 'requested');
    await registrationEvent('DetailsKept', 2, id);
    expect(receiver.taken()).toEqual([]);
    await registrationEvent('RegistrationConfirmed', 3, id);
    expect(receiver.taken()).toMatchObject([{ notification: { action: 'CREATED' } }]);
  });

  it('is nothing for whoever wants to hear of payments alone', async () => {
    await webhooks.subscribe(receiver.url);
    await registrationEvent('DetailsKept', 2);
    expect(receiver.taken()).toEqual([]);
  });
});

describe('a schedule', () => {
  const scheduleEvent = async (type: string, version: number, id = newPayment()) => {
    await world.bus.events.publish(eventTopics.scheduling, [paymentEvent(id, version, type)]);
    await webhooks.tell();
    return id;
  };

  it('is told of as it is read, by whom its next payment is planned', async () => {
    await webhooks.subscribe(receiver.url, { types: ['SCHEDULE'] });
    const id = await scheduleEvent('ScheduleCreated', 1);
    await scheduleEvent('RunDue', 2, id);
    await scheduleEvent('RecoveryPlanned', PLANNED_AT_VERSION + 1, id);
    const heard = receiver.taken().map(({ notification }) => notification);
    expect(heard).toMatchObject([
      {
        type: 'SCHEDULE',
        payload: {
          ...{ id, paymentType: 'SD', source: 'SCHEDULER', registrationId: REGISTRATION },
          ...{ amount: '9.90', job: { hour: '12', name: 'for Jane' }, sequence: 1 },
          plan: { active: true, source: 'SCHEDULER', nextRun: '2026-01-15 12:00:00+0000' },
          ...{ result: { code: '000.100.110' }, ndc: 'checkout-1', channelName: 'demo' },
          authentication: { entityId: CHANNEL },
        },
      },
      { payload: { id, paymentType: 'SD', source: 'MACRETRY', recoveries: [{ active: true }] } },
    ]);
    expect(heard[0]).not.toHaveProperty('action');
  });

  it('is told without what is personal to whoever wants it so', async () => {
    await webhooks.subscribe(receiver.url, { types: ['SCHEDULE'], fields: 'NON_CUSTOMER_DATA' });
    await scheduleEvent('ScheduleCreated', 1);
    const [heard] = receiver.taken();
    expect(heard?.text).not.toContain('Jane');
    expect(heard?.text).not.toContain(EMAIL);
    expect(heard?.notification.payload).toMatchObject({ job: { hour: '12' } });
  });
});

describe('a check of risk alone', () => {
  it('is told of as such, and an authentication alone as a payment', async () => {
    await webhooks.subscribe(receiver.url, { types: ['RISK'] });
    const [check, authentication] = [newPayment(), newPayment()];
    world.queries.views.set(`${check} 2`, { operation: 'riskAssessment' });
    world.queries.views.set(`${authentication} 2`, { operation: 'authentication' });
    const done = (id: typeof check) => paymentEvent(id, 2, 'StandaloneCompleted');
    await happened(world, done(check), done(authentication));
    await webhooks.tell();
    const heard = receiver.taken().map(({ notification }) => notification);
    expect(heard).toMatchObject([
      { type: 'RISK', payload: { id: check, paymentType: 'RI', paymentMethod: 'RM' } },
    ]);
  });
});

describe('what payments has lost', () => {
  it('is told to nobody, and holds up nothing', async () => {
    await webhooks.subscribe(receiver.url);
    const [lost, other] = [newPayment(), newPayment()];
    world.queries.lost.add(lost);
    const completed = paymentEvent(lost, 2, 'StandaloneCompleted');
    await happened(world, completed, approved(lost, 3), approved(other));
    await webhooks.tell();
    const ids = receiver.taken().map(({ notification }) => notification.payload['id']);
    expect(ids).toEqual([other]);
  });
});

describe('a seed file', () => {
  const hook = (url: string) => ({
    ...({ url, secret: SECRET, types: ['PAYMENT'], fields: 'ALL', wrapper: 'none' } as const),
  });

  it('makes subscriptions that are active, once, and takes them away again', async () => {
    const nodes = [{ nodeId: CHANNEL, webhooks: [hook(receiver.url)] }];
    await webhooks.seeded.seed(nodes);
    await webhooks.seeded.seed(nodes);
    const standings = async () =>
      [...(await webhooks.subscriptions.now()).values()].map(({ standing }) => standing);
    expect(await standings()).toEqual(['active']);
    const [earlier] = await webhooks.seeded.seeded();
    expect(earlier).toEqual(nodes[0]);
    expect(earlier?.webhooks[0]?.secret.reveal()).toBe(SECRET.reveal());
    const [id = ''] = (await webhooks.subscriptions.now()).keys();
    const names = (await webhooks.subscriptions.history(id)).map(({ type }) => type);
    expect(names).toEqual(['SubscriptionAdded', 'SubscriptionTrusted']);
    await webhooks.seeded.seed([{ nodeId: CHANNEL, webhooks: [] }]);
    expect(await standings()).toEqual(['removed']);
    expect(await webhooks.seeded.seeded()).toEqual([]);
    await webhooks.seeded.seed(nodes);
    expect((await standings()).sort()).toEqual(['active', 'removed']);
  });

  it('changes a secret at once', async () => {
    await webhooks.seeded.seed([{ nodeId: CHANNEL, webhooks: [hook(receiver.url)] }]);
    const other = { ...hook(receiver.url), secret: NEW_SECRET };
    await webhooks.seeded.seed([{ nodeId: CHANNEL, webhooks: [other] }]);
    receiver.secrets = [NEW_SECRET];
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });
});

describe('what waits', () => {
  it('is counted, and is behind only where it is due', async () => {
    const metrics = new PrometheusMetrics(webhooksMetrics.declarations);
    new WebhookMetrics(metrics).watch(webhooks.pool, webhooks.receivers);
    receiver.reactions.push(500);
    await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    const text = await metrics.exposition();
    expect(text).toMatch(/^sluice_webhook_backlog 1$/m);
    expect(text).toMatch(/^sluice_webhook_receivers_away 0$/m);
    // The clock of this spec stands in the past, and so is what is due by it.
    expect(text).toMatch(/^sluice_webhook_due_oldest_seconds [0-9.e+]+$/m);
  });
});

describe('what is over', () => {
  it('is forgotten after 30 days, and what waits is kept', async () => {
    const retention = new Retention(webhooks.pool, world.clock);
    await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    await retention.forget();
    expect(await world.contents()).toContain('acknowledged');
    world.clock.advance(DELIVERY_LIFE_MS + MINUTE_MS);
    receiver.reactions.push(500);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    await retention.forget();
    const { rows } = await world.administrator.query<{ standing: string }>(
      'SELECT standing FROM webhooks.deliveries',
    );
    expect(rows).toEqual([{ standing: 'waiting' }]);
    const left = await world.administrator.query('SELECT FROM webhooks.attempts');
    expect(left.rowCount).toBe(1);
  });
});
