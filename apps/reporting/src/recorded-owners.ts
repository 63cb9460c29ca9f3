import type {
  RecordedTransactions,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  TransactionsByReferenceQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';

/** Queries to payments for what rows may not have yet (D-65). */
export class PaymentQueries {
  constructor(private readonly queries: Queries) {}

  /** The versions of the payments that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.queries.ask<ReferenceHeadsAnswer>('payments', 'payments.referenceHeads', query);
  }

  /** A search by a merchant's own id, answered from the payments themselves. */
  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    const name = 'payments.transactionsByReference';
    return this.queries.ask<RecordedTransactions>('payments', name, query);
  }
}
