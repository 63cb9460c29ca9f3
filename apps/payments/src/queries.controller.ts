import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { TransactionAnswer, TransactionQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { PaymentQueries } from './payment-queries.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(private readonly queries: PaymentQueries) {}

  /** One transaction, from its own stream: always current (Interface 3, GET /v1/payments/{id}). */
  @MessagePattern(queryPattern('payments.transaction'))
  transaction(@Payload() query: TransactionQuery): Promise<TransactionAnswer> {
    return this.queries.transaction(query);
  }
}
