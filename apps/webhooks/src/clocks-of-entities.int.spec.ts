import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DELIVERY_LIFE_MS } from '@sluice/domain-webhooks';
import { newTransactionId, random } from '@sluice/identifiers';
import { CHANNEL, NOON_MS, OTHER } from '../test/scripted-queries.js';
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
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const AHEAD_MS = 100 * DAY_MS;

let world: WebhooksWorld;
let webhooks: WebhooksProcess;
let receiver: LocalReceiver;

beforeAll(async () => {
  world = await WebhooksWorld.make();
}, 60_000);
afterAll(() => world.close());

beforeEach(async () => {
  await world.empty();
  world.ahead.set(CHANNEL, AHEAD_MS);
  receiver = await LocalReceiver.start();
  webhooks = await WebhooksProcess.start(world);
});
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

/** A payment of the channel whose clock is ahead is approved. */
const paid = (): Promise<void> =>
  happened(world, paymentEvent(newPayment(), 2, 'TransactionApproved'));
const nowMs = (): number => world.entityClock.now(CHANNEL);

/** As whoever moves the clock: to what is due next, by so much. */
async function goOn(): Promise<number | undefined> {
  const dueAtMs = await webhooks.claims.nextDueOfMs(CHANNEL);
  if (dueAtMs === null) return undefined;
  const pauseMs = dueAtMs - nowMs();
  world.ahead.set(CHANNEL, (world.ahead.get(CHANNEL) ?? 0) + Math.max(0, pauseMs));
  await webhooks.tellOf(CHANNEL);
  return pauseMs;
}

describe('a notification of a channel whose clock is ahead', () => {
  it('is told at once, and dated and signed: by its clock, and by the machine’s', async () => {
    await webhooks.subscribe(receiver.url);
    await paid();
    await webhooks.tell();
    const [heard] = receiver.taken();
    expect(heard?.notification.payload['timestamp']).toBe('2026-04-25 12:00:00+0000');
    // Receivers refuse what was signed in a future of theirs.
    expect(heard?.headers['webhook-timestamp']).toBe(String(NOON_MS / 1_000));
    const [delivery] = await webhooks.log.deliveries({ limit: 9 });
    const date = new Date(NOON_MS + AHEAD_MS);
    expect(delivery).toMatchObject({ acceptedAt: date, endedAt: date, standing: 'acknowledged' });
    expect(await webhooks.claims.nextDueOfMs(CHANNEL)).toBeNull();
  });

  it('is tried again when its clock says so, whatever the machine’s says', async () => {
    await webhooks.subscribe(receiver.url);
    receiver.reactions.push(500, 500);
    await paid();
    await webhooks.tell();
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    const pauses = [await goOn(), await goOn()].map((pauseMs = 0) => pauseMs / MINUTE_MS);
    expect(receiver.taken()).toHaveLength(2);
    expect(Math.abs(pauses[0]! - 1)).toBeLessThanOrEqual(0.2);
    expect(Math.abs(pauses[1]! - 2)).toBeLessThanOrEqual(0.4);
    expect(await goOn()).toBeUndefined();
  });

  it('is tried by whoever looks once nobody moves its clock', async () => {
    await webhooks.subscribe(receiver.url);
    receiver.reactions.push(500);
    await paid();
    await webhooks.tell();
    world.ahead.set(CHANNEL, AHEAD_MS + 2 * MINUTE_MS);
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(2);
  });

  it('is given up after thirty days, daily tries among them', async () => {
    await webhooks.subscribe(receiver.url);
    receiver.reactions.push(...Array<500>(99).fill(500));
    await paid();
    await webhooks.tell();
    const pauses: number[] = [];
    for (let pauseMs = await goOn(); pauseMs !== undefined; pauseMs = await goOn()) {
      pauses.push(pauseMs);
    }
    const [delivery] = await webhooks.log.deliveries({ limit: 1 });
    expect(delivery?.standing).toBe('overdue');
    expect(delivery?.attempts).toBe(pauses.length + 1);
    expect(pauses.filter((pauseMs) => pauseMs > DAY_MS / 2).length).toBeGreaterThan(24);
    const took = nowMs() - NOON_MS - AHEAD_MS;
    expect(took).toBeLessThanOrEqual(DELIVERY_LIFE_MS);
    expect(took).toBeGreaterThan(DELIVERY_LIFE_MS - 1.2 * DAY_MS);
  });

  it('of a paused subscription has one date, on which it is given up', async () => {
    const id = await webhooks.subscribe(receiver.url);
    receiver.reactions.push(500);
    await paid();
    await webhooks.tell();
    await webhooks.subscriptions.decide(id, 'spec', (metadata) => ({
      ...{ type: 'PauseSubscription', metadata },
    }));
    expect(await goOn()).toBe(DELIVERY_LIFE_MS);
    expect((await webhooks.log.deliveries({ limit: 1 }))[0]?.standing).toBe('overdue');
    expect(await goOn()).toBeUndefined();
  });

  it('that is resent is as young as its clock is late', async () => {
    await webhooks.subscribe(receiver.url);
    await paid();
    await webhooks.tell();
    const [first] = receiver.taken();
    world.ahead.set(CHANNEL, AHEAD_MS + 40 * DAY_MS);
    expect(await webhooks.log.resend(first!.id, world.entityClock)).toBe('resent');
    await webhooks.tell();
    expect(receiver.taken().map(({ id }) => id)).toEqual([first!.id]);
  });
});

describe('a receiver that does not answer, by the clock of one channel', () => {
  it('is left alone by that clock, and called for the others', async () => {
    await webhooks.subscribe(receiver.url);
    await webhooks.subscribe(receiver.url, { nodeId: OTHER });
    receiver.reactions.push(...Array<'hangUp'>(6).fill('hangUp'));
    for (let payments = 0; payments < 6; payments += 1) {
      await paid();
      await webhooks.tell();
    }
    // Five were enough; the sixth waits for half a minute of the channel's clock.
    expect(receiver.taken()).toHaveLength(5);
    receiver.reactions.length = 0;
    const beside = newTransactionId(NOON_MS);
    const message = paymentEvent(beside, 2, 'TransactionApproved');
    const data = message.data as { metadata: object };
    await happened(world, {
      ...message,
      data: { ...data, metadata: { ...data.metadata, entityId: OTHER } },
    });
    await webhooks.tell();
    expect(receiver.taken().map(({ notification }) => notification.payload['id'])).toEqual([
      beside,
    ]);
    // It is there again for the others, so what waits is looked at once more, and goes on waiting.
    expect(await goOn()).toBe(0);
    expect(receiver.taken()).toEqual([]);
    expect(await goOn()).toBe(30_000);
    expect(receiver.taken().length).toBeGreaterThanOrEqual(1);
  });
});

describe('a secret that was rotated', () => {
  it('has the one before beside it for a day of its channel’s clock', async () => {
    const id = await webhooks.subscribe(receiver.url);
    const sealedSecret = await webhooks.secrets.seal(id, NEW_SECRET);
    await webhooks.subscriptions.decide(id, 'spec', (metadata) => ({
      ...{ type: 'RotateSecret', secretId: random(16).toString('hex'), sealedSecret },
      ...{ overlapMs: DAY_MS, metadata },
    }));
    receiver.secrets = [SECRET];
    await paid();
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(1);
    world.ahead.set(CHANNEL, AHEAD_MS + DAY_MS + HOUR_MS);
    await paid();
    await webhooks.tell();
    expect(receiver.taken()).toEqual([]);
  });
});
