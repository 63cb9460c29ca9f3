import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHANNEL, payment, RiskWorld } from '../../test/risk-fixture.js';
import { RecountedPayers } from './recounted-payers.js';

let world: RiskWorld;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeEach(async () => {
  world = await RiskWorld.open();
  risk = await world.start();
});
afterEach(() => world.close());

const counts = () =>
  world.rows('SELECT * FROM payer_counts ORDER BY assessment_id, key, at, minor, passed');
const histories = () => world.rows('SELECT * FROM payer_histories ORDER BY key');
const recounted = () => new RecountedPayers(world.pool);

describe('payers counted again', () => {
  beforeEach(async () => {
    const rules = [
      ...['card', 'email'].map((by) => ({
        ...{ id: `often-${by}`, name: 'Often', then: 'reject' },
        when: { velocity: { by, within: '1h', atMost: 4 } },
      })),
      {
        ...{ id: 'known', name: 'Known', score: 1 },
        when: { history: { by: 'card', had: 'approved', atLeast: 1 } },
      },
    ];
    await world.rules.change(CHANNEL, { rules }, 'a spec');
    await risk.look();
    const amount = { minor: '9200', currency: 'EUR' };
    const types = ['TransactionApproved', 'TransactionDeclined', 'StandaloneCompleted'] as const;
    for (let at = 0; at < 9; at += 1) {
      const query = payment({ accountFingerprint: `f${String(at % 2)}` });
      await risk.assess(query);
      const { assessmentId: id } = query;
      const type = types[at % 4];
      if (type !== undefined) world.payments.happened(id, type);
      if (at === 0) world.payments.happened(id, 'ChargebackReceived', { amount });
    }
    await risk.look();
  });

  it('are what they were, also where nothing was left of them', async () => {
    const before = [await counts(), await histories()];
    expect(before.map((rows) => rows.length)).toEqual([18, 2]);
    expect(new Set(before[0]?.map((row) => (row as { outcome: string }).outcome)).size).toBe(3);
    const told: number[] = [];
    await recounted().recount((done) => told.push(done));
    expect([await counts(), await histories()]).toEqual(before);
    await world.rows('DELETE FROM payer_counts');
    await world.rows('DELETE FROM payer_histories');
    await recounted().recount((done) => told.push(done));
    expect([await counts(), await histories()]).toEqual(before);
    expect([told, await recounted().count()]).toEqual([[9, 9], 9]);
  });

  it('leave out of windows what no window can have any more', async () => {
    await world.rows(`UPDATE assessments SET received_at = received_at - interval '31 days'`);
    await recounted().recount(() => undefined);
    expect([(await counts()).length, (await histories()).length]).toEqual([0, 2]);
  });

  it('are unchanged where it is broken off', async () => {
    const before = [await counts(), await histories()];
    const breaksOff = () => {
      throw new Error('enough');
    };
    await expect(recounted().recount(breaksOff)).rejects.toThrow('enough');
    expect([await counts(), await histories()]).toEqual(before);
  });
});
