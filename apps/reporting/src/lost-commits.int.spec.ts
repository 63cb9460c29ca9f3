import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, ReportingWorld } from '../test/reporting-fixture.js';

let world: ReportingWorld;

beforeEach(async () => {
  world = await ReportingWorld.make();
}, 60_000);
afterEach(() => world.close());

const LOST =
  'The database has lost rows that it had taken, as in a crash; their events are read again.';

/** So many that the partition of any other payment has some of them, as good as certainly. */
const LATER = 60;

/** What a crash of the database does to a payment's commit: its rows and checkpoints were never there. */
async function undo(id: string): Promise<void> {
  await world.admin.query(
    `BEGIN;
     DELETE FROM reporting.transactions_1 WHERE stream_id = '${id}';
     DELETE FROM reporting.transactions_1_streams WHERE stream_id = '${id}';
     DELETE FROM reporting.checkpoints;
     INSERT INTO reporting.checkpoints SELECT * FROM checkpoints_before;
     COMMIT`,
  );
}

/** A payment whose rows and checkpoints will be there. */
async function payKept() {
  const kept = await world.payments.pay();
  await world.publish(kept.messages);
  await world.admin.query('CREATE TABLE checkpoints_before AS SELECT * FROM reporting.checkpoints');
  return kept;
}

describe('rows that a crash of the database has undone', () => {
  it('come again at once, not with the next comparison', async () => {
    await world.startCompared({ compareHeadsMs: 600_000 });
    const kept = await payKept();
    const lost = await world.payments.pay();
    await world.publish(lost.messages);
    expect(await world.find(lost.id)).toMatchObject([{ id: lost.id }]);
    await undo(lost.id);
    await eventually(async () => (await world.find(lost.id)).length === 1);
    expect(await world.find(kept.id)).toMatchObject([{ id: kept.id }]);
    expect(world.log.count(LOST)).toBe(1);
    const later = await world.payments.pay();
    await world.publish(later.messages);
    expect(await world.find(later.id)).toMatchObject([{ id: later.id, status: 'approved' }]);
  });

  it('come again also if the next batch arrives before anybody has looked', async () => {
    await world.startCompared({ compareHeadsMs: 600_000, pollIntervalMs: 1_000 });
    await payKept();
    const lost = await world.payments.pay();
    await world.publish(lost.messages);
    const later = [];
    for (let each = 0; each < LATER; each += 1) later.push(await world.payments.pay());
    await undo(lost.id);
    // Read on from where it was, it would be as if those of the lost payment had been taken.
    const readOn = world.publish(later.flatMap(({ messages }) => messages));
    await expect(readOn).rejects.toThrow('closed before it had handled every message');
    for (const { id } of [lost, ...later]) {
      await eventually(async () => (await world.find(id)).length === 1);
    }
    expect(world.log.count(LOST)).toBe(1);
  });
});
