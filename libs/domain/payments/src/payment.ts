import type { TransactionStatus } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { codes, reviewedCode } from '@sluice/result-codes';
import type { EventMetadata, PaymentEvent, PaymentEventOf } from './events.js';
import type { LateApproval, Transaction, Transactions } from './transaction.js';

/** A payment: nothing yet, or the chain that its first transaction opened. */
export type PaymentState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'opened';
      /** The id of the first transaction, which is the stream's too. */
      readonly paymentId: TransactionId;
      readonly transactions: Transactions;
    };

/** Before the first event. */
export const initialState: PaymentState = { kind: 'none' };

const NO_TRANSACTIONS: Transactions = new Map();

/** The transactions of a payment, none before the first event. */
export function transactionsOf(state: PaymentState): Transactions {
  return state.kind === 'none' ? NO_TRANSACTIONS : state.transactions;
}

/** The transaction with this id, if it belongs to the payment. */
export function findTransaction(state: PaymentState, id: string): Transaction | undefined {
  return transactionsOf(state).get(id);
}

/** The transaction that opened the payment. Throws before the first event. */
export function initialTransaction(state: PaymentState): Transaction {
  if (state.kind === 'none') throw new Error('A payment without events has no transaction');
  return existing(state.transactions, state.paymentId);
}

/**
 * The state after one more event. It accepts every event without checks, because events are facts.
 */
export function evolve(state: PaymentState, event: PaymentEvent): PaymentState {
  const transactions = new Map(transactionsOf(state));
  return withTransaction(state, transactions, event);
}

/** The state after many events: `evolve` of each, with one copy of the map. */
export function evolveAll(state: PaymentState, events: Iterable<PaymentEvent>): PaymentState {
  const transactions = new Map(transactionsOf(state));
  let result = state;
  for (const event of events) result = withTransaction(result, transactions, event);
  return result;
}

function withTransaction(
  state: PaymentState,
  transactions: Map<string, Transaction>,
  event: PaymentEvent,
): PaymentState {
  const id = event.data.transactionId;
  transactions.set(id, transactionAfter(transactions, event));
  return { kind: 'opened', paymentId: state.kind === 'none' ? id : state.paymentId, transactions };
}

/** The transaction that an event is about, as it is after the event. */
function transactionAfter(transactions: Transactions, event: PaymentEvent): Transaction {
  switch (event.type) {
    case 'PaymentInitiated': {
      const { transactionId, ...data } = event.data;
      return { ...data, ...begun(transactionId, event.metadata), final: false };
    }
    case 'TransactionRequested': {
      const { transactionId, ...data } = event.data;
      return { ...data, ...begun(transactionId, event.metadata) };
    }
    case 'TransactionRejected': {
      const { transactionId, ...data } = event.data;
      return {
        ...begun(transactionId, event.metadata),
        ...data,
        status: 'rejected',
        final: false,
      };
    }
    case 'ChargebackReceived':
    case 'ChargebackReversed': {
      const { transactionId, ...data } = event.data;
      const operation = event.type === 'ChargebackReceived' ? 'chargeback' : 'chargebackReversal';
      return {
        ...begun(transactionId, event.metadata),
        ...data,
        operation,
        status: 'approved',
        final: false,
      };
    }
    case 'TransactionApproved':
      return settled(transactions, event, 'approved');
    case 'StandaloneCompleted':
      return settled(transactions, event, 'approved');
    case 'TransactionDeclined':
      return settled(transactions, event, 'declined');
    case 'TransactionPending':
      return settled(transactions, event, 'pending');
    case 'UnknownTransactionReversed':
      return settled(transactions, event, 'reversedAfterUnknown');
    case 'RiskAssessed':
    case 'AuthenticationPending':
    case 'AuthenticationCompleted':
    case 'AuthorizationRequested':
    case 'ReviewDecided':
      return beforeAuthorization(existing(transactions, event.data.transactionId), event);
    case 'TransactionRerouted':
      return rerouted(existing(transactions, event.data.transactionId), event);
    case 'TransactionNotPerformed':
    case 'TransactionOutcomeUnknown':
      return withoutOutcome(existing(transactions, event.data.transactionId), event);
    case 'LateApprovalReceived':
    case 'LateApprovalRefundRequested':
    case 'LateApprovalUndone':
    case 'LateInquiryAnswered':
    case 'CaseOpened':
      return afterTheEnd(existing(transactions, event.data.transactionId), event);
  }
}

type EventBeforeAuthorization = PaymentEventOf<
  | 'RiskAssessed'
  | 'AuthenticationPending'
  | 'AuthenticationCompleted'
  | 'AuthorizationRequested'
  | 'ReviewDecided'
>;

/** What is found out of a payment before its acquirer is asked, and what a review decides afterwards. */
function beforeAuthorization(
  transaction: Transaction,
  { type, data, metadata }: EventBeforeAuthorization,
): Transaction {
  const changedAtMs = metadata.recordedAtMs;
  switch (type) {
    case 'RiskAssessed': {
      const { transactionId: _, ...assessment } = data;
      return { ...transaction, assessment };
    }
    case 'AuthenticationPending':
      return awaiting(transaction, data, changedAtMs);
    case 'AuthenticationCompleted': {
      const { transactionId: _, ...authentication } = data;
      const { awaited: _awaited, ...rest } = transaction;
      return { ...rest, authentication };
    }
    case 'AuthorizationRequested': {
      const { request, route } = data;
      const asked = { request, ...(route !== undefined && { route }) };
      return { ...transaction, ...asked, status: 'requested', changedAtMs };
    }
    case 'ReviewDecided': {
      const { decision: review } = data;
      const isApproved = transaction.status === 'approved';
      const resultCode = isApproved ? reviewedCode(review, metadata.mode) : transaction.resultCode;
      return { ...transaction, review, resultCode };
    }
  }
}

/** It is with the shopper; of an acquirer that has declined it, nothing more is expected. */
function awaiting(
  { request: _, route, ...transaction }: Transaction,
  data: PaymentEventOf<'AuthenticationPending'>['data'],
  changedAtMs: number,
): Transaction {
  const { authenticationId, expiresAtMs, resumption, redirect, decline, appChallenge } = data;
  const declined = decline && {
    ...({ reason: 'declined', endedAtMs: changedAtMs, decline } as const),
    ...(route !== undefined && { route }),
  };
  const { failedAttempts = [] } = transaction;
  return {
    ...transaction,
    ...(redirect !== undefined && { redirect }),
    ...(declined !== undefined && { failedAttempts: [...failedAttempts, declined] }),
    awaited: {
      ...{ authenticationId, expiresAtMs, resumption },
      ...(appChallenge !== undefined && { appChallenge }),
    },
    ...({ status: 'pending', resultCode: codes.pending } as const),
    changedAtMs,
  };
}

/** It is still requested, but of another acquirer. */
function rerouted(
  transaction: Transaction,
  { data, metadata }: PaymentEventOf<'TransactionRerouted'>,
): Transaction {
  const { request, route, reason, decline } = data;
  const { route: before, failedAttempts = [] } = transaction;
  const changedAtMs = metadata.recordedAtMs;
  const failed = {
    ...{ reason, endedAtMs: changedAtMs },
    ...(before !== undefined && { route: before }),
    ...(decline !== undefined && { decline }),
  };
  return {
    ...transaction,
    ...{ request, route, failedAttempts: [...failedAttempts, failed] },
    changedAtMs,
  };
}

/** Nobody at the acquirer has decided: it was never asked, or its answer is not known. */
function withoutOutcome(
  transaction: Transaction,
  event: PaymentEventOf<'TransactionNotPerformed' | 'TransactionOutcomeUnknown'>,
): Transaction {
  const changedAtMs = event.metadata.recordedAtMs;
  if (event.type === 'TransactionOutcomeUnknown') {
    return { ...transaction, status: 'unknown', resultCode: codes.pending, changedAtMs };
  }
  const { resultCode, reason } = event.data;
  return {
    ...transaction,
    status: 'notPerformed',
    resultCode,
    notPerformedReason: reason,
    changedAtMs,
  };
}

type LateEvent = Extract<
  PaymentEvent,
  {
    type:
      | 'LateApprovalReceived'
      | 'LateApprovalRefundRequested'
      | 'LateApprovalUndone'
      | 'LateInquiryAnswered'
      | 'CaseOpened';
  }
>;

/** What happens after a transaction's end leaves its status and result alone (R-MON-03). */
function afterTheEnd(transaction: Transaction, event: LateEvent): Transaction {
  switch (event.type) {
    case 'LateApprovalReceived':
      return {
        ...transaction,
        lateApproval: {
          connectorTxId: event.data.connectorTxId,
          receivedAtMs: event.metadata.recordedAtMs,
        },
      };
    case 'LateApprovalRefundRequested':
      return {
        ...transaction,
        lateApproval: { ...lateApprovalOf(transaction), refund: event.data.request },
      };
    case 'LateApprovalUndone':
      return {
        ...transaction,
        lateApproval: { ...lateApprovalOf(transaction), undoneBy: event.data.by },
      };
    case 'LateInquiryAnswered':
      return { ...transaction, lateAnswer: event.data.answer };
    case 'CaseOpened':
      return { ...transaction, openCase: event.data.reason };
  }
}

function begun(id: TransactionId, metadata: EventMetadata) {
  return {
    id,
    status: 'requested',
    resultCode: codes.pending,
    metadata,
    changedAtMs: metadata.recordedAtMs,
  } as const;
}

type SettlingEvent = Extract<
  PaymentEvent,
  {
    type:
      | 'TransactionApproved'
      | 'StandaloneCompleted'
      | 'TransactionDeclined'
      | 'TransactionPending'
      | 'UnknownTransactionReversed';
  }
>;

function settled(
  transactions: Transactions,
  event: SettlingEvent,
  status: TransactionStatus,
): Transaction {
  const { transactionId, ...data } = event.data;
  return {
    ...existing(transactions, transactionId),
    ...data,
    status,
    changedAtMs: event.metadata.recordedAtMs,
  };
}

function existing(transactions: Transactions, id: TransactionId): Transaction {
  const transaction = transactions.get(id);
  if (transaction === undefined) throw new Error(`No transaction ${id} in this stream`);
  return transaction;
}

function lateApprovalOf(transaction: Transaction): LateApproval {
  if (transaction.lateApproval === undefined) {
    throw new Error(`Transaction ${transaction.id} has no late approval`);
  }
  return transaction.lateApproval;
}
