import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionView } from '@sluice/contracts';
import { finishRestoration } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { rebuildLock } from '@sluice/projections';
import { eventually, ReportingWorld } from '../test/reporting-fixture.js';
import { transactions } from './projections/transactions.projection.js';

let world: ReportingWorld;

beforeEach(async () => {
  world = await ReportingWorld.make();
}, 60_000);
afterEach(() => world.close());

/** Of the tables that this release makes. */
const VERSION = transactions.version;
const REBUILT = 'The tables are rebuilt from the events of payments.';
const FILLED = 'The new tables are filled; queries read them once they have caught up.';
const READ = 'Queries read the rebuilt tables.';
const WAITS = 'Another process rebuilds the tables; this one waits for it.';

/** Somebody else rebuilds, so that nothing happens until it is let go. */
async function held() {
  const lock = await rebuildLock(world.rebuildOptions.target, transactions);
  if (lock === undefined) throw new Error('the lock is taken');
  return lock;
}

/** Reporting has run with tables that were made of one payment. */
async function paidEarlier(): Promise<TransactionId> {
  await world.start();
  const { id, messages } = await world.payments.pay({ checked: true });
  await world.publish(messages);
  await world.stop();
  return id;
}

async function found(id: TransactionId) {
  return (await world.find(id))[0] as TransactionView | undefined;
}

/** The live tables hold what tables that are made of the store now hold. */
async function expectAsTheStore(live: number): Promise<void> {
  await world.stop();
  const { tableSet } = await world.rebuild();
  expect(await world.rows(live)).toEqual(await world.rows(tableSet));
}

describe('tables of an earlier version', () => {
  it('are read as far as they go, and are replaced without anybody asking', async () => {
    const id = await paidEarlier();
    await world.makeEarlier();
    const lock = await held();
    await world.startRebuilding();
    await eventually(async () => world.log.count(WAITS) > 0);
    expect(await found(id)).toMatchObject({ status: 'approved', instrument: { brand: 'VISA' } });
    expect(await found(id)).not.toHaveProperty('avsResponse');
    const later = await world.payments.pay();
    await world.publish(later.messages);
    expect(await world.states()).toEqual([[1, 1, 'live']]);
    await lock.release();
    await world.untilLive(2);
    await eventually(async () => (await found(later.id)) !== undefined);
    expect(await found(id)).toMatchObject({ avsResponse: 'Z', cvvResponse: 'M' });
    expect(await world.states()).toEqual([
      [1, 1, 'previous'],
      [2, VERSION, 'live'],
    ]);
    for (const sentence of [WAITS, REBUILT, FILLED, READ]) {
      expect([sentence, world.log.count(sentence)]).toEqual([sentence, 1]);
    }
    expect(world.log.count(/^Rebuilding: \d+ %, \d+ events\/s, \d+ s left\.$/)).toBeGreaterThan(0);
    await expectAsTheStore(2);
  });

  it('are not read where their shape does not fit; queries have no answer until the new ones', async () => {
    const id = await paidEarlier();
    await world.makeEarlier();
    await world.admin.query('ALTER TABLE reporting.transactions_1 DROP COLUMN status');
    const lock = await held();
    await world.startRebuilding();
    await expect(found(id)).rejects.toThrow('no answer');
    await lock.release();
    await eventually(async () => (await found(id).catch(() => undefined)) !== undefined);
    expect(await found(id)).toMatchObject({ status: 'approved' });
  });

  it('are left to an operator where this process has not the means', async () => {
    await paidEarlier();
    await world.makeEarlier();
    await world.startRebuilding({ eventSourceUrls: undefined });
    await eventually(
      async () => world.log.count(/rebuild the projection with "sluice replay"/) > 0,
    );
    expect(await world.states()).toEqual([[1, 1, 'live']]);
  });

  it('are replaced by what is filled already', async () => {
    const id = await paidEarlier();
    const { tableSet } = await world.rebuild();
    await world.makeEarlier();
    await world.startRebuilding();
    await world.untilLive(tableSet);
    await eventually(async () => (await found(id))?.avsResponse !== undefined);
    expect(world.log.count(FILLED)).toBe(0);
  });
});

describe('tables of a later version', () => {
  it('are left alone, and those that were live before are read as long as they are there', async () => {
    const id = await paidEarlier();
    await world.admin.query("UPDATE reporting.table_sets SET state = 'previous'");
    await world.admin.query(
      `INSERT INTO reporting.table_sets (projection, version, state)
       VALUES ('transactions', $1, 'live')`,
      [VERSION + 1],
    );
    await world.startRebuilding();
    const later = await world.payments.pay();
    await world.publish(later.messages);
    expect(await found(id)).toMatchObject({ avsResponse: 'Z' });
    expect(await found(later.id)).toMatchObject({ status: 'approved' });
    expect((await world.states()).map(([, version, state]) => [version, state])).toEqual([
      [VERSION, 'previous'],
      [VERSION + 1, 'live'],
    ]);
    expect(world.log.count(REBUILT)).toBe(0);
  });
});

describe('a rebuild that ended half-way', () => {
  /** Stopped when at least one chunk of 1,000 events is in the new tables. */
  async function halfFilled(): Promise<void> {
    await world.payments.payMany(10_000);
    await world.makeEarlier();
    await world.startRebuilding();
    await eventually(async () => world.log.count(/^Rebuilding/) > 0);
    await world.stop();
    expect(world.log.count(FILLED)).toBe(0);
    expect(await world.states()).toEqual([
      [1, 1, 'live'],
      [2, VERSION, 'filling'],
    ]);
  }

  it('goes on where it ended, in the same tables', async () => {
    await paidEarlier();
    await halfFilled();
    const before = await world.count(2);
    expect(before).toBeGreaterThan(0);
    await world.startRebuilding();
    await world.untilLive(2);
    expect(before).toBeLessThan(10_001);
    expect(await world.count(2)).toBe(10_001);
    const { rows } = await world.admin.query<{ events: number }>(
      'SELECT count(*)::int AS events FROM payments.events',
    );
    expect(await world.replayedEvents()).toBe(rows[0]?.events);
    await expectAsTheStore(2);
  });

  it('begins again where the store was restored meanwhile', async () => {
    await paidEarlier();
    await halfFilled();
    await finishRestoration(world.admin, 'payments');
    await world.startRebuilding();
    await world.untilLive(3);
    // The first ones are of the life before: a rollback would bring back what is lost.
    await eventually(async () => (await world.states()).length === 1);
    expect(await world.states()).toEqual([[3, VERSION, 'live']]);
    await expectAsTheStore(3);
  });

  it('is refused to a second process while the first is at work', async () => {
    const lock = await held();
    await expect(world.rebuild()).rejects.toThrow('Another process rebuilds the projection');
    await lock.release();
    await world.rebuild();
  });
});

describe('a store that was restored (D-23)', () => {
  it('is what queries answer from afterwards: what is lost is gone, what is new is there', async () => {
    const kept = await paidEarlier();
    await world.startRebuilding({ compareHeadsMs: 50 });
    const lost = await world.payments.pay();
    const halfLost = await world.payments.pay({ captured: true });
    await world.publish([...lost.messages, ...halfLost.messages]);
    expect(await found(lost.id)).toBeDefined();
    await eventually(async () => (await world.headsCursors()) > 0);

    await world.payments.lose(lost.id);
    await world.payments.lose(halfLost.id, 2);
    // What was lost had later positions than anything that the restored store has or will soon have.
    await world.admin.query('UPDATE reporting.table_sets SET heads_cursor = $1', [
      '{"transactionId":"9999999999","position":"9"}',
    ]);
    await finishRestoration(world.admin, 'payments');
    const unpublished = await world.payments.pay();
    await world.untilLive(2);
    await eventually(async () => (await found(unpublished.id)) !== undefined);
    const published = await world.payments.pay();
    await world.publish([...lost.messages, ...halfLost.messages, ...published.messages]);

    // The topic never has it: it is found among the positions that were given out again.
    const neverPublished = await world.payments.pay();
    await eventually(async () => (await found(neverPublished.id)) !== undefined);

    expect(await found(lost.id)).toBeUndefined();
    expect(await found(kept)).toBeDefined();
    expect(await found(published.id)).toBeDefined();
    expect(await world.find(halfLost.id, { includeLinked: true })).toHaveLength(1);
    await eventually(async () => (await world.states()).length === 1);
    expect(await world.states()).toEqual([[2, VERSION, 'live']]);
    await expectAsTheStore(2);
  });

  it('is noticed by the first event of the new life, before anybody compares', async () => {
    const kept = await paidEarlier();
    await world.startRebuilding({ compareHeadsMs: 600_000 });
    await eventually(async () => (await world.headsCursors()) > 0);
    await finishRestoration(world.admin, 'payments');
    const later = await world.payments.pay();
    // Whoever follows the life before refuses it; with that one gone nobody is there to take it.
    await world.publish(later.messages).catch(() => undefined);
    await world.untilLive(2);
    await eventually(async () => (await found(later.id)) !== undefined);
    expect(await found(kept)).toBeDefined();
  });
});
