import type {
  AuthenticationAnswer,
  AuthenticationResult,
  authenticationTerms,
  CoveredAmountAnswer,
  ValueOf,
} from '@sluice/contracts';
import { type Amount, toMessage } from '@sluice/money';
import { encodeMethodData } from '../messages/encoded-message.js';
import { buildMessage } from '../messages/build-message.js';
import { encodeMessage } from '../messages/encoded-message.js';
import { appChallengeOf } from './app-challenge.js';
import type { AuthenticationEvent } from './authentication-events.js';
import { proofIn } from './eci.js';

/** What is known of an authentication from its beginning on. */
export type AuthenticationTerms = ValueOf<typeof authenticationTerms>;

type DataOf<Type extends AuthenticationEvent['type']> = Extract<
  AuthenticationEvent,
  { readonly type: Type }
>['data'];

/**
 * Where it stands. `begun`: nobody is asked yet. `requested`: the answer is still to come. `challenged`:
 * the issuer asks the shopper in the browser or the app; `decoupled`: elsewhere. `ended`: it is over.
 */
export type Phase = 'begun' | 'requested' | 'challenged' | 'decoupled' | 'ended';

/** An authentication after its events. */
export interface Authentication {
  readonly terms: AuthenticationTerms;
  readonly personal?: string;
  /** How much it covers; absent of one that began before that was recorded. */
  readonly amount?: Amount;
  /** Whether that is less than is paid, or in another currency. */
  readonly isShort: boolean;
  readonly begunAtMs: number;
  readonly phase: Phase;
  readonly isMethodDone: boolean;
  /** Of the last request, or of the one that will be sent. */
  readonly serverTransactionId: string;
  readonly requests: number;
  readonly methodCompletion?: 'Y' | 'N' | 'U';
  readonly response?: DataOf<'ResponseReceived'>;
  readonly result?: DataOf<'ResultReceived'>;
  readonly ended?: DataOf<'AuthenticationEnded'>;
  /** When somebody has to see to it, milliseconds since the epoch. */
  readonly dueAtMs: number;
}

/** Undefined before the first event. */
export type AuthenticationState = Authentication | undefined;

/** The state after one more event. */
export function evolve(
  state: AuthenticationState,
  event: AuthenticationEvent,
): AuthenticationState {
  if (event.type === 'AuthenticationBegun') {
    const { terms, personal, amount, isShort = false } = event.data;
    const { serverTransactionId, beginByMs } = terms;
    return {
      ...{ terms, phase: 'begun', isMethodDone: false, serverTransactionId, requests: 0 },
      ...{ begunAtMs: event.metadata.recordedAtMs, dueAtMs: beginByMs },
      ...(personal !== undefined && { personal }),
      ...(amount !== undefined && { amount }),
      isShort,
    };
  }
  if (state === undefined) return undefined;
  switch (event.type) {
    case 'MethodDone':
      return { ...state, isMethodDone: true };
    case 'RequestSent': {
      const { serverTransactionId, methodCompletion, answerByMs } = event.data;
      const sent = { serverTransactionId, methodCompletion, requests: state.requests + 1 };
      return { ...state, ...sent, phase: 'requested', dueAtMs: answerByMs };
    }
    case 'ResponseReceived': {
      const { status, endByMs } = event.data;
      const phase = status === 'C' ? 'challenged' : status === 'D' ? 'decoupled' : state.phase;
      return { ...state, response: event.data, phase, dueAtMs: endByMs };
    }
    case 'ShopperReturned':
      return { ...state, dueAtMs: event.data.resultByMs };
    case 'ResultReceived':
      return { ...state, result: event.data };
    case 'AuthenticationEnded':
      return { ...state, phase: 'ended', ended: event.data };
  }
}

/** When somebody has to look at it without a request; null once it is over. */
export function dueAtMs(state: AuthenticationState): number | null {
  return state === undefined || state.phase === 'ended' ? null : state.dueAtMs;
}

/**
 * When it is over at the latest, milliseconds since the epoch, whatever is still to come: the issuer's answer, a
 * challenge. Until then whoever waits for it goes on waiting.
 */
export function endsByMs({ phase, terms, response, dueAtMs: due }: Authentication): number {
  const { decoupledMs = 0 } = terms;
  const askedMs = Math.max(challengeMs(terms), decoupledMs) + SEEN_TO_WITHIN_MS;
  switch (phase) {
    case 'begun':
      return due + SEEN_TO_WITHIN_MS + askedMs;
    case 'requested':
      return due + askedMs;
    case 'challenged':
    case 'decoupled':
      return (response?.endByMs ?? due) + SEEN_TO_WITHIN_MS;
    case 'ended':
      return due;
  }
}

/**
 * How long a shopper may take for a challenge: what EMV 3-D Secure lets an issuer wait for, and with
 * `BEGIN_WITHIN_MS` less than the 30 minutes that the vault keeps a security code.
 */
export const CHALLENGE_MS = 10 * 60_000;
/** An app may give its shopper longer; nobody has to send a browser before it. */
export function challengeMs({ appChallengeMs = 0 }: AuthenticationTerms): number {
  return Math.max(CHALLENGE_MS, appChallengeMs);
}

/** For a request whose answer nobody heard, and for whoever ends what is due. */
const SEEN_TO_WITHIN_MS = 60_000;

/** How it stands, as payments is told. */
export function answerOf(state: AuthenticationState): AuthenticationAnswer {
  if (state === undefined) return { kind: 'notFound' };
  if (state.ended !== undefined) return { kind: 'completed', result: resultOf(state, state.ended) };
  const { terms } = state;
  const expiresAtMs = endsByMs(state);
  const { redirectUrl } = terms;
  if (redirectUrl === undefined || terms.channel !== '02' || state.phase === 'decoupled') {
    const appChallenge = appChallengeOf(state);
    return { kind: 'waiting', expiresAtMs, ...(appChallenge && { appChallenge }) };
  }
  const way = { url: redirectUrl, method: 'GET', parameters: {} } as const;
  const preconditions = state.phase === 'begun' ? methodOf(terms, redirectUrl) : [];
  const first = preconditions.length === 0 ? {} : { preconditions };
  return { kind: 'redirect', redirect: { ...way, ...first }, expiresAtMs };
}

/** The page of the 3DS method, which the browser loads unseen (wire contract 5). */
function methodOf({ methodUrl, serverTransactionId }: AuthenticationTerms, redirectUrl: string) {
  if (methodUrl === undefined) return [];
  return [
    {
      ...{ origin: 'iframe#hidden', waitUntil: 'iframe#load' },
      description: 'Hidden iframe post for 3D Secure 2.0',
      ...({ url: methodUrl, method: 'POST' } as const),
      parameters: {
        threeDSMethodData: encodeMethodData(serverTransactionId, `${redirectUrl}/method`),
      },
    },
  ];
}

/** Where the browser of a challenged shopper goes: to the issuer, with CReq. Undefined for all others. */
export function challengeOf(state: AuthenticationState): AuthenticationAnswer | undefined {
  if (state?.phase !== 'challenged' || state.terms.channel !== '02') return undefined;
  const { response, terms, serverTransactionId } = state;
  if (response?.acsUrl === undefined) return undefined;
  const { acsTransactionId, acsUrl } = response;
  const creq = buildMessage(
    'CReq',
    terms.version,
    {
      ...{ threeDSServerTransID: serverTransactionId, acsTransID: acsTransactionId },
      challengeWindowSize: terms.challengeWindow ?? FULL_PAGE,
    },
    { channel: '02' },
  );
  const parameters = { creq: encodeMessage(creq) };
  const redirect = { url: acsUrl, method: 'POST', parameters } as const;
  return { kind: 'redirect', redirect, expiresAtMs: endsByMs(state) };
}

/** `challengeWindowSize`: as large as the browser lets it be. */
const FULL_PAGE = '05';

function resultOf(
  { terms, amount, isShort, serverTransactionId, response, result }: Authentication,
  { flow, goesOn, resultCode, liabilityShifts, status, eci }: DataOf<'AuthenticationEnded'>,
): AuthenticationResult {
  const proofReference = result?.proofReference ?? response?.proofReference;
  const statusReason = result?.statusReason ?? response?.statusReason;
  const isProven = provesShopper(terms, { status, eci });
  return {
    ...{ flow, goesOn, resultCode, liabilityShifts, serverTransactionId },
    ...(status !== undefined && { status }),
    ...(eci !== undefined && { eci }),
    ...(isProven && proofReference !== undefined && { proofReference }),
    ...(isProven && isShort && amount !== undefined && { authenticated: toMessage(amount) }),
    ...(response !== undefined && {
      version: terms.version,
      dsTransactionId: response.dsTransactionId,
      acsTransactionId: response.acsTransactionId,
    }),
    ...(statusReason !== undefined && { statusReason }),
    ...(result?.challengeCancel !== undefined && { challengeCancel: result.challengeCancel }),
    ...(response?.cardholderInfo !== undefined && { cardholderInfo: response.cardholderInfo }),
    ...(response?.acsSignedContent !== undefined && {
      acsSignedContent: response.acsSignedContent,
    }),
  };
}

/** Where there is nothing to be liable for, or too much, the issuer proves it all the same. */
function provesShopper(
  { category, network }: AuthenticationTerms,
  { status, eci }: { readonly status?: string | undefined; readonly eci?: string | undefined },
): boolean {
  if (status !== 'Y' && status !== 'A') return false;
  // What contradicts its status has an ECI that claims nothing.
  const claimed = eci === undefined ? undefined : proofIn(network, eci);
  return category === '02' || claimed === 'authenticated' || claimed === 'attempted';
}

/** What one has found out that a later payment comes with, and how much it covers, if it has proven who its shopper is. */
export function coverageFoundIn(state: Authentication): CoveredAmountAnswer {
  const { ended, terms, amount } = state;
  if (ended === undefined) return { found: {} };
  const { status, eci, version, acsTransactionId } = resultOf(state, ended);
  const isCovering = provesShopper(terms, ended) && amount !== undefined;
  return {
    ...(isCovering && { amount: toMessage(amount) }),
    found: {
      ...(status !== undefined && { status }),
      ...(eci !== undefined && { eci }),
      ...(version !== undefined && { version }),
      ...(acsTransactionId !== undefined && { acsTransactionId }),
    },
  };
}
