import { describe, expect, it } from '@jest/globals';
import type { Field, Presence } from './field-rows.js';
import { fieldsOf, fieldTables, fitsElement, isFieldName } from './field-tables.js';
import {
  type MessageType,
  messageTypes,
  type MessageVersion,
  messageVersions,
} from './message-kinds.js';
import { acceptedBy, candidates } from './messages-fixture.js';

const all: readonly Field[] = fieldTables.flatMap(({ rows }) => rows.flat());

/** The elements of a message that are of one kind in one channel, for payments. */
function namesOf(
  [type, version]: readonly [MessageType, MessageVersion],
  channel: '01' | '02' | '03',
  kind: Presence['kind'],
): readonly string[] {
  return fieldsOf(type, version)
    .filter(
      ({ channels, inclusion }) => channels.includes(channel) && inclusion.payment.kind === kind,
    )
    .map(({ name }) => name);
}

describe('the tables', () => {
  it.each(all.map((field) => [`${field.message} ${field.version} ${field.name}`, field] as const))(
    '%s: takes some values and refuses others',
    (_, field) => {
      const accepted = acceptedBy(field);
      expect(accepted.length).toBeGreaterThan(0);
      expect(accepted.length).toBeLessThan(candidates.length);
      expect(field.format.faultsIn(undefined, field.name, field.version)).not.toEqual([]);
      expect(field.format.faultsIn(null, field.name, field.version)).not.toEqual([]);
    },
  );

  it('have an element once in each version, message and channel', () => {
    const keys = all.flatMap(({ name, message, version, channels }) =>
      channels.map((channel) => [name, message, version, channel].join(' ')),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('have a sentence for each element', () => {
    expect(all.filter(({ meaning }) => !/^.+\.$/u.test(meaning))).toEqual([]);
  });

  it.each(messageTypes.flatMap((type) => messageVersions.map((each) => [type, each] as const)))(
    '%s %s has what says which message it is',
    (type, version) => {
      const header = ['messageType', 'messageVersion'];
      expect(namesOf([type, version], '02', 'required')).toEqual(expect.arrayContaining(header));
    },
  );
});

describe('what each version demands', () => {
  const ids = ['messageType', 'messageVersion', 'threeDSServerTransID'];

  it.each(messageVersions)('CReq %s of a browser', (version) => {
    expect(namesOf(['CReq', version], '02', 'required')).toEqual([
      ...[...ids, 'acsTransID', 'challengeWindowSize'],
    ]);
  });

  it.each(messageVersions)('CRes %s of a browser', (version) => {
    expect(namesOf(['CRes', version], '02', 'required')).toEqual([
      ...[...ids, 'acsTransID', 'transStatus'],
    ]);
  });

  it.each(messageVersions)('RRes %s', (version) => {
    expect(namesOf(['RRes', version], '02', 'required')).toEqual([
      ...[...ids, 'acsTransID', 'dsTransID', 'resultsStatus'],
    ]);
  });

  it.each([
    ['2.1.0', 'RReq', ['interactionCounter']],
    ['2.2.0', 'RReq', []],
    ['2.3.1', 'RReq', []],
  ] as const)('%s %s: how often the shopper tried', (version, type, more) => {
    expect([...namesOf([type, version], '02', 'required')].sort()).toEqual(
      [...ids, 'acsTransID', 'dsTransID', 'messageCategory', 'transStatus', ...more].sort(),
    );
  });

  it.each([
    ['2.1.0', ['dsStartProtocolVersion', 'dsEndProtocolVersion']],
    ['2.2.0', ['dsStartProtocolVersion', 'dsEndProtocolVersion']],
    ['2.3.1', ['dsProtocolVersions', 'readOrder']],
  ] as const)('PRes %s', (version, more) => {
    expect(namesOf(['PRes', version], '02', 'required')).toEqual([...ids, 'dsTransID', ...more]);
  });

  it('PReq: who asks', () => {
    expect(namesOf(['PReq', '2.2.0'], '02', 'required')).toEqual([
      ...ids,
      'threeDSServerRefNumber',
    ]);
  });

  it('Erro', () => {
    const parts = ['errorCode', 'errorComponent', 'errorDescription', 'errorDetail'];
    expect(namesOf(['Erro', '2.2.0'], '02', 'required')).toEqual([
      ...['messageType', 'messageVersion', ...parts],
    ]);
  });

  it('AReq of a browser grows with the versions', () => {
    const of = (version: MessageVersion) => namesOf(['AReq', version], '02', 'required');
    const added = (older: MessageVersion, newer: MessageVersion) =>
      of(newer).filter((name) => !of(older).includes(name));
    expect(added('2.1.0', '2.2.0')).toEqual(['browserJavascriptEnabled']);
    expect(added('2.2.0', '2.3.1')).toEqual([
      ...['acceptLanguage', 'acquirerCountryCode', 'acquirerCountryCodeSource'],
    ]);
    expect(of('2.1.0').filter((name) => !of('2.3.1').includes(name))).toEqual([]);
  });

  it.each([
    ['2.1.0', ['authenticationType', 'interactionCounter'], ['whiteListStatus', 'trustListStatus']],
    ['2.2.0', ['authenticationType', 'whiteListStatus'], ['trustListStatus', 'cardholderInfo']],
    ['2.3.1', ['trustListStatus', 'cardholderInfo'], ['authenticationType', 'whiteListStatus']],
  ] as const)('RReq %s has %j and not %j', (version, has, hasNot) => {
    const names = fieldsOf('RReq', version).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...has]));
    expect(names.filter((name) => hasNot.some((each) => each === name))).toEqual([]);
  });
});

describe('asked about one element', () => {
  it('know all names and no others', () => {
    expect(isFieldName('transStatus')).toBe(true);
    expect(isFieldName('constructor')).toBe(false);
  });

  it.each([
    ['2.2.0', 'billAddrState', 'CA', true],
    ['2.2.0', 'billAddrState', 'California', false],
    ['2.1.0', 'threeDSRequestorDecReqInd', 'Y', false],
    ['2.2.0', 'threeDSRequestorDecReqInd', 'Y', true],
    ['2.2.0', 'nothing', 'Y', false],
  ] as const)('%s %s %s fits: %s', (version, name, value, fits) => {
    expect(fitsElement('AReq', version, name, value)).toBe(fits);
  });
});
