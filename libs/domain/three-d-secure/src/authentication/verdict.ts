import type { AuthenticationNetwork, AuthenticationStatus } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import type { MessageCategory } from '../messages/message-kinds.js';
import { eciOf, isEci, type Proof, proofIn } from './eci.js';

/** Why nothing was asked, or why the asking gave no status. */
export type AuthenticationFailure =
  | 'abandoned'
  | 'cancelled'
  | 'directoryUnreachable'
  | 'malformedAnswer'
  | 'notBuilt'
  | 'notEnrolled'
  | 'notParticipating'
  | 'timedOut';

/** The end of an authentication, before anything is made of it. */
export type AuthenticationEnd =
  | {
      readonly status: AuthenticationStatus;
      readonly network: AuthenticationNetwork;
      /** 01: a payment; 02: none. */
      readonly category: MessageCategory;
      /** As the issuer told it. */
      readonly eci?: string;
      /** Whether the shopper was asked, by a challenge or away from the shop. */
      readonly wasAsked?: boolean;
      /** Whether it was asked about less than is paid, or about another currency. */
      readonly isShort?: boolean;
    }
  | { readonly failure: AuthenticationFailure };

/** What the end means for the payment. */
export interface Verdict {
  readonly goesOn: boolean;
  readonly resultCode: string;
  readonly liabilityShifts: boolean;
  /** What the acquirer is told; absent where nothing was found out, or only told. */
  readonly eci?: string;
}

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

/** Of a shopper who was asked and did not prove who he is: his card is enrolled, so N has no other meaning. */
const NOT_PROVEN = '100.380.401';

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
  notBuilt: '100.390.112',
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
  return end.category === '02'
    ? ofNonPayment(end, goesOnWith)
    : isContradicted(end)
      ? ofContradiction(end, goesOnWith)
      : ofPayment(end, goesOnWith);
}

type Status = Exclude<AuthenticationEnd, { failure: unknown }>;

function ofPayment(end: Status, goesOnWith: readonly AuthenticationStatus[]): Verdict {
  const { liabilityShifts: shifts, eci } = statusRows[end.status];
  // Issuers answer for what they were asked about, and for no more.
  const liabilityShifts = shifts && end.isShort !== true;
  return { ...goingOn(end, goesOnWith), liabilityShifts, ...eciTold(end, eci) };
}

/** Nothing is paid, so there is nothing to be liable for; and networks have ECIs of their own for it. */
function ofNonPayment(end: Status, goesOnWith: readonly AuthenticationStatus[]): Verdict {
  const { eci } = statusRows[end.status];
  const told = isEci(end.eci) ? { eci: end.eci } : eciTold(end, eci);
  return { ...goingOn(end, goesOnWith), liabilityShifts: false, ...told };
}

/**
 * The status says that the shopper was authenticated, and the ECI that he was not, or otherwise. Nothing is
 * claimed then: it is as if it could not be found out, so it takes a channel that goes on with U as well.
 */
function ofContradiction(end: Status, goesOnWith: readonly AuthenticationStatus[]): Verdict {
  const { goesOn, resultCode } = goingOn(end, goesOnWith);
  const stops = { goesOn: false, resultCode: goesOn ? statusRows.U.stops : resultCode };
  const verdict = goesOn && goesOnWith.includes('U') ? { goesOn, resultCode } : stops;
  return { ...verdict, liabilityShifts: false, eci: eciOf(end.network, 'unproven') };
}

function isContradicted({ status, network, eci: told }: Status): boolean {
  const { eci } = statusRows[status];
  const claims = eci === 'authenticated' || eci === 'attempted';
  return claims && told !== undefined && proofIn(network, told) !== eci;
}

function goingOn({ status, wasAsked }: Status, goesOnWith: readonly AuthenticationStatus[]) {
  const { passes, stops, mayGoOn } = statusRows[status];
  const goesOn = mayGoOn && goesOnWith.includes(status);
  const refuses = status === 'N' && wasAsked === true ? NOT_PROVEN : stops;
  return { goesOn, resultCode: goesOn ? passes : refuses };
}

/** The issuer's own, unless it claims what its status does not: then the table's. */
function eciTold({ network, eci: told }: Status, proof: Proof | 'none'): { eci?: string } {
  const found = told === undefined ? undefined : proofIn(network, told);
  const claims = found === 'authenticated' || found === 'attempted';
  if (isEci(told) && (!claims || found === proof)) return { eci: told };
  return proof === 'none' ? {} : { eci: eciOf(network, proof) };
}

function row(
  eci: StatusRow['eci'],
  liabilityShifts: boolean,
  passes: string,
  stops: string,
): StatusRow {
  return { eci, liabilityShifts, passes, stops, mayGoOn: true };
}
