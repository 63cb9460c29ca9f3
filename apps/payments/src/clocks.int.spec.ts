import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import { settableDatabaseClock } from '@sluice/testing';
import { setTimeout as delay } from 'node:timers/promises';
import {
  idempotency,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';

const APART_MS = 60_000;
const HOUR_MS = 60 * APART_MS;
const DAY_MS = 24 * HOUR_MS;
/** No sweep happens by itself. */
const NEVER_SWEEPS = { sweepIntervalMs: 60_000 };

let world: PaymentsWorld;
let databaseClock: Awaited<ReturnType<typeof settableDatabaseClock>>;
const running: PaymentsProcess[] = [];

beforeAll(async () => {
  world = await PaymentsWorld.make();
  databaseClock = await settableDatabaseClock(world.admin);
}, 60_000);
beforeEach(() => {
  world.connector = new ScriptedConnector();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.die()));
  await world.admin.query('UPDATE payments.streams SET due_at = NULL');
});
afterAll(() => world.close());

function machine(aheadMs: number): Clock {
  return { now: () => Date.now() + aheadMs, monotonicMs: () => performance.now() };
}

async function start(options: Parameters<typeof PaymentsProcess.start>[1]) {
  const process = await PaymentsProcess.start(world, options);
  running.push(process);
  return process;
}

/** A debit, and a refund of it whose request is lost on its way and whose outcome is unknown. */
async function lostRefund(payments: PaymentsProcess) {
  const { id } = await payments.outcome(payments.initiation('debit', 10_000));
  world.connector.behaviour = 'lose';
  const refund = reference('refund', id, 5_000);
  expect(await payments.outcome(refund)).toMatchObject({ status: 'unknown' });
  world.connector.behaviour = 'approve';
  const request = world.connector.submitted.at(-1);
  if (request === undefined) throw new Error('nothing was sent');
  return {
    id: refund.data.transactionId,
    paymentId: id,
    arrives: () => world.connector.bookAs(request, { kind: 'approved', connectorTxId: 'late' }),
  };
}

async function asked(times: number): Promise<void> {
  while (world.connector.inquiries < times) await delay(2);
}

describe('processes on machines whose clocks differ by a minute', () => {
  it.each([
    ['behind', -APART_MS, 0],
    ['ahead of', 0, APART_MS],
  ])(
    'a sender %s the sweeper: no early "not found" ends a refund',
    async (_word, first, second) => {
      const sender = await start({ clock: machine(first), settings: NEVER_SWEEPS });
      const sweeper = await start({ clock: machine(second) });
      const refund = await lostRefund(sender);
      // The acquirer does not have it yet, and books it within the time that it says it may take.
      await asked(1);
      refund.arrives();
      await sweeper.until(refund.id, 'approved');
      const again = await sender.outcome(reference('refund', refund.paymentId, 6_000));
      expect(again.resultCode).toBe('700.400.200');
      expect(world.connector.effects('refund')).toHaveLength(1);
    },
  );

  it('a sender ahead of the sweeper: what never arrived ends in good time', async () => {
    const sender = await start({ clock: machine(APART_MS), settings: NEVER_SWEEPS });
    const sweeper = await start({ clock: machine(0) });
    const refund = await lostRefund(sender);
    await sweeper.until(refund.id, 'notPerformed');
  });
});

describe('an idempotency key', () => {
  it('is recognized although payments was started with a database clock that was wrong', async () => {
    const pay = async () => {
      const payments = await start({});
      const transactionId = newTransactionId(Date.now());
      const changes = { transactionId, ...idempotency(transactionId, 'order-1') };
      const reply = await payments.reply(payments.initiation('debit', 10_000, changes));
      await payments.die();
      return reply;
    };
    await pay();
    expect(world.connector.effects('debit')).toHaveLength(1);
    for (const aheadMs of [3 * DAY_MS, 0, -3 * DAY_MS, 0]) {
      await databaseClock.setAhead(aheadMs);
      expect(await pay()).toMatchObject({ kind: 'keyTaken' });
    }
    expect(world.connector.effects('debit')).toHaveLength(1);
  });
});
