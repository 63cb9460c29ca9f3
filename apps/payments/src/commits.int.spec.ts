import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  // A commit waits here for as long as a busy machine needs; that must not end the payment (D-25).
  payments = await PaymentsProcess.start(world, { settings: { sendWindowMs: 10_000 } });
}, 60_000);
beforeEach(() => {
  world.connector.behaviour = 'approve';
});
afterAll(async () => {
  await payments.die();
  await world.close();
});

/** The reply, or that there is none yet. */
function repliedYet<Reply>(reply: Promise<Reply>): Promise<Reply | 'none yet'> {
  return Promise.race([reply, Promise.resolve('none yet' as const)]);
}

/** Resolves when the acquirer has got so many requests. */
async function submitted(count: number): Promise<void> {
  while (world.connector.submitted.length < count) await new Promise(setImmediate);
}

describe('while the commit of a request is under way', () => {
  it('a new payment is neither sent nor answered', async () => {
    const before = world.connector.submitted.length;
    const command = payments.initiation('debit', 100);
    await world.whileCommitsWait(command.data.transactionId, 'new', async (letGo) => {
      const outcome = payments.outcome(command);
      await world.appendWaits();
      expect(await repliedYet(outcome)).toBe('none yet');
      expect(world.connector.submitted).toHaveLength(before);
      await letGo();
      expect((await outcome).status).toBe('approved');
    });
    expect(world.connector.submitted).toHaveLength(before + 1);
  });
  it('a refund is neither sent nor answered', async () => {
    const id = await payments.paid('debit', 100);
    const before = world.connector.submitted.length;
    await world.whileCommitsWait(id, 'existing', async (letGo) => {
      const outcome = payments.outcome(reference('refund', id, 100));
      await world.appendWaits();
      expect(await repliedYet(outcome)).toBe('none yet');
      expect(world.connector.submitted).toHaveLength(before);
      await letGo();
      expect((await outcome).status).toBe('approved');
    });
  });
});

describe('while the commit of an outcome is under way', () => {
  it.each([
    ['approve', 'approved'],
    ['decline', 'declined'],
    ['lose', 'unknown'],
  ] as const)('what the acquirer said (%s) is not answered', async (behaviour, status) => {
    world.connector.behaviour = behaviour;
    world.connector.hold();
    const before = world.connector.submitted.length;
    const command = payments.initiation('debit', 100);
    const outcome = payments.outcome(command);
    await submitted(before + 1);
    await world.whileCommitsWait(command.data.transactionId, 'existing', async (letGo) => {
      world.connector.letGo();
      await world.appendWaits();
      expect(await repliedYet(outcome)).toBe('none yet');
      await letGo();
      expect((await outcome).status).toBe(status);
    });
  });
});

describe('a payment that another process has moved meanwhile', () => {
  it('is decided on again: what the other has taken is not refunded a second time', async () => {
    const other = await PaymentsProcess.start(world);
    const id = await payments.paid('debit', 100);
    const before = world.connector.submitted.length;
    world.connector.hold();
    // The refund under way keeps the payment in this process's memory, as it is now.
    const mine = payments.outcome(reference('refund', id, 10));
    await submitted(before + 1);
    const theirs = other.outcome(reference('refund', id, 90));
    await submitted(before + 2);
    const refused = await payments.outcome(reference('refund', id, 90));
    expect(refused).toMatchObject({ status: 'rejected', resultCode: '700.400.200' });
    world.connector.letGo();
    expect((await mine).status).toBe('approved');
    expect((await theirs).status).toBe('approved');
    expect(world.connector.submitted).toHaveLength(before + 2);
    // The fold checks the money rules.
    expect(await world.eventTypes(id)).toContain('TransactionRejected');
    await other.die();
  });
});
