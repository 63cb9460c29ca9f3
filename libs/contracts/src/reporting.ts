import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { CarriedShardsAnswer } from './cells.js';
import type { Operation } from './operations.js';
import type { TransactionView } from './payments.js';
import type { RegistrationOperation } from './registration-operations.js';
import type { RegistrationTransaction } from './registrations.js';
import type { ScheduleEntryOperation, ScheduleTransaction } from './scheduling.js';

/** What queries find: transactions of payments, and what was done to registrations and schedules. */
export type RecordedTransaction = TransactionView | RegistrationTransaction | ScheduleTransaction;
/** What such an entry is of. */
export type RecordedOperation = Operation | RegistrationOperation | ScheduleEntryOperation;

/** Which entries an answer has, and which page of them: linked ones count too (D-71). */
export interface WantedEntries {
  /** Absent: all. */
  readonly operations?: readonly RecordedOperation[];
  /** Absent: all; else codes like `CC`. */
  readonly paymentMethods?: readonly string[];
  readonly limit: number;
  /** From 1. */
  readonly pageNo: number;
}

/**
 * The queries `transactionEntries` of payments, registrations and scheduling: one transaction, and if asked
 * for, after it all others of its payment, registration or schedule, from their own stream. The filters apply to all of them.
 */
export interface TransactionEntriesQuery extends WantedEntries {
  readonly transactionId: TransactionId;
  /** The tenant that asks; nothing of another one is ever found. */
  readonly entityId: EntityId;
  readonly includeLinked: boolean;
}

/**
 * The query `reporting.transactions`; newest first. Linked transactions come after all matches, in
 * the order in which they were made, and the filters do not apply to them.
 */
export interface RecordedTransactionsQuery extends WantedEntries {
  readonly entityId: EntityId;
  /** What to search by: the merchant's own id, or the time of the request. */
  readonly by:
    | { readonly merchantTransactionId: string }
    /** Milliseconds since the epoch; the end is not part of it. */
    | { readonly fromMs: number; readonly toMs: number };
  /** `NNNN.NNNN.NNNN`, as the descriptor shows it. */
  readonly shortId?: string;
  readonly includeLinked: boolean;
}

/**
 * The query `reporting.linkedTransactions`: what a payment and registrations have to do with each other, oldest
 * first and without the transactions of the asked one's own stream. Of a payment what it stored or is made
 * by and what was stored of it; of a registration its payment and the payments by it.
 */
export interface LinkedTransactionsQuery extends Pick<
  WantedEntries,
  'operations' | 'paymentMethods'
> {
  readonly entityId: EntityId;
  readonly transactionId: TransactionId;
  readonly limit: number;
  /** How many come before. */
  readonly offset: number;
}

/**
 * The queries `payments.transactionsByReference` and `registrations.transactionsByReference`: the same by the merchant's own id, from streams.
 */
export type TransactionsByReferenceQuery = RecordedTransactionsQuery & {
  readonly by: { readonly merchantTransactionId: string };
};

/** One page of what was found. */
export interface RecordedTransactions {
  readonly transactions: readonly RecordedTransaction[];
  /** How many entries all pages have, counted up to the maximum that can be paged through. */
  readonly total: number;
  /** The newest may be missing: the rows did not catch up in time (D-65). */
  readonly isBehind?: true;
  /** In which shards it was searched, in an answer of one of several cells of payments. */
  readonly carried?: CarriedShardsAnswer['carried'];
}

/** How many entries can be paged through; for more, narrow the time frame. */
export const PAGED_TRANSACTIONS_MAX = 50_000;
