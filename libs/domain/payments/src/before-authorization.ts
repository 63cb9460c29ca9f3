import { type AuthenticationResult, isStandalone } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { fromMessage } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import type {
  AwaitAuthentication,
  DecideReview,
  FirstAuthentication,
  InitiatePayment,
  RecordAppChallenge,
  RecordAuthentication,
} from './commands.js';
import type { EventMetadata, PaymentEvent, PaymentEventOf } from './events.js';
import { standaloneCode, standaloneCompleted } from './standalone.js';
import type { Transaction } from './transaction.js';

/** What was found out of a new payment before its acquirer is asked. */
type FoundOut = Pick<
  InitiatePayment,
  'transactionId' | 'operation' | 'assessment' | 'authentication' | 'metadata'
>;

/** Why a new payment ends before anybody is asked: a rule rejects it, or its shopper was not authenticated. */
export function refusalBeforeAuthorization({
  operation,
  assessment,
  authentication,
}: FoundOut): string | undefined {
  if (assessment?.decision === 'reject') return assessment.resultCode ?? codes.riskRejected;
  // Nobody is authenticated for a check alone: the payment that follows has to be.
  const isChallenged = operation === 'riskAssessment' && assessment?.decision === 'challenge';
  if (isChallenged) return codes.softDecline;
  if (authentication?.kind !== 'completed' || authentication.result.goesOn) return undefined;
  return authentication.result.resultCode;
}

/** What is recorded of it, behind the event that begins the payment or refuses it. */
export function foundOutEvents({
  transactionId,
  assessment,
  authentication,
  metadata,
}: FoundOut): readonly PaymentEvent[] {
  return [
    ...(assessment === undefined
      ? []
      : [{ type: 'RiskAssessed', data: { transactionId, ...assessment }, metadata } as const]),
    ...(authentication === undefined || assessment?.decision === 'reject'
      ? []
      : [authenticationEvent(transactionId, authentication, metadata)]),
  ];
}

function authenticationEvent(
  transactionId: TransactionId,
  authentication: FirstAuthentication,
  metadata: EventMetadata,
): PaymentEvent {
  const { kind, ...rest } = authentication;
  if ('result' in rest) {
    const data = completed(transactionId, rest.authenticationId, rest.result);
    return { type: 'AuthenticationCompleted', data, metadata };
  }
  return { type: 'AuthenticationPending', data: { transactionId, ...rest }, metadata };
}

function completed(
  transactionId: TransactionId,
  authenticationId: TransactionId,
  { authenticated, ...result }: AuthenticationResult,
): PaymentEventOf<'AuthenticationCompleted'>['data'] {
  return {
    ...{ transactionId, authenticationId, ...result },
    ...(authenticated !== undefined && { authenticated: fromMessage(authenticated) }),
  };
}

/**
 * The end of the authentication that a payment waits for: the one place from which it goes on, so a second
 * word of it, or that of another authentication, changes nothing.
 */
export function recordAuthentication(
  ended: RecordAuthentication,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const { awaited } = transaction;
  if (awaited?.authenticationId !== ended.authenticationId) return [];
  return endOf(ended, transaction, metadata);
}

function endOf(
  {
    authenticationId,
    result,
    goesOnBy,
  }: Pick<RecordAuthentication, 'authenticationId' | 'result' | 'goesOnBy'>,
  { id: transactionId, operation }: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const data = completed(transactionId, authenticationId, result);
  const ended = { type: 'AuthenticationCompleted', data, metadata } as const;
  const { resultCode } = result;
  if (!result.goesOn) {
    return [ended, { type: 'TransactionDeclined', data: { transactionId, resultCode }, metadata }];
  }
  if (operation === 'authentication') {
    const alone = { operation, metadata };
    return [ended, standaloneCompleted(transactionId, standaloneCode(alone), metadata)];
  }
  if (goesOnBy === undefined) {
    const reason = { resultCode: codes.functionNotAvailable, reason: 'unsupported' } as const;
    return [
      ended,
      { type: 'TransactionNotPerformed', data: { transactionId, ...reason }, metadata },
    ];
  }
  return [
    ended,
    { type: 'AuthorizationRequested', data: { transactionId, ...goesOnBy }, metadata },
  ];
}

/**
 * The issuer wants the shopper to be authenticated: once, and only while its no is the last word. One that has
 * ended already goes on in the same breath, so nobody ever finds the payment waiting.
 */
export function awaitAuthentication(
  command: AwaitAuthentication,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const { authenticationId, redirect, expiresAtMs, resumption, decline, appChallenge, ended } =
    command;
  const { id: transactionId, status, request, authentication } = transaction;
  const isTheLastWord = status === 'requested' && request !== undefined;
  if (!isTheLastWord || authentication?.authenticationId === authenticationId) return [];
  const data = {
    ...{ transactionId, authenticationId, expiresAtMs, resumption, decline },
    ...(redirect !== undefined && { redirect }),
    ...(appChallenge !== undefined && { appChallenge }),
  };
  const pending = { type: 'AuthenticationPending', data, metadata } as const;
  return ended === undefined
    ? [pending]
    : [pending, ...endOf({ authenticationId, ...ended }, transaction, metadata)];
}

/** What the app goes on with, where the issuer took its time: recorded once, as all of them are. */
export function appChallenged(
  { authenticationId, expiresAtMs, appChallenge }: RecordAppChallenge,
  { id: transactionId, awaited }: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  if (awaited === undefined || awaited.appChallenge !== undefined) return [];
  if (authenticationId !== awaited.authenticationId) return [];
  const { resumption } = awaited;
  const data = { transactionId, authenticationId, resumption, expiresAtMs, appChallenge };
  return [{ type: 'AuthenticationPending', data, metadata }];
}

/** Whether a person, or the time, has to decide before anything is captured. */
export function isUnderReview({ operation, assessment, review }: Transaction): boolean {
  // Of a check alone there is no money to wait for anybody.
  if (isStandalone(operation)) return false;
  return assessment?.decision === 'review' && review === undefined;
}

/** Whether nothing may be taken on the strength of it: nobody has accepted it yet, or somebody has rejected it. */
export function isWithheld(transaction: Transaction): boolean {
  return isUnderReview(transaction) || transaction.review === 'rejected';
}

/** Nothing where it was decided before, or nothing is there to decide. */
export function decideReview(
  { decision }: DecideReview,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  if (!isUnderReview(transaction)) return [];
  return [{ type: 'ReviewDecided', data: { transactionId: transaction.id, decision }, metadata }];
}
