import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppChallenge } from '@sluice/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { redirect, result, ScriptedRisk } from '../test/scripted-risk.js';

const REDIRECT_URL = 'https://gateway.example/redirects/1';
const deviceInfo = 'threeDSecure.deviceInfo';
const demanded = { authentication: { demandedBy: deviceInfo, redirectUrl: REDIRECT_URL } };
const appChallenge: AppChallenge = {
  ...({ version: '2.2.0', serverTransactionId: 's', dsTransactionId: 'd' } as const),
  ...{ acsTransactionId: 'a', sdkTransactionId: 'k', acsReferenceNumber: 'ACS' },
  acsSignedContent: 'a.b.c',
  acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' },
};
const LATER_MS = 60_000;

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

const challenged = () =>
  ({ kind: 'waiting', expiresAtMs: Date.now() + LATER_MS, appChallenge }) as const;

describe('a payment in an app', () => {
  it('tells the app what it goes on with', async () => {
    risk.answer = challenged();
    const { id, ...outcome } = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(outcome).toMatchObject({ status: 'pending', appChallenge });
    expect(await payments.view(id)).toMatchObject({ appChallenge });
    risk.answer = { kind: 'completed', result: result() };
    expect(await payments.until(id, 'approved')).not.toHaveProperty('appChallenge');
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('tells it later, once, where the issuer has taken its time', async () => {
    risk.answer = { kind: 'waiting', expiresAtMs: Date.now() + LATER_MS };
    const { id, ...outcome } = await payments.outcome(payments.initiation('debit', 100, demanded));
    expect(outcome).not.toHaveProperty('appChallenge');
    risk.answer = challenged();
    for (;;) {
      const view = await payments.view(id);
      if (view !== undefined && 'appChallenge' in view) break;
      await pause(20);
    }
    risk.answer = { kind: 'completed', result: result() };
    await payments.until(id, 'approved');
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'AuthenticationPending', 'AuthenticationPending'],
      ...['AuthenticationCompleted', 'AuthorizationRequested', 'TransactionApproved'],
    ]);
  });

  it('is not tried again after a soft decline: its SDK has spoken of one request', async () => {
    Object.assign(world.connector, { behaviour: 'decline', declineCode: '300.100.100' });
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    const personal = { [deviceInfo]: '{}' };
    const initiation = payments.initiation('debit', 100, { ...demanded, personal });
    risk.authentications.length = 0;
    const reply = payments.outcome(initiation);
    expect(await reply).toMatchObject({ status: 'declined', resultCode: '300.100.100' });
    expect(risk.authentications).toHaveLength(1);
    // With a browser, it is.
    risk.answer = { kind: 'completed', result: result({ flow: 'frictionless' }) };
    const browsing = payments.initiation('debit', 100, demanded);
    const ask = risk.ask.bind(risk);
    risk.ask = async <Answer>(service: string, query: string, parameters: object) => {
      const answer = await ask<Answer>(service, query, parameters);
      const isFirst = query === 'risk.authenticate' && risk.authentications.length === 2;
      if (isFirst) risk.answer = { kind: 'redirect', redirect, expiresAtMs: Date.now() + LATER_MS };
      return answer;
    };
    expect(await payments.outcome(browsing)).toMatchObject({ status: 'pending' });
  });
});
