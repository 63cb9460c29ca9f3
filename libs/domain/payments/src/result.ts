import type { ShownAuthentication, TransactionOutcome } from '@sluice/contracts';
import { toMessage } from '@sluice/money';
import type { NotPerformedReason } from './events.js';
import type { Transaction } from './transaction.js';

/** The outcome fields of a transaction, as replies carry them (D-15, D-34). */
export function outcomeOf(transaction: Transaction): TransactionOutcome {
  const { id, referencedId, operation, status, resultCode, amount } = transaction;
  const { resultDescription, connectorTxId, resultDetails } = transaction;
  const { notPerformedReason } = transaction;
  const { avsResponse, cvvResponse, redirect, assessment, authentication, awaited } = transaction;
  return {
    id,
    operation,
    status,
    resultCode,
    ...(resultDescription !== undefined && { resultDescription }),
    ...(referencedId !== undefined && { referencedId }),
    ...(amount !== undefined && { amount: toMessage(amount) }),
    ...(connectorTxId !== undefined && { connectorTxId }),
    ...(resultDetails !== undefined && { resultDetails }),
    ...(avsResponse !== undefined && { avsResponse }),
    ...(cvvResponse !== undefined && { cvvResponse }),
    ...(redirect !== undefined && status === 'pending' && { redirect }),
    ...(assessment !== undefined && { riskScore: assessment.score }),
    ...(authentication !== undefined && { authentication: shownOf(authentication) }),
    ...(awaited?.appChallenge !== undefined && { appChallenge: awaited.appChallenge }),
    ...(notPerformedReason !== undefined &&
      isNeverSent(notPerformedReason) && { wasNeverSent: true }),
  };
}

/**
 * Also that another try may have another end. What an inquiry did not find could still arrive (D-27).
 */
function isNeverSent(reason: NotPerformedReason): boolean {
  switch (reason) {
    case 'expired':
    case 'bulkheadFull':
    case 'sendWindowOver':
    case 'cardGone':
    case 'neverSent':
    case 'notReachable':
    case 'givenUpBeforeSending':
      return true;
    case 'registrationForgotten':
    case 'unsupported':
    case 'refused':
    case 'notFound':
      return false;
  }
}

/** What merchants see of an authentication (Interface 2.17, the proof of it). */
function shownOf({
  authenticationId: _,
  goesOn: _goesOn,
  proofReference: _proofReference,
  resultCode: _resultCode,
  authenticated,
  ...shown
}: NonNullable<Transaction['authentication']>): ShownAuthentication {
  return {
    ...shown,
    ...(authenticated !== undefined && { authenticated: toMessage(authenticated) }),
  };
}
