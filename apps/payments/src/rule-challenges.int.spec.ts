import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CoveredAmountAnswer } from '@sluice/contracts';
import { ENTITY_ID, PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { result, ScriptedRisk } from '../test/scripted-risk.js';

const REDIRECT_URL = 'https://gateway.example/redirects/1';

let world: PaymentsWorld;
let risk: ScriptedRisk;
let payments: PaymentsProcess;
beforeEach(async () => {
  world = await PaymentsWorld.make();
  risk = new ScriptedRisk();
  risk.assessed = [ENTITY_ID];
  risk.assessment = { decision: 'challenge', score: 3, fired: [{ id: 'r', name: 'R' }] };
});
afterEach(async () => {
  await payments.die();
  await world.close();
});

const start = async () => {
  payments = await PaymentsProcess.start(world, { queries: risk });
};

describe('a rule that demands a challenge where there can be none', () => {
  it.each([
    ['the channel has no 3-D Secure', true, 'not configured for this channel'],
    ['the shopper is not there', false, 'an address for the shopper to come back to'],
  ])('refuses as risk does: %s', async (_, isUnset, why) => {
    if (isUnset) risk.authentication = undefined;
    risk.answer = {
      kind: 'refused',
      reason: 'it needs an address for the shopper to come back to',
    };
    await start();
    const outcome = await payments.outcome(payments.initiation('debit', 100));
    expect(outcome).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.380.401' },
      resultDescription: expect.stringContaining(why),
    });
    expect(outcome.resultDescription).toContain('a rule of risk demands it');
    expect(world.connector.submitted).toEqual([]);
  });

  it('says why nobody can be authenticated, and asks risk for nothing', async () => {
    await start();
    const reason = 'transactionCategory MOTO says that there is no browser';
    const notAuthenticated = { kind: 'impossible', reason } as const;
    const asked = payments.initiation('debit', 100, { notAuthenticated });
    expect(await payments.outcome(asked)).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.380.401' },
      resultDescription: expect.stringContaining(
        `nobody is authenticated by 3-D Secure (${reason}), and a rule of risk demands it`,
      ),
    });
    expect([risk.authentications, world.connector.submitted]).toEqual([[], []]);
  });

  it.each(['threeDSecure.channel', 'threeDSecure.threeRIInd'])(
    'is not got round by an authentication without the shopper: %s',
    async (demandedBy) => {
      await start();
      const authentication = { demandedBy, redirectUrl: REDIRECT_URL };
      const parameters = { [demandedBy]: demandedBy.endsWith('channel') ? '3' : 'SPLIT_SHIPMENT' };
      const asked = payments.initiation('debit', 100, { authentication, parameters });
      expect(await payments.outcome(asked)).toMatchObject({
        ...{ status: 'rejected', resultCode: '100.380.401' },
        resultDescription: expect.stringContaining(`${demandedBy} asks without the shopper`),
      });
      expect([risk.authentications, world.connector.submitted]).toEqual([[], []]);
    },
  );

  const elsewhere = (isProven: boolean) =>
    payments.outcome(
      payments.initiation('debit', 100, { notAuthenticated: { kind: 'elsewhere', isProven } }),
    );

  it('is satisfied where an external server has authenticated the shopper', async () => {
    await start();
    expect(await elsewhere(true)).toMatchObject({ status: 'approved', riskScore: 3 });
    expect(risk.authentications).toEqual([]);
  });

  it('is not satisfied by what proves less', async () => {
    await start();
    expect(await elsewhere(false)).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.380.401' },
      resultDescription: expect.stringContaining('an external server has not proven who it is'),
    });
    expect([risk.authentications, world.connector.submitted]).toEqual([[], []]);
  });

  const DIRECTORY_ID = 'c75f23af-9454-43f6-ba17-130ed529507e';
  const claimed = {
    notAuthenticated: { kind: 'elsewhere', isProven: true },
    parameters: {
      ...{ 'threeDSecure.eci': '05', 'threeDSecure.version': '2.2.0' },
      ...{ 'threeDSecure.authenticationStatus': 'Y', 'threeDSecure.dsTransactionId': DIRECTORY_ID },
    },
  } as const;
  const found = { status: 'Y', eci: '05', version: '2.2.0' } as const;
  const amount = { minor: '100', currency: 'EUR' };

  it('is satisfied by what was authenticated here, if it is what the payment says', async () => {
    risk.covered = { amount, found };
    await start();
    const outcome = await payments.outcome(payments.initiation('debit', 100, claimed));
    expect(outcome).toMatchObject({ status: 'approved', riskScore: 3 });
    expect(outcome).not.toHaveProperty('authentication');
  });

  it.each<[string, CoveredAmountAnswer]>([
    ['covers 0.50 EUR, and not what is paid', { amount: { ...amount, minor: '50' }, found }],
    ['covers 0.00 EUR, and not what is paid', { amount: { ...amount, minor: '0' }, found }],
    ['covers 1.00 USD, and not what is paid', { amount: { ...amount, currency: 'USD' }, found }],
    ['threeDSecure.eci is not what', { amount, found: { ...found, eci: '06' } }],
    ['threeDSecure.authenticationStatus is', { amount, found: { ...found, status: 'A' } }],
    ['threeDSecure.version is not what', { amount, found: { ...found, version: '2.1.0' } }],
    ['has proven nobody', { found: { status: 'N' } }],
    ['has proven nobody', { found: {} }],
  ])('is not satisfied by what was authenticated here where it %s', async (why, covered) => {
    risk.covered = covered;
    await start();
    expect(await payments.outcome(payments.initiation('debit', 100, claimed))).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.380.401' },
      resultDescription: expect.stringContaining(why),
    });
    expect([risk.authentications, world.connector.submitted]).toEqual([[], []]);
  });

  it('waits for whoever knows what was authenticated here', async () => {
    risk.silentOn = ['risk.coveredAmount'];
    await start();
    const asked = payments.initiation('debit', 100, claimed);
    expect(await payments.reply(asked)).toEqual({ kind: 'unavailable' });
    expect(world.connector.submitted).toEqual([]);
  });

  it.each([{}, { demandedBy: 'this test card' }])(
    'is not satisfied by one of this payment that would cover less: %j',
    async (demanded) => {
      const reason =
        'nobody is authenticated by 3-D Secure for the payment (it would cover 0.01 EUR)';
      risk.answer = { kind: 'refused', reason, isShort: true };
      await start();
      const authentication = { ...demanded, redirectUrl: REDIRECT_URL };
      expect(
        await payments.outcome(payments.initiation('debit', 100, { authentication })),
      ).toMatchObject({
        ...{ status: 'rejected', resultCode: '100.380.401' },
        resultDescription: expect.stringContaining(`${reason}, and a rule of risk demands it`),
      });
      expect(risk.authentications).toMatchObject([{ isOfRule: true }]);
      expect(world.connector.submitted).toEqual([]);
    },
  );

  it('goes on with nobody who was not authenticated, whatever the channel goes on with', async () => {
    await start();
    const authentication = { redirectUrl: REDIRECT_URL };
    await payments.outcome(payments.initiation('debit', 100, { authentication }));
    expect(risk.authentications).toMatchObject([
      { challengeIsMandated: true, settings: { goesOnWith: ['Y'] } },
    ]);
  });

  it('goes on with nobody else after a soft decline of the issuer, either', async () => {
    Object.assign(world.connector, { behaviour: 'decline', declineCode: '300.100.100' });
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    await start();
    const authentication = { redirectUrl: REDIRECT_URL };
    await payments.outcome(payments.initiation('debit', 100, { authentication }));
    expect(risk.authentications).toMatchObject([
      { challengeIsMandated: true, settings: { goesOnWith: ['Y'] } },
      { challengeIsMandated: true, settings: { goesOnWith: ['Y'] } },
    ]);
  });

  it('refuses what the request demands itself as a matter of configuration', async () => {
    risk.authentication = undefined;
    await start();
    const authentication = { demandedBy: 'this test card', redirectUrl: REDIRECT_URL };
    const asked = payments.initiation('debit', 100, { authentication });
    expect(await payments.outcome(asked)).toMatchObject({ resultCode: '600.200.500' });
  });

  it('refuses what the request says wrongly as a matter of the request, for good', async () => {
    risk.assessed = [];
    const reason = 'an authentication by 3-D Secure needs customer.browser.language';
    risk.answer = { kind: 'refused', reason, parameters: ['customer.browser.language'] };
    await start();
    const authentication = { demandedBy: 'this test card', redirectUrl: REDIRECT_URL };
    const asked = payments.initiation('debit', 100, { authentication });
    expect(await payments.outcome(asked)).toMatchObject({
      ...{ status: 'rejected', resultCode: '200.300.404' },
      resultDescription: `invalid or missing parameter - ${reason}, and this test card demands it`,
    });
    expect(world.connector.submitted).toEqual([]);
  });

  it('asks no issuer about a check alone, which says that the shopper is to be authenticated', async () => {
    await start();
    const { id, ...outcome } = await payments.outcome(payments.initiation('riskAssessment', 100));
    expect(outcome).toMatchObject({ status: 'rejected', resultCode: '300.100.100' });
    expect(await payments.view(id)).toMatchObject({ riskScore: 3 });
    expect(risk.authentications).toEqual([]);
  });
});
