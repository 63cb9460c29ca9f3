import type { AppChallenge, AuthenticationStatus, Decider } from '@sluice/contracts';
import {
  type Authentication,
  type AuthenticationState,
  type AuthenticationTerms,
  challengeMs,
  evolve,
} from './authentication.js';
import { isSameId } from '../messages/transaction-ids.js';
import type { Coverage } from './authenticated-amount.js';
import type { AuthenticationEvent } from './authentication-events.js';
import { type AuthenticationFailure, verdictOf } from './verdict.js';

/** How long a merchant may take to send the shopper's browser. */
export const BEGIN_WITHIN_MS = 15 * 60_000;
/** How long the issuer may ask the shopper elsewhere; the security code has to live that long, too. */
export const DECOUPLED_MAX_MS = 12 * 60_000;
/** RReq comes before the browser is sent back; one that comes late has this long. */
export const RESULT_AFTER_RETURN_MS = 30_000;
/** A process that ended in the middle of asking leaves an answer that nobody hears: it is asked once more. */
export const REQUESTS_MAX = 2;

/** What the issuer has found out, in ARes or RReq; the cryptogram is in the vault by then. */
export interface Finding {
  readonly status: AuthenticationStatus;
  readonly eci?: string;
  readonly statusReason?: string;
  readonly proofReference?: string;
}

/** A card that takes part, and whose issuer is to be asked. */
export interface BeginAuthentication {
  readonly type: 'BeginAuthentication';
  readonly nowMs: number;
  readonly terms: Omit<AuthenticationTerms, 'beginByMs'>;
  readonly coverage: Coverage;
  /** What the issuer will be told, sealed. */
  readonly personal?: string;
}

/** A browser says that it has run the page of the 3DS method. */
export interface RecordMethodDone {
  readonly type: 'RecordMethodDone';
  readonly nowMs: number;
  readonly serverTransactionId: string;
}

/** The directory server is to be asked. */
export interface SendRequest {
  readonly type: 'SendRequest';
  readonly nowMs: number;
  /** For a request after one whose answer nobody heard: directory servers take none twice. */
  readonly nextServerTransactionId: string;
  readonly answerWithinMs: number;
}

/** ARes, checked by the tables. */
export interface RecordResponse extends Finding {
  readonly type: 'RecordResponse';
  readonly nowMs: number;
  readonly serverTransactionId: string;
  readonly dsTransactionId: string;
  readonly acsTransactionId: string;
  readonly acsUrl?: string;
  readonly acsSignedContent?: string;
  readonly acsReferenceNumber?: string;
  readonly acsRenderingType?: AppChallenge['acsRenderingType'];
  readonly cardholderInfo?: string;
}

/** Nobody answered, or nothing that can be used. */
export interface RecordFailure {
  readonly type: 'RecordFailure';
  readonly nowMs: number;
  readonly serverTransactionId: string;
  readonly failure: AuthenticationFailure;
}

/** The browser brings CRes of this transaction; what it says counts for nothing. */
export interface RecordReturn {
  readonly type: 'RecordReturn';
  readonly nowMs: number;
  readonly serverTransactionId: string;
  readonly acsTransactionId: string;
}

/** By which a result is of a transaction: all three of them. */
export interface ResultIds {
  readonly serverTransactionId: string;
  readonly dsTransactionId: string;
  readonly acsTransactionId: string;
}

/** RReq, checked by the tables. */
export interface RecordResult extends Finding, ResultIds {
  readonly type: 'RecordResult';
  readonly nowMs: number;
  readonly challengeCancel?: string;
}

/** RReq of this transaction that the tables refuse: its sender is told what is wrong, and tells no other one. */
export interface RefuseResult extends ResultIds {
  readonly type: 'RefuseResult';
  readonly nowMs: number;
}

/** It is due: nobody may have gone on with it. */
export interface EndAuthentication {
  readonly type: 'EndAuthentication';
  readonly nowMs: number;
}

/** What may be asked of an authentication. */
export type AuthenticationCommand =
  | BeginAuthentication
  | RecordMethodDone
  | SendRequest
  | RecordResponse
  | RecordFailure
  | RecordReturn
  | RecordResult
  | RefuseResult
  | EndAuthentication;

/** What an authentication does: pure functions over its events, with time and ids in the command. */
export const authenticationDecider: Decider<
  AuthenticationCommand,
  AuthenticationState,
  AuthenticationEvent
> = { initialState: undefined, decide, evolve };

/** The events of a command in this state; none where it changes nothing, is late, or is of another. */
function decide(command: AuthenticationCommand, state: AuthenticationState): AuthenticationEvent[] {
  if (command.type === 'BeginAuthentication') return state === undefined ? [begun(command)] : [];
  if (state === undefined || state.phase === 'ended') return [];
  switch (command.type) {
    case 'RecordMethodDone':
      return methodDone(command, state);
    case 'SendRequest':
      return requestSent(command, state);
    case 'RecordResponse':
      return response(command, state);
    case 'RecordFailure': {
      const isOurs = isSameId(state.serverTransactionId, command.serverTransactionId);
      return state.phase === 'requested' && isOurs ? [failed(command.failure, state, command)] : [];
    }
    case 'RecordReturn':
      return returned(command, state);
    case 'RecordResult':
      return result(command, state);
    case 'RefuseResult':
      return isAwaited(command, state) ? [failed('malformedAnswer', state, command)] : [];
    case 'EndAuthentication':
      return command.nowMs < state.dueAtMs ? [] : [overdue(state, command)];
  }
}

function begun({ terms, coverage, personal, nowMs }: BeginAuthentication): AuthenticationEvent {
  const data = {
    terms: { ...terms, beginByMs: nowMs + BEGIN_WITHIN_MS },
    ...coverage,
    ...(personal !== undefined && { personal }),
  };
  return { type: 'AuthenticationBegun', data, metadata: at({ nowMs }) };
}

function methodDone(command: RecordMethodDone, state: Authentication): AuthenticationEvent[] {
  const { serverTransactionId } = command;
  const isOffered = state.phase === 'begun' && state.terms.methodUrl !== undefined;
  const isOurs = isSameId(serverTransactionId, state.serverTransactionId);
  if (!isOffered || !isOurs || state.isMethodDone) return [];
  return [{ type: 'MethodDone', data: { serverTransactionId }, metadata: at(command) }];
}

/** Asked once; and once more where whoever asked has ended before the answer. */
function requestSent(command: SendRequest, state: Authentication): AuthenticationEvent[] {
  const { nowMs, answerWithinMs, nextServerTransactionId } = command;
  const isFirst = state.phase === 'begun';
  const isUnheard = state.phase === 'requested' && nowMs >= state.dueAtMs;
  if (!isFirst && !(isUnheard && state.requests < REQUESTS_MAX)) return [];
  const data = {
    serverTransactionId: isFirst ? state.serverTransactionId : nextServerTransactionId,
    methodCompletion: methodCompletionOf(state, isFirst),
    answerByMs: nowMs + answerWithinMs,
  };
  return [{ type: 'RequestSent', data, metadata: at(command) }];
}

/** The issuer knows what its page found out by the id of the transaction, which only the first request has. */
function methodCompletionOf(
  { terms, isMethodDone }: Authentication,
  isFirst: boolean,
): 'N' | 'U' | 'Y' {
  if (terms.methodUrl === undefined) return 'U';
  return isMethodDone && isFirst ? 'Y' : 'N';
}

function response(command: RecordResponse, state: Authentication): AuthenticationEvent[] {
  const { type: _, nowMs, ...data } = command;
  const isOurs = isSameId(command.serverTransactionId, state.serverTransactionId);
  if (state.phase !== 'requested' || !isOurs) return [];
  const { status } = command;
  const { decoupledMs, channel } = state.terms;
  const lastsMs = status === 'D' ? (decoupledMs ?? 0) : challengeMs(state.terms);
  const received = {
    type: 'ResponseReceived',
    data: { ...data, endByMs: nowMs + lastsMs },
    metadata: at(command),
  } as const;
  if (status === 'C' && channel === '03')
    return [received, failed('malformedAnswer', state, command)];
  if (status === 'D' && decoupledMs === undefined) {
    return [received, failed('malformedAnswer', state, command)];
  }
  return status === 'C' || status === 'D'
    ? [received]
    : [received, ended(command, 'frictionless', state)];
}

function returned(command: RecordReturn, state: Authentication): AuthenticationEvent[] {
  const { phase, response: known, serverTransactionId } = state;
  const isOurs =
    isSameId(command.serverTransactionId, serverTransactionId) &&
    isSameId(command.acsTransactionId, known?.acsTransactionId);
  const resultByMs = command.nowMs + RESULT_AFTER_RETURN_MS;
  // Only earlier than without it: coming back again and again prolongs nothing.
  if (phase !== 'challenged' || !isOurs || resultByMs >= state.dueAtMs) return [];
  return [{ type: 'ShopperReturned', data: { resultByMs }, metadata: at(command) }];
}

function result(command: RecordResult, state: Authentication): AuthenticationEvent[] {
  if (!isAwaited(command, state)) return [];
  const { status, eci, statusReason, proofReference, challengeCancel } = command;
  const data = {
    status,
    ...(eci !== undefined && { eci }),
    ...(statusReason !== undefined && { statusReason }),
    ...(proofReference !== undefined && { proofReference }),
    ...(challengeCancel !== undefined && { challengeCancel }),
  };
  const received = { type: 'ResultReceived', data, metadata: at(command) } as const;
  const failure = cancelOf(command);
  return failure === undefined
    ? [received, ended(command, state.phase === 'decoupled' ? 'decoupled' : 'challenge', state)]
    : [received, failed(failure, state, command)];
}

/** Whether a result is of this transaction, and it is the time for one. */
export function isAwaited(ids: ResultIds, state: Authentication): boolean {
  return (state.phase === 'challenged' || state.phase === 'decoupled') && isOf(ids, state);
}

/** The same of one that was told before: its sender has not heard that it was. */
export function isRepeated(
  { status, ...ids }: ResultIds & Pick<RecordResult, 'status'>,
  state: Authentication,
): boolean {
  return state.result?.status === status && isOf(ids, state);
}

function isOf(ids: ResultIds, { response: known, serverTransactionId }: Authentication): boolean {
  return (
    isSameId(ids.serverTransactionId, serverTransactionId) &&
    isSameId(ids.dsTransactionId, known?.dsTransactionId) &&
    isSameId(ids.acsTransactionId, known?.acsTransactionId)
  );
}

/** `challengeCancel`: by the shopper, or because a time was over; all else is told by the status. */
function cancelOf({ status, challengeCancel }: RecordResult): AuthenticationFailure | undefined {
  if (status === 'Y' || status === 'A') return undefined;
  switch (challengeCancel) {
    case '01':
      return 'cancelled';
    case '03':
    case '04':
    case '05':
    case '08':
      return 'timedOut';
    default:
      return undefined;
  }
}

function overdue(state: Authentication, command: EndAuthentication): AuthenticationEvent {
  switch (state.phase) {
    case 'begun':
      return failed('abandoned', state, command);
    case 'requested':
      return failed('directoryUnreachable', state, command);
    default:
      return failed('timedOut', state, command);
  }
}

type Flow = Extract<AuthenticationEvent, { type: 'AuthenticationEnded' }>['data']['flow'];

function ended(
  { status, eci, nowMs }: Finding & { readonly nowMs: number },
  flow: Flow,
  { terms, isShort }: Authentication,
): AuthenticationEvent {
  const { network, goesOnWith, category } = terms;
  const wasAsked = flow === 'challenge' || flow === 'decoupled';
  const end = { status, network, category, wasAsked, isShort, ...(eci !== undefined && { eci }) };
  const data = { ...verdictOf(end, goesOnWith), flow, status };
  return { type: 'AuthenticationEnded', data, metadata: at({ nowMs }) };
}

function failed(
  failure: AuthenticationFailure,
  { terms, phase }: Authentication,
  command: { readonly nowMs: number },
): AuthenticationEvent {
  const verdict = verdictOf({ failure }, terms.goesOnWith);
  const flow = phase === 'challenged' ? 'challenge' : phase === 'decoupled' ? 'decoupled' : 'none';
  return { type: 'AuthenticationEnded', data: { ...verdict, flow }, metadata: at(command) };
}

function at({ nowMs }: { readonly nowMs: number }): { readonly recordedAtMs: number } {
  return { recordedAtMs: nowMs };
}
