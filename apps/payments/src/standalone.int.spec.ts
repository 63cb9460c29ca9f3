import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationProofAnswer, ShopperAnswer } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { ENTITY_ID, PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { redirect, result, ScriptedRisk } from '../test/scripted-risk.js';

const CRYPTOGRAM = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';
const REDIRECT_URL = 'https://gateway.example/redirects/1';
const asked = { authentication: { demandedBy: 'the request', redirectUrl: REDIRECT_URL } };

let world: PaymentsWorld;
let risk: ScriptedRisk;
let payments: PaymentsProcess;
beforeEach(async () => {
  world = await PaymentsWorld.make();
  risk = new ScriptedRisk();
  world.vault.proofs.set('vault-0.p1', new Detail(CRYPTOGRAM));
});
afterEach(async () => {
  await payments.die();
  await world.close();
});

const start = async () => {
  payments = await PaymentsProcess.start(world, { queries: risk });
};
const authentication = () => payments.initiation('authentication', 100, asked);
const proofOf = (transactionId: string, entityId: string = ENTITY_ID) =>
  payments.bus.queries.ask<AuthenticationProofAnswer>('payments', 'payments.authenticationProof', {
    ...{ transactionId, entityId: entityId as EntityId },
  });

describe('an authentication alone', () => {
  it('ends without an acquirer, forgets the card, and has a cryptogram for its merchant alone', async () => {
    risk.assessed = [ENTITY_ID];
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    await start();
    const { id, status, resultCode } = await payments.outcome(authentication());
    expect([status, resultCode]).toEqual(['approved', '000.100.110']);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'AuthenticationCompleted', 'StandaloneCompleted'],
    ]);
    expect([world.connector.submitted, risk.assessments]).toEqual([[], []]);
    await world.vault.isEmpty();
    const view = await payments.view(id);
    expect(view).toMatchObject({ authentication: { status: 'Y', eci: '05' } });
    expect(JSON.stringify(view)).not.toContain(CRYPTOGRAM);
    expect(await proofOf(id)).toEqual({ cryptogram: CRYPTOGRAM });
    expect(await proofOf(id, 'f'.repeat(32))).toEqual({});
    world.vault.proofs.clear();
    expect(await proofOf(id)).toEqual({});
  });

  it('waits for the shopper and ends when the issuer has spoken', async () => {
    risk.answer = { kind: 'redirect', redirect, expiresAtMs: Date.now() + 60_000 };
    await start();
    const { id, status } = await payments.outcome(authentication());
    expect(status).toBe('pending');
    expect(await proofOf(id)).toEqual({});
    expect(world.vault.held.size).toBe(1);
    risk.answer = { kind: 'completed', result: result() };
    const query = { transactionId: id };
    await payments.bus.queries.ask<ShopperAnswer>('payments', 'payments.shopperReturn', query);
    expect(await payments.view(id)).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110' },
    });
    expect(world.connector.submitted).toEqual([]);
    await world.vault.isEmpty();
    expect(await proofOf(id)).toEqual({ cryptogram: CRYPTOGRAM });
  });

  it('is refused where 3-D Secure is not configured', async () => {
    risk.authentication = undefined;
    await start();
    expect(await payments.outcome(authentication())).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: expect.stringContaining('3-D Secure is not configured for this channel'),
    });
  });

  it('cannot be captured', async () => {
    risk.answer = { kind: 'completed', result: result() };
    await start();
    const { id } = await payments.outcome(authentication());
    expect(await payments.outcome(reference('capture', id, 100))).toMatchObject({
      ...{ status: 'rejected', resultCode: '700.400.510' },
    });
    expect(world.connector.submitted).toEqual([]);
  });
});

describe('the cryptogram of a payment', () => {
  it('is told to no merchant', async () => {
    risk.answer = { kind: 'completed', result: result() };
    await start();
    const { id } = await payments.outcome(payments.initiation('debit', 100, asked));
    expect(await proofOf(id)).toEqual({});
  });
});

describe('a risk check alone', () => {
  const check = () => payments.initiation('riskAssessment', 100);

  it('asks the rules, and no acquirer', async () => {
    risk.assessed = [ENTITY_ID];
    risk.assessment = {
      ...{ decision: 'accept', score: 7, fired: [] },
      afterwards: [{ pairs: ['N-'], decision: 'reject', score: 9, fired: [] }],
    };
    await start();
    const { id, status, resultCode } = await payments.outcome(check());
    expect([status, resultCode]).toEqual(['approved', '000.300.100']);
    expect(await payments.view(id)).toMatchObject({ riskScore: 7, operation: 'riskAssessment' });
    expect(risk.assessments).toHaveLength(1);
    expect(risk.assessments[0]).not.toHaveProperty('operation');
    expect(world.connector.submitted).toEqual([]);
    await world.vault.isEmpty();
  });

  it('is refused where no rules hold', async () => {
    await start();
    expect(await payments.outcome(check())).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: expect.stringContaining('no rules of risk hold for this channel'),
    });
  });

  it('is rejected by a rule with its code', async () => {
    risk.assessed = [ENTITY_ID];
    risk.assessment = { decision: 'reject', resultCode: '800.120.101', score: 9, fired: [] };
    await start();
    expect(await payments.outcome(check())).toMatchObject({
      ...{ status: 'rejected', resultCode: '800.120.101', riskScore: 9 },
    });
  });
});
