import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  AuthenticationAnswer,
  ReviewDecidedAnswer,
  ReviewDecidedQuery,
  ShopperAnswer,
  ShopperQuery,
} from '@sluice/contracts';
import { newTransactionIdInChainOf, type TransactionId } from '@sluice/identifiers';
import { setTimeout as pause } from 'node:timers/promises';
import { ENTITY_ID, PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
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
const decided = (query: Omit<ReviewDecidedQuery, 'actor'>) =>
  payments.bus.queries.ask<ReviewDecidedAnswer>('payments', 'payments.reviewDecided', {
    ...{ ...query, actor: 'jane' },
  });

describe('a payment of a channel with rules', () => {
  beforeEach(() => {
    risk.assessed = [ENTITY_ID];
  });

  it('is judged before anything is recorded, with all that was sent', async () => {
    risk.assessment = { decision: 'accept', score: 7, fired: [{ id: 'r', name: 'R' }] };
    await start();
    const initiation = payments.initiation('debit', 100, {
      ...{ parameters: { 'risk.serviceId': 'A' }, personal: { 'customer.email': 'a@b.example' } },
    });
    const { id, status } = await payments.outcome(initiation);
    expect(status).toBe('approved');
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'RiskAssessed', 'TransactionApproved'],
    ]);
    expect(risk.assessments).toMatchObject([
      {
        ...{ assessmentId: id, nodes: [ENTITY_ID], amount: { minor: '100' } },
        parameters: { 'risk.serviceId': 'A', 'customer.email': 'a@b.example' },
      },
    ]);
    expect(await payments.view(id)).toMatchObject({ riskScore: 7 });
  });

  it('is rejected with the code of the rule, and no acquirer hears of it', async () => {
    risk.assessment = { decision: 'reject', resultCode: '800.120.101', score: 9, fired: [] };
    await start();
    const { id, status, resultCode } = await payments.outcome(payments.initiation('debit', 100));
    expect([status, resultCode]).toEqual(['rejected', '800.120.101']);
    expect(await world.eventTypes(id)).toEqual(['TransactionRejected', 'RiskAssessed']);
    expect(world.connector.submitted).toEqual([]);
    expect(world.vault.held.size).toBe(0);
  });

  it('is not recorded while risk is away: the merchant may try again', async () => {
    await start();
    risk.isAway = true;
    expect(await payments.reply(payments.initiation('debit', 100))).toEqual({
      kind: 'unavailable',
    });
    expect(world.connector.submitted).toEqual([]);
  });

  it('is not judged again under a key that was used', async () => {
    await start();
    const idempotency = {
      ...{ key: 'a'.repeat(64), fingerprint: 'f' },
      answer: { ndc: 'n', timestamp: 't', buildNumber: 'b' },
    };
    const first = payments.initiation('debit', 100);
    const claim = {
      ...idempotency,
      answer: { id: first.data.transactionId, ...idempotency.answer },
    };
    await payments.outcome({ ...first, data: { ...first.data, idempotency: claim } });
    const again = payments.initiation('debit', 100, { idempotency: claim });
    expect(await payments.reply(again)).toMatchObject({ kind: 'keyTaken' });
    expect(risk.assessments).toHaveLength(1);
  });

  it('of another channel is not judged', async () => {
    risk.assessed = ['f'.repeat(32)];
    await start();
    await payments.paid('debit', 100);
    expect(risk.assessments).toEqual([]);
  });
});

describe('a payment under review', () => {
  const reversalOf = (id: TransactionId) => newTransactionIdInChainOf(id, Date.now());
  beforeEach(async () => {
    risk.assessed = [ENTITY_ID];
    risk.assessment = { decision: 'review', score: 50, resultCode: '000.400.000', fired: [] };
    await start();
  });

  it('is captured once it is released, and not before', async () => {
    const id = await payments.paid('authorization', 100);
    expect(await payments.view(id)).toMatchObject({ resultCode: '000.400.000' });
    const early = await payments.outcome(reference('capture', id, 100));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '700.400.570' });
    expect(await decided({ transactionId: id, decision: 'released' })).toEqual({
      kind: 'recorded',
    });
    const capture = await payments.outcome(reference('capture', id, 100));
    expect(capture.status).toBe('approved');
    expect(await payments.view(id)).toMatchObject({ resultCode: '000.100.110' });
  });

  it('is reversed once it is rejected, once', async () => {
    const id = await payments.paid('debit', 100);
    const query = { transactionId: id, decision: 'rejected', reversalId: reversalOf(id) } as const;
    expect(await decided(query)).toEqual({ kind: 'recorded' });
    expect(await decided(query)).toEqual({ kind: 'recorded' });
    expect(await payments.view(query.reversalId)).toMatchObject({ status: 'approved' });
    expect(world.connector.submitted.map(({ operation }) => operation)).toEqual([
      ...['debit', 'reversal'],
    ]);
  });

  it('that is unknown has nothing to decide', async () => {
    const transactionId = reversalOf('01a200455885ed5bf7da20fccea873d4' as TransactionId);
    expect(await decided({ transactionId, decision: 'released' })).toEqual({
      kind: 'nothingToDecide',
    });
  });
});

describe('a payment that rules look at after the authorization', () => {
  const reject = { decision: 'reject', score: 9, resultCode: '800.400.100' } as const;
  const review = { decision: 'review', score: 5, resultCode: '000.400.020' } as const;
  beforeEach(async () => {
    risk.assessed = [ENTITY_ID];
    risk.assessment = {
      ...{ decision: 'accept', score: 0, fired: [] },
      afterwards: [
        { pairs: ['NM', 'N-'], ...reject, fired: [{ id: 'address', name: 'Address' }] },
        { pairs: ['-N'], ...review, fired: [{ id: 'code', name: 'Code' }] },
      ],
    };
    await start();
  });

  async function undone(id: string): Promise<void> {
    for (const endMs = Date.now() + 10_000; Date.now() < endMs; await pause(20)) {
      if ((await world.eventTypes(id)).at(-1) === 'LateApprovalUndone') return;
    }
    throw new Error(`${id} was never undone`);
  }

  it('is declined with their code and given back, where they do not want it', async () => {
    world.connector.checks = { avsResponse: 'N' };
    const { id, status, resultCode } = await payments.outcome(payments.initiation('debit', 100));
    expect([status, resultCode]).toEqual(['declined', '800.400.100']);
    await undone(id);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'RiskAssessed', 'RiskAssessed', 'TransactionDeclined'],
      ...['LateApprovalReceived', 'LateApprovalUndone'],
    ]);
    expect(await payments.view(id)).toMatchObject({ avsResponse: 'N', riskScore: 9 });
    expect(risk.assessments).toHaveLength(1);
  });

  it.each(['bookAndLose', 'bookAndHang'] as const)(
    'is decided alike where its answer was lost, and where the process died: %s',
    async (behaviour) => {
      world.connector.checks = { avsResponse: 'N' };
      world.connector.behaviour = behaviour;
      const initiation = payments.initiation('authorization', 100);
      void payments.send(initiation).catch(() => undefined);
      await world.connector.wasCalled();
      await payments.die();
      risk.isAway = true;
      await start();
      const { transactionId: id } = initiation.data;
      expect(await payments.until(id, 'declined')).toMatchObject({ resultCode: '800.400.100' });
      await undone(id);
      expect(world.connector.effects('authorization')).toEqual([]);
      expect(risk.assessments).toHaveLength(1);
    },
  );

  it('is under review with their code, and can be rejected', async () => {
    world.connector.checks = { cvvResponse: 'N' };
    const id = await payments.paid('authorization', 100);
    expect(await payments.view(id)).toMatchObject({ resultCode: '000.400.020', riskScore: 5 });
    const early = await payments.outcome(reference('capture', id, 100));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '700.400.570' });
    const reversalId = newTransactionIdInChainOf(id, Date.now());
    const query = { transactionId: id, decision: 'rejected', reversalId } as const;
    expect(await decided(query)).toEqual({ kind: 'recorded' });
    expect(await payments.view(reversalId)).toMatchObject({ status: 'approved' });
  });
});

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

  it('is declined as timed out where nobody ever says anything', async () => {
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() };
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, demanded));
    risk.isAway = true;
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
