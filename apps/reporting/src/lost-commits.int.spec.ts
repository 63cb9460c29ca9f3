import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, ReportingWorld } from '../test/reporting-fixture.js';

let world: ReportingWorld;

beforeAll(async () => {
  world = await ReportingWorld.make();
  await world.startCompared({ compareHeadsMs: 600_000 });
}, 60_000);
afterAll(() => world.close());

const LOST =
  'The database has lost rows that it had taken, as in a crash; their events are read again.';

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

describe('rows that a crash of the database has undone', () => {
  it('come again at once, not with the next comparison', async () => {
    const kept = await world.payments.pay();
    await world.publish(kept.messages);
    await world.admin.query(
      'CREATE TABLE checkpoints_before AS SELECT * FROM reporting.checkpoints',
    );
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
});
