import { describe, expect, it } from '@jest/globals';
import { type ExternalProof, externalProofFaults } from './external-proof.js';

const visa: ExternalProof = {
  brand: 'VISA',
  eci: '05',
  verificationId: 'AAACAgSRBklmQCFgMpEGAAAAAAA=',
  authenticationStatus: 'Y',
  dsTransactionId: 'c75f23af-9454-43f6-ba17-130ed529507e',
  version: '2.2.0',
};

const faulty = (changes: Partial<ExternalProof>): readonly string[] =>
  externalProofFaults({ ...visa, ...changes }).map(({ parameter }) => parameter);

const without = (key: keyof ExternalProof, changes: Partial<ExternalProof> = {}) => {
  const { [key]: _left, ...rest } = { ...visa, ...changes };
  return externalProofFaults(rest as ExternalProof).map(({ parameter }) => parameter);
};

describe('values of an external server that agree', () => {
  it.each([
    ['VISA', '05', 'Y'],
    ['VISA', '06', 'A'],
    ['VISA', '07', 'U'],
    ['JCB', '07', 'N'],
    ['MASTER', '02', 'Y'],
    ['MASTER', '01', 'A'],
    ['MAESTRO', '02', 'Y'],
    ['UNIONPAY', '01', 'A'],
    ['MASTER', '04', 'U'],
  ])('%s with ECI %s and status %s', (brand, eci, authenticationStatus) => {
    expect(faulty({ brand, eci, authenticationStatus })).toEqual([]);
  });

  it('are enough without a status', () => {
    expect(without('authenticationStatus')).toEqual([]);
  });

  it('need no id of the directory server in version 1', () => {
    expect(without('dsTransactionId', { version: '1.0.2' })).toEqual([]);
  });

  it.each(['N', 'U'])('need no cryptogram with %s', (authenticationStatus) => {
    expect(without('verificationId', { eci: '07', authenticationStatus })).toEqual([]);
  });
});

describe('an ECI', () => {
  it.each([
    ['VISA', '02'],
    ['AMEX', '01'],
    ['MASTER', '05'],
    ['MAESTRO', '06'],
  ])('of %s is not %s', (brand, eci) => {
    const { authenticationStatus: _left, ...proof } = visa;
    expect(externalProofFaults({ ...proof, brand, eci })).toEqual([
      {
        parameter: 'threeDSecure.eci',
        message:
          'says that the shopper was authenticated or that it was attempted, in the way of other brands',
      },
    ]);
  });

  it.each([
    ['VISA', '06', 'Y'],
    ['VISA', '07', 'Y'],
    ['VISA', '05', 'A'],
    ['VISA', '07', 'A'],
    ['VISA', '05', 'N'],
    ['VISA', '06', 'U'],
    ['MASTER', '01', 'Y'],
    ['MASTER', '02', 'A'],
    ['MASTER', '02', 'N'],
    ['MASTER', '01', 'U'],
  ])('of %s is not %s with status %s', (brand, eci, authenticationStatus) => {
    expect(faulty({ brand, eci, authenticationStatus })).toEqual(['threeDSecure.eci']);
  });
});

describe('a cryptogram', () => {
  it.each([
    ['Y', '05'],
    ['A', '06'],
  ])('is demanded with status %s', (authenticationStatus, eci) => {
    expect(without('verificationId', { authenticationStatus, eci })).toEqual([
      'threeDSecure.verificationId',
    ]);
  });

  it.each([
    'AAACAgSRBklmQCFgMpEGAAAAAAAA',
    'AAACAgSRBklmQCFgMpEGAAAAAA==',
    'AAACAgSRBklmQCFgMpEGAAAAA-A=',
    'AAACAgSRBklmQCFgMpEGAAAAAAA=\n',
  ])('is 20 bytes in base64: not %j', (verificationId) => {
    expect(faulty({ verificationId })).toEqual(['threeDSecure.verificationId']);
  });
});

describe('the id of the directory server', () => {
  it('is demanded with version 2', () => {
    expect(without('dsTransactionId')).toEqual(['threeDSecure.dsTransactionId']);
  });
});
