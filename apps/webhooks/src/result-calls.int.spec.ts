import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ATTEMPT_LAPSES_AFTER_MS, NO_SUBSCRIPTION } from '@sluice/domain-webhooks';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { CalledShop } from '../test/called-shop.js';
import { WebhooksProcess, WebhooksWorld } from '../test/webhooks-fixture.js';

/** A fifth more than the pause. */
const PAUSE_MS = 18_000;
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
  world.queries.pages.clear();
  shop = await CalledShop.open();
  webhooks = await WebhooksProcess.start(world);
});
afterEach(async () => {
  await webhooks.close();
  await shop.close();
});

/** A checkout whose result nobody has read. */
function unread(
  shopperResultUrl = `http://${shop.host}/done?shopper=${SHOPPER}#top`,
  purpose: 'payment' | 'registration' = 'payment',
): CheckoutId {
  const id = newCheckoutId('test');
  world.queries.pages.set(id, { shopperResultUrl, purpose });
  return id;
}

const told = (id: CheckoutId, purpose = 'payment'): string =>
  `GET /done?shopper=${SHOPPER}&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2F${purpose}`;
const logged = () => webhooks.log.deliveries({ subscriptionId: NO_SUBSCRIPTION, limit: 99 });

describe('the page of results of a checkout that nobody has read', () => {
  it.each(['payment', 'registration'] as const)(
    'is called once, and told where the %s is read',
    async (purpose) => {
      const id = unread(undefined, purpose);
      await webhooks.callResult(id);
      await webhooks.callResult(id);
      await webhooks.tell();
      await webhooks.tell();
      expect(shop.taken()).toEqual([told(id, purpose)]);
      expect(await logged()).toMatchObject([
        { type: 'CHECKOUT_CALL', transactionId: id, standing: 'acknowledged', attempts: 1 },
      ]);
      expect(await world.contents()).not.toContain(SHOPPER);
    },
  );

  it('is called four times in all while it does not answer with 2xx, and then no more', async () => {
    shop.statuses.push(503, 302, 404, 500);
    const id = unread();
    await webhooks.callResult(id);
    for (let calls = 1; calls <= 6; calls += 1) {
      await webhooks.tell();
      expect(shop.taken()).toEqual(calls <= 4 ? [told(id)] : []);
      world.clock.advance(PAUSE_MS);
    }
    expect(await logged()).toMatchObject([{ standing: 'overdue', attempts: 4 }]);
  });

  it('is not called again once somebody has read the result', async () => {
    shop.statuses.push(503);
    const id = unread();
    await webhooks.callResult(id);
    await webhooks.tell();
    shop.taken();
    world.queries.pages.delete(id);
    world.clock.advance(PAUSE_MS);
    await webhooks.tell();
    expect(shop.taken()).toEqual([]);
    expect(await logged()).toMatchObject([{ standing: 'discarded', outcome: 'notWanted' }]);
  });

  it('is not called where there is none, or where it is of an app', async () => {
    const app = unread('com.shop.app://done');
    await webhooks.callResult(app);
    await webhooks.callResult(newCheckoutId('test'));
    await webhooks.tell();
    expect(await logged()).toEqual([]);
  });

  it.each([
    ['in this network', (host: string) => `http://${host}/done`],
    ['at the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['with a user', (host: string) => `http://jane:secret@${host}/done`],
  ])('is not called %s', async (_, url) => {
    await webhooks.close();
    webhooks = await WebhooksProcess.start(world, []);
    await webhooks.callResult(unread(url(shop.host)));
    await webhooks.tell();
    expect(shop.taken()).toEqual([]);
    expect(await logged()).toMatchObject([{ outcome: 'notAllowed' }]);
  });

  it('is called by another process where the one that began it has died', async () => {
    const id = unread();
    await webhooks.callResult(id);
    expect((await webhooks.claims.take()).claims).toHaveLength(1);
    const other = await WebhooksProcess.start(world);
    world.clock.advance(ATTEMPT_LAPSES_AFTER_MS);
    await other.tell();
    expect(shop.taken()).toEqual([told(id)]);
    await other.close();
  });
});
