import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { InitialOperation, ReferenceOperation, TransactionView } from './payments.js';

/** The query `reporting.transaction`: one transaction, and on demand its whole payment. */
export interface RecordedTransactionQuery {
  readonly transactionId: TransactionId;
  /** The tenant that asks; nothing of another one is ever found. */
  readonly entityId: EntityId;
  readonly includeLinked: boolean;
}

/** The query `reporting.transactions`; newest first. */
export interface RecordedTransactionsQuery {
  readonly entityId: EntityId;
  /** What to look for; the merchant's own id, or the time of the request. */
  readonly by:
    | { readonly merchantTransactionId: string }
    /** Milliseconds since the epoch; the end is not part of it. */
    | { readonly fromMs: number; readonly toMs: number };
  /** Absent: all. */
  readonly operations?: readonly (InitialOperation | ReferenceOperation)[];
  /** Absent: all; else codes like `CC`. */
  readonly paymentMethods?: readonly string[];
  /** `NNNN.NNNN.NNNN`, as the descriptor shows it. */
  readonly shortId?: string;
  readonly limit: number;
  /** From 1. */
  readonly pageNo: number;
  readonly includeLinked: boolean;
}

/** What reporting found; it may be some moments behind the payments themselves. */
export interface RecordedTransactions {
  readonly transactions: readonly TransactionView[];
  /** How many there are without linked ones, counted up to the most that can be paged through. */
  readonly total: number;
}

/** How many transactions can be paged through; whoever wants more narrows the time frame. */
export const PAGED_TRANSACTIONS_MAX = 50_000;
