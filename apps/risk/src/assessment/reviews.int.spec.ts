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
