import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from '@sluice/testing';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import type { OpenedCommand } from './payment-commands.js';

/** More than the estimate of the database's clock is ever wrong by. */
const LONG_OVER_MS = 1_000;

let world: PaymentsWorld;
let payments: PaymentsProcess;
/** Its database goes away. */
let cutOff: PaymentsProcess;
let proxy: TcpProxy;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
  proxy = await startTcpProxy(world.database.appUrl);
  cutOff = await PaymentsProcess.start(world, { settings: { databaseUrl: proxy.url } });
}, 60_000);
afterAll(async () => {
  await payments.die();
  await cutOff.die();
  await world.close();
});

/** The same command, found again after its life: a group that reads old commands once more. */
function afterItsLife<Command extends OpenedCommand>(command: Command): Command {
  return { ...command, timeToLiveMs: -LONG_OVER_MS };
}

describe('commands while the database is away', () => {
  it('are refused with nothing recorded, and read again later they are recorded as not performed', async () => {
    const paid = await payments.outcome(payments.initiation('debit', 100));
    const debit = payments.initiation('debit', 100);
    const refund = reference('refund', paid.id, 100);
    const late = afterItsLife(reference('refund', paid.id, 100));
    await proxy.close();
    const sent = world.connector.submitted.length;

    expect(await Promise.all([debit, refund].map((command) => cutOff.reply(command)))).toEqual([
      { kind: 'unavailable' },
      { kind: 'unavailable' },
    ]);
    expect(await world.eventTypes(debit.data.transactionId)).toEqual([]);
    expect(await payments.view(refund.data.transactionId)).toBeUndefined();
    // Its sender was told that it is pending: it may not be answered away, but has to be kept.
    expect(await cutOff.send(late)).toEqual({ kind: 'failed' });

    for (const command of [debit, refund, late]) {
      expect(await payments.outcome(afterItsLife(command))).toMatchObject({
        status: 'notPerformed',
        resultCode: '900.100.310',
      });
    }
    expect(world.connector.submitted).toHaveLength(sent);
    expect(await world.eventTypes(debit.data.transactionId)).toEqual([
      'PaymentInitiated',
      'TransactionNotPerformed',
    ]);
    // Nothing of the refunds that were not performed stays reserved.
    const again = await payments.outcome(reference('refund', paid.id, 100));
    expect(again.status).toBe('approved');
  });
});
