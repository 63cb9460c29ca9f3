import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  PersonalParametersAnswer,
  PersonalParametersQuery,
  StreamEventsAnswer,
  StreamEventsQuery,
  StreamHeadsAnswer,
  StreamHeadsQuery,
  TransactionAnswer,
  TransactionQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { PaymentQueries } from './payment-queries.js';
import { StreamQueries } from './stream-queries.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(
    private readonly queries: PaymentQueries,
    private readonly streams: StreamQueries,
  ) {}

  /** One transaction, from its own stream: always current (Interface 3, GET /v1/payments/{id}). */
  @MessagePattern(queryPattern('payments.transaction'))
  transaction(@Payload() query: TransactionQuery): Promise<TransactionAnswer> {
    return this.queries.transaction(query);
  }

  /** What a reader of the published events has missed. */
  @MessagePattern(queryPattern('payments.streamEvents'))
  streamEvents(@Payload() query: StreamEventsQuery): Promise<StreamEventsAnswer> {
    return this.streams.streamEvents(query);
  }

  /** Which streams have changed, so that a reader finds out whether it missed anything. */
  @MessagePattern(queryPattern('payments.streamHeads'))
  streamHeads(@Payload() query: StreamHeadsQuery): Promise<StreamHeadsAnswer> {
    return this.streams.streamHeads(query);
  }

  /** Opens the personal parameters that events carry sealed; keys never leave this service. */
  @MessagePattern(queryPattern('payments.personalParameters'))
  personalParameters(@Payload() query: PersonalParametersQuery): Promise<PersonalParametersAnswer> {
    return this.streams.personalParameters(query);
  }
}
