import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHANNEL, payment, reviewed, RiskWorld } from '../../test/risk-fixture.js';

let world: RiskWorld;
beforeEach(async () => {
  world = await RiskWorld.open();
});
afterEach(() => world.close());

/** A process that knows these rules of the channel; reviews end after an hour. */
async function ruledBy(...rules: readonly object[]) {
  const first = await world.start();
  await world.rules.change(CHANNEL, { rules, releaseAfter: '1h' }, 'a spec');
  await first.look();
  return first;
}

describe('a review of an entity whose clock is ahead', () => {
  const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

  it('is over after its time by that clock, whoever moves it or not', async () => {
    const risk = await ruledBy(reviewed);
    const [moved, left] = [payment(), payment()];
    const { entityId } = moved;
    world.ahead.set(entityId, 100 * DAY_MS);
    for (const query of [moved, left]) await risk.assess(query);
    const approve = (id: string): void => {
      world.payments.happened(id, 'RiskAssessed', { decision: 'review', score: 0 });
      world.payments.happened(id, 'TransactionApproved');
    };
    approve(moved.assessmentId);
    expect(await risk.doWhatIsDue(entityId)).toBe(0);
    const dueMs = (await risk.nextDueMs(entityId)) ?? 0;
    expect(Math.abs(dueMs - Date.now() - 100 * DAY_MS - HOUR_MS)).toBeLessThan(60_000);
    world.ahead.set(entityId, 100 * DAY_MS + 2 * HOUR_MS);
    expect(await risk.doWhatIsDue(entityId)).toBe(1);
    expect(await world.reviews.find(moved.assessmentId)).toMatchObject({ state: 'released' });
    expect(await risk.nextDueMs(entityId)).toBeNull();
    // The time of the other one begins with its approval, by the same clock.
    approve(left.assessmentId);
    await risk.look();
    await risk.look();
    expect(await world.reviews.find(left.assessmentId)).toMatchObject({ state: 'open' });
    world.ahead.set(entityId, 100 * DAY_MS + 4 * HOUR_MS);
    await risk.look();
    expect(await world.reviews.find(left.assessmentId)).toMatchObject({ state: 'released' });
  });
});

describe('a payment under review', () => {
  it('is shown with what is paid, also where the merchant has another amount judged', async () => {
    const risk = await ruledBy(reviewed);
    const paid = payment();
    const parameters = { ...paid.parameters, 'risk.amount': '600.00' };
    await risk.assess({ ...paid, parameters });
    expect(await world.reviews.open(10)).toMatchObject([{ amountMinor: paid.amount.minor }]);
    expect(await world.reviews.find(paid.assessmentId)).toMatchObject({
      amountMinor: paid.amount.minor,
    });
  });

  it('waits as long as ever where rules put it there after a long authentication', async () => {
    const risk = await ruledBy({
      ...{ id: 'code', name: 'Wrong code', then: 'review' },
      when: { checks: { cvv: ['N'] } },
    });
    const query = payment();
    await risk.assess(query);
    const { assessmentId: id } = query;
    const later = `UPDATE assessments SET assessed_at = assessed_at - interval '2 hours',
      release_at = release_at - interval '2 hours'`;
    await world.rows(later);
    const data = { decision: 'review', score: 0, resultCode: '000.400.020', fired: ['code'] };
    world.payments.happened(id, 'RiskAssessed', { ...data, decision: 'review' });
    world.payments.happened(id, 'TransactionApproved');
    await risk.look();
    await risk.look();
    expect(await world.reviews.find(id)).toMatchObject({ state: 'open' });
    // And no longer than that, however often its events are read.
    await world.rows(later);
    world.payments.happened(id, 'LateApprovalReceived');
    await risk.look();
    await risk.look();
    expect(await world.reviews.find(id)).toMatchObject({ state: 'released', decidedBy: 'time' });
  });

  it('has all of its time once it is approved, however late the shopper or the acquirer answers', async () => {
    const risk = await ruledBy(reviewed);
    const query = payment();
    await risk.assess(query);
    const { assessmentId: id } = query;
    const later = `UPDATE assessments SET assessed_at = assessed_at - interval '2 hours',
      release_at = release_at - interval '2 hours'`;
    await world.rows(later);
    world.payments.happened(id, 'AuthenticationPending');
    world.payments.happened(id, 'TransactionPending');
    await risk.look();
    await risk.look();
    expect(await world.reviews.find(id)).toMatchObject({ state: 'open' });
    world.payments.happened(id, 'RiskAssessed', { decision: 'review', score: 0 });
    world.payments.happened(id, 'TransactionApproved');
    await risk.look();
    await risk.look();
    expect(await world.reviews.find(id)).toMatchObject({ state: 'open' });
    // And no longer than that, however often its events are read.
    await world.rows(later);
    await world.rows('DELETE FROM outcomes_read');
    await risk.look();
    await risk.look();
    expect(await world.reviews.find(id)).toMatchObject({ state: 'released', decidedBy: 'time' });
  });
});
