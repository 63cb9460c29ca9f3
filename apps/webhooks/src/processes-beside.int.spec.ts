import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_SUBSCRIPTION } from '@sluice/domain-webhooks';
import { newCheckoutId } from '@sluice/identifiers';
import { CalledShop } from '../test/called-shop.js';
import {
  happened,
  LocalReceiver,
  newPayment,
  paymentEvent,
  WebhooksProcess,
  WebhooksWorld,
} from '../test/webhooks-fixture.js';

let world: WebhooksWorld;
let webhooks: WebhooksProcess;
let other: WebhooksProcess;

beforeAll(async () => {
  world = await WebhooksWorld.make();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.empty();
  webhooks = await WebhooksProcess.start(world);
  other = await WebhooksProcess.start(world);
});
afterEach(async () => {
  await other.close();
  await webhooks.close();
});

const paid = (): Promise<void> =>
  happened(world, paymentEvent(newPayment(), 2, 'TransactionApproved'));

describe('a subscription that another process has just changed', () => {
  let receiver: LocalReceiver;
  beforeEach(async () => {
    receiver = await LocalReceiver.start();
  });
  afterEach(() => receiver.close());

  it('is told of what that process has heard, by whoever tells first', async () => {
    // From here on this process knows who there is, for half a second.
    await paid();
    await webhooks.tell();
    await other.subscribe(receiver.url);
    await webhooks.intake.close();
    await paid();
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });

  it('is not put off because it was paused a moment ago', async () => {
    const id = await webhooks.subscribe(receiver.url);
    const pause = { type: 'PauseSubscription' } as const;
    await webhooks.subscriptions.decide(id, 'spec', (metadata) => ({ ...pause, metadata }));
    await webhooks.tell();
    await paid();
    const resume = { type: 'ResumeSubscription' } as const;
    await other.subscriptions.decide(id, 'spec', (metadata) => ({ ...resume, metadata }));
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
  });
});

describe('two processes that hear of the same at once', () => {
  it('make one queue of it, and neither fails', async () => {
    const shop = await CalledShop.open();
    const checkoutIds = Array.from({ length: 20 }, () => newCheckoutId('test'));
    for (const id of checkoutIds) {
      const shopperResultUrl = `http://${shop.host}/done`;
      world.queries.pages.set(id, { shopperResultUrl, purpose: 'payment' });
    }
    for (const id of checkoutIds) {
      await Promise.all([webhooks, other].map((process) => process.callResult(id)));
    }
    const noted = await webhooks.log.deliveries({ subscriptionId: NO_SUBSCRIPTION, limit: 99 });
    expect(noted).toHaveLength(checkoutIds.length);
    await shop.close();
  });
});
