import { describe, expect, it } from '@jest/globals';
import { buildMessage } from './build-message.js';
import { erroAbout } from './erro.js';
import { type ErrorCode, errorCodes, errorDescriptions } from './error-codes.js';
import { checkMessage } from './check-message.js';
import { ACS_ID, browserRequest, DIRECTORY_ID, SERVER_ID } from './messages-fixture.js';

const ids = { threeDSServerTransID: SERVER_ID, acsTransID: ACS_ID };
const newest = {
  ...browserRequest,
  ...{ acceptLanguage: ['de'], acquirerCountryCode: '276', acquirerCountryCodeSource: '01' },
};

describe('a message that is built', () => {
  it('has its type and its version first, and all others in the order of the tables', () => {
    const creq = buildMessage(
      'CReq',
      '2.2.0',
      { challengeWindowSize: '05', ...ids },
      { channel: '02' },
    );
    expect(Object.entries(creq)).toEqual([
      ['messageType', 'CReq'],
      ['messageVersion', '2.2.0'],
      ['threeDSServerTransID', SERVER_ID],
      ['acsTransID', ACS_ID],
      ['challengeWindowSize', '05'],
    ]);
  });

  it('leaves out what its version does not know', () => {
    const [oldest, newer] = [
      buildMessage('AReq', '2.1.0', { ...newest, threeDSRequestorDecReqInd: 'N' }),
      buildMessage('AReq', '2.3.1', { ...newest, threeDSRequestorDecReqInd: 'N' }),
    ];
    for (const name of [
      'browserJavascriptEnabled',
      'acceptLanguage',
      'threeDSRequestorDecReqInd',
    ]) {
      expect(oldest).not.toHaveProperty(name);
      expect(newer).toHaveProperty(name);
    }
  });

  it('leaves out what its channel does not know, and what says nothing', () => {
    const absent = buildMessage('AReq', '2.2.0', {
      ...{ ...browserRequest, deviceChannel: '03', threeRIInd: '05' },
      ...{ email: undefined, cardholderName: '', shipAddrLine1: null },
    });
    expect(Object.keys(absent).filter((name) => name.startsWith('browser'))).toEqual([]);
    expect(Object.keys(absent)).not.toEqual(expect.arrayContaining(['email']));
    expect(absent).toMatchObject({ threeRIInd: '05' });
    expect(absent).not.toHaveProperty('cardholderName');
    expect(absent).not.toHaveProperty('shipAddrLine1');
  });

  it.each([
    ['2.2.0', '04', '04'],
    ['2.2.0', ['04'], '04'],
    ['2.3.1', '04', ['04']],
    ['2.3.1', ['09', '04'], ['09', '04']],
  ] as const)('in %s has the wish %j as %j', (version, threeDSRequestorChallengeInd, has) => {
    const built = buildMessage('AReq', version, { ...newest, threeDSRequestorChallengeInd });
    expect(built['threeDSRequestorChallengeInd']).toEqual(has);
  });

  it('may carry a critical extension, which its builder knows', () => {
    const messageExtension = [
      { name: 'x', id: 'SLUICE-TEST', criticalityIndicator: true, data: {} },
    ];
    const built = buildMessage('AReq', '2.2.0', { ...browserRequest, messageExtension });
    expect(built['messageExtension']).toEqual(messageExtension);
  });

  it.each([
    ['an unknown name', { ...ids, challengeWindow: '05' }, /no element challengeWindow/u],
    ['something missing', ids, /201: challengeWindowSize/u],
    ['something wrong', { ...ids, challengeWindowSize: '06' }, /203: challengeWindowSize/u],
  ])('with %s is a broken program', (_, elements, message) => {
    expect(() => buildMessage('CReq', '2.2.0', elements, { channel: '02' })).toThrow(message);
  });

  it('says nothing of values when it is refused', () => {
    const wrong = { ...browserRequest, acctNumber: '4012000000003119x' };
    expect(() => buildMessage('AReq', '2.2.0', wrong)).toThrow(
      /^AReq 2\.2\.0 would be refused with 203: acctNumber$/u,
    );
  });

  it('answers results', () => {
    const all = { ...ids, dsTransID: DIRECTORY_ID, resultsStatus: '01' };
    expect(buildMessage('RRes', '2.2.0', all, { channel: '02' })).toEqual({
      ...{ messageType: 'RRes', messageVersion: '2.2.0' },
      ...all,
    });
  });
});

describe('an Erro', () => {
  it.each(errorCodes)('%s is what its own check takes', (code: ErrorCode) => {
    const erro = erroAbout({ ...browserRequest }, { code, detail: 'why' });
    expect(erro).toMatchObject({ errorCode: code, errorDescription: errorDescriptions[code] });
    expect(checkMessage(erro, { type: 'Erro' })).toEqual({ message: erro });
  });

  it('has a detail that is neither empty nor longer than EMV has it', () => {
    expect(erroAbout({}, { code: '403', detail: '' }).errorDetail).toBe('Transient System Failure');
    const { errorDetail } = erroAbout({}, { code: '403', detail: 'x'.repeat(5_000) });
    expect(errorDetail).toHaveLength(2_048);
  });

  it('has the version of the transaction where the message has none', () => {
    expect(erroAbout(undefined, { code: '101', detail: '' }, '2.3.1').messageVersion).toBe('2.3.1');
    const own = erroAbout({ messageVersion: '2.2.0' }, { code: '101', detail: '' }, '2.3.1');
    expect(own.messageVersion).toBe('2.2.0');
  });
});
