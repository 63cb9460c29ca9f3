import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  CheckoutStatusAnswer,
  CheckoutStatusQuery,
  CheckoutToCompleteAnswer,
  CheckoutToCompleteQuery,
  ServedAnswer,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { CheckoutQueries } from './checkout-queries.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(private readonly queries: CheckoutQueries) {}

  /** How one checkout stands, from its own stream and what others know: always current. */
  @MessagePattern(queryPattern('checkouts.status'))
  status(@Payload() query: CheckoutStatusQuery): Promise<CheckoutStatusAnswer> {
    return this.queries.status(query);
  }

  /** A success is about to be told: recorded once, and the checkout is over. */
  @MessagePattern(queryPattern('checkouts.serve'))
  serve(@Payload() query: CheckoutStatusQuery): Promise<ServedAnswer> {
    return this.queries.serve(query);
  }

  /** What a shopper's form completes. */
  @MessagePattern(queryPattern('checkouts.toComplete'))
  toComplete(@Payload() query: CheckoutToCompleteQuery): Promise<CheckoutToCompleteAnswer> {
    return this.queries.toComplete(query);
  }
}
