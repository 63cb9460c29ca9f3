import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppSdk, type AppSdkWish } from '@sluice/testing';
import { areq, type Fields, type Networks, startNetworks } from './networks-fixture.js';

let networks: Networks;
beforeAll(async () => {
  networks = await startNetworks({ unseenMs: 60_000 });
});
afterAll(() => networks.close());

const ONE_CODE = '4200000000000018';
const ONE_CHOICE = '4012000000003119';
const CHOICES = '4012000000003127';
const ELSEWHERE = '4012000000003085';

/** An app whose shopper is to be asked, with what its merchant was told of it. */
async function challenged(number: string, wish: AppSdkWish = {}) {
  const sdk = await AppSdk.create(wish);
  const { sdkInterface, sdkUiType, ...said } = JSON.parse(await sdk.deviceInfo()) as Fields;
  const request = areq(networks, {
    ...{ deviceChannel: '01', acctNumber: number, ...said },
    deviceRenderOptions: { sdkInterface, sdkUiType },
  });
  const ares = await networks.ask('visa', request);
  const { acsTransID, acsSignedContent, threeDSServerTransID, messageVersion } = ares;
  const told = {
    ...{ version: String(messageVersion), threeDSServerTransID: String(threeDSServerTransID) },
    ...{ acsTransactionId: String(acsTransID), acsSignedContent: String(acsSignedContent) },
  };
  return { sdk, ares, told, ask: (fields?: Fields) => sdk.ask(told, fields) };
}

const resultOf = (ares: Fields) =>
  networks.results.received.find(({ acsTransID }) => acsTransID === ares['acsTransID']);

describe('an app that is challenged', () => {
  it.each<[string, string, string, Fields]>([
    ['a code', ONE_CODE, '01', { challengeDataEntry: '123456' }],
    ['one choice', ONE_CHOICE, '02', { challengeDataEntry: '1' }],
    ['several choices', CHOICES, '03', { challengeDataEntry: '1,3' }],
    ['another app', ELSEWHERE, '04', { oobContinue: true }],
  ])('asks by %s, and the result is told before its end', async (_, number, type, entered) => {
    const { ares, ask } = await challenged(number);
    expect(ares).toMatchObject({ acsRenderingType: { acsInterface: '01', acsUiTemplate: type } });
    const first = await ask();
    expect(first).toMatchObject({ challengeCompletionInd: 'N', acsCounterAtoS: '000' });
    expect(first).toMatchObject({ acsUiType: type, messageType: 'CRes' });
    expect(resultOf(ares)).toBeUndefined();
    const last = await ask(entered);
    expect(last).toMatchObject({ challengeCompletionInd: 'Y', transStatus: 'Y' });
    expect(resultOf(ares)).toMatchObject({ messageType: 'RReq', transStatus: 'Y' });
  });

  it('is asked by a page where it has no screens of its own', async () => {
    const { ares, ask } = await challenged(ONE_CODE, { sdkInterface: '02' });
    expect(ares).toMatchObject({ acsRenderingType: { acsInterface: '02', acsUiTemplate: '05' } });
    const { acsHTML, acsUiType } = await ask();
    expect(acsUiType).toBe('05');
    const page = Buffer.from(String(acsHTML), 'base64url').toString();
    expect(page).toContain('<form method="get" action="HTTPS://EMV3DS/challenge">');
    const last = await ask({ challengeHTMLDataEntry: 'answer=123456&action=answer' });
    expect(last).toMatchObject({ transStatus: 'Y' });
  });

  it('may encrypt by A128GCM', async () => {
    const { ask } = await challenged(ONE_CODE, { encryption: 'A128GCM' });
    await ask();
    expect(await ask({ challengeDataEntry: '123456' })).toMatchObject({ transStatus: 'Y' });
  });

  it('cancels', async () => {
    const { ares, ask } = await challenged(ONE_CODE);
    await ask();
    expect(await ask({ challengeCancel: '01' })).toMatchObject({ transStatus: 'N' });
    expect(resultOf(ares)).toMatchObject({ transStatus: 'N', challengeCancel: '01' });
  });

  it('is wrong three times', async () => {
    const { ask } = await challenged(ONE_CODE);
    await ask();
    const wrong = { challengeDataEntry: '654321' };
    for (const _ of [1, 2]) {
      const again = { challengeCompletionInd: 'N', challengeInfoTextIndicator: 'Y' };
      expect(await ask(wrong)).toMatchObject(again);
    }
    expect(await ask(wrong)).toMatchObject({ challengeCompletionInd: 'Y', transStatus: 'N' });
  });

  it.each<[string, Fields, string]>([
    ['another transaction of the app', { sdkTransID: crypto.randomUUID() }, '301'],
    ['another of the server', { threeDSServerTransID: crypto.randomUUID() }, '301'],
    ['another version', { messageVersion: '2.1.0' }, '203'],
    ['a message twice', { sdkCounterStoA: '009' }, '302'],
    ['no CReq', { messageType: 'CRes' }, '101'],
  ])('is refused with %s', async (_, fields, code) => {
    const { ask } = await challenged(ONE_CODE);
    await expect(ask(fields)).rejects.toThrow(`"errorCode":"${code}"`);
  });

  it('is refused what another app has encrypted', async () => {
    const [one, other] = [await challenged(ONE_CODE), await challenged(ONE_CODE)];
    await one.ask();
    const { acsTransactionId, threeDSServerTransID } = one.told;
    const stolen = { ...other.told, acsTransactionId, threeDSServerTransID };
    await expect(other.sdk.ask(stolen)).rejects.toThrow('"errorCode":"302"');
  });

  it.each(['', 'x', '{}', 'a.b.c.d.e'])('is refused what is no JWE: %s', async (body) => {
    const headers = { 'content-type': 'application/jose' };
    const url = `${networks.pagesUrl}/visa/app`;
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(await response.text()).toContain('"messageType":"Erro"');
  });
});

describe('an app whose SDK', () => {
  let kept: Networks;
  beforeAll(async () => {
    kept = networks;
    networks = await startNetworks({ unseenMs: 1_000, pageMs: 30 });
  });
  afterAll(async () => {
    await networks.close();
    networks = kept;
  });

  it('has come and says nothing more is waited for as a browser is', async () => {
    const { ares, ask } = await challenged(ONE_CODE);
    await ask();
    while (resultOf(ares) === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(resultOf(ares)).toMatchObject({ transStatus: 'N', challengeCancel: '04' });
  });
});
