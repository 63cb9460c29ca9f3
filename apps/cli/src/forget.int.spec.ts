import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventStore } from '@sluice/event-store';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { type CapturedPayment, PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
let payment: CapturedPayment;

beforeEach(async () => {
  payment = await fixture.capturedPayment();
  // What the service writes with the first personal data of a payment.
  await fixture.rows(
    'payments',
    'INSERT INTO payments.personal_keys (stream_id, wrapped) VALUES ($1, $2)',
    [payment.id, Buffer.from('wrapped-key-of-the-payment')],
  );
});

function forget(line: string | readonly string[]): Promise<Ran> {
  const words = typeof line === 'string' ? line.split(' ') : line;
  return sluice(['forget', ...words], { environment: fixture.environment });
}

const keyRows = () =>
  fixture.rows<{ wrapped: Buffer | null; erased_at: Date | null }>(
    'payments',
    'SELECT wrapped, erased_at FROM payments.personal_keys WHERE stream_id = $1',
    [payment.id],
  );

const actions = async (): Promise<unknown[]> => {
  const [table] = await fixture.rows<{ found: boolean }>(
    'payments',
    `SELECT to_regclass('payments.operator_actions') IS NOT NULL AS found`,
  );
  if (table?.found !== true) return [];
  return fixture.rows(
    'payments',
    `SELECT action, reason, details FROM payments.operator_actions
     WHERE details->>'paymentId' = $1 ORDER BY id`,
    [payment.id],
  );
};

const money = async (): Promise<unknown> => {
  const line = `streams show ${payment.id} --json`;
  return (await sluice(line, { environment: fixture.environment })).json();
};

describe('without --execute', () => {
  it('says what would be lost, and does nothing', async () => {
    const { exitCode, output } = await forget(payment.id);
    expect(exitCode).toBe(0);
    expect(output).toBe(
      `Payment ${payment.id} would lose the personal data of 1 transaction, for ever.\n` +
        'Nothing was done. Add --execute to do it.\n',
    );
    expect((await keyRows())[0]?.wrapped?.toString()).toBe('wrapped-key-of-the-payment');
    expect(await actions()).toEqual([]);
  });
});

describe('with --execute', () => {
  it('destroys the key, records who did it, and leaves money and events as they are', async () => {
    const before = await money();
    const { exitCode, output } = await forget([payment.id, '--execute', '--reason', 'request 17']);
    expect([exitCode, output]).toEqual([0, `Payment ${payment.id} is forgotten.\n`]);
    expect(await keyRows()).toEqual([{ wrapped: null, erased_at: expect.any(Date) }]);
    expect(await actions()).toEqual([
      { action: 'forget payment', reason: 'request 17', details: { paymentId: payment.id } },
    ]);
    expect(await money()).toEqual(before);
  });

  it('forgets what rules saw of its shopper, and not what they decided', async () => {
    await fixture.rows(
      'risk',
      `INSERT INTO risk.assessments (assessment_id, entity_id, amount_minor, currency, decision,
         score, fired, personal, received_at, facts, history_keys)
       VALUES ($1, $2, 9200, 'EUR', 'accept', 0, '[{"id": "a"}]', '{"block": "sealed"}',
         now(), '{"payer": {"email": "mark"}}', '{17}')`,
      [payment.id, payment.id],
    );
    await fixture.rows(
      'risk',
      'INSERT INTO risk.payer_histories (key, first_at, payments) VALUES (17, now(), 1)',
    );
    const histories = () => fixture.rows('risk', 'SELECT key FROM risk.payer_histories');
    expect((await forget(payment.id)).exitCode).toBe(0);
    const kept = () =>
      fixture.rows(
        'risk',
        'SELECT fired, personal FROM risk.assessments WHERE assessment_id = $1',
        [payment.id],
      );
    expect(await kept()).toEqual([{ fired: [{ id: 'a' }], personal: { block: 'sealed' } }]);
    expect(await histories()).toHaveLength(1);
    await forget(`${payment.id} --execute`);
    expect(await kept()).toEqual([{ fired: [{ id: 'a' }], personal: null }]);
    expect(await histories()).toEqual([]);
  });

  it('forgets what the issuer was told of its shopper', async () => {
    const streamId = 'b'.repeat(32);
    const pool = new pg.Pool({ connectionString: fixture.services.risk.ownerUrl, max: 1 });
    const store = new EventStore(pool, { schema: 'risk' });
    await store.append({
      ...{ streamId, expectedVersion: 0, commandId: randomUUID(), lookupText: payment.id },
      events: [
        {
          id: randomUUID(),
          type: 'AuthenticationBegun',
          schemaVersion: 1,
          data: '{}',
          metadata: '{}',
        },
      ],
      ...{ transactionIds: ['c'.repeat(32)], personalKey: { wrapped: Buffer.from('wrapped') } },
    });
    await forget(`${payment.id} --execute`);
    expect(await store.personalKeys.of(streamId)).toBe('erased');
    await forget(`${payment.id} --execute`);
    await pool.end();
  });

  it('may be said again: the first time counts, and is the only one recorded', async () => {
    await forget(`${payment.id} --execute`);
    const first = await keyRows();
    const { exitCode, output } = await forget(`${payment.id} --execute`);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Payment [0-9a-f]{32} was forgotten on [-0-9]{10} [:.0-9]+ UTC\.\n$/);
    expect((await forget(payment.id)).output).toContain('was forgotten on');
    expect(await keyRows()).toEqual(first);
    expect(await actions()).toHaveLength(1);
  });

  it('forgets the whole payment once, whichever of its transactions are named', async () => {
    const ran = await forget(`${payment.refundId} ${payment.captureId} --execute --json`);
    expect(ran.json()).toEqual({
      executed: true,
      payments: [
        {
          paymentId: payment.id,
          sealedTransactions: 1,
          forgottenAt: expect.stringMatching(/^[-0-9]{10}T[:.0-9]+Z$/),
        },
      ],
    });
    expect((await keyRows())[0]?.wrapped).toBeNull();
  });

  it('leaves other payments alone', async () => {
    const other = await fixture.capturedPayment();
    await forget(`${other.id} --execute`);
    expect((await keyRows())[0]?.wrapped).not.toBeNull();
  });

  it('does nothing at all when one of the ids is unknown', async () => {
    const { exitCode, errors } = await forget(`${payment.id} ${'f'.repeat(32)} --execute`);
    expect(exitCode).toBe(1);
    expect(errors).toBe(
      `No payment has a transaction ${'f'.repeat(32)}; nothing was done. Of a registration it is with --service registrations.\n`,
    );
    expect((await keyRows())[0]?.wrapped).not.toBeNull();
  });

  it('does not take what is no id', async () => {
    expect(await forget('jane@example.org --execute')).toMatchObject({ exitCode: 2 });
  });
});

describe('the role of the running service', () => {
  it('may not destroy a key', async () => {
    const pool = new pg.Pool({ connectionString: fixture.services.payments.appUrl, max: 1 });
    const { personalKeys } = new EventStore(pool, { schema: 'payments' });
    await expect(personalKeys.erase(payment.id)).rejects.toMatchObject({
      cause: { code: '42501' },
    });
    await pool.end();
  });
});
