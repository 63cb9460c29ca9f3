import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MerchantAccount, Mode, RouteMessage } from '@sluice/contracts';
import { EventStore } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import { describeResult } from '@sluice/result-codes';
import { HealthChecks } from '@sluice/service';
import { context, PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import {
  accountId,
  accountWith,
  routeId,
  routeTo,
  ScriptedAccounts,
} from '../test/routes-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;
let accounts: ScriptedAccounts;
let first: ScriptedConnector;
let second: ScriptedConnector;
let simulator: ScriptedConnector;

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(() => {
  accounts = new ScriptedAccounts();
  first = new ScriptedConnector('first');
  second = new ScriptedConnector('second');
  simulator = new ScriptedConnector('simulator');
});
afterEach(() => payments.die());
afterAll(() => world.close());

const bothAccounts = [accountWith('a', 'first'), accountWith('b', 'second')];
const bothRoutes = [routeTo('a'), routeTo('b', { priority: 1 })];

/** The code's own text, which stands before the reason. */
const TEXT = describeResult('600.200.500');

/** A second attempt waits for a commit more, on a machine that runs other suites meanwhile. */
const PATIENT = { sendWindowMs: 3_000 };

async function start(
  connectors = [first, second, simulator],
  health = new HealthChecks(),
): Promise<void> {
  const parts = { connectors, queries: accounts, health };
  payments = await PaymentsProcess.start(world, { ...parts, settings: PATIENT });
}

/** The names of the checks that fail. */
async function notReady(health: HealthChecks): Promise<readonly string[]> {
  const { checks } = await health.readiness();
  return checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
}

async function startWith(
  merchantAccounts: readonly MerchantAccount[],
  routes: readonly RouteMessage[],
): Promise<void> {
  accounts.say(merchantAccounts, routes);
  await start();
}

/** A debit in a mode, at whatever accounts says. */
function debit(mode: Mode, changes: object = {}) {
  return payments.initiation('debit', 1_000, { context: { ...context(), mode }, ...changes });
}

/** Changes the routes of a process that is at work. */
async function change(
  merchantAccounts: readonly MerchantAccount[],
  routes: readonly RouteMessage[],
) {
  accounts.say(merchantAccounts, routes);
  await payments.running.refreshRoutes();
}

function refund(id: TransactionId, mode: Mode) {
  return payments.outcome(reference('refund', id, 400, { context: { ...context(), mode } }));
}

async function eventsOf(id: TransactionId) {
  const store = new EventStore(world.admin, { schema: 'payments' });
  return (await store.read(id)).map(({ type, data }) => ({ type, data: data as never }));
}

describe('an installation without routes', () => {
  it('sends payments of every mode to the first acquirer that takes them, and says nothing of a route', async () => {
    await startWith([accountWith('b', 'second')], []);
    for (const mode of ['INTERNAL', 'EXTERNAL', 'LIVE'] as const) {
      const { id, status } = await payments.outcome(debit(mode));
      expect(status).toBe('approved');
      expect((await eventsOf(id))[0]?.data).not.toHaveProperty('route');
    }
    expect([first.submitted.length, second.submitted.length]).toEqual([3, 0]);
  });

  it('does not wait for accounts: it is asked beside the payments', async () => {
    await startWith([], []);
    const asked = accounts.asked;
    await payments.outcome(debit('LIVE'));
    expect(accounts.asked).toBe(asked);
  });
});

describe('a payment of a channel with routes', () => {
  it('takes one of them, and its event says which and why', async () => {
    await startWith(bothAccounts, [routeTo('a', { brands: ['MASTER'] }), routeTo('b')]);
    const { id, resultCode } = await payments.outcome(debit('LIVE'));
    expect(resultCode).toBe('000.000.000');
    expect((await eventsOf(id))[0]?.data).toMatchObject({
      request: { connector: 'second', acquirerReference: id },
      route: {
        ...{ rule: 'onlyRoute', candidates: 1 },
        ...{ routeId: routeId('b'), merchantAccountId: accountId('b') },
      },
    });
    expect(second.submitted).toHaveLength(1);
  });

  it('goes in the mode EXTERNAL to the test endpoint, and is answered 000.100.112', async () => {
    await startWith(bothAccounts, [routeTo('b')]);
    const { status, resultCode } = await payments.outcome(debit('EXTERNAL'));
    expect([status, resultCode]).toEqual(['approved', '000.100.112']);
    expect(second.submitted[0]?.mode).toBe('EXTERNAL');
  });

  it('stays with its merchant account, whatever routes there are later', async () => {
    await startWith(bothAccounts, [routeTo('b')]);
    const { id } = await payments.outcome(debit('LIVE'));
    await change(bothAccounts, [routeTo('a')]);
    expect((await refund(id, 'LIVE')).status).toBe('approved');
    expect(second.submitted.map(({ operation }) => operation)).toEqual(['debit', 'refund']);
    expect((await payments.outcome(debit('LIVE'))).status).toBe('approved');
    expect(first.submitted).toHaveLength(1);
  });

  it('is refunded by nobody else when its merchant account is gone, or is with another acquirer', async () => {
    await startWith(bothAccounts, [routeTo('b')]);
    const { id } = await payments.outcome(debit('LIVE'));
    for (const left of [[accountWith('a', 'first')], [accountWith('b', 'first')]]) {
      await change(left, []);
      const refused = await refund(id, 'LIVE');
      expect(refused).toMatchObject({ status: 'rejected', resultCode: '500.100.401' });
    }
    expect(first.submitted).toEqual([]);
  });

  it('whose outcome is unknown is inquired about at its own acquirer', async () => {
    await startWith(bothAccounts, [routeTo('b')]);
    second.behaviour = 'bookAndLose';
    const { id } = await payments.outcome(debit('LIVE'));
    expect((await payments.until(id, 'approved')).status).toBe('approved');
    expect([first.inquiries, second.inquiries > 0]).toEqual([0, true]);
  });
});

interface RefusedWay {
  readonly mode: Mode;
  readonly code: string;
  readonly text?: string;
}

describe('a payment that no route takes', () => {
  it.each<readonly [string, Partial<RouteMessage>, RefusedWay]>([
    ['its mode', { modes: ['LIVE'] }, { mode: 'EXTERNAL', code: '600.200.700' }],
    ['its method', { methods: ['DD'] }, { mode: 'LIVE', code: '600.200.201' }],
    ['its brand', { brands: ['MASTER'] }, { mode: 'LIVE', code: '600.200.800' }],
    [
      'its currency',
      { currencies: [currency('USD')] },
      {
        mode: 'LIVE',
        code: '600.200.500',
        text: `${TEXT} - no route of this channel takes the currency`,
      },
    ],
    [
      'its amount',
      { amountFrom: { minor: '1001', currency: 'EUR' } },
      { mode: 'LIVE', code: '100.550.300' },
    ],
  ])('because of %s is refused and recorded with its code', async (_, conditions, refused) => {
    const { mode, code, text } = refused;
    const routes = [routeTo('a', conditions)];
    await startWith(bothAccounts, routes);
    const command = debit(mode);
    const outcome = await payments.outcome(command);
    expect(outcome).toMatchObject({ status: 'rejected', resultCode: code });
    expect(outcome.resultDescription).toBe(text);
    expect(await world.eventTypes(outcome.id)).toEqual(['TransactionRejected']);
    expect((await payments.view(outcome.id))?.resultCode).toBe(code);
    expect(world.vault.held.has(command.data.instrument.vaultReference)).toBe(false);
    expect([first, second, simulator].flatMap(({ submitted }) => submitted)).toEqual([]);
  });

  it('because its acquirer does not take gift cards is refused with a sentence', async () => {
    await startWith(bothAccounts, [routeTo('a')]);
    const instrument = {
      kind: 'giftCard',
      vaultReference: 'none',
      brand: 'GIFTCARD',
      maskedNumber: '**18',
    } as const;
    const outcome = await payments.outcome(debit('LIVE', { instrument }));
    expect(outcome).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: `${TEXT} - no acquirer of this channel takes gift cards`,
    });
    expect(first.submitted).toEqual([]);
  });

  it('is refused for what is wrong with itself before that', async () => {
    await startWith(bothAccounts, [routeTo('a', { modes: ['EXTERNAL'] })]);
    const command = debit('LIVE', { rejection: '100.100.303' });
    expect((await payments.outcome(command)).resultCode).toBe('100.100.303');
  });

  it('is refused when its acquirer cannot be called: it has no settings, or is the simulator and this is live', async () => {
    await startWith([accountWith('a', 'third')], [routeTo('a')]);
    expect((await payments.outcome(debit('LIVE'))).resultCode).toBe('500.100.401');
    await change([accountWith('a', 'simulator')], [routeTo('a')]);
    expect((await payments.outcome(debit('LIVE'))).resultCode).toBe('500.100.401');
    expect((await payments.outcome(debit('EXTERNAL'))).status).toBe('approved');
  });
});

describe('a payment in the mode INTERNAL', () => {
  it('needs no route: it has the simulator, as its event says', async () => {
    await startWith(bothAccounts, bothRoutes);
    const { id, resultCode } = await payments.outcome(debit('INTERNAL'));
    expect(resultCode).toBe('000.100.110');
    expect((await eventsOf(id))[0]?.data).toMatchObject({
      request: { connector: 'simulator' },
      route: { rule: 'simulator', candidates: 0 },
    });
    expect((await refund(id, 'INTERNAL')).status).toBe('approved');
    expect(simulator.submitted).toHaveLength(2);
  });

  it('tries the routes that name the mode, with the simulator in place of their acquirers', async () => {
    await startWith(bothAccounts, [routeTo('a', { modes: ['INTERNAL'], brands: ['VISA'] })]);
    const { id } = await payments.outcome(debit('INTERNAL'));
    expect((await eventsOf(id))[0]?.data).toMatchObject({
      request: { connector: 'simulator' },
      route: { rule: 'onlyRoute', merchantAccountId: accountId('a') },
    });
    expect([first.submitted.length, simulator.submitted.length]).toEqual([0, 1]);
  });

  it('is refused where there is no simulator', async () => {
    accounts.say(bothAccounts, bothRoutes);
    await start([first, second]);
    expect((await payments.outcome(debit('INTERNAL'))).resultCode).toBe('500.100.401');
  });
});

describe('an attempt that certainly booked nothing', () => {
  it('is followed by one on the next route, under a reference and with a request event of its own', async () => {
    await startWith(bothAccounts, bothRoutes);
    first.behaviour = 'unreachable';
    const { id, status } = await payments.outcome(debit('LIVE'));
    expect(status).toBe('approved');
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      ...['PaymentInitiated', 'TransactionRerouted', 'TransactionApproved'],
    ]);
    expect(events[1]?.data).toMatchObject({
      reason: 'notReachable',
      request: { connector: 'second', acquirerReference: `${id}-2` },
      route: { rule: 'onlyRoute', merchantAccountId: accountId('b') },
    });
    const sent = [...first.submitted, ...second.submitted];
    expect(sent.map(({ acquirerReference }) => acquirerReference)).toEqual([id, `${id}-2`]);
    // The vault reveals a card once; the second acquirer has it all the same.
    expect(second.instruments[0]?.kind).toBe('card');
    expect((await refund(id, 'LIVE')).status).toBe('approved');
    expect(second.submitted[1]?.originalReference).toBe(`${id}-2`);
  });

  it('is followed by two others at most', async () => {
    const digits = ['a', 'b', 'c', 'd'];
    await startWith(
      digits.map((digit) => accountWith(digit, 'first')),
      digits.map((digit) => routeTo(digit)),
    );
    first.behaviour = 'unreachable';
    const command = debit('LIVE');
    const { id, status, resultCode } = await payments.outcome(command);
    expect([status, resultCode]).toEqual(['notPerformed', '900.100.310']);
    expect(first.submitted).toHaveLength(3);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'TransactionRerouted', 'TransactionRerouted'],
      'TransactionNotPerformed',
    ]);
    expect(await world.dueAt(id)).toBeNull();
  });

  it('of the simulator is followed by none', async () => {
    await startWith(bothAccounts, bothRoutes);
    simulator.behaviour = 'unreachable';
    const { id, status } = await payments.outcome(debit('INTERNAL'));
    expect(status).toBe('notPerformed');
    expect(await world.eventTypes(id)).toEqual(['PaymentInitiated', 'TransactionNotPerformed']);
  });

  it('and its follower, whose answer is lost, are settled by an inquiry about the follower', async () => {
    await startWith(bothAccounts, bothRoutes);
    first.behaviour = 'unreachable';
    second.behaviour = 'bookAndLose';
    const { id } = await payments.outcome(debit('LIVE'));
    await payments.until(id, 'approved');
    expect(first.inquiries).toBe(0);
    expect(second.effects('debit')).toHaveLength(1);
  });

  it('and its follower, whose process died, are settled by an inquiry about the follower', async () => {
    await startWith(bothAccounts, bothRoutes);
    first.behaviour = 'unreachable';
    second.behaviour = 'bookAndHang';
    const command = debit('LIVE');
    void payments.send(command).catch(() => undefined);
    await second.wasCalled();
    await payments.die();
    await start();
    const { transactionId } = command.data;
    await payments.until(transactionId, 'approved');
    expect([first.submitted.length, second.submitted.length]).toEqual([1, 1]);
  });
});

describe('a card that was declined with an advice', () => {
  const ofAccount = (fingerprint: string) => ({
    accountFingerprint: fingerprint,
    instrument: {
      ...({ kind: 'card', bin: '545454', last4: '0000', brand: 'MASTER' } as const),
      ...{ expiryMonth: '12', expiryYear: '2030', vaultReference: world.vault.put() },
    },
  });

  async function declinedByFirst(adviceCode: string, fingerprint: string): Promise<void> {
    first.behaviour = 'decline';
    first.adviceCode = adviceCode;
    await payments.outcome(debit('LIVE', ofAccount(fingerprint)));
  }

  it('22 pays on another route, where there is one', async () => {
    await startWith(bothAccounts, bothRoutes);
    await declinedByFirst('22', 'account-22');
    const { id, status } = await payments.outcome(debit('LIVE', ofAccount('account-22')));
    expect(status).toBe('approved');
    expect((await eventsOf(id))[0]?.data).toMatchObject({
      route: { merchantAccountId: accountId('b') },
    });
    await declinedByFirst('22', 'another-22');
    await change(bothAccounts, [routeTo('a')]);
    const again = await payments.outcome(debit('LIVE', ofAccount('another-22')));
    expect(again).toMatchObject({ status: 'rejected', resultCode: '700.601.001' });
  });

  it('takes no other route by itself than the advice allows', async () => {
    await startWith(bothAccounts, [routeTo('a')]);
    await declinedByFirst('22', 'account-of-two');
    // It begins at the second one, which cannot be reached; the first one has said no.
    await change(bothAccounts, bothRoutes);
    second.behaviour = 'unreachable';
    const { id, status } = await payments.outcome(debit('LIVE', ofAccount('account-of-two')));
    expect(status).toBe('notPerformed');
    expect(await world.eventTypes(id)).toEqual(['PaymentInitiated', 'TransactionNotPerformed']);
  });
});

describe('a route for the cards of some countries', () => {
  it('takes those whose issuer is there, at first and after another attempt, and no others', async () => {
    const german = { binCountries: ['DE'] };
    await startWith(bothAccounts, [routeTo('a', german), routeTo('b', { ...german, priority: 1 })]);
    first.behaviour = 'unreachable';
    const { id, status } = await payments.outcome(debit('LIVE', { issuerCountry: 'DE' }));
    expect(status).toBe('approved');
    expect(await world.eventTypes(id)).toContain('TransactionRerouted');
    for (const country of [{ issuerCountry: 'FR' }, {}]) {
      expect(await payments.outcome(debit('LIVE', country))).toMatchObject({
        ...{ resultCode: '600.200.500' },
        resultDescription: `${TEXT} - no route of this channel takes cards of the issuer's country`,
      });
    }
  });
});

describe('an attempt that may have booked, or was declined', () => {
  it.each(['decline', 'pending', 'lose', 'throw'] as const)(
    'is the only one: %s',
    async (behaviour) => {
      await startWith(bothAccounts, bothRoutes);
      first.behaviour = behaviour;
      const { id } = await payments.outcome(debit('LIVE'));
      expect(await world.eventTypes(id)).not.toContain('TransactionRerouted');
      expect(second.submitted).toEqual([]);
    },
  );
});

describe('while nobody knows which routes there are', () => {
  it('no new payment is begun, and everything else goes on', async () => {
    await startWith(bothAccounts, [routeTo('b')]);
    const { id } = await payments.outcome(debit('LIVE'));
    await payments.die();
    accounts.isAway = true;
    const health = new HealthChecks();
    await start(undefined, health);
    expect(await notReady(health)).toEqual(['routes']);
    const command = debit('LIVE');
    expect(await payments.reply(command)).toEqual({ kind: 'unavailable' });
    expect(await payments.view(command.data.transactionId)).toBeUndefined();
    expect(world.vault.held.has(command.data.instrument.vaultReference)).toBe(false);
    expect((await payments.view(id))?.status).toBe('approved');
    accounts.isAway = false;
    await payments.running.refreshRoutes();
    expect(await notReady(health)).toEqual([]);
    expect((await payments.outcome(debit('LIVE'))).status).toBe('approved');
  });

  it('those that were known stay in force', async () => {
    await startWith(bothAccounts, [routeTo('b')]);
    accounts.isAway = true;
    await payments.running.refreshRoutes();
    expect((await payments.outcome(debit('LIVE'))).status).toBe('approved');
    expect(second.submitted).toHaveLength(1);
  });
});
