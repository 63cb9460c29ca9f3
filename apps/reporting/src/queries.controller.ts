import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  LinkedTransactionsQuery,
  RecordedTransactions,
  RecordedTransactionsQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { TransactionQueries } from './transaction-queries.js';

/** Queries and, later, reports behind edge. */
@Controller()
export class QueriesController {
  constructor(private readonly transactions: TransactionQueries) {}

  /** Transactions by the merchant's own id or by time, as they were when this arrived (D-65). */
  @MessagePattern(queryPattern('reporting.transactions'))
  search(@Payload() query: RecordedTransactionsQuery): Promise<RecordedTransactions> {
    return this.transactions.transactions(query);
  }

  /** What is linked with a payment or registration in other streams, as it was when this arrived. */
  @MessagePattern(queryPattern('reporting.linkedTransactions'))
  linked(@Payload() query: LinkedTransactionsQuery): Promise<RecordedTransactions> {
    return this.transactions.linked(query);
  }
}
