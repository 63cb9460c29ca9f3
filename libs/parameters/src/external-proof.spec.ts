import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.js';
import {
  idOfNoAuthentication,
  indicatorFault,
  indicatorOfAnotherOutcome,
  indicatorOfProof,
  statusOfNoProof,
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

type Sent = Readonly<Record<string, string>>;
type IsTaken = (form: Form) => boolean;

/** By each indicator the statuses with which it is taken, and a dash where it is without one. */
function tableOf(isTaken: IsTaken, card: Sent): Readonly<Record<string, string>> {
  const takenWith = (eci: string): string => {
    const holds = (more: Sent) => isTaken(formOf({ ...card, 'threeDSecure.eci': eci, ...more }));
    const statuses = STATUSES.filter((status) =>
      holds({ 'threeDSecure.authenticationStatus': status }),
    );
    return `${statuses.join('')}${holds({}) ? '-' : ''}`;
  };
  return Object.fromEntries(INDICATORS.map((eci) => [eci, takenWith(eci)]));
}

const table = (card: Sent) => tableOf((form) => !indicatorOfAnotherOutcome.holds(form), card);

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
/** What any of the networks has. */
const ofAny = {
  ...{ '01': 'A-', '02': 'Y-', '03': 'NU-', '04': 'NU-' },
  ...{ '05': 'Y-', '06': 'ANU-', '07': 'YNU-', '08': 'NU-' },
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

  it('is that of the brand in small letters, too', () => {
    expect(table({ paymentBrand: 'visa' })).toEqual(ofVisa);
    expect(table({ paymentBrand: 'cartebancaire', ...MASTER_NUMBER })).toEqual(ofMastercard);
  });

  it('is that of the number where no brand is sent, or that of a wallet', () => {
    expect(table({ paymentBrand: 'APPLEPAY', ...VISA_NUMBER })).toEqual(ofVisa);
    expect(table(VISA_NUMBER)).toEqual(ofVisa);
    expect(table(MASTER_NUMBER)).toEqual(ofMastercard);
  });

  it.each([
    { paymentBrand: 'MADA' },
    { paymentBrand: 'GOOGLEPAY' },
    { paymentBrand: 'constructor' },
    {},
  ])('of %j, of which nothing is known, is one that any network has', (card) => {
    expect(table(card)).toEqual(ofAny);
  });

  it.each([
    [{ brand: 'VISA' }, ofVisa],
    [{ brand: 'MASTER' }, ofMastercard],
    [{ brand: 'MADA' }, ofAny],
    [{ brand: 'CARTEBANCAIRE', bin: '420000' }, ofVisa],
    [{ brand: 'CARTEBANCAIRE', bin: '54545454' }, ofMastercard],
    [{ brand: 'CARTEBANCAIRE' }, ofEither],
    [{}, ofAny],
  ])('of %j that was stored, or in a wallet, is that of its network', (found, expected) => {
    for (const sent of [{}, { paymentBrand: 'APPLEPAY' }]) {
      expect(tableOf((form) => indicatorFault(form, found) === undefined, sent)).toEqual(expected);
    }
  });

  it('is that of the card that is charged, whatever brand is sent beside it', () => {
    const isTaken = (form: Form) => indicatorFault(form, { brand: 'VISA' }) === undefined;
    expect(tableOf(isTaken, { paymentBrand: 'MASTER' })).toEqual(ofVisa);
  });
});

describe('the word of an external server', () => {
  const [status, eci] = ['threeDSecure.authenticationStatus', 'threeDSecure.eci'];
  const holds = (sent: Readonly<Record<string, string>>) => statusOfNoProof.holds(formOf(sent));

  it.each(['Y', 'A'])('proves nothing by itself: %s', (word) => {
    expect(holds({ [status]: word })).toBe(true);
    expect(holds({ [status]: word, 'threeDSecure.version': '2.2.0' })).toBe(true);
    expect(holds({ [status]: word, [eci]: '05' })).toBe(false);
    expect(holds({ [status]: word, 'threeDSecure.verificationId': 'x' })).toBe(false);
  });

  it.each(['N', 'U'])('claims nothing: %s', (word) => {
    expect(holds({ [status]: word })).toBe(false);
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
