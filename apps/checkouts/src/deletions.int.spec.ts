import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { CheckoutsWorld, foreignEntityId } from '../test/checkouts-fixture.js';

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

describe('a deletion', () => {
  it('ends a checkout for everybody, once, whoever takes it', async () => {
    const [one, other] = [await world.start(), await world.start()];
    const checkoutId = await created(one);
    const outcomes = await Promise.all([one, other, one].map((each) => each.delete(checkoutId)));
    expect(outcomes.toSorted()).toEqual(['deleted', 'gone', 'gone']);
    expect(await other.toComplete(checkoutId)).toBeUndefined();
    expect(await one.statusOf(checkoutId)).toBeUndefined();
    expect(await other.send(await world.submission(checkoutId))).toEqual({ kind: 'gone' });
    const types = (await world.eventsOf(checkoutId)).map(({ type }) => type);
    expect(types).toEqual(['CheckoutCreated', 'CheckoutDeleted']);
  });

  it("is nobody's but its channel's", async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    expect(await process.delete(checkoutId, foreignEntityId)).toBe('gone');
    expect(await process.delete(newCheckoutId('test'))).toBe('gone');
    expect(await process.statusOf(checkoutId)).toBe('pending');
  });

  it('waits for an attempt, and is done after its decline', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const attempt = await world.submission(checkoutId);
    expect(await process.send(attempt)).toEqual({ kind: 'recorded' });
    expect(await process.delete(checkoutId)).toBe('pending');
    const { transactionId } = attempt.data;
    world.outcomes.of.set(transactionId, { status: 'approved', resultCode: '000.100.110' });
    expect(await process.delete(checkoutId)).toBe('pending');
    const second = await created(process);
    const declined = await world.submission(second);
    expect(await process.send(declined)).toEqual({ kind: 'recorded' });
    const outcome = { status: 'declined', resultCode: '800.100.152' } as const;
    world.outcomes.of.set(declined.data.transactionId, outcome);
    expect(await process.delete(second)).toBe('deleted');
  });

  it('says what the vault still has of a form that was saved', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const saving = await world.saving(checkoutId, { paymentBrand: 'VISA' }, 'nothing');
    expect(await process.send(saving)).toEqual({ kind: 'recorded' });
    expect(await process.deletionOf(checkoutId)).toEqual({
      ...{ outcome: 'deleted', vaultReference: 'vault-0.s1' },
    });
  });

  it('and a form at the same moment: one of them counts', async () => {
    const [one, other] = [await world.start(), await world.start()];
    for (let race = 0; race < 8; race += 1) {
      const checkoutId = await created(one);
      const attempt = await world.submission(checkoutId);
      const [outcome, reply] = await Promise.all([one.delete(checkoutId), other.send(attempt)]);
      expect([outcome, reply.kind]).toEqual(
        outcome === 'deleted' ? ['deleted', 'gone'] : ['pending', 'recorded'],
      );
    }
  });
});
