import type {
  RecordedTransactions,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  TransactionsByReferenceQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';

/** What payments is asked when it is the only one that knows, because rows may be behind (D-65). */
export class PaymentQueries {
  constructor(private readonly queries: Queries) {}

  /** How far the payments are that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.queries.ask<ReferenceHeadsAnswer>('payments', 'payments.referenceHeads', query);
  }

  /** A search by a merchant's own id, answered from the payments themselves. */
  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    const name = 'payments.transactionsByReference';
    return this.queries.ask<RecordedTransactions>('payments', name, query);
  }
}
