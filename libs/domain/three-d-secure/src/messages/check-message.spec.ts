import { describe, expect, it } from '@jest/globals';
import { checkMessage, type Expected } from './check-message.js';
import type { Message, MessageType } from './message-kinds.js';
import {
  ACS_ID,
  browserRequest,
  DIRECTORY_ID,
  frictionlessAnswer,
  results,
  SERVER_ID,
} from './messages-fixture.js';

const answer = { type: 'ARes', version: '2.2.0', request: browserRequest } as const;
const challenge: Message = {
  ...frictionlessAnswer,
  transStatus: 'C',
  authenticationValue: undefined,
  acsURL: 'https://issuer.example/challenge',
  acsChallengeMandated: 'N',
  authenticationType: '02',
};

/** The code and the detail of the Erro; nothing where the message is taken. */
function refusalOf(message: unknown, expected: Expected<MessageType>): string | undefined {
  const checked = checkMessage(message, expected);
  if (!('erro' in checked)) return undefined;
  return `${checked.erro.errorCode} ${checked.erro.errorDetail}`;
}

/** As JSON has it: without what is undefined. */
function withChanges(message: Message, changes: Message): Message {
  return JSON.parse(JSON.stringify({ ...message, ...changes })) as Message;
}

describe('a message that is right', () => {
  it.each([
    ['AReq', browserRequest, { type: 'AReq' }],
    ['ARes without a challenge', frictionlessAnswer, answer],
    ['ARes with one', withChanges(challenge, {}), answer],
    ['RReq', results, { type: 'RReq', version: '2.2.0', request: browserRequest }],
  ] as const)('%s is taken', (_, message, expected) => {
    expect(checkMessage(message, expected)).toEqual({ message });
  });

  it('loses what the tables do not know, and comes in their order', () => {
    const [first, ...others] = Object.entries(frictionlessAnswer);
    const given = { ...Object.fromEntries([...others, first!]), more: { than: 'known' } };
    const checked = checkMessage(given, answer);
    expect(JSON.stringify(checked)).toBe(JSON.stringify(checkMessage(frictionlessAnswer, answer)));
    expect(checked).toEqual({ message: frictionlessAnswer });
  });

  it('is not asked for elements of another channel, nor are those looked at', () => {
    const inApp = withChanges(challenge, { acsURL: 'no address' });
    expect(refusalOf(inApp, { ...answer, channel: '03' })).toBe('203 transStatus');
    expect(
      refusalOf(withChanges(frictionlessAnswer, { acsURL: 'none' }), { ...answer, channel: '03' }),
    ).toBeUndefined();
  });
});

describe('a message that is wrong', () => {
  it.each([
    ['no object', 'text', answer, '101 the message is not an object'],
    ['a list', [], answer, '101 the message is not an object'],
    ['nothing', undefined, answer, '101 the message is not an object'],
    [
      'no type',
      withChanges(frictionlessAnswer, { messageType: undefined }),
      answer,
      '101 messageType',
    ],
    [
      'a type that there is not',
      withChanges(frictionlessAnswer, { messageType: 'XReq' }),
      answer,
      '101 messageType',
    ],
    [
      'works announced',
      withChanges(frictionlessAnswer, { messageType: 'OReq' }),
      answer,
      '101 messageType',
    ],
    ['another type', browserRequest, answer, '101 the message is not for the receiver'],
    [
      'no version',
      withChanges(frictionlessAnswer, { messageVersion: undefined }),
      answer,
      '201 messageVersion',
    ],
    [
      'a version that is no text',
      withChanges(frictionlessAnswer, { messageVersion: 2 }),
      answer,
      '203 messageVersion',
    ],
    [
      'a version that nobody speaks',
      withChanges(frictionlessAnswer, { messageVersion: '2.0.0' }),
      answer,
      '102 2.1.0,2.2.0,2.3.1',
    ],
    [
      'a version of another transaction',
      withChanges(frictionlessAnswer, { messageVersion: '2.1.0' }),
      answer,
      '203 messageVersion',
    ],
    [
      'two elements missing',
      withChanges(frictionlessAnswer, { acsTransID: undefined, dsTransID: '' }),
      answer,
      '201 acsTransID,dsTransID',
    ],
    [
      'an element that is null',
      withChanges(frictionlessAnswer, { dsTransID: null }),
      answer,
      '201 dsTransID',
    ],
    [
      'missing and wrong ones',
      withChanges(frictionlessAnswer, { acsTransID: undefined, dsTransID: 'x' }),
      answer,
      '201 acsTransID',
    ],
    [
      'two wrong elements',
      withChanges(frictionlessAnswer, { acsTransID: 'x', eci: 5 }),
      answer,
      '203 acsTransID,eci',
    ],
    [
      'an optional one that is empty',
      withChanges(frictionlessAnswer, { eci: '' }),
      answer,
      '203 eci',
    ],
    [
      'a cryptogram that is too short',
      withChanges(frictionlessAnswer, { authenticationValue: 'AAAA' }),
      answer,
      '203 authenticationValue',
    ],
    [
      'another transaction of ours',
      withChanges(frictionlessAnswer, { threeDSServerTransID: ACS_ID }),
      answer,
      '301 threeDSServerTransID',
    ],
    [
      'a country that there is not',
      withChanges(browserRequest, { merchantCountryCode: '999' }),
      { type: 'AReq' },
      '304 merchantCountryCode',
    ],
    [
      'gold',
      withChanges(browserRequest, { purchaseCurrency: '959' }),
      { type: 'AReq' },
      '304 purchaseCurrency',
    ],
  ] as const)('%s is refused', (_, message, expected, refusal) => {
    expect(refusalOf(message, expected)).toBe(refusal);
  });

  it('is answered with the ids that it has, our component, its type and its version', () => {
    expect(checkMessage(withChanges(frictionlessAnswer, { transStatus: 'Q' }), answer)).toEqual({
      erro: {
        messageType: 'Erro',
        messageVersion: '2.2.0',
        threeDSServerTransID: SERVER_ID,
        acsTransID: ACS_ID,
        dsTransID: DIRECTORY_ID,
        errorCode: '203',
        errorComponent: 'S',
        errorDescription:
          'Format or value of one or more Data Elements is Invalid according to the Specification',
        errorDetail: 'transStatus',
        errorMessageType: 'ARes',
      },
    });
  });

  it('is answered with an Erro that its own check takes, and with nothing of what the sender wrote', () => {
    const hostile = { messageType: '<b>', messageVersion: '\ud800', acsTransID: 'secret' };
    const checked = checkMessage(hostile, { ...answer, version: '2.1.0' });
    if (!('erro' in checked)) throw new Error('it was taken');
    expect(JSON.stringify(checked.erro)).not.toMatch(/secret|<b>/u);
    expect(checkMessage(checked.erro, { type: 'Erro' })).toEqual({ message: checked.erro });
  });
});

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
    ['no such wish', { threeDSRequestorDecReqInd: 'N' }, undefined],
  ])('AReq with %s', (_, changes, refusal) => {
    expect(refusalOf(withChanges(browserRequest, changes), { type: 'AReq' })).toBe(refusal);
  });
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

describe('results', () => {
  const ids = { threeDSServerTransID: SERVER_ID, acsTransID: ACS_ID, dsTransID: DIRECTORY_ID };
  const expected = { type: 'RReq', version: '2.2.0', ids, channel: '02' } as const;

  it('are taken in either case of their ids', () => {
    const upper = withChanges(results, { acsTransID: ACS_ID.toUpperCase() });
    expect(refusalOf(upper, expected)).toBeUndefined();
  });

  it.each(['threeDSServerTransID', 'acsTransID', 'dsTransID'])(
    'with another %s are not of it',
    (name) => {
      const forged = withChanges(results, { [name]: '00000000-0000-4000-8000-000000000000' });
      expect(refusalOf(forged, expected)).toBe(`301 ${name}`);
    },
  );

  it.each(['C', 'I', 'S', 'D'])('are never %s before 2.3.1', (transStatus) => {
    expect(refusalOf(withChanges(results, { transStatus }), expected)).toBe('203 transStatus');
  });
});

describe('extensions', () => {
  const extension = (id: string, criticalityIndicator: unknown) => ({
    name: 'x',
    id,
    criticalityIndicator,
    data: { a: 1 },
  });
  const having = (...extensions: readonly unknown[]) =>
    withChanges(frictionlessAnswer, { messageExtension: extensions });

  it.each([
    ['that is not critical', [extension('A', false)], undefined],
    ['that is critical and known', [extension('KNOWN', true)], undefined],
    ['that is critical and unknown', [extension('KNOWN', true), extension('B', true)], '202 B'],
    ['whose id does harm in a log', [extension('B\n\u001b[2J', true)], '202 B??[2J'],
    ['without an id', [{ ...extension('A', true), id: undefined }], '201 messageExtension.id'],
    [
      'with a text for a truth',
      [extension('A', 'true')],
      '203 messageExtension.criticalityIndicator',
    ],
    [
      'eleven times in 2.2.0',
      Array.from({ length: 11 }, (_, index) => extension(`A${index}`, false)),
      '203 messageExtension',
    ],
    [
      'that is too long',
      [{ ...extension('A', false), data: { a: 'a'.repeat(8_060) } }],
      '203 messageExtension.data',
    ],
  ])('one %s', (_, extensions, refusal) => {
    expect(refusalOf(having(...extensions), { ...answer, extensions: ['KNOWN'] })).toBe(refusal);
  });
});

describe('an Erro in the place of a message', () => {
  const erro = {
    messageType: 'Erro',
    messageVersion: '2.1.0',
    errorCode: '404',
    errorComponent: 'D',
    errorDescription: 'Permanent System Failure',
    errorDetail: 'none',
  };

  it('is told apart from an Erro to answer with, whatever its version and its code', () => {
    expect(checkMessage(erro, answer)).toEqual({ received: erro });
    const later = { ...erro, errorCode: '999' };
    expect(checkMessage(later, answer)).toEqual({ received: later });
  });

  it('is refused where it is wrong', () => {
    expect(refusalOf({ ...erro, errorComponent: 'Z' }, answer)).toBe('203 errorComponent');
  });
});
