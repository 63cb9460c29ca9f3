import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RefilledMarks, refillMarks } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { markHistory } from './mark-history.js';

const [NEVER_AGAIN, BROKEN_TERM] = ['700.601.003', '600.200.501'];
const NOTHING = { added: 0, changed: 0, removed: 0 };

let world: PaymentsWorld;
let one: PaymentsProcess;
let owner: pg.Pool;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  one = await PaymentsProcess.start(world);
  owner = new pg.Pool({ connectionString: world.database.ownerUrl, max: 2 });
});

beforeEach(async () => {
  await leaveMarks();
});

afterEach(() => {
  world.connector.behaviour = 'approve';
  world.connector.adviceCode = undefined;
});

afterAll(async () => {
  await owner.end();
  await one.die();
  await world.close();
});

function refill(execute = true): Promise<RefilledMarks> {
  return refillMarks({ pool: owner, schema: 'payments', historyOf: markHistory, execute });
}

/** All that the table says; versions are only for those who decide right now. */
async function marks(): Promise<readonly object[]> {
  const text = `SELECT subject, transaction_id, stream_id, data::text, until::text, lasting
    FROM payments.marks ORDER BY subject, transaction_id`;
  return (await world.admin.query<object>(text)).rows;
}

const said = (terms: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(terms).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

function byCard(accountFingerprint: string, parameters = {}) {
  const command = one.initiation('debit', 500, { accountFingerprint, parameters });
  const instrument = { ...command.data.instrument, brand: 'MASTER', bin: '545454' };
  return { ...command, data: { ...command.data, instrument } };
}

async function declined(account: string, adviceCode: string): Promise<void> {
  world.connector.behaviour = 'decline';
  world.connector.adviceCode = adviceCode;
  await one.outcome(byCard(account));
  world.connector.behaviour = 'approve';
}

function later(agreementId: string) {
  return { parameters: said({ mode: 'REPEATED', source: 'MIT', agreementId }) };
}

let full: TransactionId;
let blocked: string;

/** Of every kind: of agreements, of advice that stays, ends, was ended, and came again after that. */
async function leaveMarks(): Promise<void> {
  const terms = { mode: 'INITIAL', source: 'CIT', numberOfInstallments: '2' };
  const named = { ...terms, agreementId: `named-${randomBytes(4).toString('hex')}` };
  await one.paid('debit', 1_000, { parameters: said(named) });
  await one.outcome(one.initiation('debit', 500, later(named.agreementId)));
  full = await one.paid('debit', 1_000, { parameters: said(terms) });
  await one.outcome(one.initiation('debit', 500, later(full)));
  const open = await one.paid('debit', 1_000, {
    parameters: said({ mode: 'INITIAL', source: 'CIT', numberOfInstallments: '9' }),
  });
  await one.outcome(reference('rebill', open, 500));
  world.connector.behaviour = 'decline';
  await one.outcome(one.initiation('debit', 500, later(open)));
  blocked = randomBytes(32).toString('hex');
  await declined(blocked, '03');
  await declined(randomBytes(32).toString('hex'), '02');
  const corrected = randomBytes(32).toString('hex');
  await declined(corrected, '01');
  await one.outcome(byCard(corrected, { 'threeDSecure.eci': '02' }));
  await declined(corrected, '01');
  const paid = randomBytes(32).toString('hex');
  await declined(paid, '01');
  await one.outcome(byCard(paid, { 'threeDSecure.eci': '02' }));
}

describe('marks that are filled anew from the events', () => {
  it('are those that the appends have left, and bind as they did', async () => {
    const before = await marks();
    await world.admin.query('DELETE FROM payments.marks');
    const { streams, ...refilled } = await refill();
    expect(refilled).toEqual({ ...NOTHING, added: before.length });
    expect(streams).toBeGreaterThan(before.length / 2);
    expect(await marks()).toEqual(before);
    expect((await one.outcome(byCard(blocked))).resultCode).toBe(NEVER_AGAIN);
    const third = await one.outcome(one.initiation('debit', 500, later(full)));
    expect(third.resultCode).toBe(BROKEN_TERM);
  });

  it('are left alone where they are right, with their versions', async () => {
    const text = 'SELECT subject, transaction_id, version FROM payments.marks ORDER BY 1, 2';
    const { rows: before } = await world.admin.query(text);
    expect(await refill()).toMatchObject(NOTHING);
    expect((await world.admin.query(text)).rows).toEqual(before);
  });

  it('are mended where they are wrong or nobody has left them', async () => {
    const before = await marks();
    await world.admin.query(`
      INSERT INTO payments.marks (subject, transaction_id, stream_id, data, lasting)
      VALUES ('agreement:nobody', 'nobody', 'nobody', '{}', true)`);
    await world.admin.query(`UPDATE payments.marks SET lasting = NOT lasting WHERE subject = $1`, [
      `account:INTERNAL:charge:${blocked}`,
    ]);
    expect(await refill()).toMatchObject({ added: 0, changed: 1, removed: 1 });
    expect(await marks()).toEqual(before);
  });

  it('are counted, and nothing is done, unless it is said', async () => {
    const before = await marks();
    await world.admin.query('DELETE FROM payments.marks WHERE subject = $1', [
      `account:INTERNAL:charge:${blocked}`,
    ]);
    const after = await marks();
    expect(await refill(false)).toMatchObject({ ...NOTHING, added: before.length - after.length });
    expect(await marks()).toEqual(after);
    await refill();
  });

  it('miss nothing of payments that go on meanwhile', async () => {
    const terms = said({ mode: 'INITIAL', source: 'CIT', numberOfInstallments: '3' });
    const going = Array.from({ length: 30 }, () => one.paid('debit', 100, { parameters: terms }));
    await Promise.all([...going, refill(), refill()]);
    expect(await refill()).toMatchObject(NOTHING);
  });
});
