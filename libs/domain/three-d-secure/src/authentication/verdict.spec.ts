import { describe, expect, it } from '@jest/globals';
import { authenticationStatuses, type AuthenticationStatus } from '@sluice/contracts';
import { isKnown } from '@sluice/result-codes';
import { type AuthenticationFailure, verdictOf } from './verdict.js';

const failures: readonly (readonly [AuthenticationFailure, string])[] = [
  ['abandoned', '100.396.103'],
  ['cancelled', '100.396.101'],
  ['directoryUnreachable', '000.400.107'],
  ['malformedAnswer', '100.390.112'],
  ['notEnrolled', '000.400.109'],
  ['notParticipating', '000.400.101'],
  ['timedOut', '100.396.103'],
];

const of = (status: AuthenticationStatus, goesOnWith: readonly AuthenticationStatus[]) =>
  verdictOf({ status, network: 'visa' }, goesOnWith);

describe('a status with which the channel goes on', () => {
  it.each([
    ['Y', '000.400.110', true],
    ['A', '000.400.110', true],
    ['N', '000.400.110', false],
    ['U', '000.400.110', false],
    ['I', '000.400.120', false],
  ] as const)('%s goes on with %s; the liability shifts: %s', (status, resultCode, shifts) => {
    expect(of(status, [status])).toMatchObject({
      goesOn: true,
      resultCode,
      liabilityShifts: shifts,
    });
  });

  it.each(['R', 'C', 'D'] as const)('%s stops nevertheless', (status) => {
    expect(of(status, authenticationStatuses).goesOn).toBe(false);
  });
});

describe('a status with which it does not', () => {
  it.each([
    ['Y', '100.390.100'],
    ['A', '100.390.100'],
    ['N', '000.400.102'],
    ['U', '000.400.103'],
    ['I', '000.400.111'],
    ['R', '100.380.401'],
    ['C', '100.396.103'],
    ['D', '100.396.103'],
  ] as const)('%s ends with %s', (status, resultCode) => {
    expect(of(status, [])).toMatchObject({ goesOn: false, resultCode });
    expect(isKnown(resultCode)).toBe(true);
  });
});

describe('no status', () => {
  it.each(failures)('%s ends with %s', (failure, resultCode) => {
    const others = authenticationStatuses.filter((status) => status !== 'U');
    const stops = { goesOn: false, resultCode, liabilityShifts: false };
    expect(verdictOf({ failure }, others)).toEqual(stops);
    expect(isKnown(resultCode)).toBe(true);
  });
});

describe('a channel that goes on with U', () => {
  it.each(['directoryUnreachable', 'notEnrolled', 'notParticipating'] as const)(
    'goes on without the issuer: %s',
    (failure) => expect(verdictOf({ failure }, ['U'])).toMatchObject({ goesOn: true }),
  );

  it.each(['abandoned', 'cancelled', 'malformedAnswer', 'timedOut'] as const)(
    'does not go on: %s',
    (failure) => expect(verdictOf({ failure }, ['U'])).toMatchObject({ goesOn: false }),
  );
});

describe('the ECI', () => {
  it.each([
    ['visa', '05', '06', '07'],
    ['amex', '05', '06', '07'],
    ['diners', '05', '06', '07'],
    ['jcb', '05', '06', '07'],
    ['mastercard', '02', '01', '00'],
    ['unionpay', '02', '01', '00'],
  ] as const)('of %s is %s for Y, %s for A and %s for N and U', (network, ...expected) => {
    const eci = (status: AuthenticationStatus): string | undefined =>
      verdictOf({ status, network }, ['Y', 'A']).eci;
    expect([eci('Y'), eci('A'), eci('N')]).toEqual(expected);
    expect(eci('U')).toBe(eci('N'));
  });

  it.each(['R', 'C', 'D', 'I'] as const)('is not there with %s', (status) => {
    expect(of(status, [status])).not.toHaveProperty('eci');
  });
});
