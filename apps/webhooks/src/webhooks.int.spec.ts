import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { deadTopicOf, eventTopics, type Message } from '@sluice/contracts';
import { ATTEMPT_LAPSES_AFTER_MS, DELIVERY_LIFE_MS } from '@sluice/domain-webhooks';
import pg from 'pg';
import { askForTest, findTest } from './receiver-tests.js';
import { KNOWN_FOR_MS } from './subscriptions.js';
import { CHANNEL, EMAIL, MERCHANT, NOON_MS, OTHER } from '../test/scripted-queries.js';
import {
  happened,
  LocalReceiver,
  newPayment,
  paymentEvent,
  SECRET,
  WebhooksProcess,
  WebhooksWorld,
} from '../test/webhooks-fixture.js';

const MINUTE_MS = 60_000;
/** A fifth more or less, so that after this a pause is certainly over. */
const LATEST = 1.2;

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

describe('a payment that is approved', () => {
  it('is told encrypted, as it is answered, to whoever wants to hear of its channel', async () => {
    await webhooks.subscribe(receiver.url);
    const id = newPayment();
    await happened(world, paymentEvent(id, 1, 'PaymentInitiated'), approved(id));
    await webhooks.tell();
    const [heard, ...others] = receiver.taken();
    expect(others).toEqual([]);
    expect(heard?.notification).toMatchObject({
      type: 'PAYMENT',
      payload: {
        ...{ id, paymentType: 'DB', amount: '92.00', currency: 'EUR', ndc: 'checkout-1' },
        ...{ result: { code: '000.100.110' }, merchantTransactionId: 'order-1' },
        ...{ source: 'SYSTEM', authentication: { entityId: CHANNEL }, channelName: 'demo' },
        ...{ sequence: 2, timestamp: '2026-01-15 12:00:00+0000', customer: { email: EMAIL } },
      },
    });
    expect(heard?.headers).toMatchObject({
      ...{ 'content-type': 'text/plain', 'user-agent': 'Sluice' },
      'x-initialization-vector': expect.stringMatching(/^[0-9A-F]{24}$/) as unknown,
      'x-authentication-tag': expect.stringMatching(/^[0-9A-F]{32}$/) as unknown,
      'webhook-timestamp': String(NOON_MS / 1_000),
      'webhook-signature': expect.stringMatching(/^v1,/) as unknown,
    });
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
  });

  it('is told with what asked for it, where a schedule did', async () => {
    await webhooks.subscribe(receiver.url);
    const id = newPayment();
    world.queries.views.set(`${id} 2`, { source: 'MACRETRY' });
    await happened(world, approved(id));
    await webhooks.tell();
    expect(receiver.taken()).toMatchObject([
      { notification: { type: 'PAYMENT', payload: { id, source: 'MACRETRY' } } },
    ]);
  });

  it('is told in JSON, and without what is personal, to whoever wants it so', async () => {
    const terms = { fields: 'NON_CUSTOMER_DATA', wrapper: 'JSON' } as const;
    await webhooks.subscribe(receiver.url, terms);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    const [heard] = receiver.taken();
    expect(heard?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(heard?.body ?? '')).toEqual({
      encryptedBody: expect.stringMatching(/^[0-9A-F]+$/) as unknown,
    });
    expect(heard?.text).not.toContain(EMAIL);
    expect(heard?.notification.payload).toMatchObject({ amount: '92.00' });
  });

  it('is told to each subscription at or above its channel, and to no other', async () => {
    const above = await LocalReceiver.start();
    const beside = await LocalReceiver.start();
    await webhooks.subscribe(receiver.url);
    await webhooks.subscribe(above.url, { nodeId: MERCHANT });
    await webhooks.subscribe(beside.url, { nodeId: OTHER });
    const id = newPayment();
    await happened(world, approved(id));
    await webhooks.tell();
    const ids = [receiver, above, beside].map((one) => one.taken().map((each) => each.id));
    expect(ids.map(({ length }) => length)).toEqual([1, 1, 0]);
    expect(ids[0]).not.toEqual(ids[1]);
    await Promise.all([above.close(), beside.close()]);
  });

  it('is told once, however often its event is heard (R-WH-01)', async () => {
    await webhooks.subscribe(receiver.url);
    const message = approved(newPayment());
    await happened(world, message, message);
    await happened(world, message);
    await webhooks.tell();
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });

  it('leaves nothing personal and no secret in tables and log (R-WH-09)', async () => {
    receiver.reactions.push({ status: 500, body: 'no 4200000000000000 here' });
    await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    const contents = await world.contents();
    expect(contents).toContain('no *** here');
    for (const secret of [EMAIL, SECRET.reveal(), SECRET.reveal().toUpperCase()]) {
      expect(contents).not.toContain(secret);
      expect(world.logged.join('\n')).not.toContain(secret);
    }
  });

  it('is told to nobody where nobody wants to hear anything', async () => {
    await webhooks.subscribe(receiver.url, { isTrusted: false });
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
  });
});

describe('what becomes of a payment', () => {
  it('is told in its order: pending, and then the end, each as it was then (R-WH-07)', async () => {
    await webhooks.subscribe(receiver.url);
    const id = newPayment();
    world.queries.views.set(`${id} 2`, { status: 'pending', resultCode: '000.200.000' });
    await happened(world, paymentEvent(id, 2, 'TransactionPending'), approved(id, 3));
    await webhooks.tell();
    await webhooks.tell();
    const codes = receiver.taken().map(({ notification: { payload } }) => payload['result']);
    expect(codes).toMatchObject([{ code: '000.200.000' }, { code: '000.100.110' }]);
    expect(world.queries.asked.slice(-2)).toMatchObject([{ atVersion: 2 }, { atVersion: 3 }]);
  });

  it('waits for what was there before, until its receiver has answered that', async () => {
    receiver.reactions.push(500);
    await webhooks.subscribe(receiver.url);
    const id = newPayment();
    await happened(world, approved(id), paymentEvent(id, 3, 'ChargebackReceived'));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
    world.clock.advance(MINUTE_MS * LATEST);
    await webhooks.tell();
    await webhooks.tell();
    const sequences = receiver.taken().map(({ notification }) => notification.payload['sequence']);
    expect(sequences).toEqual([2, 3]);
  });
});

describe('a receiver that does not acknowledge', () => {
  it.each<[string, LocalReceiver['reactions'][number], string]>([
    ['answers 500', 500, 'refused'],
    ['answers 404', 404, 'refused'],
    ['sends it elsewhere', { status: 302, headers: { location: '/other' } }, 'refused'],
    ['hangs up', 'hangUp', 'connectionLost'],
  ])(
    'and %s is told again after a minute, under the same id (R-WH-02)',
    async (_, reaction, end) => {
      receiver.reactions.push(reaction);
      const subscriptionId = await webhooks.subscribe(receiver.url);
      await happened(world, approved(newPayment()));
      await webhooks.tell();
      const [first] = receiver.taken();
      world.clock.advance(MINUTE_MS * LATEST);
      await webhooks.tell();
      const [second, ...others] = receiver.taken();
      expect(others).toEqual([]);
      expect(second?.id).toBe(first?.id);
      expect(second?.headers['x-initialization-vector']).not.toBe(
        first?.headers['x-initialization-vector'],
      );
      const [delivery] = await webhooks.log.deliveries({ subscriptionId, limit: 9 });
      expect(delivery).toMatchObject({ standing: 'acknowledged', attempts: 2 });
      const attempts = await webhooks.log.attempts(delivery?.id ?? '');
      expect(attempts.map(({ outcome }) => outcome)).toEqual([end, 'acknowledged']);
    },
  );

  it('is tried for 30 days, and then it is given up', async () => {
    await webhooks.subscribe(receiver.url);
    const subscriptionId = [...(await webhooks.subscriptions.now()).keys()][0] ?? '';
    await happened(world, approved(newPayment()));
    receiver.reactions.push(...Array.from({ length: 60 }, () => 400));
    const endsMs = world.clock.now() + DELIVERY_LIFE_MS;
    while (world.clock.now() <= endsMs) {
      await webhooks.tell();
      world.clock.advance(12 * 60 * MINUTE_MS);
    }
    await webhooks.tell();
    const [delivery] = await webhooks.log.deliveries({ subscriptionId, limit: 9 });
    expect(delivery?.standing).toBe('overdue');
    expect(receiver.taken().length).toBeGreaterThan(25);
  });

  it('and is gone (410) is told nothing any more, until a test is answered', async () => {
    receiver.reactions.push(410);
    const id = await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(await webhooks.standingOf(id)).toBe('disabled');
    await happened(world, approved(newPayment()));
    world.clock.advance(MINUTE_MS * LATEST);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    const test = await askForTest(webhooks.pool, id, world.clock.now());
    await webhooks.tests.look();
    expect(await findTest(webhooks.pool, test)).toMatchObject({ outcome: 'acknowledged' });
    expect(await webhooks.standingOf(id)).toBe('active');
  });

  it('is left alone once it has failed five times, and told at once when it is there (R-WH-06)', async () => {
    await webhooks.subscribe(receiver.url);
    receiver.reactions.push(...Array.from({ length: 5 }, () => 503));
    for (let count = 0; count < 5; count += 1) await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(5);
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
    world.clock.advance(31_000);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    world.clock.advance(31_000);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(5);
  });

  it('delays nobody else (R-WH-05)', async () => {
    const dead = 'http://127.0.0.1:9/hook';
    await webhooks.subscribe(dead, { nodeId: MERCHANT });
    await webhooks.subscribe(receiver.url, { nodeId: MERCHANT });
    for (let count = 0; count < 100; count += 1) await happened(world, approved(newPayment()));
    for (let looks = 0; looks < 40; looks += 1) await webhooks.tell();
    expect(receiver.taken()).toHaveLength(100);
  });
});

describe('a process that dies', () => {
  it('between beginning and sending leaves what another one sends later', async () => {
    await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    const { claims } = await webhooks.claims.take();
    expect(claims).toHaveLength(1);
    const other = await WebhooksProcess.start(world);
    await other.tell();
    expect(receiver.taken()).toEqual([]);
    world.clock.advance(ATTEMPT_LAPSES_AFTER_MS);
    await other.tell();
    expect(receiver.taken()).toHaveLength(1);
    await other.close();
  });

  it('has noted up to where it has heard, together with what is to be told (R-WH-01)', async () => {
    await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    const { rows } = await world.administrator.query<{ topic: string }>(
      'SELECT topic FROM webhooks.heard',
    );
    expect(rows).toEqual([{ topic: eventTopics.payments }]);
  });
});

describe('a payment of whom nobody wants to hear', () => {
  /** How often the process has asked its database for something from now on. */
  const databaseUses = (): (() => number) => {
    let uses = 0;
    webhooks.pool.on('acquire', () => (uses += 1));
    return () => uses;
  };
  const paid = async (count: number): Promise<void> => {
    for (let paid = 0; paid < count; paid += 1) {
      const id = newPayment();
      await happened(world, paymentEvent(id, 1, 'PaymentInitiated'), approved(id));
    }
  };

  it.each([
    ['there is no subscription', undefined],
    ['all are of others', OTHER],
  ])('costs no query where %s', async (_, nodeId) => {
    if (nodeId !== undefined) await webhooks.subscribe(receiver.url, { nodeId });
    await paid(1);
    const uses = databaseUses();
    await paid(20);
    expect(uses()).toBe(0);
    expect(world.queries.asked).toEqual([]);
  });

  it('is noted as heard with many others, and when its process ends', async () => {
    const heard = async (): Promise<readonly object[]> => {
      return (await world.administrator.query<object>('SELECT FROM webhooks.heard')).rows;
    };
    await paid(1);
    expect(await heard()).toEqual([]);
    await webhooks.intake.noteHeard();
    expect(await heard()).toHaveLength(1);
    const uses = databaseUses();
    await webhooks.intake.noteHeard();
    expect(uses()).toBe(0);
    await world.administrator.query('TRUNCATE webhooks.heard');
    await paid(1);
    await webhooks.intake.close();
    expect(await heard()).toHaveLength(1);
  });

  it('is told once another process has subscribed to it half a second ago', async () => {
    const other = await WebhooksProcess.start(world);
    await other.intake.close();
    await paid(1);
    await other.subscribe(receiver.url);
    world.clock.advance(KNOWN_FOR_MS);
    await paid(1);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    await other.close();
  });
});

describe('while nothing is due', () => {
  it('a look is one query', async () => {
    await webhooks.subscribe(receiver.url);
    await webhooks.tell();
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    await webhooks.tell();
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    await happened(world, approved(newPayment()));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });
});

describe('while payments does not answer', () => {
  it('nobody is blamed, and it is told later', async () => {
    await webhooks.subscribe(receiver.url);
    await happened(world, approved(newPayment()));
    world.queries.isAway = true;
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
    world.queries.isAway = false;
    world.clock.advance(ATTEMPT_LAPSES_AFTER_MS);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });
});

describe('an event that nobody can read', () => {
  it('is set aside, and holds up nothing', async () => {
    await webhooks.subscribe(receiver.url);
    const dead: Message[] = [];
    const open = await world.bus.events.subscribe({
      ...{ group: 'spec', topics: [deadTopicOf(eventTopics.payments)] },
      handle: ({ messages }) => {
        dead.push(...messages.map(({ message }) => message));
        return Promise.resolve();
      },
    });
    const [id, other] = [newPayment(), newPayment()];
    await happened(world, paymentEvent(id, 2, 'TransactionForgiven'), approved(other));
    await open.close();
    await webhooks.tell();
    expect(dead.map(({ type }) => type)).toEqual(['TransactionForgiven']);
    expect(receiver.taken()).toHaveLength(1);
  });
});
