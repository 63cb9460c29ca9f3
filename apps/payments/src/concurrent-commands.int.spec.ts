import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import {
  idempotency,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
}, 60_000);
beforeEach(() => {
  world.connector.behaviour = 'approve';
});
afterAll(async () => {
  await payments.die();
  await world.close();
});

function count<Value>(values: readonly Value[], value: Value): number {
  return values.filter((each) => each === value).length;
}

describe('the same command twice', () => {
  it('is executed once, and both are answered alike', async () => {
    const command = payments.initiation('debit', 100);
    const before = world.connector.submitted.length;
    const first = await payments.outcome(command);
    const second = await payments.outcome(command);
    expect(second).toEqual(first);
    expect(world.connector.submitted).toHaveLength(before + 1);
    expect(await world.eventTypes(first.id)).toHaveLength(2);
    const refund = reference('refund', first.id, 60);
    const refunded = await payments.outcome(refund);
    expect(await payments.outcome(refund)).toEqual(refunded);
    expect(world.connector.submitted).toHaveLength(before + 2);
  });
  it('joins the first one while that is under way', async () => {
    world.connector.hold();
    const before = world.connector.submitted.length;
    const command = payments.initiation('debit', 100);
    const first = payments.outcome(command);
    const second = payments.outcome(command);
    await expect(Promise.race([second, Promise.resolve('waiting')])).resolves.toBe('waiting');
    while (world.connector.submitted.length === before) await new Promise(setImmediate);
    world.connector.letGo();
    expect((await second).status).toBe('approved');
    expect(await first).toEqual(await second);
    expect(world.connector.submitted).toHaveLength(before + 1);
  });
});

describe('the same command in two processes', () => {
  it('is executed by the first, and the second leaves its card alone', async () => {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let revealing: () => void = () => undefined;
    const revealed = new Promise<void>((resolve) => (revealing = resolve));
    const slow = await PaymentsProcess.start(world, {
      vault: {
        hold: () => world.vault.hold(),
        forget: (held) => world.vault.forget(held),
        revealProof: (proof) => world.vault.revealProof(proof),
        reveal: async (held) => {
          revealing();
          await gate;
          return world.vault.reveal(held);
        },
      },
    });
    const command = payments.initiation('debit', 100);
    const first = slow.outcome(command);
    await revealed;
    // Its sender hears the outcome, and not before there is one that the payment is under way.
    const second = payments.outcome(command);
    letGo();
    expect((await first).status).toBe('approved');
    expect((await second).status).toBe('approved');
    await slow.die();
  });
});

describe('an idempotency key', () => {
  it('pays once, however many use it at the same time', async () => {
    const before = world.connector.submitted.length;
    const commands = Array.from({ length: 20 }, () => {
      const transactionId = newTransactionId(Date.now());
      return payments.initiation('debit', 100, {
        transactionId,
        ...idempotency(transactionId, 'key-20'),
      });
    });
    const replies = await Promise.all(commands.map((command) => payments.reply(command)));
    expect(world.connector.submitted).toHaveLength(before + 1);
    const kinds = replies.map((reply) => reply.kind);
    expect(count(kinds, 'transaction')).toBe(1);
    expect(count(kinds, 'keyTaken')).toBe(19);
    const winner = replies.find((reply) => reply.kind === 'transaction');
    const paidId = winner?.kind === 'transaction' ? winner.outcome.id : undefined;
    for (const reply of replies) {
      if (reply.kind !== 'keyTaken') continue;
      expect(reply).toMatchObject({
        fingerprint: 'print',
        answer: { id: paidId },
        outcome: { id: paidId, status: expect.stringMatching(/^(?:requested|approved)$/) },
      });
    }
    for (const { data } of commands) {
      expect(world.vault.held.has(data.instrument.vaultReference)).toBe(false);
    }
  });
  it('tells a second one at once whose it is, however long the first one takes (D-36)', async () => {
    const command = () => {
      const transactionId = newTransactionId(Date.now());
      const claim = idempotency(transactionId, 'slow-key');
      return payments.initiation('debit', 100, { transactionId, ...claim });
    };
    world.connector.hold();
    const before = world.connector.submitted.length;
    const first = payments.outcome(command());
    while (world.connector.submitted.length === before) await new Promise(setImmediate);
    const second = await payments.reply(command());
    world.connector.letGo();
    const { id } = await first;
    const outcome = { id, status: 'requested' };
    expect(second).toMatchObject({ kind: 'keyTaken', answer: { id }, outcome });
  });
  it('works for references as well', async () => {
    const id = await payments.paid('debit', 100);
    const command = (number: number) => {
      const refund = reference('refund', id, 10 + number);
      const claim = idempotency(refund.data.transactionId, 'refund-key');
      return { ...refund, data: { ...refund.data, ...claim } };
    };
    expect((await payments.reply(command(0))).kind).toBe('transaction');
    const again = await payments.reply(command(1));
    expect(again).toMatchObject({ kind: 'keyTaken', outcome: { amount: { minor: '10' } } });
    expect(await world.eventTypes(id)).toHaveLength(4);
  });
});

describe('at the same time', () => {
  it('200 full refunds of one capture: exactly one succeeds', async () => {
    const id = await payments.paid('debit', 10_000);
    const commands = Array.from({ length: 200 }, () => reference('refund', id, 10_000));
    const outcomes = await Promise.all(commands.map((command) => payments.outcome(command)));
    const codes = outcomes.map((outcome) => outcome.resultCode);
    expect(count(codes, '000.100.110')).toBe(1);
    expect(count(codes, '700.400.200')).toBe(199);
    const refunds = world.connector.effects('refund');
    expect(refunds.filter(({ request }) => request.originalReference === id)).toHaveLength(1);
    expect(await world.eventTypes(id)).toHaveLength(2 + 2 + 199);
  });
  it('200 captures of a tenth: exactly ten succeed', async () => {
    const id = await payments.paid('authorization', 10_000);
    const commands = Array.from({ length: 200 }, () => reference('capture', id, 1_000));
    const outcomes = await Promise.all(commands.map((command) => payments.outcome(command)));
    const codes = outcomes.map((outcome) => outcome.resultCode);
    expect(count(codes, '000.100.110')).toBe(10);
    expect(count(codes, '700.400.100')).toBe(190);
    const captures = world.connector.effects('capture');
    expect(captures.filter(({ request }) => request.originalReference === id)).toHaveLength(10);
  });
  it('over two processes: still exactly one, and nobody waits for long', async () => {
    const other = await PaymentsProcess.start(world);
    const id = await payments.paid('debit', 10_000);
    const commands = Array.from({ length: 60 }, () => reference('refund', id, 6_000));
    const replies = await Promise.all(
      commands.map((command, index) => (index % 2 === 0 ? payments : other).reply(command)),
    );
    const codes = replies.map((reply) =>
      reply.kind === 'transaction' ? reply.outcome.resultCode : reply.kind,
    );
    expect(count(codes, '000.100.110')).toBe(1);
    expect(count(codes, '700.400.200') + count(codes, 'busy')).toBe(59);
    const refunds = world.connector.effects('refund');
    expect(refunds.filter(({ request }) => request.originalReference === id)).toHaveLength(1);
    await world.eventTypes(id);
    await other.die();
  });
  it('captures and reversals of one authorization never add up to more than it has', async () => {
    const id = await payments.paid('authorization', 10_000);
    const commands = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? reference('capture', id, 3_000) : reference('reversal', id),
    );
    await Promise.all(commands.map((command) => payments.outcome(command)));
    // The fold checks the invariants.
    expect(await world.eventTypes(id)).toContain('TransactionApproved');
  });
});

describe('limits', () => {
  it('a full bulkhead sheds new payments with the throttle code, recorded (D-12)', async () => {
    const narrow = await PaymentsProcess.start(world, { settings: { callsMax: 1 } });
    world.connector.hold();
    const before = world.connector.submitted.length;
    const first = narrow.outcome(narrow.initiation('debit', 100));
    while (world.connector.submitted.length === before) await new Promise(setImmediate);
    const second = await narrow.outcome(narrow.initiation('debit', 100));
    expect(second).toMatchObject({ status: 'notPerformed', resultCode: '800.120.100' });
    world.connector.letGo();
    expect((await first).status).toBe('approved');
    await narrow.die();
  });
  it('a payment without room takes no further transaction, and records nothing (D-09)', async () => {
    const id = await payments.paid('debit', 100);
    const tooMuch = reference('refund', id, 101);
    const rejected = await payments.outcome(tooMuch);
    // The rejected one 998 times over makes a thousand with the debit.
    await world.admin.query(
      `WITH copies AS (
         INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
           schema_version, data, metadata)
         SELECT stream_id, version + copy, gen_random_uuid(), command_id, type, schema_version,
                jsonb_set(data::jsonb, '{transactionId}', to_jsonb(lpad(to_hex(copy), 32, '0'))),
                metadata
         FROM payments.events, generate_series(1, 998) AS copy
         WHERE stream_id = $1 AND data->>'transactionId' = $2)
       UPDATE payments.streams SET version = version + 998 WHERE stream_id = $1`,
      [id, rejected.id],
    );
    const before = await world.eventTypes(id);
    const command = reference('refund', id, 100);
    expect(await payments.reply(command)).toEqual({ kind: 'full' });
    expect(await world.eventTypes(id)).toEqual(before);
    expect(await payments.view(command.data.transactionId)).toBeUndefined();
    // What it has taken before is answered as before, though it has come again.
    expect(await payments.outcome(tooMuch)).toEqual(rejected);
  });
  it('a full queue of one payment answers busy, and nothing is recorded (D-08)', async () => {
    const narrow = await PaymentsProcess.start(world, { settings: { streamWaitingMax: 1 } });
    const id = await payments.paid('debit', 10_000);
    const commands = Array.from({ length: 30 }, () => reference('refund', id, 1));
    // All of one shard: the bus hands them over one by one, so the queue fills only beside it.
    const replies = await Promise.all(commands.map((command) => narrow.reply(command)));
    const approved = replies.filter(
      (reply) => reply.kind === 'transaction' && reply.outcome.status === 'approved',
    );
    const busy = replies.filter((reply) => reply.kind === 'busy');
    expect(approved.length + busy.length).toBe(30);
    expect(await world.eventTypes(id)).toHaveLength(2 + 2 * approved.length);
    await narrow.die();
  });
});
