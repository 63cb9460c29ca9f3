import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  RecordedTransactionQuery,
  RecordedTransactions,
  RecordedTransactionsQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { TransactionQueries } from './transaction-queries.js';

/** Queries and, later, reports behind edge. They may be some moments behind the payments. */
@Controller()
export class QueriesController {
  constructor(private readonly transactions: TransactionQueries) {}

  /** One transaction of the asking tenant. */
  @MessagePattern(queryPattern('reporting.transaction'))
  transaction(@Payload() query: RecordedTransactionQuery): Promise<RecordedTransactions> {
    return this.transactions.transaction(query);
  }

  /** Transactions by the merchant's own id or by time. */
  @MessagePattern(queryPattern('reporting.transactions'))
  search(@Payload() query: RecordedTransactionsQuery): Promise<RecordedTransactions> {
    return this.transactions.transactions(query);
  }
}
