import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RouteMessage } from '@sluice/contracts';
import { EventStore, refillMarks } from '@sluice/event-store';
import { Detail } from '@sluice/secrets';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { CARD, context, PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { accountId, accountWith, routeTo, ScriptedAccounts } from '../test/routes-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';
import { markHistory } from './mark-history.js';

/** A second attempt waits for a commit more, on a machine that runs other suites meanwhile. */
const PATIENT = { sendWindowMs: 3_000 };
const ELSEWHERE = '22';
const accounts = [
  accountWith('a', 'first'),
  accountWith('b', 'second'),
  accountWith('c', 'third'),
] as const;
const takesDeclined = { takesDeclined: true };
/** One after the other; the last two take what was declined. */
const routes = [
  routeTo('a'),
  routeTo('b', { priority: 1, ...takesDeclined }),
  routeTo('c', { priority: 2, ...takesDeclined }),
];

let world: PaymentsWorld;
let payments: PaymentsProcess;
let directory: ScriptedAccounts;
let first: ScriptedConnector;
let second: ScriptedConnector;
let third: ScriptedConnector;
let account: string;

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(() => {
  directory = new ScriptedAccounts();
  first = new ScriptedConnector('first');
  second = new ScriptedConnector('second');
  third = new ScriptedConnector('third');
  account = randomBytes(32).toString('hex');
});
afterEach(() => payments.die());
afterAll(() => world.close());

/** All payments take these routes, and the first acquirer declines with an advice. */
async function start(adviceCode: string | undefined = ELSEWHERE, ways = routes): Promise<void> {
  declines(first, adviceCode);
  await resume(ways);
}

async function resume(ways: readonly RouteMessage[] = routes): Promise<void> {
  directory.say(accounts, ways);
  const parts = { connectors: [first, second, third], queries: directory };
  payments = await PaymentsProcess.start(world, { ...parts, settings: PATIENT });
}

function declines(acquirer: ScriptedConnector, adviceCode: string | undefined): void {
  acquirer.behaviour = 'decline';
  acquirer.adviceCode = adviceCode;
}

/** A live debit by a card of MASTER, whose issuers advise. */
function debit(changes: { readonly instrument?: object; readonly details?: object } = {}) {
  const { details, instrument } = changes;
  const held = { ...CARD, details: { ...CARD.details, ...details } };
  return payments.initiation('debit', 1_000, {
    context: { ...context(), mode: 'LIVE' },
    accountFingerprint: account,
    instrument: {
      ...({ kind: 'card', bin: '545454', last4: '0000', brand: 'MASTER' } as const),
      ...{ expiryMonth: '12', expiryYear: '2030', vaultReference: world.vault.put(held) },
      ...instrument,
    },
  });
}

async function eventsOf(id: string) {
  const store = new EventStore(world.admin, { schema: 'payments' });
  return (await store.read(id)).map(({ type, data }) => ({ type, data: data as never }));
}

/** The accounts of the declines that are marked under the card. */
async function markedAccounts(): Promise<readonly unknown[]> {
  const { rows } = await world.admin.query<{ account: unknown }>(
    "SELECT data->>'account' AS account FROM payments.marks WHERE subject = $1 ORDER BY 1",
    [`account:LIVE:charge:${account}`],
  );
  return rows.map((row) => row.account);
}

const WALLETS = { takesWallets: true };
const ONCE = ['PaymentInitiated', 'TransactionDeclined'];
const sent = () => [first, second, third].map(({ submitted }) => submitted.length);

describe('a card that the first acquirer declines with the advice to try another route', () => {
  it('pays by the next route that takes it, under its own reference and with what was said in the event', async () => {
    await start();
    const { id, status, resultCode, resultDetails } = await payments.outcome(debit());
    expect([status, resultCode, resultDetails]).toEqual(['approved', '000.000.000', undefined]);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'TransactionRerouted', 'TransactionApproved'],
    ]);
    expect((await eventsOf(id))[1]?.data).toEqual({
      ...{ transactionId: id, reason: 'declined' },
      decline: { resultCode: '800.100.152', resultDetails: { MerchantAdviceCode: ELSEWHERE } },
      request: {
        ...{ connector: 'second', acquirerReference: `${id}-2` },
        deadlineMs: expect.any(Number),
      },
      route: {
        ...{ rule: 'priority', candidates: 2 },
        ...{ routeId: 'b'.repeat(32), merchantAccountId: accountId('b') },
      },
    });
    expect(sent()).toEqual([1, 1, 0]);
    expect(second.submitted[0]).toMatchObject({ acquirerReference: `${id}-2`, operation: 'debit' });
    expect(second.instruments[0]?.kind).toBe('card');
    expect([first.effects('debit').length, second.effects('debit').length]).toEqual([0, 1]);
    expect(await payments.view(id)).toMatchObject({ status: 'approved' });
  });

  it('is answered with what the second acquirer says, and is asked of no third one', async () => {
    await start();
    declines(second, ELSEWHERE);
    const { id, resultCode, resultDetails } = await payments.outcome(debit());
    expect([resultCode, resultDetails?.['MerchantAdviceCode']]).toEqual(['800.100.152', ELSEWHERE]);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'TransactionRerouted', 'TransactionDeclined'],
    ]);
    expect(sent()).toEqual([1, 1, 0]);
    expect(await world.dueAt(id)).toBeNull();
  });

  it('takes a third route where the second acquirer could not be asked', async () => {
    await start();
    second.behaviour = 'unreachable';
    expect((await payments.outcome(debit())).status).toBe('approved');
    expect(sent()).toEqual([1, 1, 1]);
  });

  it('is not tried on a route that does not say that it takes what was declined', async () => {
    const [one, two] = [routeTo('a', takesDeclined), routeTo('b', { priority: 1 })];
    await start(ELSEWHERE, [one, two]);
    const { id, resultCode } = await payments.outcome(debit());
    expect([resultCode, ...sent()]).toEqual(['800.100.152', 1, 0, 0]);
    expect(await world.eventTypes(id)).toEqual(ONCE);
  });

  it('by VISA pays too, by the number of its network', async () => {
    await start('4');
    const visa = { instrument: { brand: 'VISA', bin: '420000' } };
    expect((await payments.outcome(debit(visa))).status).toBe('approved');
    expect(sent()).toEqual([1, 1, 0]);
  });
});

describe('a decline that is no reason to ask another acquirer', () => {
  it.each([
    ['hard: 03', '03', {}],
    ['hard: 21', '21', {}],
    ['wait: 02', '02', {}],
    ['wait: 24', '24', {}],
    ['correct something: 01', '01', {}],
    ['for information: 40', '40', {}],
    ['none at all', undefined, {}],
    ['of another network', ELSEWHERE, { brand: 'VISA' }],
  ])('has the advice %s', async (_, adviceCode, instrument) => {
    await start();
    declines(first, adviceCode);
    const { id, resultCode } = await payments.outcome(debit({ instrument }));
    expect([resultCode, ...sent()]).toEqual(['800.100.152', 1, 0, 0]);
    expect(await world.eventTypes(id)).toEqual(ONCE);
  });

  it.each([
    ['lost', '800.100.165'],
    ['with the wrong security code', '800.100.153'],
    ['partly approved, which was given back', '800.100.203'],
  ])('is of a card that is %s, whatever the advice', async (_, resultCode) => {
    await start();
    first.declineCode = resultCode;
    const outcome = await payments.outcome(debit());
    expect([outcome.resultCode, ...sent()]).toEqual([resultCode, 1, 0, 0]);
  });

  it.each([
    ['a wallet made for it', { instrument: { wallet: 'APPLEPAY', numberType: 'DPAN' } }],
    [
      'an authentication',
      { details: { 'threeDSecure.verificationId': new Detail('AAACAgSRBklmQCFgMpEGAAAAAAA=') } },
    ],
  ])('is of a card that proves itself once, by %s', async (_, changes) => {
    await start();
    for (const each of [first, second]) each.capabilities = { ...each.capabilities, ...WALLETS };
    const { id, resultCode } = await payments.outcome(debit(changes));
    expect([resultCode, ...sent()]).toEqual(['800.100.152', 1, 0, 0]);
    expect(await world.eventTypes(id)).toEqual(ONCE);
  });

  it('comes when the card has been advised against elsewhere meanwhile', async () => {
    await start();
    first.hold();
    const waiting = payments.outcome(debit());
    await first.wasCalled();
    declines(second, '03');
    directory.say(accounts, [routeTo('b')]);
    await payments.running.refreshRoutes();
    await payments.outcome(debit());
    directory.say(accounts, routes);
    await payments.running.refreshRoutes();
    first.letGo();
    const { id } = await waiting;
    expect(await world.eventTypes(id)).toEqual(ONCE);
    expect(sent()).toEqual([1, 1, 0]);
  });
});

describe('a second attempt after a decline', () => {
  it('whose answer is lost is settled by an inquiry about it, and booked once', async () => {
    await start();
    second.behaviour = 'bookAndLose';
    const { id } = await payments.outcome(debit());
    await payments.until(id, 'approved');
    expect([first.inquiries, second.effects('debit').length]).toEqual([0, 1]);
    expect(sent()).toEqual([1, 1, 0]);
  });

  it('whose process died is inquired about, and nobody is asked a third time', async () => {
    await start();
    second.behaviour = 'bookAndHang';
    const command = debit();
    void payments.send(command).catch(() => undefined);
    await second.wasCalled();
    await payments.die();
    await resume();
    await payments.until(command.data.transactionId, 'approved');
    expect(sent()).toEqual([1, 1, 0]);
    expect(first.inquiries).toBe(0);
  });

  it('that never arrived, because its process died, ends as not performed, and the advice stays', async () => {
    await start();
    second.behaviour = 'hang';
    const command = debit();
    void payments.send(command).catch(() => undefined);
    await second.wasCalled();
    await payments.die();
    await resume();
    const { transactionId } = command.data;
    await payments.until(transactionId, 'notPerformed');
    expect(await world.eventTypes(transactionId)).toEqual([
      ...['PaymentInitiated', 'TransactionRerouted', 'TransactionNotPerformed'],
    ]);
    expect(await markedAccounts()).toEqual([accountId('a')]);
    expect(sent()).toEqual([1, 1, 0]);
  });

  it('is not made where the process died before it was recorded: the decline is found', async () => {
    await start();
    first.behaviour = 'bookAndHang';
    const command = debit();
    void payments.send(command).catch(() => undefined);
    await first.wasCalled();
    const { transactionId } = command.data;
    const decision = { kind: 'declined', resultCode: '800.100.152' } as const;
    first.book.get(transactionId)!.decision = decision;
    await payments.die();
    await resume();
    await payments.until(transactionId, 'declined');
    expect(sent()).toEqual([1, 0, 0]);
  });
});

describe('what the first acquirer has advised', () => {
  it('is marked while the second one has not approved, and then no more', async () => {
    await start();
    second.behaviour = 'bookAndLose';
    second.answersQuestions = false;
    const { id } = await payments.outcome(debit());
    expect(await markedAccounts()).toEqual([accountId('a')]);
    second.answersQuestions = true;
    await payments.until(id, 'approved');
    expect(await markedAccounts()).toEqual([]);
  });

  it('is remembered beside what the second one advises, so that both are passed over', async () => {
    await start();
    declines(second, ELSEWHERE);
    await payments.outcome(debit());
    expect(await markedAccounts()).toEqual([accountId('a'), accountId('b')]);
    expect((await payments.outcome(debit())).status).toBe('approved');
    expect(sent()).toEqual([1, 1, 1]);
  });

  it('is the same when the marks are made anew from the events', async () => {
    await start();
    declines(second, '03');
    await payments.outcome(debit());
    const before = await markedAccounts();
    expect(before).toHaveLength(2);
    await world.admin.query('DELETE FROM payments.marks');
    const pool = new pg.Pool({ connectionString: world.database.ownerUrl, max: 2 });
    const refill = { pool, schema: 'payments', historyOf: markHistory, execute: true };
    await refillMarks(refill);
    expect(await markedAccounts()).toEqual(before);
    expect(await refillMarks(refill)).toMatchObject({ added: 0, changed: 0, removed: 0 });
    await pool.end();
  });
});
