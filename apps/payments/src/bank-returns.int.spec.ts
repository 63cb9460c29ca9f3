import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BankReturnAnswer, BankReturnQuery } from '@sluice/contracts';
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

const tell = (query: BankReturnQuery): Promise<BankReturnAnswer> =>
  payments.bus.queries.ask('payments', 'payments.bankReturn', query);

async function paid(): Promise<TransactionId> {
  const initiation = payments.initiation('debit', 1_000);
  expect(await payments.outcome(initiation)).toMatchObject({ status: 'approved' });
  return initiation.data.transactionId;
}

function returned(referencedId: TransactionId, minor = '1000'): BankReturnQuery {
  return {
    ...{ transactionId: newTransactionIdInChainOf(referencedId, Date.now()), referencedId },
    ...{ amount: { minor, currency: 'EUR' }, resultCode: '000.100.203' },
  };
}

describe('a payment that the bank has taken back', () => {
  it('is charged back with the reason of the bank, once, however often and at once that is told', async () => {
    const query = returned(await paid());
    const answers = await Promise.all([tell(query), tell(query), tell(query)]);
    answers.push(await tell(query));
    expect(answers).toContainEqual({ kind: 'recorded' });
    expect(answers.at(-1)).toEqual({ kind: 'recorded' });
    expect(await payments.view(query.transactionId)).toMatchObject({
      ...{ operation: 'chargeback', status: 'approved', resultCode: '000.100.203' },
      referencedId: query.referencedId,
    });
    // The settlement says so, and not the merchant.
    const { rows } = await world.admin.query(
      "SELECT data->>'source' AS source FROM payments.events WHERE type = 'ChargebackReceived' AND stream_id = $1",
      [query.referencedId],
    );
    expect(rows).toEqual([{ source: 'settlement' }]);
  });

  it('is charged back although it was refunded meanwhile, which opens a case', async () => {
    const id = await paid();
    expect(await tell(returned(id, '600'))).toEqual({ kind: 'recorded' });
    expect(await tell(returned(id))).toEqual({ kind: 'recorded' });
    expect((await world.eventTypes(id)).slice(-3)).toEqual([
      ...['ChargebackReceived', 'ChargebackReceived', 'CaseOpened'],
    ]);
  });

  it('is charged back as soon as it is known here that it was paid, and no case is opened', async () => {
    const { connector } = world;
    connector.capabilities = { ...connector.capabilities, canReverse: false };
    connector.answersQuestions = false;
    connector.behaviour = 'bookAndLose';
    const initiation = payments.initiation('debit', 1_000);
    expect(await payments.outcome(initiation)).toMatchObject({ status: 'unknown' });
    connector.behaviour = 'approve';
    const id = initiation.data.transactionId;
    const query = returned(id);
    expect(await tell(query)).toEqual({ kind: 'again' });
    connector.answersQuestions = true;
    await payments.until(id, 'approved');
    expect(await tell(query)).toEqual({ kind: 'recorded' });
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'TransactionOutcomeUnknown', 'TransactionApproved'],
      'ChargebackReceived',
    ]);
  });

  it('is not known here', async () => {
    expect(await tell(returned(newTransactionId(Date.now())))).toEqual({ kind: 'notFound' });
  });
});
