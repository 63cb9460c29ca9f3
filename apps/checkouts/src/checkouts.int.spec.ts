import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKOUT_LIFE_MS } from '@sluice/domain-checkouts';
import { newCheckoutId } from '@sluice/identifiers';
import { CheckoutsWorld, foreignEntityId } from '../test/checkouts-fixture.js';

let world: CheckoutsWorld;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

describe('a checkout', () => {
  it('is recorded, and pending however often it is read', async () => {
    const { send, statusOf } = await world.start();
    const command = await world.creation();
    const { checkoutId } = command.data;
    expect(await send(command)).toEqual({ kind: 'recorded' });
    for (const _read of [1, 2, 3]) expect(await statusOf(checkoutId)).toBe('pending');
    const events = await world.eventsOf(checkoutId);
    expect(events.map(({ type }) => type)).toEqual(['CheckoutCreated']);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
      ...{ checkoutId, purpose: 'payment' },
      parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    });
  });

  it('is unknown to every other channel, at the other resource, and if it never was', async () => {
    const { send, statusOf } = await world.start();
    const command = await world.creation();
    const { checkoutId } = command.data;
    await send(command);
    expect(await statusOf(checkoutId, { by: foreignEntityId })).toBeUndefined();
    expect(await statusOf(checkoutId, { as: 'registration' })).toBeUndefined();
    expect(await statusOf(newCheckoutId('test'))).toBeUndefined();
  });

  it('of a registration is read as one', async () => {
    const { send, statusOf } = await world.start();
    const command = await world.creation({ purpose: 'registration', parameters: {} });
    const { checkoutId } = command.data;
    await send(command);
    expect(await statusOf(checkoutId, { as: 'registration' })).toBe('pending');
    expect(await statusOf(checkoutId)).toBeUndefined();
  });

  it('is over after thirty minutes', async () => {
    const { send, statusOf } = await world.start();
    const command = await world.creation();
    const { checkoutId } = command.data;
    await send(command);
    await world.age(checkoutId, CHECKOUT_LIFE_MS - 60_000);
    expect(await statusOf(checkoutId)).toBe('pending');
    await world.age(checkoutId, 60_000);
    expect(await statusOf(checkoutId)).toBeUndefined();
  });

  it('has nothing personal in clear in its events, and a key of its own', async () => {
    const { send } = await world.start();
    const command = await world.creation();
    const { checkoutId } = command.data;
    await send(command);
    const [event] = await world.eventsOf(checkoutId);
    expect(event?.data).toContain('"personal"');
    expect(event?.data).not.toContain('jane');
    expect(await world.wrappedKeysOf(checkoutId)).toBe(1);
  });

  it('is made once, however often and wherever its command comes', async () => {
    const [first, second] = [await world.start(), await world.start()];
    const command = await world.creation();
    const sent = [first.send(command), first.send(command), second.send(command)];
    for (const reply of await Promise.all(sent)) expect(reply).toEqual({ kind: 'recorded' });
    expect(await second.send(command)).toEqual({ kind: 'recorded' });
    expect(await world.eventsOf(command.data.checkoutId)).toHaveLength(1);
  });

  it('is made once under one key, and its first answer is found by that', async () => {
    const { send } = await world.start();
    const keyed = async () => {
      const command = await world.creation();
      const { checkoutId } = command.data;
      const answer = { id: checkoutId, ndc: checkoutId, timestamp: 'now', buildNumber: 'one' };
      const idempotency = { key: 'a'.repeat(64), fingerprint: 'b'.repeat(64), answer };
      return { ...command, data: { ...command.data, idempotency } };
    };
    const [first, second] = [await keyed(), await keyed()];
    expect(await send(first)).toEqual({ kind: 'recorded' });
    expect(await send(second)).toEqual({
      ...{ kind: 'keyTaken', fingerprint: 'b'.repeat(64) },
      answer: first.data.idempotency.answer,
    });
    expect(await world.eventsOf(second.data.checkoutId)).toEqual([]);
  });
});
