import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ELSEWHERE } from '@sluice/contracts';
import { chainShard, newTransactionId, type TransactionId } from '@sluice/identifiers';
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
});

afterEach(() => carry('{[0,65536)}'));

afterAll(async () => {
  await payments.die();
  await world.close();
});

async function carry(carried: string, closing = '{}'): Promise<void> {
  const text = 'UPDATE payments.carried_shards SET carried = $1, closing = $2';
  await world.admin.query(text, [carried, closing]);
}

/** As after a move: what was there is left to the new cell. */
const NOTHING = '{}';

function held(transactionId: TransactionId) {
  return payments.initiation('debit', 100, { transactionId });
}

/** A new id whose shard is in this half. */
function idIn(half: 'lower' | 'upper'): TransactionId {
  for (;;) {
    const id = newTransactionId(Date.now());
    if (Number.parseInt(chainShard(id), 16) < 0x8000 === (half === 'lower')) return id;
  }
}

async function rows(table: string, transactionId: string): Promise<number> {
  const { rowCount } = await world.admin.query(
    `SELECT FROM payments.${table} WHERE stream_id = $1`,
    [transactionId],
  );
  return rowCount ?? 0;
}

describe('a cell that does not carry the shard', () => {
  it('records nothing of a new payment, says so, and leaves the card to the other cell', async () => {
    await carry(NOTHING);
    const transactionId = newTransactionId(Date.now());
    const command = payments.initiation('debit', 100, {
      transactionId,
      ...idempotency(transactionId, 'elsewhere'),
    });
    expect(await payments.reply(command)).toEqual(ELSEWHERE);
    for (const table of ['events', 'transactions', 'idempotency', 'personal_keys']) {
      expect(await rows(table, transactionId)).toBe(0);
    }
    expect(payments.vault.held.has(command.data.instrument.vaultReference)).toBe(true);
    // The same command, when the shard has come.
    await carry('{[0,65536)}');
    expect(await payments.outcome(command)).toMatchObject({ status: 'approved' });
    expect(payments.vault.held.has(command.data.instrument.vaultReference)).toBe(false);
  });

  it('says so of a reference and of queries, whether or not the payment is still in it', async () => {
    const paid = await payments.paid('debit', 100);
    await carry(NOTHING);
    const unknown = newTransactionId(Date.now());
    for (const id of [paid, unknown]) {
      expect(await payments.reply(reference('refund', id, 40))).toEqual(ELSEWHERE);
      const query = { transactionId: id, entityId: 'e' };
      for (const route of ['transaction', 'transactionEntries']) {
        const name = `payments.${route}`;
        expect(await payments.bus.queries.ask('payments', name, query)).toEqual(ELSEWHERE);
      }
      const items = [{ streamId: id, transactionId: id, sealed: 's' }];
      const opened = payments.bus.queries.ask('payments', 'payments.personalParameters', { items });
      expect(await opened).toEqual(ELSEWHERE);
      // A reader that took what is left here, or nothing, for all there is would go past the rest.
      const after = { streamId: id, afterVersion: 0 };
      const missed = payments.bus.queries.ask('payments', 'payments.streamEvents', after);
      expect(await missed).toEqual(ELSEWHERE);
    }
  });

  it('says nothing of a first payment that a later one names: that one is begun, and taken as given', async () => {
    world.connector.behaviour = 'decline';
    const moved = idIn('upper');
    await payments.outcome(held(moved));
    world.connector.behaviour = 'approve';
    await carry('{[0,32768)}');
    for (const named of [moved, idIn('upper')]) {
      const parameters = {
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'MIT',
        'standingInstruction.agreementId': named,
      };
      const transactionId = idIn('lower');
      const later = payments.initiation('debit', 100, { transactionId, parameters });
      expect(await payments.outcome(later)).toMatchObject({ status: 'approved' });
    }
  });

  it('begins nothing while it is closing, and still answers and records outcomes', async () => {
    const paid = await payments.paid('debit', 100);
    await carry('{[0,65536)}', '{[0,65536)}');
    expect(await payments.reply(held(newTransactionId(Date.now())))).toEqual(ELSEWHERE);
    expect(await payments.reply(reference('refund', paid, 40))).toEqual(ELSEWHERE);
    expect(await payments.view(paid)).toMatchObject({ status: 'approved' });
  });

  it('leaves a call that outlasts the fence to the recovery of the other cell', async () => {
    const transactionId = newTransactionId(Date.now());
    world.connector.hold();
    const calls = world.connector.submitted.length;
    const sent = payments.send(held(transactionId));
    for (const end = Date.now() + 5_000; world.connector.submitted.length === calls;) {
      expect(Date.now()).toBeLessThan(end);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await carry(NOTHING);
    world.connector.letGo();
    expect((await sent).kind).toBe('unanswered');
    // Here the shard comes back; to recovery it is the same wherever it comes.
    await carry('{[0,65536)}');
    expect(await payments.until(transactionId, 'approved')).toMatchObject({ id: transactionId });
    expect(await world.eventTypes(transactionId)).toEqual([
      'PaymentInitiated',
      'TransactionApproved',
    ]);
  });
});

describe('the start of payments', () => {
  it('is refused on the database of another cell', async () => {
    const started = PaymentsProcess.start(world, { settings: { cell: 2 } });
    await expect(started).rejects.toThrow("The database is cell 1's, and PAYMENTS_CELL says 2");
  });

  it('makes a new database of another cell one that carries nothing yet', async () => {
    const other = await PaymentsWorld.make();
    const second = await PaymentsProcess.start(other, { settings: { cell: 2 } });
    try {
      const answer = await second.bus.queries.ask('payments', 'payments.carriedShards', {});
      expect(answer).toEqual({ cell: 2, carried: [], closing: [] });
      expect(await second.reply(second.initiation('debit', 100))).toEqual(ELSEWHERE);
    } finally {
      await second.die();
      await other.close();
    }
  });
});
