import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SubmitAttempt } from '@sluice/contracts';
import type { CheckoutId } from '@sluice/identifiers';
import { CheckoutsWorld } from '../test/checkouts-fixture.js';

let world: CheckoutsWorld;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

type Process = Awaited<ReturnType<CheckoutsWorld['start']>>;

async function created({ send }: Process): Promise<CheckoutId> {
  const command = await world.creation();
  expect(await send(command)).toEqual({ kind: 'recorded' });
  return command.data.checkoutId;
}

/** An attempt of whoever has read the checkout now. */
async function attemptAsRead(process: Process, checkoutId: CheckoutId): Promise<SubmitAttempt> {
  const { revision } = (await process.toComplete(checkoutId)) ?? {};
  if (revision === undefined) throw new Error('the checkout says no revision');
  const { data, ...message } = await world.submission(checkoutId);
  return { ...message, data: { ...data, revision } };
}

describe('an attempt that is made of what was read', () => {
  it('is not recorded once the merchant has changed that, and is when it is read again', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const late = await attemptAsRead(process, checkoutId);
    const change = await world.update(checkoutId, { amount: '8.00' });
    expect(await process.send(change)).toEqual({ kind: 'recorded' });
    expect(await process.send(late)).toEqual({ kind: 'changed' });
    expect(await process.send(await attemptAsRead(process, checkoutId))).toEqual({
      kind: 'recorded',
    });
  });

  it('and a change at the same moment, wherever they are taken: one is recorded, and the other refused', async () => {
    const [one, other] = [await world.start(), await world.start()];
    const races = 12;
    for (let race = 0; race < races; race += 1) {
      const checkoutId = await created(one);
      const attempt = await attemptAsRead(one, checkoutId);
      const change = await world.update(checkoutId, { amount: '8.00' });
      const inOrder = race % 2 === 0 ? [attempt, change] : [change, attempt];
      const replies = await Promise.all(
        inOrder.map((command, index) => (index % 2 === 0 ? one : other).send(command)),
      );
      const kinds = replies.map(({ kind }) => kind).toSorted();
      const types = (await world.eventsOf(checkoutId)).map(({ type }) => type);
      expect(types).toHaveLength(2);
      const isChanged = types.includes('CheckoutUpdated');
      expect(kinds).toEqual(isChanged ? ['changed', 'recorded'] : ['recorded', 'underWay']);
    }
  });
});
