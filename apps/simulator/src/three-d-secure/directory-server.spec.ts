import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { areq, type Networks, startNetworks, wish } from './networks-fixture.js';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let networks: Networks;
beforeAll(async () => {
  networks = await startNetworks();
});
afterAll(() => networks.close());

/** The public table of test cards (result codes, section 7), as it stands there. */
const table: Readonly<Record<string, string>> = {
  'visa 05 06 07': `4200000000000091 4200000000000109 4200000000000026 4200000000000059
    4012001037461114 4012001037141112 4532497088771651 4200000000000042 4200000000000067
    4200000000000018 4200000000000075`,
  'mastercard 02 01 00': `5200000000000007 5200000000000023 5200000000000056 5200000000000106
    5434580000000006 5457350076543210 5497260847316287 5200000000000015 5200000000000049
    5200000000000064 5200000000000072`,
  'amex 05 06 07': `374500262001008 377277081382243 375987000000062 373953192351004 375987000169875
    375987000169883 343923092050144 343434343434343 375987000000021 375987000169867
    371449635398431`,
  'mastercard 02 01 00 ': `6761301000993772 6706981111111113 6799851000000032 6007930123456780
    6761301000941201 6761301000946341 6761257707836567 6799998900000060018 6773670009114879
    67034200554565015 6759888888888888`,
  'diners 05 06 07': `36177580677072 6011000400001008 6011010000000003 6011000990099818
    6510000000001248 6011025500265831 6011420711746440 36259600000004 6011208701117775
    6559906559906557 36458811111119`,
  'jcb 05 06 07': `3530111333300000 3566002020360505 3569990012278361 3569990012278353
    3566007770017510 3569990012291497 3096023363379943 3566002345432153 3569990010095916
    3569990012300876 3569990012300884`,
  'unionpay 02 01 00': `6250947000000014 6250947000000022 6250947000000089 6250944220914108
    6250947000000048 6250947000000030 6250947000000052 6250947000000097 6250944196725207
    6250949644050173 6250945882768112`,
  'cartebancaire 05 06 07': `4200000000000091 4200000000000109 4200000000000026 4200000000000059
    4012001037461114 4012001037141112 4532497088771651 4200000000000042 4200000000000067
    4200000000000018 4200000000000075`,
};
const STATUSES = 'Y A Y A U N U C C C C'.split(' ');
/** Which columns have a page of the 3DS method, and which nobody asks about. */
const WITH_METHOD = [0, 1, 7, 8];
const NOT_PARTICIPATING = 6;

const rows = Object.entries(table).flatMap(([key, numbers]) => {
  const [network = '', ...ecis] = key.trim().split(' ');
  return numbers.split(/\s+/u).map((number, column) => {
    return { network, number, column, status: STATUSES[column] ?? '', ecis };
  });
});

describe('AReq', () => {
  it.each(rows)('of $number in $network: $status', async ({ network, number, status, ecis }) => {
    const asked = areq(networks, { acctNumber: number });
    const answer = await networks.ask(network, asked);
    const [full, attempted, none] = ecis;
    const eci = { Y: full, A: attempted, U: none, N: none }[status];
    expect(answer).toMatchObject({
      messageType: 'ARes',
      messageVersion: '2.2.0',
      threeDSServerTransID: asked['threeDSServerTransID'],
      acsTransID: expect.stringMatching(ID),
      dsTransID: expect.stringMatching(ID),
      transStatus: status,
    });
    expect(answer['eci']).toBe(eci);
    const hasProof = status === 'Y' || status === 'A';
    expect(answer['authenticationValue']).toEqual(
      hasProof ? expect.stringMatching(/^[0-9A-Za-z+/]{27}=$/) : undefined,
    );
    const challenge = {
      acsURL: `${networks.pagesUrl}/${network}/challenge`,
      acsChallengeMandated: 'Y',
      authenticationType: '02',
    };
    if (status === 'C') expect(answer).toMatchObject(challenge);
    else expect(answer).not.toHaveProperty('acsURL');
  });

  it.each([
    ['a number that takes no part', { acctNumber: '4532497088771651' }, 'U', '08'],
    ['any other number', { acctNumber: '4200000000000000' }, 'U', '08'],
    ['a card of another network', { acctNumber: '5200000000000007' }, 'U', '08'],
    ['a card whose issuer fails', { acctNumber: '4012001037461114' }, 'U', '22'],
    [
      'the same in 2.1.0, which has fewer reasons',
      { acctNumber: '4012001037461114', messageVersion: '2.1.0' },
      ...(['U', '07'] as const),
    ],
    ['a card that is not enrolled', { acctNumber: '4012001037141112' }, 'N', '13'],
    ['our card that is rejected', { acctNumber: '4200000000000133' }, 'R', '11'],
    ['our card that is told only', { acctNumber: '4200000000000141' }, 'I', undefined],
    ['our card that is asked apart', { acctNumber: '4200000000000125' }, 'C', undefined],
    ['a demanded challenge', { threeDSRequestorChallengeInd: '04' }, 'C', undefined],
    ['data that is only shared', { threeDSRequestorChallengeInd: '06' }, 'I', undefined],
    [
      'data that is only shared with an issuer that would ask',
      { acctNumber: '4200000000000018', threeDSRequestorChallengeInd: '06' },
      ...(['I', undefined] as const),
    ],
    [
      'data that is only shared with an issuer that refuses',
      { acctNumber: '4200000000000133', threeDSRequestorChallengeInd: '06' },
      ...(['R', '11'] as const),
    ],
    [
      'two wishes of 2.3.1, one of which demands a challenge',
      { messageVersion: '2.3.1', threeDSRequestorChallengeInd: ['02', '04'] },
      ...(['C', undefined] as const),
    ],
    [
      'our card that is told only, in 2.1.0, which cannot',
      { messageVersion: '2.1.0', acctNumber: '4200000000000141' },
      ...(['N', '13'] as const),
    ],
    ['a demanded challenge that cannot be', { deviceChannel: '03' }, 'Y', undefined],
    [
      'a challenge where nobody is there',
      { acctNumber: '4200000000000018', deviceChannel: '03' },
      ...(['Y', undefined] as const),
    ],
    [
      'a card that wants to be asked apart where nobody may',
      { acctNumber: '4200000000000125', deviceChannel: '03' },
      ...(['N', '23'] as const),
    ],
    ['no payment', { messageCategory: '02', purchaseAmount: undefined }, 'Y', undefined],
    ['a wished status', wish({ status: 'R' }), 'R', '11'],
    ['a wished flow', wish({ flow: 'challenge' }), 'C', undefined],
    [
      'a wished flow of a card that has a challenge',
      { acctNumber: '4200000000000018', ...wish({ flow: 'frictionless' }) },
      ...(['Y', undefined] as const),
    ],
    [
      'any number that is said to be enrolled',
      { acctNumber: '4200000000000000', ...wish({ enrolled: 'true' }) },
      ...(['Y', undefined] as const),
    ],
    [
      'any number with a flow, as custom parameters have it',
      { acctNumber: '4200000000000000', ...wish({ enrolled: true, flow: 'challenge' }) },
      ...(['C', undefined] as const),
    ],
    [
      'a number that is not said to be enrolled',
      { acctNumber: '4200000000000000', ...wish({ enrolled: false, flow: 'challenge' }) },
      ...(['U', '08'] as const),
    ],
  ])('%s', async (_name, fields, status, reason) => {
    const answer = await networks.ask('visa', areq(networks, fields));
    expect(answer['transStatus']).toBe(status);
    expect(answer['transStatusReason']).toBe(reason);
  });

  it('of an app has signed content in place of an address', async () => {
    const app = areq(networks, { deviceChannel: '01', acctNumber: '4200000000000018' });
    const answer = await networks.ask('visa', app);
    expect(answer).toMatchObject({ transStatus: 'C', sdkTransID: app['sdkTransID'] });
    expect(answer).not.toHaveProperty('acsURL');
    const [, payload = ''] = String(answer['acsSignedContent']).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      acsURL: `${networks.pagesUrl}/visa/app`,
      sdkEphemPubKey: app['sdkEphemPubKey'],
    });
  });

  it.each([
    ['no version', { messageVersion: undefined }, '201', 'messageVersion'],
    ['a version of tomorrow', { messageVersion: '3.0.0' }, '102', '2.1.0,2.2.0,2.3.1'],
    ['nothing of its type', { messageType: 'CReq' }, '101', 'messageType'],
    [
      'no card and no date',
      { acctNumber: undefined, purchaseDate: undefined },
      '201',
      'acctNumber,purchaseDate',
    ],
    ['no browser', { browserUserAgent: undefined }, '201', 'browserUserAgent'],
    [
      'no word of scripts',
      { browserJavascriptEnabled: undefined },
      '201',
      'browserJavascriptEnabled',
    ],
    ['no channel', { deviceChannel: undefined }, '201', 'deviceChannel'],
    ['a channel that is none', { deviceChannel: '09' }, '203', 'deviceChannel'],
    [
      'nobody there and no reason',
      { deviceChannel: '03', threeRIInd: undefined },
      ...(['201', 'threeRIInd'] as const),
    ],
    ['an amount that is none', { purchaseAmount: '92.00' }, '203', 'purchaseAmount'],
    ['a currency that is none', { purchaseCurrency: '000' }, '304', 'purchaseCurrency'],
    ['an id that is none', { threeDSServerTransID: 'x' }, '203', 'threeDSServerTransID'],
    [
      'a wish of 2.2.0 in 2.1.0',
      { messageVersion: '2.1.0', threeDSRequestorChallengeInd: '05' },
      '203',
      'threeDSRequestorChallengeInd',
    ],
    [
      'an address of another machine',
      { threeDSServerURL: 'http://192.0.2.1/' },
      '203',
      'threeDSServerURL',
    ],
    [
      'an address that is none',
      { notificationURL: 'javascript:alert(1)' },
      '203',
      'notificationURL',
    ],
    ['a long name', { merchantName: 'x'.repeat(41) }, '203', 'merchantName'],
    ['extensions that are none', { messageExtension: 'x' }, '203', 'messageExtension'],
    [
      'a critical extension',
      { messageExtension: [{ id: 'other', criticalityIndicator: true }] },
      '202',
      'other',
    ],
    ['a wish that is none', wish({ status: 'Q' }), '203', 'messageExtension.data.status'],
    ['an unknown wish', wish({ toString: 'Y' }), '203', 'messageExtension.data.toString'],
    [
      'a wish for a late answer that is none',
      wish({ delayMs: -1 }),
      '203',
      'messageExtension.data.delayMs',
    ],
  ])('with %s is answered with Erro', async (_name, fields, errorCode, errorDetail) => {
    const asked = areq(networks, fields);
    const answer = await networks.ask('visa', asked);
    expect(answer).toMatchObject({
      messageType: 'Erro',
      errorCode,
      errorDetail,
      errorComponent: 'D',
    });
    expect(JSON.stringify(answer)).not.toContain('4200000000000026');
  });

  it('without scripts in the browser needs nothing that scripts say', async () => {
    const fields = {
      ...{ browserJavascriptEnabled: false, browserTZ: undefined, browserJavaEnabled: undefined },
      ...{ browserColorDepth: undefined, browserScreenHeight: undefined },
      browserScreenWidth: undefined,
    };
    expect(await networks.ask('visa', areq(networks, fields))).toMatchObject({ transStatus: 'Y' });
  });

  it.each([['{'], ['[]'], ['null'], [''], ['"AReq"']])('that is %j is Erro 101', async (body) => {
    const response = await networks.post('visa', body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ messageType: 'Erro', errorCode: '101' });
  });

  it('has to go to a network that there is', async () => {
    expect((await networks.post('toString', '{}')).status).toBe(404);
  });
});

describe('PReq', () => {
  const asked = {
    messageType: 'PReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001',
    threeDSServerRefNumber: 'SERVER-1',
  };
  interface Range {
    readonly startRange: string;
    readonly endRange: string;
    readonly actionInd: string;
    readonly threeDSMethodURL?: string;
    readonly acsEndProtocolVersion?: string;
  }

  it.each(rows)(
    '$network has a range for $number, of an old version if it takes no part',
    async (row) => {
      const { network, number, column } = row;
      const { cardRangeData } = await networks.ask(network, asked);
      const range = (cardRangeData as Range[]).find(({ startRange }) => startRange === number);
      expect(range).toMatchObject({ endRange: number, actionInd: 'A' });
      expect(range?.acsEndProtocolVersion).toBe(column === NOT_PARTICIPATING ? '1.0.2' : '2.3.1');
      expect(range?.threeDSMethodURL).toBe(
        WITH_METHOD.includes(column) ? `${networks.pagesUrl}/${network}/method` : undefined,
      );
    },
  );

  it('says which versions there are, as its own version has it', async () => {
    expect(await networks.ask('visa', asked)).toMatchObject({
      messageType: 'PRes',
      threeDSServerTransID: asked.threeDSServerTransID,
      ...{ dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.3.1' },
    });
    const answer = await networks.ask('visa', { ...asked, messageVersion: '2.3.1' });
    expect(answer).toMatchObject({
      ...{ dsProtocolVersions: ['2.1.0', '2.2.0', '2.3.1'], readOrder: '01' },
    });
    expect((answer['cardRangeData'] as unknown[])[0]).toEqual({
      ranges: [{ start: '4200000000000091', end: '4200000000000091' }],
      actionInd: 'A',
      dsProtocolVersions: ['2.1.0', '2.2.0', '2.3.1'],
      acsProtocolVersions: ['2.1.0', '2.2.0', '2.3.1'].map((version) => ({
        version,
        acsInfoInd: ['01', '02', '03'],
        threeDSMethodURL: `${networks.pagesUrl}/visa/method`,
      })),
    });
  });

  it('with the serial number of today gets no ranges', async () => {
    const { serialNum } = await networks.ask('visa', asked);
    const again = await networks.ask('visa', { ...asked, serialNum });
    expect(again).not.toHaveProperty('cardRangeData');
    expect(again['serialNum']).toBe(serialNum);
  });

  it('with an earlier serial number gets what is new, changed and gone', async () => {
    const { cardRangeData } = await networks.ask('visa', { ...asked, serialNum: '1' });
    const actions = (cardRangeData as Range[]).map(({ actionInd }) => actionInd);
    expect([...new Set(actions)]).toEqual(['A', 'M', 'D']);
  });

  it('with the serial number of other addresses gets all of them changed', async () => {
    const answer = await networks.ask('visa', { ...asked, serialNum: '400000000' });
    expect((answer['cardRangeData'] as Range[]).every(({ actionInd }) => actionInd === 'M')).toBe(
      true,
    );
  });

  it.each([
    ['a serial number that is none', { serialNum: 'x' }, '307', 'serialNum'],
    ['no version', { messageVersion: undefined }, '201', 'messageVersion'],
    ['another version', { messageVersion: '1.0.2' }, '102', '2.1.0,2.2.0,2.3.1'],
    [
      'no names',
      { threeDSServerTransID: undefined, threeDSServerRefNumber: undefined },
      '201',
      'threeDSServerTransID,threeDSServerRefNumber',
    ],
    ['an id that is none', { threeDSServerTransID: 7 }, '203', 'threeDSServerTransID'],
  ])('with %s is answered with Erro', async (_name, fields, errorCode, errorDetail) => {
    expect(await networks.ask('visa', { ...asked, ...fields })).toMatchObject({
      ...{ messageType: 'Erro', errorCode, errorDetail, errorMessageType: 'PReq' },
    });
  });
});

describe('Erro', () => {
  it('is noted, and answered with nothing', async () => {
    const asked = areq(networks, { acctNumber: '4200000000000018' });
    const answer = await networks.ask('visa', asked);
    const { threeDSServerTransID } = asked;
    const told = {
      messageType: 'Erro',
      threeDSServerTransID,
      errorCode: '203',
      errorDetail: 'eci',
    };
    const response = await networks.post('visa', JSON.stringify(told));
    expect([response.status, await response.text()]).toEqual([200, '']);
    const line = networks.book().find(({ acsTransID }) => acsTransID === answer['acsTransID']);
    expect(line?.['notes']).toContain('Erro has come for ARes: 203, eci');
  });

  it('of no transaction is taken as well', async () => {
    const response = await networks.post('visa', JSON.stringify({ messageType: 'Erro' }));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
