import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message } from '@sluice/contracts';
import {
  HASTENED_AT_ONCE,
  happened,
  LocalReceiver,
  newPayment,
  paymentEvent,
  WebhooksProcess,
  WebhooksWorld,
} from '../test/webhooks-fixture.js';

/** A fifth more or less, so that after this a pause is certainly over. */
const LATEST = 1.2;
const HOUR_MS = 60 * 60_000;
/** After those of minutes, and one of an hour, a notification is tried once a day. */
const FAILURES = 12;

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
  await webhooks.subscribe(receiver.url);
});
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

const approved = (): Message => paymentEvent(newPayment(), 2, 'TransactionApproved');

/** Each payment has failed until its next time is hours away, and a new one comes then. */
async function hasFailedForLong(payments: number, status: number): Promise<void> {
  // One at a time, where all of them are due: its breaker is open.
  const looksMax = FAILURES * payments;
  receiver.reactions.push(...Array.from({ length: looksMax * payments }, () => status));
  for (let count = 0; count < payments; count += 1) await happened(world, approved());
  for (let looks = 0; looks < looksMax; looks += 1) {
    await webhooks.tell();
    world.clock.advance(HOUR_MS * LATEST);
  }
  receiver.taken();
  receiver.reactions.length = 0;
  await happened(world, approved());
}

describe('a receiver that is there again', () => {
  it('is told at once of what waits, also by a process that has begun since (R-WH-06)', async () => {
    await hasFailedForLong(3, 503);
    const other = await WebhooksProcess.start(world);
    await other.tell();
    await other.tell();
    expect(receiver.taken()).toHaveLength(4);
    await other.close();
  });

  it('is told at once of what waits when it acknowledges again after refusals alone (R-WH-06)', async () => {
    await happened(world, approved());
    await webhooks.tell();
    receiver.taken();
    await hasFailedForLong(3, 404);
    await webhooks.tell();
    await webhooks.tell();
    expect(receiver.taken()).toHaveLength(4);
  });

  it('is told at once of all that waits, however much that is (R-WH-06)', async () => {
    const many = 3 * HASTENED_AT_ONCE + 1;
    await hasFailedForLong(many, 503);
    for (let looks = 0; looks < 4; looks += 1) await webhooks.tell();
    expect(receiver.taken()).toHaveLength(many + 1);
  });
});
