import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionId } from '@sluice/identifiers';
import { describeResult } from '@sluice/result-codes';
import { createLogger } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';

const NO_CONNECTOR = '500.100.401';
/** Recovery has looked once by then, or the test fails. */
const LOOKED_WITHIN_MS = 10_000;

let world: PaymentsWorld;
let payments: PaymentsProcess;
let warnings: string[];

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(() => {
  world.connector = new ScriptedConnector();
  warnings = [];
});
afterEach(() => payments.die());
afterAll(() => world.close());

/** As in production today: no connector is handed over, and no simulator is set. */
async function startWithout(): Promise<void> {
  const logger = createLogger({
    service: 'payments',
    level: 'warn',
    destination: { write: (line) => void warnings.push(line) },
  });
  payments = await PaymentsProcess.start(world, { connectors: undefined, logger });
}

/** A debit by a process that has the connector, and its end. */
async function paidBefore(): Promise<TransactionId> {
  payments = await PaymentsProcess.start(world);
  const { id } = await payments.outcome(payments.initiation('debit', 1_000));
  await payments.die();
  return id;
}

describe('without a connector', () => {
  it('payments starts, and says once what to set', async () => {
    await startWithout();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('PAYMENTS_SIMULATOR_URL');
    expect(warnings[0]).toContain('libs/connectors');
    expect(warnings[0]).toContain(NO_CONNECTOR);
  });

  it('a new payment is refused by a code, before anybody sees its card', async () => {
    await startWithout();
    const revealed: string[] = [];
    const reveal = world.vault.reveal.bind(world.vault);
    world.vault.reveal = (vaultReference) => {
      revealed.push(vaultReference);
      return reveal(vaultReference);
    };
    const command = payments.initiation('debit', 1_000);
    const outcome = await payments.outcome(command);
    world.vault.reveal = reveal;
    expect(outcome).toMatchObject({ status: 'rejected', resultCode: NO_CONNECTOR });
    expect(revealed).toEqual([]);
    expect(world.vault.held.has(command.data.instrument.vaultReference)).toBe(false);
    expect(await world.eventTypes(outcome.id)).toEqual(['TransactionRejected']);
    expect(await world.dueAt(outcome.id)).toBeNull();
  });

  it('so is a card out of a wallet, if the acquirer would not get its proof', async () => {
    const pay = async () => {
      const { instrument } = payments.initiation('debit', 1_000).data;
      const ofWallet = { ...instrument, wallet: 'applePay', numberType: 'DPAN' } as const;
      return payments.outcome(payments.initiation('debit', 1_000, { instrument: ofWallet }));
    };
    payments = await PaymentsProcess.start(world);
    expect(await pay()).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: `${describeResult('600.200.500')} - no acquirer of this channel takes cards out of wallets`,
    });
    expect(world.connector.submitted).toEqual([]);
    await payments.die();
    Object.assign(world.connector.capabilities, { takesWallets: true });
    payments = await PaymentsProcess.start(world);
    expect(await pay()).toMatchObject({ status: 'approved' });
    expect(world.connector.submitted).toMatchObject([
      { wallet: { name: 'applePay', numberType: 'DPAN' } },
    ]);
  });

  it('what is wrong with the request itself comes first', async () => {
    await startWithout();
    const command = payments.initiation('debit', 1_000, { rejection: '100.100.303' });
    expect((await payments.outcome(command)).resultCode).toBe('100.100.303');
  });

  it('earlier payments are read, charged back, and not refunded', async () => {
    const id = await paidBefore();
    await startWithout();
    expect((await payments.view(id))?.status).toBe('approved');
    const refund = await payments.outcome(reference('refund', id, 400));
    expect(refund).toMatchObject({ status: 'rejected', resultCode: NO_CONNECTOR });
    const chargeback = await payments.outcome(reference('chargeback', id, 400));
    expect(chargeback.status).toBe('approved');
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('an open payment is kept, which is said once, and settled when its connector is back', async () => {
    payments = await PaymentsProcess.start(world);
    world.connector.behaviour = 'bookAndHang';
    const command = payments.initiation('debit', 1_000);
    const id = command.data.transactionId;
    void payments.send(command);
    while (world.connector.submitted.length === 0) await delay(2);
    await payments.die();
    await startWithout();
    const deadline = Date.now() + LOOKED_WITHIN_MS;
    while (warnings.length < 2 && Date.now() < deadline) await delay(5);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain('wait for a connector that is not configured');
    await payments.die();
    expect(await world.eventTypes(id)).toEqual(['PaymentInitiated']);
    expect((await world.dueAt(id))?.getTime()).toBeGreaterThan(Date.now());
    // What the minute until the next look would bring, without waiting for it.
    await world.admin.query('UPDATE payments.streams SET due_at = now() WHERE stream_id = $1', [
      id,
    ]);
    world.connector.behaviour = 'approve';
    payments = await PaymentsProcess.start(world);
    expect((await payments.until(id, 'approved')).resultCode).toBe('000.100.110');
    expect(world.connector.submitted).toHaveLength(1);
  });
});
