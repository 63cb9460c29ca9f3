import { describe, expect, it } from '@jest/globals';
import {
  after,
  begin,
  ids,
  named,
  NOW_MS,
  response,
  result,
  send,
} from './authentication-fixture.js';
import { appElements, deviceInfoIn, versionOfApp } from './app-elements.js';
import { answerOf } from './authentication.js';

const MINUTE_MS = 60_000;
const SDK_ID = '55555555-5555-4555-8555-555555555555';
const said = {
  ...{ sdkTransID: SDK_ID, sdkAppID: SDK_ID, sdkReferenceNumber: 'SDK', sdkEncData: 'device' },
  sdkEphemPubKey: {
    ...{ kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' },
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
};
const parametersOf = (changes: object = {}) => ({
  'threeDSecure.deviceInfo': JSON.stringify({ ...said, ...changes }),
});
const inApp = (appChallengeMs = 5 * MINUTE_MS) =>
  begin({ channel: '01', sdkTransactionId: SDK_ID, appChallengeMs });
const content = {
  ...{ acsSignedContent: 'a.b.c', acsReferenceNumber: 'ACS' },
  acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' },
};
const challenged = response({ status: 'C', ...content });

describe('an authentication in an app', () => {
  it('tells the app what it goes on with, and sends no browser anywhere', () => {
    expect(answerOf(after(inApp(), send).state)).not.toHaveProperty('appChallenge');
    const { state } = after(inApp(), send, challenged);
    expect(answerOf(state)).toMatchObject({
      kind: 'waiting',
      appChallenge: { ...ids, ...content, version: '2.2.0', sdkTransactionId: SDK_ID },
    });
  });

  it.each([
    [5, 10],
    [20, 20],
  ])('lasts as long as the app says, %i minutes, but not less than any: %i', (app, lasts) => {
    const { state } = after(inApp(app * MINUTE_MS), send, challenged);
    expect(state?.dueAtMs).toBe(NOW_MS + lasts * MINUTE_MS);
  });

  it('ends by the result of the issuer, or when its time is over', () => {
    const told = named(inApp(), send, challenged, result());
    expect(told).toEqual(['ResultReceived', 'AuthenticationEnded']);
    const late = { type: 'EndAuthentication', nowMs: NOW_MS + 10 * MINUTE_MS } as const;
    const { last, state } = after(inApp(), send, challenged, late);
    expect(last).toMatchObject([{ type: 'AuthenticationEnded', data: { goesOn: false } }]);
    expect(answerOf(state)).not.toHaveProperty('appChallenge');
  });

  it('is none where it is elsewhere', () => {
    expect(answerOf(after(begin(), send, challenged).state)).not.toHaveProperty('appChallenge');
  });
});

describe('what an app says to the issuer', () => {
  const elements = (changes: object = {}) => {
    const query = { parameters: parametersOf(changes) };
    return Object.fromEntries(
      Object.entries(appElements).map(([name, { value }]) => [name, value({ query })] as const),
    );
  };

  it('is what its SDK has made, which is whole in the app unless it says something else', () => {
    expect(elements()).toMatchObject({ ...said, sdkMaxTimeout: '05', sdkType: '01' });
    expect(elements()).toMatchObject({ defaultSdkType: { sdkVariant: '01' } });
    const split = { sdkType: '02', splitSdkType: { sdkVariant: '01' } };
    expect(elements(split)).toMatchObject(split);
    expect(elements(split)['defaultSdkType']).toBeUndefined();
  });

  it('is in the version that it speaks', () => {
    const info = deviceInfoIn(parametersOf({ messageVersion: '2.1.0' }));
    const unsaid = deviceInfoIn(parametersOf());
    if (info === undefined || unsaid === undefined) throw new Error('It cannot be read.');
    expect(versionOfApp(info, ['2.1.0', '2.2.0'])).toEqual(['2.1.0']);
    expect(versionOfApp(info, ['2.2.0'])).toEqual([]);
    expect(versionOfApp(unsaid, ['2.1.0', '2.2.0'])).toEqual(['2.1.0', '2.2.0']);
  });

  it('is nothing where it cannot be read', () => {
    expect(deviceInfoIn({})).toBeUndefined();
    expect(deviceInfoIn({ 'threeDSecure.deviceInfo': 'x' })).toBeUndefined();
  });
});
