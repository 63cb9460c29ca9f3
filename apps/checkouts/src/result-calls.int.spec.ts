import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECKOUT_LIFE_MS, RESULT_CALL_AFTER_MS } from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import { CheckoutsWorld, entityId, foreignEntityId } from '../test/checkouts-fixture.js';

const DECLINED = { status: 'declined', resultCode: '800.100.152' } as const;
const APPROVED = { status: 'approved', resultCode: '000.100.110' } as const;
const PAGE = 'https://shop.example/done?order=7';

let world: CheckoutsWorld;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
beforeEach(() => {
  world.outcomes.calls.length = 0;
  world.outcomes.areWebhooksAway = false;
});
afterEach(() => world.endProcesses());
afterAll(() => world.close());

/**
 * A checkout whose form was sent from this page, with what became of it. The process that took it has ended,
 * so nobody looks at it until a spec starts another one.
 */
async function submitted(outcome: object): Promise<CheckoutId> {
  const process = await world.start();
  const creation = await world.creation();
  const { checkoutId } = creation.data;
  await process.send(creation);
  const sent = await world.submission(checkoutId, undefined, 'payment', PAGE);
  world.outcomes.of.set(sent.data.transactionId, outcome);
  expect(await process.send(sent)).toEqual({ kind: 'recorded' });
  await world.until(checkoutId, outcome === APPROVED ? 'AttemptSucceeded' : 'AttemptFailed');
  await process.close();
  return checkoutId;
}

/** The same, 29 minutes ago. */
async function submittedLongAgo(outcome: object): Promise<CheckoutId> {
  const checkoutId = await submitted(outcome);
  await world.age(checkoutId, RESULT_CALL_AFTER_MS);
  return checkoutId;
}

describe('the page of results of a checkout that nobody reads', () => {
  it('is to be called after 29 minutes: webhooks is asked for it, once', async () => {
    const id = await submittedLongAgo(APPROVED);
    await world.start();
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(world.outcomes.calls).toEqual([{ checkoutId: id, entityId }]);
    expect(await world.dueAtOf(id)).toBeNull();
    expect(JSON.stringify(await world.eventsOf(id))).not.toContain('shop.example');
  });

  it('is asked for again while webhooks does not answer, also by another process', async () => {
    world.outcomes.areWebhooksAway = true;
    const id = await submittedLongAgo(DECLINED);
    const process = await world.start();
    await world.makeDue(id);
    while (world.outcomes.calls.length < 1) await world.eventsOf(id);
    await process.close();
    expect((await world.eventsOf(id)).map(({ type }) => type)).not.toContain('ResultCalled');
    expect(await world.dueAtOf(id)).not.toBeNull();
    world.outcomes.areWebhooksAway = false;
    await world.start();
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(world.outcomes.calls).toHaveLength(2);
  });

  it('is told to webhooks until somebody reads the result, and to nobody of another channel', async () => {
    const id = await submittedLongAgo(APPROVED);
    const process = await world.start();
    const page = { shopperResultUrl: PAGE, purpose: 'payment' };
    expect(await process.pageOf(id)).toEqual(page);
    expect(await process.pageOf(id, foreignEntityId)).toBeUndefined();
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(await process.pageOf(id)).toEqual(page);
    expect(await process.serve(id)).toBe(true);
    expect(await process.pageOf(id)).toBeUndefined();
  });

  it('is told to nobody once the checkout is over, or its address is forgotten', async () => {
    const [over, forgotten] = [await submitted(DECLINED), await submitted(DECLINED)];
    await world.age(over, CHECKOUT_LIFE_MS);
    await world.forget(forgotten);
    const process = await world.start();
    expect(await process.pageOf(over)).toBeUndefined();
    expect(await process.pageOf(forgotten)).toBeUndefined();
  });

  it('is not called where the result was read, or nobody has sent the form', async () => {
    const read = await submitted(APPROVED);
    const last = await submittedLongAgo(DECLINED);
    const process = await world.start();
    expect(await process.serve(read)).toBe(true);
    await world.age(read, RESULT_CALL_AFTER_MS);
    const creation = await world.creation();
    await process.send(creation);
    const unsent = creation.data.checkoutId;
    await world.age(unsent, RESULT_CALL_AFTER_MS);
    for (const id of [read, unsent, last]) await world.makeDue(id);
    await world.until(last, 'ResultCalled');
    expect(world.outcomes.calls.map(({ checkoutId }) => checkoutId)).toEqual([last]);
  });
});
