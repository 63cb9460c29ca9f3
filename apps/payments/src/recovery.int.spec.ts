import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStore } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { PrometheusMetrics } from '@sluice/service';
import { settableDatabaseClock } from '@sluice/testing';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { type Behaviour, ScriptedConnector } from '../test/scripted-connector.js';
import { PaymentMetrics, paymentsMetrics } from './payment-metrics.js';

/** Longer than every window of these tests. */
const LONG_DOWN_MS = 60_000;

let world: PaymentsWorld;
let payments: PaymentsProcess;
let databaseClock: Awaited<ReturnType<typeof settableDatabaseClock>>;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  databaseClock = await settableDatabaseClock(world.admin);
}, 60_000);
beforeEach(async () => {
  // Each test has an acquirer of its own, and recovery looks at nothing of the tests before it.
  world.connector = new ScriptedConnector();
  await databaseClock.setAhead(0);
  if (await world.isMigrated())
    await world.admin.query('UPDATE payments.streams SET due_at = NULL');
  payments = await PaymentsProcess.start(world);
});
afterEach(() => payments.die());
afterAll(() => world.close());

/** Sends a payment into a process that dies while the acquirer does `behaviour`, and starts anew. */
async function diesWhile(behaviour: Behaviour): Promise<TransactionId> {
  world.connector.behaviour = behaviour;
  const command = payments.initiation('debit', 10_000);
  void payments.send(command);
  await sent(1);
  await payments.die();
  world.connector.behaviour = 'approve';
  payments = await PaymentsProcess.start(world);
  return command.data.transactionId;
}

async function sent(calls: number): Promise<void> {
  while (world.connector.submitted.length < calls) await delay(2);
}

async function becomesUnknown(behaviour: Behaviour = 'bookAndLose'): Promise<TransactionId> {
  world.connector.behaviour = behaviour;
  const outcome = await payments.outcome(payments.initiation('debit', 10_000));
  expect(outcome).toMatchObject({ status: 'unknown', resultCode: '000.200.000' });
  world.connector.behaviour = 'approve';
  return outcome.id;
}

/** What the gauge says now; its own look, because one keeps what it found for a while. */
async function shownAsOpen(underWayMs: number): Promise<string | undefined> {
  const registry = new PrometheusMetrics(paymentsMetrics.declarations);
  const pool = new pg.Pool({
    connectionString: world.database.appUrl,
    options: '-c search_path=payments',
  });
  new PaymentMetrics(registry).watchRecovery(pool, underWayMs);
  const text = await registry.exposition();
  await pool.end();
  return /^sluice_unknown_open (.*)$/m.exec(text)?.[1];
}

describe('the process dies', () => {
  it('before the request is committed: the command is new to the next one', async () => {
    const command = payments.initiation('debit', 10_000);
    await payments.die();
    expect((await payments.send(command)).kind).toBe('notSent');
    payments = await PaymentsProcess.start(world);
    expect((await payments.outcome(command)).status).toBe('approved');
    expect(world.connector.submitted).toHaveLength(1);
  });
  it('after the request, before the acquirer has it: not performed, and never sent again', async () => {
    const id = await diesWhile('hang');
    expect(payments.running.openAtStart).toBe(1);
    expect((await payments.until(id, 'notPerformed')).resultCode).toBe('900.100.310');
    expect(world.connector.submitted).toHaveLength(1);
  });
  it('after the acquirer approved, before the outcome: approved by inquiry', async () => {
    const id = await diesWhile('bookAndHang');
    expect((await payments.until(id, 'approved')).resultCode).toBe('000.100.110');
    expect(world.connector.submitted).toHaveLength(1);
    expect(world.connector.reversals).toBe(0);
    expect(await world.eventTypes(id)).toEqual(['PaymentInitiated', 'TransactionApproved']);
    expect(await world.dueAt(id)).toBeNull();
  });
  it('and the command comes again: it is not executed a second time', async () => {
    world.connector.behaviour = 'bookAndHang';
    const command = payments.initiation('debit', 10_000);
    void payments.send(command);
    await sent(1);
    await payments.die();
    world.connector.behaviour = 'approve';
    payments = await PaymentsProcess.start(world);
    // Whoever sent it hears what recovery finds out.
    expect((await payments.outcome(command)).status).toBe('approved');
    expect(world.connector.submitted).toHaveLength(1);
  });
  it('in the middle of a refund: its amount counts as used until it is found', async () => {
    const { id } = await payments.outcome(payments.initiation('debit', 10_000));
    world.connector.behaviour = 'bookAndHang';
    const refund = reference('refund', id, 6_000);
    void payments.send(refund);
    await sent(2);
    await payments.die();
    world.connector.behaviour = 'approve';
    payments = await PaymentsProcess.start(world);
    const second = await payments.outcome(reference('refund', id, 4_001));
    expect(second.resultCode).toBe('700.400.200');
    await payments.until(refund.data.transactionId, 'approved');
    expect(world.connector.effects('refund')).toHaveLength(1);
  });
});

describe('an unknown outcome', () => {
  it('is found by inquiry and never sent again', async () => {
    const id = await becomesUnknown();
    expect((await payments.until(id, 'approved')).connectorTxId).toBe('acq-1');
    expect(world.connector.submitted).toHaveLength(1);
    expect(await world.eventTypes(id)).toEqual([
      'PaymentInitiated',
      'TransactionOutcomeUnknown',
      'TransactionApproved',
    ]);
  });
  it('that the acquirer does not know ends not performed, and is asked about once more', async () => {
    const id = await becomesUnknown('lose');
    await payments.until(id, 'notPerformed');
    const inquiries = world.connector.inquiries;
    await untilEvent(id, 'LateInquiryAnswered');
    expect(world.connector.inquiries).toBe(inquiries + 1);
    expect(await world.dueAt(id)).toBeNull();
  });
  it('is counted as open, and a payment that is under way is not until it takes too long', async () => {
    world.connector.behaviour = 'hang';
    void payments.send(payments.initiation('debit', 10_000));
    await sent(1);
    expect(await shownAsOpen(LONG_DOWN_MS)).toBe('0');
    expect(await shownAsOpen(0)).toBe('1');
  });
  it('is no longer counted as open once it is settled, though that question is still due', async () => {
    await payments.die();
    const settings = { lateInquiryAfterMs: LONG_DOWN_MS };
    payments = await PaymentsProcess.start(world, { settings });
    world.connector.answersQuestions = false;
    const id = await becomesUnknown('lose');
    expect(await shownAsOpen(LONG_DOWN_MS)).toBe('1');
    world.connector.answersQuestions = true;
    await payments.until(id, 'notPerformed');
    expect(await shownAsOpen(LONG_DOWN_MS)).toBe('0');
    expect(await world.dueAt(id)).toBeInstanceOf(Date);
  });
  it('stays reserved while inquiry is unavailable, and is approved when it answers', async () => {
    world.connector.capabilities = { ...world.connector.capabilities, canReverse: false };
    world.connector.answersQuestions = false;
    const id = await becomesUnknown();
    while (world.connector.inquiries < 3) await delay(5);
    expect((await payments.view(id))?.status).toBe('unknown');
    const refused = await payments.outcome(reference('refund', id, 1));
    expect(refused.resultCode).toBe('700.400.570');
    world.connector.answersQuestions = true;
    await payments.until(id, 'approved');
  });
  it('of a debit is reversed at resolveBy when nobody can say', async () => {
    world.connector.answersQuestions = false;
    const id = await becomesUnknown();
    const view = await payments.until(id, 'reversedAfterUnknown');
    expect(view.resultCode).toBe('900.100.301');
    expect(world.connector.effects('debit')).toEqual([]);
    const refused = await payments.outcome(reference('refund', id, 1));
    expect(refused.resultCode).toBe('700.400.520');
  });
  it('of a debit is never reversed before somebody has asked, however long nobody could', async () => {
    world.connector.answersQuestions = false;
    const id = await becomesUnknown();
    await payments.die();
    world.connector.answersQuestions = true;
    // The next process comes long after resolveBy, the schedule of inquiries being over.
    await databaseClock.setAhead(LONG_DOWN_MS);
    payments = await PaymentsProcess.start(world);
    await payments.until(id, 'approved');
    expect(world.connector.reversals).toBe(0);
    expect(world.connector.effects('debit')).toHaveLength(1);
    expect(await world.eventTypes(id)).toEqual([
      'PaymentInitiated',
      'TransactionOutcomeUnknown',
      'TransactionApproved',
    ]);
  });
  it('is not performed when the reversal finds nothing', async () => {
    world.connector.answersQuestions = false;
    const id = await becomesUnknown('lose');
    await payments.until(id, 'notPerformed');
    expect(world.connector.reversals).toBe(1);
  });
  it('of a capture is only inquired, whatever the time', async () => {
    const { id } = await payments.outcome(payments.initiation('authorization', 10_000));
    world.connector.answersQuestions = false;
    world.connector.behaviour = 'bookAndLose';
    const capture = await payments.outcome(reference('capture', id, 6_000));
    expect(capture.status).toBe('unknown');
    world.connector.behaviour = 'approve';
    expect((await payments.outcome(reference('capture', id, 4_001))).resultCode).toBe(
      '700.400.100',
    );
    expect((await payments.outcome(reference('reversal', id))).resultCode).toBe('700.400.570');
    // How often it is asked until then depends on how busy the machine is.
    await untilEvent(id, 'CaseOpened');
    expect(world.connector.inquiries).toBeGreaterThan(0);
    expect(world.connector.reversals).toBe(0);
    expect((await payments.view(capture.id))?.status).toBe('unknown');
    expect(world.connector.submitted).toHaveLength(2);
  });
  it('that nobody resolves becomes a case (R-UNK-04)', async () => {
    world.connector.answersQuestions = false;
    world.connector.answersReversals = false;
    const id = await becomesUnknown();
    await untilEvent(id, 'CaseOpened');
    expect((await payments.view(id))?.status).toBe('unknown');
    expect(await world.dueAt(id)).toBeNull();
  });
  it('of a pending payment ends when the acquirer has decided', async () => {
    world.connector.behaviour = 'pending';
    const { id, status } = await payments.outcome(payments.initiation('debit', 10_000));
    expect(status).toBe('pending');
    const booking = world.connector.book.get(id);
    if (booking === undefined) throw new Error('not booked');
    booking.decision = { kind: 'approved', connectorTxId: 'later' };
    expect((await payments.until(id, 'approved')).connectorTxId).toBe('later');
  });
});

describe('an approval after the end', () => {
  it('is reversed, and the payment stays not performed', async () => {
    const id = await becomesUnknown('lose');
    await payments.until(id, 'notPerformed');
    const [request] = world.connector.submitted;
    if (request === undefined) throw new Error('nothing was sent');
    world.connector.bookAs(request, { kind: 'approved', connectorTxId: 'late' });
    await untilEvent(id, 'LateApprovalUndone');
    expect((await payments.view(id))?.status).toBe('notPerformed');
    expect(world.connector.effects('debit')).toEqual([]);
    expect(await world.dueAt(id)).toBeNull();
  });
  it('is refunded once where it is too late to reverse', async () => {
    const { capabilities } = world.connector;
    world.connector.capabilities = { ...capabilities, reversalCutOffMs: () => 0 };
    const id = await becomesUnknown('lose');
    await payments.until(id, 'notPerformed');
    const { reversals } = world.connector;
    const [request] = world.connector.submitted;
    if (request === undefined) throw new Error('nothing was sent');
    world.connector.bookAs(request, { kind: 'approved', connectorTxId: 'late' });
    await untilEvent(id, 'LateApprovalUndone');
    const refunds = world.connector.effects('refund');
    expect(refunds).toHaveLength(1);
    expect(refunds[0]?.request).toMatchObject({
      acquirerReference: `${id}-late`,
      originalReference: id,
      originalOperation: 'debit',
      amount: { minor: 10_000n },
    });
    expect(world.connector.reversals).toBe(reversals);
  });
});

describe('a payment that cannot be read', () => {
  it('does not keep others from being recovered', async () => {
    const poison = await becomesUnknown();
    await world.admin.query(
      `UPDATE payments.events SET type = 'WrittenByTheFuture' WHERE stream_id = $1`,
      [poison],
    );
    for (let number = 0; number < 3; number++) {
      await payments.until(await becomesUnknown(), 'approved');
    }
  });
});

describe('a sweeper that looked at an older version', () => {
  it('does not clear the due time that a newer append has set', async () => {
    world.connector.answersQuestions = false;
    const id = await becomesUnknown();
    const store = new EventStore(world.admin, { schema: 'payments' });
    await store.schedule(id, null, 1);
    expect(await world.dueAt(id)).toBeInstanceOf(Date);
    await store.schedule(id, null, 2);
    expect(await world.dueAt(id)).toBeNull();
  });
});

describe('the call comes too late', () => {
  it('nothing is sent when the process was stopped after the commit (D-25)', async () => {
    let nowMs = 0;
    const clock = { now: () => Date.now(), monotonicMs: () => nowMs };
    const slow = await PaymentsProcess.start(world, {
      clock,
      vault: {
        hold: () => world.vault.hold(),
        forget: (held) => world.vault.forget(held),
        revealProof: (proof) => world.vault.revealProof(proof),
        reveal: (held) => {
          nowMs += 401;
          return world.vault.reveal(held);
        },
      },
    });
    const outcome = await slow.outcome(slow.initiation('debit', 100));
    expect(outcome).toMatchObject({ status: 'notPerformed', resultCode: '900.100.310' });
    expect(world.connector.submitted).toHaveLength(0);
    await slow.die();
  });
});

async function untilEvent(paymentId: string, type: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(10)) {
    if ((await world.eventTypes(paymentId)).includes(type)) return;
  }
  throw new Error(`${type} did not happen: ${(await world.eventTypes(paymentId)).join()}`);
}
