import type { AuthenticationNetwork, AuthenticationStatus } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';

/** Why nothing was asked, or why the asking gave no status. */
export type AuthenticationFailure =
  | 'abandoned'
  | 'cancelled'
  | 'directoryUnreachable'
  | 'malformedAnswer'
  | 'notEnrolled'
  | 'notParticipating'
  | 'timedOut';

/** The end of an authentication, before anything is made of it. */
export type AuthenticationEnd =
  | { readonly status: AuthenticationStatus; readonly network: AuthenticationNetwork }
  | { readonly failure: AuthenticationFailure };

/** What the end means for the payment. */
export interface Verdict {
  readonly goesOn: boolean;
  readonly resultCode: string;
  readonly liabilityShifts: boolean;
  /** For where the issuer names none itself; absent where nothing was found out, or only told. */
  readonly eci?: string;
}

/** What an ECI says. */
type Proof = 'attempted' | 'authenticated' | 'unproven';

interface StatusRow {
  /** Where the payment goes on. */
  readonly passes: string;
  /** Where the channel does not go on with this status. */
  readonly stops: string;
  readonly liabilityShifts: boolean;
  /** False: no channel can go on with it. */
  readonly mayGoOn: boolean;
  readonly eci: Proof | 'none';
}

/** The catalogue has one success for an authentication, whether the shopper was asked or not. */
const PASSES = '000.400.110';
const DATA_ONLY_PASSES = '000.400.120';

/**
 * A row per `transStatus`. R stops always, since the issuer forbids to go on; C and D are no ends, so
 * one that ends with them has timed out.
 */
const statusRows: Readonly<Record<AuthenticationStatus, StatusRow>> = {
  Y: row('authenticated', true, PASSES, '100.390.100'),
  A: row('attempted', true, PASSES, '100.390.100'),
  N: row('unproven', false, PASSES, '000.400.102'),
  U: row('unproven', false, PASSES, '000.400.103'),
  I: row('none', false, DATA_ONLY_PASSES, '000.400.111'),
  R: { ...row('none', false, PASSES, '100.380.401'), mayGoOn: false },
  C: { ...row('none', false, PASSES, codes.pendingTimedOut), mayGoOn: false },
  D: { ...row('none', false, PASSES, codes.pendingTimedOut), mayGoOn: false },
};

const failureCodes: Readonly<Record<AuthenticationFailure, string>> = {
  abandoned: codes.pendingTimedOut,
  cancelled: codes.cancelledByUser,
  directoryUnreachable: '000.400.107',
  malformedAnswer: '100.390.112',
  notEnrolled: '000.400.109',
  notParticipating: '000.400.101',
  timedOut: codes.pendingTimedOut,
};

/** Of these the issuer would say U, if it could be asked: a channel that goes on with U goes on. */
const unavailable: ReadonlySet<AuthenticationFailure> = new Set([
  ...(['directoryUnreachable', 'notEnrolled', 'notParticipating'] as const),
]);

/** What an authentication's end means for a payment of a channel that goes on with these statuses. */
export function verdictOf(
  end: AuthenticationEnd,
  goesOnWith: readonly AuthenticationStatus[],
): Verdict {
  if ('failure' in end) {
    const goesOn = unavailable.has(end.failure) && goesOnWith.includes('U');
    return { goesOn, resultCode: failureCodes[end.failure], liabilityShifts: false };
  }
  const { passes, stops, liabilityShifts, mayGoOn, eci } = statusRows[end.status];
  const goesOn = mayGoOn && goesOnWith.includes(end.status);
  return {
    goesOn,
    resultCode: goesOn ? passes : stops,
    liabilityShifts,
    ...(eci === 'none' ? {} : { eci: eciOf(end.network, eci) }),
  };
}

/** Mastercard and UnionPay count the other way round than all others (result codes, section 7). */
const ecis = {
  mastercard: { authenticated: '02', attempted: '01', unproven: '00' },
  others: { authenticated: '05', attempted: '06', unproven: '07' },
} as const;

function eciOf(network: AuthenticationNetwork, proof: Proof): string {
  const countsOtherwise = network === 'mastercard' || network === 'unionpay';
  return ecis[countsOtherwise ? 'mastercard' : 'others'][proof];
}

function row(
  eci: StatusRow['eci'],
  liabilityShifts: boolean,
  passes: string,
  stops: string,
): StatusRow {
  return { eci, liabilityShifts, passes, stops, mayGoOn: true };
}
