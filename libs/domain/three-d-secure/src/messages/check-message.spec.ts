import { describe, expect, it } from '@jest/globals';
import { checkMessage } from './check-message.js';
import {
  ACS_ID,
  answer,
  browserRequest,
  challenge,
  DIRECTORY_ID,
  frictionlessAnswer,
  refusalOf,
  results,
  SERVER_ID,
  withChanges,
} from './messages-fixture.js';

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
