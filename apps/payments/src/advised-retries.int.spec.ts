import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { marksOf } from './payment-marks.js';
import { paymentOf } from './payment-aggregate.js';
import { context, PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { EventStore } from '@sluice/event-store';

const [FORBIDDEN, IN_72_HOURS, CORRECTION] = ['700.601.003', '700.600.002', '700.601.001'];

let world: PaymentsWorld;
let one: PaymentsProcess;
let other: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  one = await PaymentsProcess.start(world);
  other = await PaymentsProcess.start(world);
});

afterEach(() => {
  world.connector.behaviour = 'approve';
  world.connector.adviceCode = undefined;
});

afterAll(async () => {
  await Promise.all([one.die(), other.die()]);
  await world.close();
});

/** A card that nothing is known of. */
function newAccount(): string {
  return randomBytes(32).toString('hex');
}

function byCard(process: PaymentsProcess, accountFingerprint: string, parameters = {}) {
  const command = process.initiation('debit', 500, { accountFingerprint, parameters });
  const instrument = { ...command.data.instrument, brand: 'MASTER', bin: '545454' };
  return { ...command, data: { ...command.data, instrument } };
}

async function declined(account: string, adviceCode: string, parameters = {}): Promise<void> {
  world.connector.behaviour = 'decline';
  world.connector.adviceCode = adviceCode;
  await one.outcome(byCard(one, account, parameters));
  world.connector.behaviour = 'approve';
}

async function markedSubjects(account: string): Promise<number> {
  const text = 'SELECT FROM payments.marks WHERE subject = $1';
  return (await world.admin.query(text, [`account:INTERNAL:charge:${account}`])).rowCount ?? 0;
}

describe('a card that was declined with the advice', () => {
  it.each([
    ['03', 'never again', FORBIDDEN],
    ['02', 'in three days', IN_72_HOURS],
  ])('%s: %s is not asked again, at once and on every instance', async (code, _, resultCode) => {
    const account = newAccount();
    await declined(account, code);
    const calls = world.connector.submitted.length;
    for (const process of [other, one]) {
      const outcome = await process.outcome(byCard(process, account));
      expect(outcome).toMatchObject({ status: 'rejected', resultCode });
    }
    expect(world.connector.submitted).toHaveLength(calls);
  });

  it('01 pays with 3-D Secure', async () => {
    const account = newAccount();
    await declined(account, '01');
    expect(await other.outcome(byCard(other, account))).toMatchObject({ resultCode: CORRECTION });
    const authenticated = byCard(other, account, { 'threeDSecure.eci': '02' });
    expect((await other.outcome(authenticated)).status).toBe('approved');
  });

  it('21 is charged no more by the merchant, until the shopper pays, and not under that agreement', async () => {
    const account = newAccount();
    const ofMerchant = {
      'standingInstruction.source': 'MIT',
      'standingInstruction.agreementId': 'ended',
    };
    await declined(account, '21', ofMerchant);
    expect((await other.outcome(byCard(other, account, ofMerchant))).resultCode).toBe(FORBIDDEN);
    expect((await other.outcome(byCard(other, account))).status).toBe('approved');
    expect((await other.outcome(byCard(other, account, ofMerchant))).resultCode).toBe(FORBIDDEN);
  });

  it('that blocks nothing pays', async () => {
    const account = newAccount();
    await declined(account, '40');
    expect(await markedSubjects(account)).toBe(0);
    expect((await other.outcome(byCard(other, account))).status).toBe('approved');
  });
});

describe('what was advised', () => {
  it('is of this card alone, and a test says nothing of live payments', async () => {
    const account = newAccount();
    await declined(account, '03');
    expect((await other.outcome(byCard(other, newAccount()))).status).toBe('approved');
    const { data, ...live } = byCard(other, account);
    const inMode = { ...live, data: { ...data, context: { ...context(), mode: 'LIVE' as const } } };
    expect((await other.outcome(inMode)).status).toBe('approved');
  });

  it('ends with an approval', async () => {
    const account = newAccount();
    await declined(account, '01');
    await other.outcome(byCard(other, account, { 'threeDSecure.eci': '02' }));
    expect(await markedSubjects(account)).toBe(0);
    expect((await one.outcome(byCard(one, account))).status).toBe('approved');
  });

  it('ends when its time is over', async () => {
    const account = newAccount();
    await declined(account, '02');
    await world.admin.query(
      "UPDATE payments.marks SET until = now() - interval '1 s' WHERE subject = $1",
      [`account:INTERNAL:charge:${account}`],
    );
    expect((await one.outcome(byCard(one, account))).status).toBe('approved');
  });

  it('binds rebills of a payment with the same card, and no refund', async () => {
    const account = newAccount();
    const { id } = await one.outcome(byCard(one, account));
    await declined(account, '03');
    expect((await other.outcome(reference('rebill', id, 100))).resultCode).toBe(FORBIDDEN);
    expect((await other.outcome(reference('refund', id, 100))).status).toBe('approved');
  });

  it('is in the stream with the refusal', async () => {
    const account = newAccount();
    await declined(account, '02');
    const { id } = await other.outcome(byCard(other, account));
    expect(await world.eventTypes(id)).toEqual(['TransactionRejected']);
    const { rows } = await world.admin.query<{ data: object }>(
      'SELECT data FROM payments.events WHERE stream_id = $1',
      [id],
    );
    const resultDescription = 'retry blocked by merchant advice code 02 (please wait 72 hours)';
    expect(rows[0]?.data).toMatchObject({ resultCode: IN_72_HOURS, resultDescription });
    expect(JSON.stringify(rows)).not.toContain(account);
  });
});

it('the marks are those that follow from the events', async () => {
  const store = new EventStore(world.admin, { schema: 'payments' });
  const { rows } = await world.admin.query<{ stream_id: string; count: string }>(
    'SELECT stream_id, count(*) FROM payments.marks GROUP BY stream_id ORDER BY stream_id',
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { stream_id: streamId, count } of rows) {
    expect(marksOf(paymentOf(await store.read(streamId)))).toHaveLength(Number(count));
  }
});
