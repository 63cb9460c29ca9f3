import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.js';
import {
  idOfNoAuthentication,
  indicatorOfAnotherOutcome,
  indicatorOfProof,
} from './external-proof.js';
import type { Form } from './form.js';
import { parseForm } from './form-parser.js';

function formOf(sent: Readonly<Record<string, string>>): Form {
  const parsed = parseForm(new URLSearchParams(sent).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
}

const STATUSES = ['Y', 'A', 'N', 'U'] as const;
const INDICATORS = ['01', '02', '03', '04', '05', '06', '07', '08'] as const;

/** The statuses with which an indicator is taken, and a dash where it is without one. */
function takenWith(card: Readonly<Record<string, string>>, eci: string): string {
  const isTaken = (more: Readonly<Record<string, string>>): boolean =>
    !indicatorOfAnotherOutcome.holds(formOf({ ...card, 'threeDSecure.eci': eci, ...more }));
  const statuses = STATUSES.filter((status) =>
    isTaken({ 'threeDSecure.authenticationStatus': status }),
  );
  return `${statuses.join('')}${isTaken({}) ? '-' : ''}`;
}

const table = (card: Readonly<Record<string, string>>) =>
  Object.fromEntries(INDICATORS.map((eci) => [eci, takenWith(card, eci)]));

const ofVisa = {
  ...{ '01': '', '02': '', '03': 'NU-', '04': '' },
  ...{ '05': 'Y-', '06': 'A-', '07': 'NU-', '08': 'NU-' },
};
const ofMastercard = {
  ...{ '01': 'A-', '02': 'Y-', '03': 'NU-', '04': 'NU-' },
  ...{ '05': '', '06': 'NU-', '07': 'Y-', '08': '' },
};
const ofEither = {
  ...{ '01': 'A-', '02': 'Y-', '03': 'NU-', '04': 'NU-' },
  ...{ '05': 'Y-', '06': 'A-', '07': 'NU-', '08': 'NU-' },
};
const VISA_NUMBER = { 'card.number': '4111111111111111' };
const MASTER_NUMBER = { 'card.number': '5454545454545454' };

describe('the indicator of an external server', () => {
  it.each(['VISA', 'VISAELECTRON', 'AMEX', 'DINERS', 'DISCOVER', 'JCB'])('of %s', (brand) => {
    expect(table({ paymentBrand: brand })).toEqual(ofVisa);
  });

  it.each(['MASTER', 'MASTERDEBIT', 'MAESTRO'])('of %s', (brand) => {
    expect(table({ paymentBrand: brand })).toEqual(ofMastercard);
  });

  it.each(['UNIONPAY', 'UNIONPAY_SMS'])('of %s is that of one or the other', (brand) => {
    expect(table({ paymentBrand: brand })).toEqual(ofEither);
  });

  it.each(['CARTEBANCAIRE', 'CARTEBLEUE'])('of %s is that of the number', (brand) => {
    expect(table({ paymentBrand: brand, ...VISA_NUMBER })).toEqual(ofVisa);
    expect(table({ paymentBrand: brand, ...MASTER_NUMBER })).toEqual(ofMastercard);
    expect(table({ paymentBrand: brand })).toEqual(ofEither);
  });

  it('is that of the number where no brand is sent', () => {
    expect(table(VISA_NUMBER)).toEqual(ofVisa);
    expect(table(MASTER_NUMBER)).toEqual(ofMastercard);
  });

  it.each([
    { paymentBrand: 'MADA' },
    { paymentBrand: 'GOOGLEPAY' },
    { paymentBrand: 'constructor' },
  ])('of %j is the acquirer’s, as is that of what is stored', (card) => {
    for (const eci of INDICATORS) {
      expect(takenWith(card, eci)).toBe('YANU-');
      expect(takenWith({}, eci)).toBe('YANU-');
    }
  });
});

describe('the cryptogram of an external server', () => {
  const demanding = (card: Readonly<Record<string, string>>): string[] =>
    INDICATORS.filter((eci) =>
      indicatorOfProof.holds(formOf({ ...card, 'threeDSecure.eci': eci })),
    );

  it('is demanded by the indicators that claim an authentication', () => {
    expect(demanding({ paymentBrand: 'VISA' })).toEqual(['05', '06']);
    expect(demanding({ paymentBrand: 'MASTER' })).toEqual(['01', '02']);
    expect(demanding({ paymentBrand: 'MADA' })).toEqual(['01', '02', '05', '06']);
    expect(demanding({})).toEqual(['01', '02', '05', '06']);
    expect(indicatorOfProof.holds(formOf({ paymentBrand: 'VISA' }))).toBe(false);
  });

  const { format } = catalogue['threeDSecure.verificationId'];
  it.each([
    'AAACAgSRBklmQCFgMpEGAAAAAAA=',
    '-_ABAQAAAAAAAAAAAAAAAAAAAAA=',
    '//ABAQAAAAAAAAAAAAAAAAAAAAA=',
  ])('is twenty bytes in base64: %s', (cryptogram) =>
    expect(format.accepts(cryptogram)).toBe(true),
  );

  it.each(['!'.repeat(28), 'A'.repeat(28), `${'A'.repeat(26)}==`, 'A'.repeat(40)])(
    'is not %s',
    (cryptogram) => expect(format.accepts(cryptogram)).toBe(false),
  );
});

describe('the id of an authentication at an external server', () => {
  const id = 'threeDSecure.dsTransactionId';
  const UUID = 'c75f23af-9454-43f6-ba17-130ed529507e';
  const holds = (sent: Readonly<Record<string, string>>) =>
    idOfNoAuthentication.holds(formOf(sent));
  const proven = { 'threeDSecure.eci': '05' };

  it('proves nothing by itself', () => {
    expect(holds({ [id]: UUID })).toBe(true);
    expect(holds({ [id]: UUID, 'threeDSecure.authenticationStatus': 'Y' })).toBe(true);
    expect(holds({ [id]: UUID, ...proven })).toBe(false);
    expect(holds({ [id]: UUID, 'threeDSecure.verificationId': 'x' })).toBe(false);
  });

  it('is a UUID in version 2, and whatever it is in version 1', () => {
    const version = (value: string) => ({ ...proven, 'threeDSecure.version': value });
    for (const of2 of ['2.1.0', '2.2.0', '2.3.1']) {
      expect(holds({ [id]: 'x'.repeat(36), ...version(of2) })).toBe(true);
      expect(holds({ [id]: UUID, ...version(of2) })).toBe(false);
      expect(holds({ [id]: UUID.toUpperCase(), ...version(of2) })).toBe(false);
    }
    expect(holds({ [id]: 'x'.repeat(36), ...version('1.0.2') })).toBe(false);
  });
});
