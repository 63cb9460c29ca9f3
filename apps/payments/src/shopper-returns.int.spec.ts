import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShopperAnswer } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import { setTimeout as pause } from 'node:timers/promises';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { redirect as toIssuer, result, ScriptedRisk } from '../test/scripted-risk.js';

const redirect = { url: 'https://bank.example/pay', method: 'GET', parameters: {} } as const;
const shopperResultUrl = 'https://shop.example/result';

let world: PaymentsWorld;
let payments: PaymentsProcess;
beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
}, 60_000);
afterAll(async () => {
  await payments.die();
  await world.close();
});
beforeEach(() => {
  payments.connector.behaviour = 'pending';
  payments.connector.redirect = redirect;
  payments.connector.answersQuestions = true;
});

const ask = (query: string, transactionId: TransactionId): Promise<ShopperAnswer> =>
  payments.bus.queries.ask('payments', `payments.${query}`, { transactionId });

/** A payment that waits for its shopper, whom recovery does not ask about meanwhile. */
async function waiting(): Promise<TransactionId> {
  const initiation = payments.initiation('debit', 1_000, { personal: { shopperResultUrl } });
  expect(await payments.outcome(initiation)).toMatchObject({ status: 'pending', redirect });
  return initiation.data.transactionId;
}

/** What the acquirer says from now on. */
function decide(id: TransactionId, kind: 'approved' | 'declined'): void {
  const booking = payments.connector.book.get(id);
  if (booking === undefined) throw new Error('nothing is booked');
  booking.decision =
    kind === 'approved' ? { kind, connectorTxId: 'acq-late' } : { kind, resultCode: '100.396.101' };
}

describe('a shopper of a payment', () => {
  it('is told where to go, and where back to', async () => {
    expect(await ask('redirect', await waiting())).toEqual({ redirect, shopperResultUrl });
  });

  it.each(['approved', 'declined'] as const)('who comes back finds it %s', async (kind) => {
    const id = await waiting();
    decide(id, kind);
    expect(await ask('shopperReturn', id)).toEqual({ shopperResultUrl });
    expect(await payments.view(id)).toMatchObject({ status: kind });
  });

  it('who comes back before the acquirer has decided goes on all the same', async () => {
    const id = await waiting();
    expect(await ask('shopperReturn', id)).toEqual({ redirect, shopperResultUrl });
    payments.connector.answersQuestions = false;
    expect(await ask('shopperReturn', id)).toEqual({ redirect, shopperResultUrl });
    expect(await payments.view(id)).toMatchObject({ status: 'pending' });
  });

  it('whom the merchant expects nowhere is told that it is over, once it is', async () => {
    const initiation = payments.initiation('debit', 1_000);
    const { id } = await payments.outcome(initiation);
    expect(await ask('shopperReturn', id)).toEqual({ redirect });
    decide(id, 'approved');
    expect(await ask('shopperReturn', id)).toEqual({ isDecided: true });
    expect(await ask('redirect', id)).toEqual({ isDecided: true });
  });

  it('of a payment that is unknown, or needs no shopper, is told nothing', async () => {
    payments.connector.redirect = undefined;
    const initiation = payments.initiation('debit', 1_000, { personal: { shopperResultUrl } });
    await payments.outcome(initiation);
    for (const id of [initiation.data.transactionId, newTransactionId(Date.now())]) {
      expect(await ask('redirect', id)).toEqual({});
      expect(await ask('shopperReturn', id)).toEqual({});
    }
  });

  it('who comes back many times at once has the acquirer asked once', async () => {
    const id = await waiting();
    decide(id, 'approved');
    const asked: string[] = [];
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { connector } = payments;
    const inquire = connector.inquire.bind(connector);
    connector.inquire = async (reference) => {
      if (reference === id) asked.push(reference);
      await answered;
      return inquire(reference);
    };
    const returns = Array.from({ length: 20 }, () => ask('shopperReturn', id));
    while (asked.length === 0) await new Promise((again) => setImmediate(again));
    answer();
    expect(await Promise.all(returns)).toEqual(returns.map(() => ({ shopperResultUrl })));
    connector.inquire = inquire;
    // Recovery may have asked as well: its first inquiry is due after 50 ms here.
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(await ask('shopperReturn', id)).toEqual({ shopperResultUrl });
  });
});

describe('a shopper who is back before the word of his issuer', () => {
  let own: PaymentsWorld;
  let process: PaymentsProcess;
  const risk = new ScriptedRisk();
  beforeAll(async () => {
    own = await PaymentsWorld.make();
    process = await PaymentsProcess.start(own, { queries: risk });
  }, 60_000);
  afterAll(async () => {
    await process.die();
    await own.close();
  });

  it('has paid soon after it is there, though nobody asks for him', async () => {
    risk.answer = { kind: 'redirect', redirect: toIssuer, expiresAtMs: Date.now() + 600_000 };
    const authentication = { demandedBy: 'this test card', redirectUrl: toIssuer.url };
    const initiation = process.initiation('debit', 100, { authentication });
    const { id } = await process.outcome(initiation);
    // Recovery's next look is at the end of his ten minutes.
    await pause(1_500);
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() + 100 };
    await process.bus.queries.ask('payments', 'payments.shopperReturn', { transactionId: id });
    risk.answer = { kind: 'completed', result: result() };
    await process.until(id, 'approved');
    expect(own.connector.submitted).toHaveLength(1);
  }, 15_000);
});
