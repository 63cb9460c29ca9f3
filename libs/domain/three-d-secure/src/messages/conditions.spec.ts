import { describe, expect, it } from '@jest/globals';
import { buildMessage } from './build-message.js';
import { messageVersions } from './message-kinds.js';
import {
  answer,
  browserRequest,
  challenge,
  frictionlessAnswer,
  refusalOf,
  results,
  withChanges,
} from './messages-fixture.js';

describe('conditions', () => {
  it.each([
    [
      'Y without a cryptogram',
      frictionlessAnswer,
      { authenticationValue: undefined },
      '201 authenticationValue',
    ],
    ['N without a reason', frictionlessAnswer, { transStatus: 'N' }, '201 transStatusReason'],
    ['N with one', frictionlessAnswer, { transStatus: 'N', transStatusReason: '01' }, undefined],
    ['C without an address', challenge, { acsURL: undefined }, '201 acsURL'],
    [
      'C without more',
      challenge,
      { acsChallengeMandated: undefined, authenticationType: undefined },
      '201 acsChallengeMandated,authenticationType',
    ],
  ])('%s', (_, message, changes, refusal) => {
    expect(refusalOf(withChanges(message, changes), answer)).toBe(refusal);
  });

  it.each(['Y', 'A'])('%s has a cryptogram, in ARes as in RReq', (transStatus) => {
    const changes = { transStatus, authenticationValue: undefined };
    expect(refusalOf(withChanges(frictionlessAnswer, changes), answer)).toBe(
      '201 authenticationValue',
    );
    expect(refusalOf(withChanges(results, changes), { type: 'RReq' })).toBe(
      '201 authenticationValue',
    );
  });

  it('that depend on a channel are not asked where nobody knows it', () => {
    const nowhere = withChanges(challenge, { acsURL: undefined });
    expect(refusalOf(nowhere, { type: 'ARes' })).toBeUndefined();
    expect(refusalOf(nowhere, { type: 'ARes', channel: '02' })).toBe('201 acsURL');
    expect(refusalOf(nowhere, { type: 'ARes', channel: '01' })).toBe(
      '201 sdkTransID,acsSignedContent,acsRenderingType',
    );
  });

  it.each([
    ...['01', '02', '06', '07', '08', '09', '11', '15'].map((each) => [each, true] as const),
    ...['03', '04', '05', '10', '12', '19'].map((each) => [each, false] as const),
  ])('threeRIInd %s without a payment names an amount: %s', (threeRIInd, isNamed) => {
    const changes = {
      ...{ messageVersion: '2.3.1', deviceChannel: '03', messageCategory: '02', threeRIInd },
      ...{ acquirerCountryCode: '276', acquirerCountryCodeSource: '01' },
      ...{ purchaseAmount: undefined, purchaseInstalData: '3' },
      ...{ recurringInd: { amountInd: '02', frequencyInd: '02' } },
      threeDSRequestorPriorAuthenticationInfo: [{ threeDSReqPriorAuthMethod: '02' }],
    };
    const refusal = isNamed ? '201 purchaseAmount' : undefined;
    expect(refusalOf(withChanges(browserRequest, changes), { type: 'AReq' })).toBe(refusal);
  });

  it('are those of the category: what is no payment needs no status', () => {
    const bare = withChanges(frictionlessAnswer, {
      transStatus: undefined,
      authenticationValue: undefined,
    });
    expect(refusalOf(bare, { ...answer, category: '02' })).toBeUndefined();
    expect(refusalOf(bare, answer)).toBe('201 transStatus');
  });

  it.each([
    ['2.1.0', undefined, '201 browserJavaEnabled'],
    ['2.2.0', true, '201 browserJavaEnabled'],
    ['2.2.0', false, undefined],
    ['2.2.0', undefined, '201 browserJavascriptEnabled'],
  ])(
    'in %s, of a browser whose scripts are %s',
    (messageVersion, browserJavascriptEnabled, refusal) => {
      const changes = { messageVersion, browserJavascriptEnabled, browserJavaEnabled: undefined };
      expect(refusalOf(withChanges(browserRequest, changes), { type: 'AReq' })).toBe(refusal);
    },
  );

  it.each([
    [
      'a series',
      { threeDSRequestorAuthenticationInd: '02' },
      '201 recurringExpiry,recurringFrequency',
    ],
    [
      'instalments',
      {
        threeDSRequestorAuthenticationInd: '03',
        recurringExpiry: '20301231',
        recurringFrequency: '28',
      },
      '201 purchaseInstalData',
    ],
    ['a state without its country', { billAddrState: 'CA' }, '201 billAddrCountry'],
    [
      'a wish to ask without the browser',
      { threeDSRequestorDecReqInd: 'Y' },
      '201 threeDSRequestorDecMaxTime',
    ],
    [
      'a wish to ask without the browser for so long',
      { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00012' },
      undefined,
    ],
    [
      'a time of other than five digits',
      { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '12' },
      '203 threeDSRequestorDecMaxTime',
    ],
    ['a browser that is nowhere', { browserIP: 'somewhere' }, '203 browserIP'],
    ['no such wish', { threeDSRequestorDecReqInd: 'N' }, undefined],
  ])('AReq with %s', (_, changes, refusal) => {
    expect(refusalOf(withChanges(browserRequest, changes), { type: 'AReq' })).toBe(refusal);
  });
});

it('2.3.1 demands how long a merchant waits who wants to be asked without the browser', () => {
  const newest = {
    ...{ messageVersion: '2.3.1', acceptLanguage: ['de'], acquirerCountryCode: '276' },
    ...{ acquirerCountryCodeSource: '01', threeDSRequestorDecReqInd: 'Y' },
  };
  const asked = (changes: object) =>
    refusalOf(withChanges(browserRequest, { ...newest, ...changes }), { type: 'AReq' });
  expect(asked({})).toBe('201 threeDSRequestorDecMaxTime');
  expect(asked({ threeDSRequestorDecMaxTime: '00020' })).toBeUndefined();
});

describe('rules between elements', () => {
  const decoupled = { transStatus: 'D', acsDecConInd: 'Y', cardholderInfo: 'See your app' };
  const allowing = { ...browserRequest, threeDSRequestorDecReqInd: 'Y' };
  const spc = {
    messageVersion: '2.3.1',
    transStatus: 'S',
    webAuthnCredList: [{ rpID: 'issuer.example', credentialIds: 'A'.repeat(16) }],
    spcTransData: {
      ...{ challenge: 'A'.repeat(43), currency: 'EUR', value: '12.30', displayName: 'Card' },
      ...{ icon: 'https://issuer.example/card.png', timeout: '60000' },
    },
  };

  it.each([
    ['asks without the browser where AReq allows it', decoupled, { request: allowing }, undefined],
    ['asks without the browser where AReq does not', decoupled, {}, '203 transStatus,acsDecConInd'],
    [
      'would, and says that it will not',
      { ...decoupled, acsDecConInd: 'N' },
      { request: allowing },
      '203 acsDecConInd',
    ],
    [
      'challenges where data is shared alone',
      {},
      { request: { ...browserRequest, threeDSRequestorChallengeInd: '06' } },
      '203 transStatus',
    ],
    [
      'challenges where another wish is said',
      {},
      { request: { ...browserRequest, threeDSRequestorChallengeInd: '02' } },
      undefined,
    ],
    ['challenges a shopper who is not there', {}, { channel: '03' as const }, '203 transStatus'],
    [
      'asks by a method that AReq does not offer',
      spc,
      { version: '2.3.1' as const },
      '203 transStatus',
    ],
    [
      'asks by it where AReq offers it',
      spc,
      {
        version: '2.3.1' as const,
        request: { ...browserRequest, threeDSRequestorSpcSupport: 'Y' },
      },
      undefined,
    ],
  ])('ARes %s', (_, changes, expected, refusal) => {
    expect(refusalOf(withChanges(challenge, changes), { ...answer, ...expected })).toBe(refusal);
  });

  it('2.3.1 demands of D what before it was demanded of C alone', () => {
    const changes = { ...decoupled, acsURL: undefined, acsChallengeMandated: undefined };
    const asked = { ...answer, request: allowing };
    expect(refusalOf(withChanges(challenge, changes), asked)).toBeUndefined();
    const newest = { messageVersion: '2.3.1', cardholderInfo: { text: 'See your app' } };
    const all = { ...changes, ...newest, authenticationMethod: ['12'] };
    expect(refusalOf(withChanges(challenge, all), { ...asked, version: '2.3.1' })).toBe(
      '201 acsChallengeMandated',
    );
  });

  it('RReq says D only where AReq allowed to fall back to it', () => {
    const fallback = withChanges(results, {
      messageVersion: '2.3.1',
      transStatus: 'D',
      authenticationType: undefined,
    });
    const expected = { type: 'RReq', version: '2.3.1' } as const;
    const asking = (wish: string) => ({ ...browserRequest, threeDSRequestorDecReqInd: wish });
    expect(refusalOf(fallback, { ...expected, request: asking('B') })).toBeUndefined();
    expect(refusalOf(fallback, { ...expected, request: asking('Y') })).toBe('203 transStatus');
  });

  it.each([
    ['a merchant who is trusted', { whiteListStatus: 'Y', whiteListStatusSource: '01' }, undefined],
    [
      'what the issuer alone knows of trust',
      { whiteListStatus: 'P', whiteListStatusSource: '01' },
      '203 whiteListStatus',
    ],
    ['the kind of a purchase', { transType: '01' }, undefined],
  ])('AReq says %s', (_, changes, refusal) => {
    expect(refusalOf(withChanges(browserRequest, changes), { type: 'AReq' })).toBe(refusal);
  });

  it.each([
    ['2.1.0', undefined],
    ['2.2.0', '201 sdkTransID'],
    ['2.3.1', '201 sdkTransID'],
  ] as const)('RReq of an app without the id of its SDK, in %s: %s', (version, refusal) => {
    const told = withChanges(results, {
      messageVersion: version,
      ...(version === '2.3.1' && { authenticationType: undefined, authenticationMethod: ['02'] }),
    });
    expect(refusalOf(told, { type: 'RReq', version, channel: '01' })).toBe(refusal);
  });

  it.each(messageVersions)('RReq %s says that the time was over in the app', (version) => {
    const told = withChanges(results, {
      ...{ messageVersion: version, challengeCancel: '08', transStatus: 'N' },
      ...{ transStatusReason: '14', authenticationValue: undefined },
      ...(version === '2.3.1' && { authenticationType: undefined, authenticationMethod: ['02'] }),
    });
    expect(refusalOf(told, { type: 'RReq', version, channel: '02' })).toBeUndefined();
  });

  it('AReq 2.1.0 has nothing that is bought without the shopper', () => {
    const agreed = {
      ...{ ...browserRequest, deviceChannel: '03', messageCategory: '02', threeRIInd: '01' },
      ...{ recurringExpiry: '20301231', recurringFrequency: '28' },
    };
    const bought = ['purchaseAmount', 'purchaseDate', 'recurringExpiry', 'recurringFrequency'];
    const [oldest, newer] = (['2.1.0', '2.2.0'] as const).map((version) =>
      Object.keys(buildMessage('AReq', version, agreed)),
    );
    expect(newer).toEqual(expect.arrayContaining(bought));
    expect(oldest?.filter((name) => bought.includes(name))).toEqual([]);
  });

  it('ARes and RReq have an ECI of two characters, which need be no digits', () => {
    const told = (eci: string) => refusalOf(withChanges(challenge, { eci }), answer);
    expect([told('N2'), told('2'), told('N22')]).toEqual([undefined, '203 eci', '203 eci']);
  });

  it('2.1.0 has no payment without the shopper', () => {
    const absent = withChanges(browserRequest, {
      messageVersion: '2.1.0',
      deviceChannel: '03',
      threeRIInd: '01',
      recurringExpiry: '20301231',
      recurringFrequency: '28',
    });
    expect(refusalOf(absent, { type: 'AReq' })).toBe('203 messageCategory');
    expect(refusalOf({ ...absent, messageVersion: '2.2.0' }, { type: 'AReq' })).toBeUndefined();
  });
});
