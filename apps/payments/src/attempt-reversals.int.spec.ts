import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttemptReversalAnswer, AttemptReversalQuery } from '@sluice/contracts';
import {
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;
beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
}, 60_000);
afterAll(async () => {
  await payments.die();
  await world.close();
});

const reverse = (query: AttemptReversalQuery): Promise<AttemptReversalAnswer> =>
  payments.bus.queries.ask('payments', 'payments.reverseAttempt', query);

function reversalOf(referencedId: TransactionId): AttemptReversalQuery {
  const transactionId = newTransactionIdInChainOf(referencedId, Date.now());
  return { transactionId, referencedId, actor: 'merchant' };
}

describe('a payment that was approved after it was given up', () => {
  it('is reversed as a whole, once, however often that is asked for', async () => {
    const initiation = payments.initiation('debit', 1_000);
    expect(await payments.outcome(initiation)).toMatchObject({ status: 'approved' });
    const query = reversalOf(initiation.data.transactionId);
    const first = await reverse(query);
    expect(first).toMatchObject({ kind: 'ended', isReversed: true });
    expect(await reverse(query)).toEqual(first);
    expect(await payments.view(query.transactionId)).toMatchObject({
      ...{ operation: 'reversal', status: 'approved', referencedId: query.referencedId },
      amount: { minor: '1000' },
    });
  });

  it('is not reversed twice, and says so', async () => {
    const initiation = payments.initiation('debit', 1_000);
    await payments.outcome(initiation);
    const { transactionId } = initiation.data;
    await reverse(reversalOf(transactionId));
    expect(await reverse(reversalOf(transactionId))).toMatchObject({
      ...{ kind: 'ended', isReversed: false },
    });
  });

  it('that is not there yet is asked for again', async () => {
    expect(await reverse(reversalOf(newTransactionId(Date.now())))).toEqual({ kind: 'again' });
  });
});
