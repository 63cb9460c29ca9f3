import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionEntriesQuery } from '@sluice/contracts';
import {
  ending,
  entityId,
  foreignEntityId,
  LATER,
  recordedIn,
  registrationId,
  rescheduling,
  SchedulingWorld,
} from '../test/scheduling-fixture.js';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await SchedulingWorld.open();
});
afterEach(() => world.endProcesses());
afterAll(() => world.close());

/** A schedule that was changed, and then given notice. */
async function lived() {
  const { send, find } = await world.start();
  const said = { 'customer.email': 'jane@example.org' };
  const named = { ...LATER, merchantTransactionId: 'plan-4711' };
  const { id } = recordedIn(await send(await world.creation(named, { said }))).outcome;
  const changing = rescheduling(id, { amount: { minor: '1290', currency: 'EUR' } });
  const changed = recordedIn(await send(changing)).outcome.id;
  const ended = recordedIn(await send(ending(id, 'deletion'))).outcome.id;
  const entries = (transactionId: string, more: Partial<TransactionEntriesQuery> = {}) =>
    find({
      ...{ transactionId: transactionId as typeof id, entityId },
      ...{ includeLinked: true, limit: 100, pageNo: 1, ...more },
    });
  return { id, changed, ended, entries, said };
}

describe('what was asked of a schedule', () => {
  it('is found by the id of each, that one first', async () => {
    const { id, changed, ended, entries, said } = await lived();
    const { transactions, total } = await entries(changed);
    expect(total).toBe(3);
    expect(transactions).toMatchObject([
      { id: changed, referencedId: id, operation: 'reschedule', amount: { minor: '1290' } },
      {
        ...{ id, registrationId, operation: 'schedule', status: 'approved', personal: said },
        ...{ amount: { minor: '990' }, parameters: { merchantTransactionId: 'plan-4711' } },
      },
      { id: ended, referencedId: id, operation: 'deschedule', resultCode: '000.100.110' },
    ]);
    const alone = await entries(id, { includeLinked: false });
    expect(alone.transactions.map((each) => each.id)).toEqual([id]);
    const filtered = await entries(id, { operations: ['deschedule'] });
    expect(filtered.transactions.map((each) => each.id)).toEqual([ended]);
  });

  it('is nothing to somebody else', async () => {
    const { id, entries } = await lived();
    expect(await entries(id, { entityId: foreignEntityId })).toEqual({
      transactions: [],
      total: 0,
    });
    expect(await entries('0'.repeat(32))).toEqual({ transactions: [], total: 0 });
  });
});
