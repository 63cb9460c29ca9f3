import { describe, expect, it } from '@jest/globals';
import {
  type AuthenticationNetwork,
  authenticationStatuses,
  type AuthenticationStatus,
} from '@sluice/contracts';
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
  verdictOf({ status, network: 'visa', category: '01' }, goesOnWith);

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

  it('N of a shopper who was asked is a failed proof, and no card outside the programme', () => {
    const end = { status: 'N', network: 'visa', category: '01', wasAsked: true } as const;
    expect(verdictOf(end, ['Y'])).toMatchObject({ goesOn: false, resultCode: '100.380.401' });
    expect(verdictOf({ ...end, wasAsked: false }, ['Y']).resultCode).toBe('000.400.102');
    expect(verdictOf(end, ['Y', 'N']).goesOn).toBe(true);
  });
});

describe('an issuer that was asked about less than is paid', () => {
  it.each(['Y', 'A'] as const)('says %s, and the liability does not shift', (status) => {
    const end = { status, network: 'visa', category: '01' } as const;
    const whole = verdictOf({ ...end, isShort: false }, ['Y', 'A']);
    expect(whole.liabilityShifts).toBe(true);
    const expected = { ...whole, liabilityShifts: false };
    expect(verdictOf({ ...end, isShort: true }, ['Y', 'A'])).toEqual(expected);
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
    ['cartebancaire', '05', '06', '07'],
  ] as const)('of %s is %s for Y, %s for A and %s for N and U', (network, ...expected) => {
    const eci = (status: AuthenticationStatus): string | undefined =>
      verdictOf({ status, network, category: '01' }, ['Y', 'A']).eci;
    expect([eci('Y'), eci('A'), eci('N')]).toEqual(expected);
    expect(eci('U')).toBe(eci('N'));
  });

  it.each(['R', 'C', 'D', 'I'] as const)('is not there with %s', (status) => {
    expect(of(status, [status])).not.toHaveProperty('eci');
  });
});

const most = ['visa', 'amex', 'diners', 'jcb', 'cartebancaire'] as const;
const networksAndEcis: readonly (readonly [AuthenticationNetwork, string, string, string])[] = [
  ...most.map((network) => [network, '05', '06', '07'] as const),
  ['mastercard', '02', '01', '00'],
  ['unionpay', '02', '01', '00'],
  ['unionpay', '05', '06', '07'],
  // Numbers of Cartes Bancaires that are Mastercard's, too.
  ['cartebancaire', '02', '01', '00'],
];

describe('the ECI of a series that Mastercard authenticated', () => {
  const told = (status: AuthenticationStatus) =>
    verdictOf({ status, network: 'mastercard', category: '01', eci: '07' }, ['Y', 'A', 'N']);

  it('is no contradiction of Y', () => {
    expect(told('Y')).toMatchObject({ goesOn: true, liabilityShifts: true, eci: '07' });
  });

  it('claims nothing with another status', () => {
    expect(told('A')).toMatchObject({ goesOn: false, liabilityShifts: false, eci: '00' });
    expect(told('N')).toMatchObject({ liabilityShifts: false, eci: '00' });
  });
});

describe.each(networksAndEcis)('the ECI that an issuer of %s tells', (...row) => {
  const [network, authenticated, attempted, unproven] = row;
  const all = ['Y', 'A', 'N', 'I'] as const;
  const told = (
    status: AuthenticationStatus,
    eci: string,
    goesOnWith: readonly AuthenticationStatus[] = all,
  ) => verdictOf({ status, network, category: '01', eci }, goesOnWith);

  it.each([
    ['Y', authenticated],
    ['A', attempted],
  ] as const)('is taken where it says what %s says', (status, eci) => {
    expect(told(status, eci)).toMatchObject({ goesOn: true, liabilityShifts: true, eci });
  });

  it.each([
    ...(['Y', 'A'] as const).map((status) => [status, unproven] as const),
    ...[['Y', attempted] as const, ['A', authenticated] as const],
    ...(['Y', 'A'] as const).map((status) => [status, '09'] as const),
  ])('contradicts %s by %s: nothing is proven', (status, eci) => {
    const nothing = { liabilityShifts: false, eci: expect.stringMatching(/^0[07]$/u) };
    expect(told(status, eci)).toMatchObject({
      ...nothing,
      goesOn: false,
      resultCode: '000.400.103',
    });
    expect(told(status, eci, ['U'])).toMatchObject({ goesOn: false, resultCode: '100.390.100' });
    expect(told(status, eci, [status, 'U'])).toMatchObject({ ...nothing, goesOn: true });
  });

  it.each(['N', 'U', 'R', 'I'] as const)('authenticates nobody against %s', (status) => {
    for (const eci of [authenticated, attempted]) {
      const verdict = told(status, eci, authenticationStatuses);
      expect(verdict.liabilityShifts).toBe(false);
      expect(verdict.eci ?? unproven).toMatch(/^0[07]$/u);
    }
    expect(told(status, unproven).eci).toBe(unproven);
  });
});

describe('an authentication without a payment', () => {
  it.each(['Y', 'A', 'N', 'U', 'I', 'R'] as const)('shifts no liability: %s', (status) => {
    const end = { status, network: 'visa', category: '02' } as const;
    expect(verdictOf(end, authenticationStatuses).liabilityShifts).toBe(false);
    expect(verdictOf({ ...end, eci: '05' }, authenticationStatuses).liabilityShifts).toBe(false);
  });

  it('has the ECI that the network has for it', () => {
    const end = { status: 'Y', network: 'mastercard', category: '02' } as const;
    expect(verdictOf({ ...end, eci: '04' }, ['Y'])).toMatchObject({ goesOn: true, eci: '04' });
    expect(verdictOf({ ...end, eci: '12' }, ['Y'])).toMatchObject({ goesOn: true, eci: '02' });
  });
});

it('never goes on where our own request could not be built', () => {
  expect(verdictOf({ failure: 'notBuilt' }, authenticationStatuses)).toEqual({
    ...{ goesOn: false, resultCode: '100.390.112', liabilityShifts: false },
  });
});
