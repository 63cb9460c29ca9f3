import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventStore, moveShards } from '@sluice/event-store';
import { newTransactionIdInChainOf, type TransactionId } from '@sluice/identifiers';
import pg from 'pg';
import { context, PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { EarlierPaymentsReader } from './earlier-payments.js';

/** Two cells, the first of which carries everything at first. */
let worlds: readonly [PaymentsWorld, PaymentsWorld];
let cells: readonly [PaymentsProcess, PaymentsProcess];

beforeAll(async () => {
  worlds = [await PaymentsWorld.make(), await PaymentsWorld.make()];
  const [one, two] = worlds;
  cells = [
    await PaymentsProcess.start(one),
    await PaymentsProcess.start(two, { settings: { cell: 2 } }),
  ];
});

afterAll(async () => {
  for (const each of cells) await each.die();
  for (const each of worlds) await each.close();
});

const ALL = { first: 0, last: 0xffff };
const BROKEN = '600.200.501';

function connect({ database }: PaymentsWorld) {
  return async () => {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    return client;
  };
}

function moved(): Promise<unknown> {
  const [one, two] = worlds;
  return moveShards({
    ...{ schema: 'payments', shards: ALL, from: 1, to: 2, drainMs: 50 },
    ...{ source: connect(one), target: connect(two) },
  });
}

function later(agreementId: TransactionId) {
  const parameters = {
    ...{ 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' },
    'standingInstruction.agreementId': agreementId,
  };
  return { transactionId: newTransactionIdInChainOf(agreementId, Date.now()), parameters };
}

it('what looked for an agreement before its shards had come is not recorded by what it saw', async () => {
  const [one, two] = cells;
  const first = await one.paid('debit', 1_000, {
    parameters: {
      ...{ 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' },
      'standingInstruction.numberOfInstallments': '2',
    },
  });
  await one.paid('debit', 500, later(first));

  const store = new EventStore(worlds[1].admin, { schema: 'payments' });
  const reader = new EarlierPaymentsReader(store);
  const { transactionId, parameters } = later(first);
  const data = { operation: 'debit', context: context(), parameters } as const;
  const early = await reader.ofNewPayment(data, false);
  expect(early.agreement).toBeUndefined();
  await moved();

  const member = {
    ...{ streamId: transactionId, expectedVersion: 0, commandId: randomUUID() },
    events: [{ id: randomUUID(), type: 'Any', schemaVersion: 1, data: '{}', metadata: '{}' }],
  };
  expect(await store.append({ ...member, ...early.claims })).toEqual({ kind: 'markedMeanwhile' });
  const informed = await reader.ofNewPayment(data, false);
  expect(informed.agreement?.authorizedAtMs.size).toBe(2);
  // So it is refused in the cell that has the agreement now, as the installment too many that it is.
  const outcome = await two.outcome(two.initiation('debit', 500, later(first)));
  expect(outcome).toMatchObject({ status: 'rejected', resultCode: BROKEN });
});
