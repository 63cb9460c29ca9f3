import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CheckoutStatusAnswer, CheckoutStatusQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { CheckoutQueries } from './checkout-queries.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(private readonly queries: CheckoutQueries) {}

  /** How one checkout stands, from its own stream: always current. */
  @MessagePattern(queryPattern('checkouts.status'))
  status(@Payload() query: CheckoutStatusQuery): Promise<CheckoutStatusAnswer> {
    return this.queries.status(query);
  }
}
