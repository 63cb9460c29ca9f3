import type { TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import {
  appChallenged,
  awaitAuthentication,
  decideReview,
  recordAuthentication,
} from './before-authorization.js';
import { approval } from './approval.js';
import type {
  OpenRejectionCase,
  RecordFinding,
  RecordOutcome,
  RerouteTransaction,
} from './commands.js';
import {
  isOpen,
  type EventMetadata,
  type NotPerformedReason,
  type PaymentEvent,
} from './events.js';
import { findTransaction, type PaymentState } from './payment.js';
import type { Transaction } from './transaction.js';

/**
 * What a finding adds to the stream: nothing when it says what is known already, because calls,
 * inquiries and notices race and repeat (R-UNK-05).
 */
export function recordFinding(
  command: RecordFinding,
  state: PaymentState,
): readonly PaymentEvent[] {
  const transaction = findTransaction(state, command.transactionId);
  if (transaction === undefined) throw new Error(`No transaction ${command.transactionId} here`);
  const { transactionId } = command;
  const metadata = metadataAt(transaction.metadata, command.nowMs, command.actor);
  const late = transaction.lateApproval;
  const undoing = late !== undefined && late.undoneBy === undefined;
  switch (command.type) {
    case 'RecordOutcome':
      return isOfAnother(command, transaction) ? [] : recordOutcome(command, transaction, metadata);
    case 'RerouteTransaction':
      return reroute(command, transaction, metadata);
    case 'RecordReversal':
      if (isOfAnother(command, transaction)) return [];
      return recordReversal(command.connectorTxId, transaction, metadata);
    case 'RecordLateAnswer':
      if (isOpen(transaction.status) || transaction.status === 'approved') return [];
      if (transaction.lateAnswer !== undefined || late !== undefined) return [];
      return [
        {
          type: 'LateInquiryAnswered',
          data: { transactionId, answer: command.answer },
          metadata,
        },
      ];
    case 'RequestLateApprovalRefund':
      if (!undoing || late.refund !== undefined) return [];
      return [
        {
          type: 'LateApprovalRefundRequested',
          data: { transactionId, request: command.request },
          metadata,
        },
      ];
    case 'RecordLateApprovalRefund':
      return undoing ? [lateApprovalUndone('refund', command, metadata)] : [];
    case 'RecordAuthentication':
      return recordAuthentication(command, transaction, metadata);
    case 'AwaitAuthentication':
      return awaitAuthentication(command, transaction, metadata);
    case 'RecordAppChallenge':
      return appChallenged(command, transaction, metadata);
    case 'DecideReview':
      return decideReview(command, transaction, metadata);
    case 'OpenRejectionCase':
      return openRejectionCase(command, transaction, metadata);
    case 'OpenCase':
      if (isOfAnother(command, transaction)) return [];
      return openCase(transaction, undoing, metadata);
  }
}

/**
 * Whether it is about an attempt that another one has followed: an acquirer that answers an inquiry slowly
 * ends no attempt that was begun meanwhile, somewhere else or after an authentication.
 */
function isOfAnother(
  { acquirerReference }: Pick<RecordOutcome, 'acquirerReference'>,
  { request }: Transaction,
): boolean {
  return acquirerReference !== undefined && acquirerReference !== request?.acquirerReference;
}

function recordOutcome(
  { outcome, transactionId }: RecordOutcome,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const { status, awaited } = transaction;
  // Nobody is asked who could say something: what declined it has been recorded.
  if (awaited !== undefined) return [];
  if (!isOpen(status)) return recordAfterTheEnd({ outcome, transactionId }, transaction, metadata);
  switch (outcome.kind) {
    case 'approved':
      return approval(outcome, transaction, metadata);
    case 'declined': {
      const { kind: _, ...rest } = outcome;
      return [{ type: 'TransactionDeclined', data: { ...rest, transactionId }, metadata }];
    }
    case 'pending': {
      if (status === 'pending') return [];
      const { kind: _, ...rest } = outcome;
      const resultCode = outcome.resultCode ?? codes.pending;
      return [
        { type: 'TransactionPending', data: { ...rest, transactionId, resultCode }, metadata },
      ];
    }
    case 'notPerformed': {
      const { reason } = outcome;
      // It has been requested since that was found.
      if (reason === 'neverSent' && transaction.request !== undefined) return [];
      const resultCode = notPerformedCode(reason);
      const data = { transactionId, resultCode, reason };
      return [{ type: 'TransactionNotPerformed', data, metadata }];
    }
    case 'unknown': {
      if (status !== 'requested') return [];
      const data = { transactionId, reason: outcome.reason };
      return [{ type: 'TransactionOutcomeUnknown', data, metadata }];
    }
  }
}

/** Nothing if it has an outcome meanwhile, or another attempt is under way. */
function reroute(
  { transactionId, ended, request, route }: RerouteTransaction,
  { status, request: before }: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  if (status !== 'requested' || before?.acquirerReference === request.acquirerReference) return [];
  const data = { transactionId, request, route, ...ended };
  return [{ type: 'TransactionRerouted', data, metadata }];
}

/**
 * An end stays an end (R-MON-03); only an approval after a failure matters, because money moved.
 */
function recordAfterTheEnd(
  { outcome, transactionId }: Pick<RecordOutcome, 'outcome' | 'transactionId'>,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const { status, lateApproval } = transaction;
  const wasSent = transaction.request !== undefined;
  if (outcome.kind !== 'approved' || status === 'approved' || !wasSent) return [];
  if (lateApproval !== undefined) return [];
  const data = { transactionId, connectorTxId: outcome.connectorTxId };
  return [{ type: 'LateApprovalReceived', data, metadata }];
}

function recordReversal(
  connectorTxId: string,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const transactionId = transaction.id;
  if (isOpen(transaction.status)) {
    const data = { transactionId, resultCode: codes.timeoutReversed, connectorTxId };
    return [{ type: 'UnknownTransactionReversed', data, metadata }];
  }
  const late = transaction.lateApproval;
  if (late === undefined || late.undoneBy !== undefined) return [];
  return [lateApprovalUndone('reversal', { transactionId, connectorTxId }, metadata)];
}

function lateApprovalUndone(
  by: 'reversal' | 'refund',
  undone: { readonly transactionId: TransactionId; readonly connectorTxId: string },
  metadata: EventMetadata,
): PaymentEvent {
  const { transactionId, connectorTxId } = undone;
  return { type: 'LateApprovalUndone', data: { transactionId, by, connectorTxId }, metadata };
}

function openCase(
  transaction: Transaction,
  undoing: boolean,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const { id: transactionId, amount, openCase: already } = transaction;
  const reason = undoing ? 'lateApprovalNotUndone' : 'unresolved';
  if (already === reason || amount === undefined) return [];
  return [{ type: 'CaseOpened', data: { transactionId, reason, amount }, metadata }];
}

/** Once, and of what somebody has rejected alone. */
function openRejectionCase(
  { amount }: OpenRejectionCase,
  { id: transactionId, review, openCase: already }: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const reason = 'rejectedNotGivenBack';
  if (review !== 'rejected' || already === reason) return [];
  return [{ type: 'CaseOpened', data: { transactionId, reason, amount }, metadata }];
}

function notPerformedCode(reason: NotPerformedReason): string {
  switch (reason) {
    case 'bulkheadFull':
      return codes.tooManyRequests;
    case 'unsupported':
      return codes.functionNotAvailable;
    case 'refused':
      // It was sent and answered: "timed out before it was sent" would be wrong, and so would a try again.
      return codes.acquirerError;
    case 'registrationForgotten':
      // As after the deletion, which came between the payment and the vault.
      return codes.registrationUnusable;
    case 'expired':
    case 'sendWindowOver':
    case 'cardGone':
    case 'neverSent':
    case 'notReachable':
    case 'givenUpBeforeSending':
    case 'notFound':
      return codes.notPerformed;
  }
}

/** The same circumstances at a later instant: outcomes belong to the request they answer. */
export function metadataAt(
  metadata: EventMetadata,
  recordedAtMs: number,
  actor: string = metadata.actor,
): EventMetadata {
  return { ...metadata, recordedAtMs, actor };
}

/**
 * What is recorded instead of the events of a command whose time was over (D-03): the same
 * transaction, not performed, and without a request, which proves that nothing was sent (D-24).
 * What would have been refused is not performed either: whoever sent it may have been told so long
 * ago (D-17), and what was said finally stays so (R-MON-03).
 */
export function asExpired(events: readonly PaymentEvent[], nowMs: number): readonly PaymentEvent[] {
  return events.flatMap((event): readonly PaymentEvent[] => {
    const metadata = metadataAt(event.metadata, nowMs);
    switch (event.type) {
      case 'PaymentInitiated': {
        const { request: _, route: _route, ...data } = event.data;
        return [{ ...event, data }, expired(event.data.transactionId, metadata)];
      }
      case 'TransactionRequested': {
        const { request: _, ...data } = event.data;
        return [{ ...event, data }, expired(event.data.transactionId, metadata)];
      }
      case 'ChargebackReceived':
      case 'ChargebackReversed': {
        const operation = event.type === 'ChargebackReceived' ? 'chargeback' : 'chargebackReversal';
        const { source: _source, ...fields } = event.data;
        const { excess: _excess, ...data } = { excess: undefined, ...fields };
        const resultCode = codes.notPerformed;
        return [
          { type: 'TransactionRejected', data: { ...data, operation, resultCode }, metadata },
        ];
      }
      case 'TransactionRejected': {
        const { resultDescription: _, ...data } = event.data;
        return [{ ...event, data: { ...data, resultCode: codes.notPerformed }, metadata }];
      }
      case 'AuthenticationPending':
        // Nobody waits for it any more.
        return [];
      case 'RiskAssessed':
      case 'AuthenticationCompleted':
      case 'AuthorizationRequested':
      case 'StandaloneCompleted':
      case 'ReviewDecided':
      case 'TransactionRerouted':
      case 'TransactionApproved':
      case 'TransactionDeclined':
      case 'TransactionPending':
      case 'TransactionNotPerformed':
      case 'TransactionOutcomeUnknown':
      case 'UnknownTransactionReversed':
      case 'LateApprovalReceived':
      case 'LateApprovalRefundRequested':
      case 'LateApprovalUndone':
      case 'LateInquiryAnswered':
      case 'CaseOpened':
        return [event];
    }
  });
}

function expired(transactionId: TransactionId, metadata: EventMetadata): PaymentEvent {
  const data = { transactionId, resultCode: codes.notPerformed, reason: 'expired' } as const;
  return { type: 'TransactionNotPerformed', data, metadata };
}
