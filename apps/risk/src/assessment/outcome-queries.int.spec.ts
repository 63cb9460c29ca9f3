import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHANNEL, payment, RiskWorld } from '../../test/risk-fixture.js';

let world: RiskWorld;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeEach(async () => {
  world = await RiskWorld.open();
  risk = await world.start();
  const rules = [
    { velocity: { by: 'card', counts: 'approved', within: '1h', atMost: 99 } },
    { history: { by: 'card', had: 'payments', atMost: 999 } },
  ].map((when, at) => ({ id: `rule-${at}`, name: 'A rule', score: 1, when }));
  await world.rules.change(CHANNEL, { rules }, 'a spec');
  await risk.look();
});
afterEach(() => world.close());

const histories = () => world.rows('SELECT payments, approved, declined FROM payer_histories');

describe('outcomes of many payments', () => {
  it('take one query', async () => {
    const some = Array.from({ length: 40 }, () => payment());
    await Promise.all(some.map((each) => risk.assess(each)));
    for (const { assessmentId: id } of some) world.payments.happened(id, 'TransactionApproved');
    await risk.look();
    expect(await histories()).toMatchObject([{ approved: 40 }]);
    expect(world.payments.eventQueries).toBe(1);
  });

  it.each([50, 51, 120])('are found in %s events of one', async (events) => {
    const { assessmentId: id } = payment();
    await risk.assess(payment({ assessmentId: id }));
    for (let event = 1; event < events; event += 1) {
      world.payments.happened(id, 'TransactionPending');
    }
    world.payments.happened(id, 'TransactionDeclined');
    await risk.look();
    expect(await histories()).toMatchObject([{ approved: 0, declined: 1 }]);
  });

  it('are read one by one where payments is of the release before', async () => {
    world.payments.isOfReleaseBefore = true;
    for (const type of ['TransactionApproved', 'TransactionDeclined'] as const) {
      const { assessmentId: id } = payment();
      await risk.assess(payment({ assessmentId: id }));
      world.payments.happened(id, type);
      await risk.look();
    }
    expect(await histories()).toMatchObject([{ approved: 1, declined: 1 }]);
  });
});

describe('the reader of outcomes', () => {
  it('writes nothing again that it has read before, and no count of an approved one', async () => {
    const query = payment();
    await risk.assess(query);
    const written = async (table: string) => await world.rows(`SELECT xmin::text FROM ${table}`);
    const counted = await written('payer_counts');
    expect(counted).toHaveLength(1);
    world.payments.happened(query.assessmentId, 'TransactionApproved');
    await risk.look();
    expect(await written('payer_counts')).toEqual(counted);
    const assessed = await written('assessments');
    await world.rows('DELETE FROM outcomes_read');
    await risk.look();
    expect(await written('assessments')).toEqual(assessed);
    expect(await histories()).toMatchObject([{ approved: 1 }]);
  });
});
