import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AssessQuery } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { atMost, CHANNEL, EMAIL, payment, RiskWorld } from '../../test/risk-fixture.js';
import { ForgottenPayers } from './forgotten-payers.js';

let world: RiskWorld;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeEach(async () => {
  world = await RiskWorld.open();
  risk = await world.start();
  const when = { history: { by: 'email', had: 'approved', atLeast: 1 } };
  const rules = [atMost(5), { id: 'known', name: 'Known', then: 'review', when }];
  await world.rules.change(CHANNEL, { rules }, 'a spec');
  await risk.look();
});
afterEach(() => world.close());

async function paid(
  outcome?: 'TransactionApproved' | 'TransactionDeclined',
  changes: Partial<AssessQuery> = {},
) {
  const query = payment(changes);
  await risk.assess(query);
  const { assessmentId: id } = query;
  if (outcome !== undefined) world.payments.happened(id, outcome);
  await risk.look();
  return id;
}

const forget = (id: TransactionId) => new ForgottenPayers(world.pool).forget(id);
const histories = () => world.rows('SELECT payments, approved, declined FROM payer_histories');
const counts = () => world.rows('SELECT assessment_id FROM payer_counts');
const traces = (id: string) =>
  world.rows(
    `SELECT personal, counted_keys, history_keys, facts->'payer' AS payer,
       facts->'emailDomain' AS domain, facts->'behindIp' AS behind, decision FROM assessments WHERE assessment_id = $1`,
    [id],
  );

describe('the shopper of a payment that is forgotten', () => {
  it('leaves no fingerprint where it was his only one', async () => {
    const parameters = { 'customer.email': EMAIL, 'customer.ip': '192.0.2.1, 198.51.100.7' };
    const id = await paid('TransactionApproved', { parameters });
    expect(await traces(id)).toMatchObject([{ behind: [expect.any(String)] }]);
    expect(await histories()).toEqual([{ payments: 1, approved: 1, declined: 0 }]);
    expect(await counts()).toHaveLength(1);
    await forget(id);
    expect([await histories(), await counts()]).toEqual([[], []]);
    expect(await traces(id)).toEqual([
      {
        ...{ personal: null, counted_keys: null, history_keys: null },
        ...{ payer: {}, domain: null, behind: null, decision: 'accept' },
      },
    ]);
  });

  it('has the rest of his history, whose other payments are not forgotten', async () => {
    const first = await paid('TransactionApproved');
    const second = await paid('TransactionDeclined');
    await paid();
    await forget(first);
    await forget(first);
    expect(await histories()).toEqual([{ payments: 2, approved: 0, declined: 1 }]);
    await forget(second);
    expect(await histories()).toEqual([{ payments: 1, approved: 0, declined: 0 }]);
    expect(await counts()).toHaveLength(1);
  });

  it('is not known again by what becomes of the payment later', async () => {
    const id = await paid();
    await forget(id);
    world.payments.happened(id, 'TransactionApproved');
    await risk.look();
    expect(await histories()).toEqual([]);
    expect(await world.rows('SELECT outcome FROM assessments')).toEqual([{ outcome: 'approved' }]);
  });

  it('is another one than those who pay at the same moment', async () => {
    const id = await paid('TransactionApproved');
    const many = Array.from({ length: 20 }, () => risk.assess(payment()));
    await Promise.all([forget(id), ...many]);
    expect(await histories()).toEqual([{ payments: 20, approved: 0, declined: 0 }]);
  });

  it('is unknown to an assessment that there is not', async () => {
    await forget('f'.repeat(32) as TransactionId);
    expect(await histories()).toEqual([]);
  });
});
