import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationAnswer, ShopperAnswer, ShopperQuery } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { CLOCK_MARGIN_MS } from '@sluice/service';
import { setTimeout as pause } from 'node:timers/promises';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { redirect, result, ScriptedRisk } from '../test/scripted-risk.js';

const REDIRECT_URL = 'https://gateway.example/redirects/1';
const demanded = { authentication: { demandedBy: 'this test card', redirectUrl: REDIRECT_URL } };

let world: PaymentsWorld;
let risk: ScriptedRisk;
let payments: PaymentsProcess;
beforeEach(async () => {
  world = await PaymentsWorld.make();
  risk = new ScriptedRisk();
});
afterEach(async () => {
  await payments.die();
  await world.close();
});

const start = async (changes: Parameters<typeof PaymentsProcess.start>[1] = {}) => {
  payments = await PaymentsProcess.start(world, { queries: risk, ...changes });
  return payments;
};
const shopper = (step: 'redirect' | 'shopperReturn', transactionId: string) =>
  payments.bus.queries.ask<ShopperAnswer>('payments', `payments.${step}`, { transactionId });

/** Recovery has asked some times about an authentication whose time was over when it began. */
async function askedAfterItsEnd(id: TransactionId): Promise<void> {
  await pause(CLOCK_MARGIN_MS);
  const asked = () => risk.inquired.filter((each) => each === id).length;
  const before = asked();
  for (const endMs = Date.now() + 10_000; Date.now() < endMs; await pause(20)) {
    if (asked() >= before + 3) return;
  }
  throw new Error('recovery does not ask risk');
}

describe('a payment whose shopper is to be authenticated', () => {
  it('goes on at once where the issuer needs no shopper, with the proof', async () => {
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    world.connector.takes = ['threeDSecure.*'];
    await start();
    const { id, status } = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(status).toBe('approved');
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'AuthenticationCompleted', 'TransactionApproved'],
    ]);
    expect(world.connector.submitted[0]?.parameters).toMatchObject({
      threeDSecure: { eci: '05', dsTransactionId: 'ds-1', authenticationStatus: 'Y' },
    });
    expect(await payments.view(id)).toMatchObject({ authentication: { eci: '05', status: 'Y' } });
  });

  it('is refused where 3-D Secure is not configured, and says what demands it', async () => {
    risk.authentication = undefined;
    await start();
    const outcome = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(outcome).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: expect.stringContaining('this test card demands it'),
    });
  });

  it('waits for the shopper, and is asked of the acquirer once he is back', async () => {
    risk.answer = { kind: 'redirect', redirect, expiresAtMs: Date.now() + 60_000 };
    await start();
    const initiation = payments.initiation('debit', 100, {
      ...{ ...demanded, personal: { shopperResultUrl: 'https://shop.example/r' } },
    });
    const outcome = await payments.outcome(initiation);
    expect(outcome).toMatchObject({ status: 'pending', redirect });
    const issuer = {
      url: 'https://acs.example',
      method: 'POST',
      parameters: { creq: 'x' },
    } as const;
    risk.answer = { kind: 'redirect', redirect: issuer, expiresAtMs: Date.now() + 60_000 };
    expect(await shopper('redirect', outcome.id)).toMatchObject({ redirect: issuer });
    expect(world.connector.submitted).toEqual([]);
    risk.answer = { kind: 'completed', result: result() };
    // However often he comes back.
    const both = [shopper('shopperReturn', outcome.id), shopper('shopperReturn', outcome.id)];
    await Promise.all(both);
    await shopper('shopperReturn', outcome.id);
    expect(await payments.view(outcome.id)).toMatchObject({ status: 'approved' });
    expect(world.connector.submitted).toHaveLength(1);
    expect(world.connector.instruments[0]?.details['card.cvv']).toBeDefined();
  });

  it('keeps its card when its command comes again while risk is away', async () => {
    risk.answer = { kind: 'redirect', redirect, expiresAtMs: Date.now() + 60_000 };
    await start();
    const initiation = payments.initiation('debit', 100, demanded);
    const { id } = await payments.outcome(initiation);
    risk.isAway = true;
    expect(await payments.reply(initiation)).toEqual({ kind: 'unavailable' });
    risk.isAway = false;
    risk.answer = { kind: 'completed', result: result() };
    await shopper('shopperReturn', id);
    expect(await payments.view(id)).toMatchObject({ status: 'approved' });
  });

  it('is asked of the acquirer with the cryptogram, and not at all where that is lost', async () => {
    const completed = { kind: 'completed', result: result({ flow: 'frictionless' }) } as const;
    risk.answer = completed;
    await start();
    await payments.outcome(payments.initiation('debit', 100, demanded));
    const details = world.connector.instruments[0]?.details;
    expect(details?.['threeDSecure.verificationId']?.reveal()).toBe('AAACAgSRBklmQCFgMpEGAAAAAAA=');
    risk.answer = { kind: 'completed', result: result({ proofReference: 'vault-0.p2' }) };
    const lost = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(lost).toMatchObject({ status: 'notPerformed' });
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('has the shopper wait while the issuer is asked, and says what his browser has loaded', async () => {
    risk.answer = { kind: 'redirect', redirect, expiresAtMs: Date.now() + 60_000 };
    await start();
    const { id: transactionId } = await payments.outcome(
      payments.initiation('debit', 100, demanded),
    );
    const arrive = (more: Partial<ShopperQuery>) =>
      payments.bus.queries.ask<ShopperAnswer>('payments', 'payments.redirect', {
        ...{ transactionId, ...more },
      });
    expect(await arrive({})).not.toHaveProperty('isAsked');
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() + 60_000 };
    expect(await arrive({ isPrepared: true })).toMatchObject({ isAsked: true });
    expect(risk.proceeded).toEqual([
      { authenticationId: transactionId, step: 'arrived' },
      { authenticationId: transactionId, step: 'arrived', isPrepared: true },
    ]);
  });

  it('is asked of the acquirer by recovery where he does not come back', async () => {
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    risk.answer = { kind: 'completed', result: result() };
    await payments.until(id, 'approved');
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'AuthenticationPending', 'AuthenticationCompleted'],
      ...['AuthorizationRequested', 'TransactionApproved'],
    ]);
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('is declined where the issuer says no, and its card is forgotten', async () => {
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    const no = { goesOn: false, status: 'N', resultCode: '000.400.102' } as const;
    risk.answer = { kind: 'completed', result: result(no) };
    expect(await payments.until(id, 'declined')).toMatchObject({ resultCode: '000.400.102' });
    expect(world.connector.submitted).toEqual([]);
    await world.vault.isEmpty();
  });

  it('is declined as timed out where risk has heard nothing when its time is over', async () => {
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() };
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(await payments.until(id, 'declined')).toMatchObject({ resultCode: '100.396.103' });
    expect(world.connector.submitted).toEqual([]);
  });

  it('waits on where risk says that its time is not over yet', async () => {
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() };
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() + 60_000 };
    await askedAfterItsEnd(id);
    expect(await payments.view(id)).toMatchObject({ status: 'pending' });
  });

  it('waits while risk is away, however late, and goes on with what risk says later', async () => {
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() };
    risk.silentOn = ['risk.authentication'];
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    await askedAfterItsEnd(id);
    expect(await payments.view(id)).toMatchObject({ status: 'pending' });
    expect(await world.eventTypes(id)).toEqual(['PaymentInitiated', 'AuthenticationPending']);
    risk.answer = { kind: 'completed', result: result() };
    risk.silentOn = [];
    await payments.until(id, 'approved');
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('is declined as timed out where risk is away for a day', async () => {
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() - 25 * 3_600_000 };
    risk.silentOn = ['risk.authentication'];
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(await payments.until(id, 'declined')).toMatchObject({ resultCode: '100.396.103' });
    expect(world.connector.submitted).toEqual([]);
  });

  it('is asked of the acquirer once, whichever of two processes hears it first', async () => {
    await start();
    const other = await PaymentsProcess.start(world, { queries: risk });
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    risk.answer = { kind: 'completed', result: result() };
    const query = { transactionId: id };
    await Promise.all([
      shopper('shopperReturn', id),
      other.bus.queries.ask('payments', 'payments.shopperReturn', query),
    ]);
    await payments.until(id, 'approved');
    expect(world.connector.submitted).toHaveLength(1);
    await other.die();
  });
});

describe('a payment that the issuer declines for want of an authentication', () => {
  const possible = { authentication: { redirectUrl: REDIRECT_URL } };
  beforeEach(() => {
    Object.assign(world.connector, { behaviour: 'decline', declineCode: '300.100.100' });
  });

  it('has its shopper authenticated, and is tried again under a reference of its own', async () => {
    risk.answer = { kind: 'redirect', redirect, expiresAtMs: Date.now() + 60_000 };
    await start();
    const { id, status } = await payments.outcome(payments.initiation('debit', 100, possible));
    expect(status).toBe('pending');
    expect(risk.authentications).toMatchObject([{ paymentId: id, challengeIsMandated: true }]);
    expect(risk.authentications[0]?.authenticationId).not.toBe(id);
    world.connector.behaviour = 'approve';
    risk.answer = { kind: 'completed', result: result() };
    await shopper('shopperReturn', id);
    expect(await payments.view(id)).toMatchObject({ status: 'approved' });
    expect(world.connector.submitted.map((each) => each.acquirerReference)).toEqual([
      ...[id, `${id}-2`],
    ]);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'AuthenticationPending', 'AuthenticationCompleted'],
      ...['AuthorizationRequested', 'TransactionApproved'],
    ]);
  });

  it('is tried again at once where the issuer needs no shopper after all', async () => {
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    await start();
    world.connector.hold();
    const initiation = payments.initiation('debit', 100, possible);
    const sent = payments.outcome(initiation);
    await world.connector.wasCalled();
    const again = payments.outcome(initiation);
    world.connector.next = ['decline', 'approve'];
    world.connector.letGo();
    expect([(await sent).status, (await again).status]).toEqual(['approved', 'approved']);
    const { id } = await sent;
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'AuthenticationPending', 'AuthenticationCompleted'],
      ...['AuthorizationRequested', 'TransactionApproved'],
    ]);
    expect(world.connector.submitted.map((each) => each.acquirerReference)).toEqual([
      ...[id, `${id}-2`],
    ]);
    const details = world.connector.instruments[1]?.details;
    expect(details?.['threeDSecure.verificationId']).toBeDefined();
    expect(risk.authentications).toHaveLength(1);
    await world.vault.isEmpty();
  });

  it('is tried again once, though the issuer says the same again to a shopper it needs not', async () => {
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    await start();
    const outcome = await payments.outcome(payments.initiation('debit', 100, possible));
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '300.100.100' });
    expect(world.connector.submitted).toHaveLength(2);
    expect(risk.authentications).toHaveLength(1);
    await world.vault.isEmpty();
  });

  it('is declined with the reason of an authentication that fails at once', async () => {
    const no = { goesOn: false, status: 'N', resultCode: '000.400.102' } as const;
    risk.answer = { kind: 'completed', result: result(no) };
    await start();
    const outcome = await payments.outcome(payments.initiation('debit', 100, possible));
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '000.400.102' });
    expect(world.connector.submitted).toHaveLength(1);
    await world.vault.isEmpty();
  });

  it.each<[string, boolean]>([
    ['its channel stops then', false],
    ['its channel goes on with U', true],
  ])('is declined as the issuer did where nobody can be asked, and %s', async (_, goesOn) => {
    const { status: __, ...nobody } = result({ goesOn, resultCode: '000.400.109', flow: 'none' });
    risk.answer = { kind: 'completed', result: nobody };
    await start();
    const { id, ...outcome } = await payments.outcome(payments.initiation('debit', 100, possible));
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '300.100.100' });
    expect(risk.authentications).toHaveLength(1);
    expect(world.connector.submitted).toHaveLength(1);
    expect(await world.eventTypes(id)).toEqual(['PaymentInitiated', 'TransactionDeclined']);
    await world.vault.isEmpty();
  });

  it('is not tried again by a late word of the first authentication', async () => {
    const answers = new Map<string, AuthenticationAnswer>();
    const open = { kind: 'redirect', redirect, expiresAtMs: Date.now() + 60_000 } as const;
    risk.answer = open;
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const done = { kind: 'completed', result: result({ flow: 'frictionless' }) } as const;
    answers.set('risk.authenticate', open).set('risk.proceed', done);
    const ask = risk.ask.bind(risk);
    risk.ask = async <Answer>(service: string, query: string, parameters: object) => {
      if (query === 'risk.proceed' && Reflect.get(parameters, 'step') === 'arrived') await arrived;
      return (answers.get(query) ?? (await ask(service, query, parameters))) as Answer;
    };
    const late = shopper('redirect', id);
    await shopper('shopperReturn', id);
    expect(await payments.view(id)).toMatchObject({ status: 'pending' });
    arrive();
    await late;
    expect(await payments.view(id)).toMatchObject({ status: 'pending' });
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('is declined when the issuer says the same again: it is asked once', async () => {
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, possible));
    risk.answer = { kind: 'completed', result: result() };
    expect(await payments.until(id, 'declined')).toMatchObject({ resultCode: '300.100.100' });
    expect(risk.authentications).toHaveLength(1);
    await world.vault.isEmpty();
  });

  it.each<[string, object]>([
    ['nobody is there to ask', {}],
    ['the merchant said what is to be done', { authentication: undefined }],
  ])('is declined where %s', async (_, changes) => {
    await start();
    const outcome = await payments.outcome(payments.initiation('debit', 100, changes));
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '300.100.100' });
    expect(risk.authentications).toEqual([]);
  });

  it('is declined where risk is away', async () => {
    await start();
    risk.isAway = true;
    const outcome = await payments.outcome(payments.initiation('debit', 100, possible));
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '300.100.100' });
  });
});
