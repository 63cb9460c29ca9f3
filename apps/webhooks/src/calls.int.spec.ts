import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventTopics } from '@sluice/contracts';
import {
  ATTEMPT_LAPSES_AFTER_MS,
  DELIVERY_LIFE_MS,
  NO_SUBSCRIPTION,
} from '@sluice/domain-webhooks';
import type { TransactionId } from '@sluice/identifiers';
import { CalledShop } from '../test/called-shop.js';
import {
  calling,
  happened,
  LocalReceiver,
  newPayment,
  paymentEvent,
  WebhooksProcess,
  WebhooksWorld,
} from '../test/webhooks-fixture.js';

const MINUTE_MS = 60_000;
/** A fifth more or less, so that after this a pause is certainly over. */
const LATEST = 1.2;
const CHECKOUT = 'ABCDEF0123456789ABCDEF0123456789.sluice-1';
/** Nobody may find it in a table or a log. */
const SHOPPER = 'jane-jones';

let world: WebhooksWorld;
let webhooks: WebhooksProcess;
let shop: CalledShop;

beforeAll(async () => {
  world = await WebhooksWorld.make();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.empty();
  world.queries.views.clear();
  shop = await CalledShop.open();
  webhooks = await WebhooksProcess.start(world);
});
afterEach(async () => {
  await webhooks.close();
  await shop.close();
});

const addressOfShop = (): string => `http://${shop.host}/told?shopper=${SHOPPER}`;

/** A payment whose request has named an address, after an event. */
async function ended(
  notificationUrl = addressOfShop(),
  { type = 'TransactionApproved', version = 2, ndc = 'ndc', id = newPayment() } = {},
): Promise<TransactionId> {
  world.queries.views.set(`${id} ${version}`, { personal: { notificationUrl } });
  await happened(world, calling(paymentEvent(id, version, type), { ndc }));
  return id;
}

const told = (id: string, path: string): string =>
  `GET /told?shopper=${SHOPPER}&id=${id}&resourcePath=${encodeURIComponent(path)}`;
const toldOf = (id: string): string => told(id, `/v1/payments/${id}`);
const logged = () => webhooks.log.deliveries({ subscriptionId: NO_SUBSCRIPTION, limit: 99 });

describe('an address that stood in a request', () => {
  it('is called once, when the outcome is final, and told where that is read', async () => {
    const id = newPayment();
    await happened(world, calling(paymentEvent(id, 2, 'TransactionPending')));
    await webhooks.tell();
    expect(shop.taken()).toEqual([]);
    await ended(addressOfShop(), { id, version: 3, type: 'TransactionDeclined' });
    await webhooks.tell();
    await webhooks.tell();
    expect(shop.taken()).toEqual([toldOf(id)]);
    expect(await logged()).toMatchObject([
      {
        ...{ type: 'PAYMENT_CALL', transactionId: id, standing: 'acknowledged', attempts: 1 },
        ...{ outcome: 'acknowledged', statusCode: 200 },
      },
    ]);
  });

  it('is called once, however often the event is heard (R-WH-01)', async () => {
    const id = await ended();
    await ended(addressOfShop(), { id });
    await ended(addressOfShop(), { id });
    await webhooks.tell();
    expect(shop.taken()).toHaveLength(1);
  });

  it('is told of the checkout that the payment was made for', async () => {
    await ended(addressOfShop(), { ndc: CHECKOUT });
    await webhooks.tell();
    expect(shop.taken()).toEqual([told(CHECKOUT, `/v1/checkouts/${CHECKOUT}/payment`)]);
  });

  it('is told of a registration, too', async () => {
    const id = newPayment();
    world.queries.notificationUrl = addressOfShop();
    await world.bus.events.publish(eventTopics.registrations, [
      calling(paymentEvent(id, 2, 'DetailsKept')),
    ]);
    await webhooks.tell();
    expect(shop.taken()).toEqual([told(id, `/v1/registrations/${id}`)]);
  });

  it('needs no subscription, and takes none from a subscription', async () => {
    const receiver = await LocalReceiver.start();
    await webhooks.subscribe(receiver.url);
    await ended();
    await webhooks.tell();
    expect(shop.taken()).toHaveLength(1);
    expect(receiver.taken()).toHaveLength(1);
    await receiver.close();
  });

  it('stands in no table and no log but for whom it leads to', async () => {
    shop.statuses.push(500);
    await ended();
    await webhooks.tell();
    expect(await world.contents()).not.toContain(SHOPPER);
    expect(world.logged.join('')).not.toContain(SHOPPER);
  });
});

describe('an address that does not answer with 2xx', () => {
  it('is called again after the pauses of notifications, also where it leads on', async () => {
    shop.statuses.push(500, 302, 404);
    const id = await ended();
    for (const minutes of [0, 1, 2, 4]) {
      await webhooks.tell();
      expect(shop.taken()).toEqual([toldOf(id)]);
      await webhooks.tell();
      expect(shop.taken()).toEqual([]);
      world.clock.advance(Math.max(1, 2 * minutes) * MINUTE_MS * LATEST);
    }
    const [delivery] = await logged();
    const attempts = await webhooks.log.attempts(delivery?.id ?? '');
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([500, 302, 404, 200]);
  });

  it('is given up after 30 days', async () => {
    shop.statuses.push(...Array.from({ length: 60 }, () => 404));
    await ended();
    const endsMs = world.clock.now() + DELIVERY_LIFE_MS;
    while (world.clock.now() <= endsMs) {
      await webhooks.tell();
      world.clock.advance(12 * 60 * MINUTE_MS);
    }
    await webhooks.tell();
    expect(await logged()).toMatchObject([{ standing: 'overdue' }]);
  });

  it('shares its breaker with whatever else is told to it', async () => {
    shop.statuses.push(...Array.from({ length: 5 }, () => 503));
    for (let count = 0; count < 5; count += 1) await ended();
    await webhooks.tell();
    expect(shop.taken()).toHaveLength(5);
    await ended();
    await webhooks.tell();
    expect(shop.taken()).toEqual([]);
    world.clock.advance(31_000);
    await webhooks.tell();
    expect(shop.taken()).toHaveLength(1);
  });

  it('can be called once more by an operator', async () => {
    const id = await ended();
    await webhooks.tell();
    shop.taken();
    const [delivery] = await logged();
    expect(await webhooks.log.resend(delivery?.id ?? '', world.entityClock)).toBe('resent');
    await webhooks.tell();
    expect(shop.taken()).toEqual([toldOf(id)]);
  });
});

describe('an address that was forgotten', () => {
  it('before it was called the first time is not called', async () => {
    const id = newPayment();
    world.queries.views.set(`${id} 2`, { personal: {} });
    await happened(world, calling(paymentEvent(id, 2, 'TransactionApproved')));
    await webhooks.tell();
    expect(await logged()).toEqual([]);
  });

  it('in between is not called again', async () => {
    shop.statuses.push(500);
    const id = await ended();
    await webhooks.tell();
    expect(shop.taken()).toHaveLength(1);
    world.queries.views.set(`${id} 2`, { personal: {} });
    world.clock.advance(MINUTE_MS * LATEST);
    await webhooks.tell();
    expect(shop.taken()).toEqual([]);
    expect(await logged()).toMatchObject([{ standing: 'discarded', outcome: 'notWanted' }]);
  });
});

describe('an address that leads into the network of the installation', () => {
  it.each([
    ['this machine', (host: string) => `http://${host}/told`],
    ['this machine, in another spelling', (host: string) => `http://0x7f.1:${host.split(':')[1]}/`],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['a service', () => 'http://vault:8443/v1/vault.reveal'],
    ['another port', () => 'http://shop.example:5432/'],
  ])('is not called: %s', async (_, url) => {
    await webhooks.close();
    webhooks = await WebhooksProcess.start(world, []);
    await ended(url(shop.host));
    await webhooks.tell();
    expect(shop.taken()).toEqual([]);
    expect(await logged()).toMatchObject([{ standing: 'waiting', outcome: 'notAllowed' }]);
  });
});

describe('a process that dies', () => {
  it('between beginning and calling leaves what another one calls later', async () => {
    const id = await ended();
    expect((await webhooks.claims.take()).claims).toHaveLength(1);
    const other = await WebhooksProcess.start(world);
    await other.tell();
    expect(shop.taken()).toEqual([]);
    world.clock.advance(ATTEMPT_LAPSES_AFTER_MS);
    await other.tell();
    expect(shop.taken()).toEqual([toldOf(id)]);
    await other.close();
  });
});

describe('while payments does not answer', () => {
  it('nobody is blamed, and it is called later', async () => {
    const id = await ended();
    world.queries.isAway = true;
    await webhooks.tell();
    world.queries.isAway = false;
    world.clock.advance(ATTEMPT_LAPSES_AFTER_MS);
    await webhooks.tell();
    expect(shop.taken()).toEqual([toldOf(id)]);
  });
});
