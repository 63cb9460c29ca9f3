import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { InitiatePaymentData } from '@sluice/contracts';
import { ENTITY_ID, PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { ScriptedRisk } from '../test/scripted-risk.js';

let world: PaymentsWorld;
let risk: ScriptedRisk;
let payments: PaymentsProcess;
beforeEach(async () => {
  world = await PaymentsWorld.make();
  risk = new ScriptedRisk();
  payments = await PaymentsProcess.start(world, { queries: risk });
});
afterEach(async () => {
  await payments.die();
  await world.close();
});

const DIRECTORY_ID = 'c75f23af-9454-43f6-ba17-130ed529507e';
/** What a merchant knows of an authentication that was made here, or elsewhere. */
const proven: Pick<InitiatePaymentData, 'notAuthenticated' | 'parameters'> = {
  notAuthenticated: { kind: 'elsewhere', isProven: true },
  parameters: {
    ...{ 'threeDSecure.eci': '05', 'threeDSecure.version': '2.2.0' },
    ...{ 'threeDSecure.authenticationStatus': 'Y', 'threeDSecure.dsTransactionId': DIRECTORY_ID },
  },
};
const pay = (changes: Parameters<PaymentsProcess['initiation']>[2] = {}) =>
  payments.outcome(payments.initiation('debit', 9_200, { ...proven, ...changes }));

describe('a payment with the values of an authentication that was made here', () => {
  it.each([
    { minor: '5000', currency: 'EUR' },
    { minor: '9200', currency: 'USD' },
    { minor: '0', currency: 'EUR' },
  ])('goes on where it covers less, and no liability shifts: %j', async (amount) => {
    risk.covered = { amount };
    const outcome = await pay();
    expect(outcome).toMatchObject({
      status: 'approved',
      authentication: {
        ...{ liabilityShifts: false, authenticated: amount, status: 'Y', eci: '05' },
        ...{ flow: 'none', version: '2.2.0', dsTransactionId: DIRECTORY_ID },
      },
    });
    expect((await payments.view(outcome.id))?.authentication).toEqual(outcome.authentication);
    expect(risk.namedAuthentications).toEqual([
      { entityId: ENTITY_ID, dsTransactionId: DIRECTORY_ID },
    ]);
    expect(risk.authentications).toEqual([]);
    expect(world.connector.submitted).toHaveLength(1);
  });

  it.each([{ amount: { minor: '9200', currency: 'EUR' } }, {}])(
    'says nothing of it where it covers all, or was made elsewhere: %j',
    async (covered) => {
      risk.covered = covered;
      const outcome = await pay();
      expect(outcome).toMatchObject({ status: 'approved' });
      expect(outcome).not.toHaveProperty('authentication');
    },
  );

  it('does not wait for anybody who could say so', async () => {
    risk.silentOn = ['risk.coveredAmount'];
    const outcome = await pay();
    expect(outcome).toMatchObject({ status: 'approved' });
    expect(outcome).not.toHaveProperty('authentication');
  });

  it('asks nobody where it names none', async () => {
    await pay({ parameters: { 'threeDSecure.eci': '05' } });
    expect(risk.namedAuthentications).toEqual([]);
  });
});
