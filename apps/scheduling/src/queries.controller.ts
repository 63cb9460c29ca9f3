import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { StreamQueries } from '@sluice/aggregates';
import type {
  PersonalParametersAnswer,
  PersonalParametersQuery,
  RecordedTransactions,
  ScheduleAnswer,
  ScheduleQuery,
  SchedulesOfRegistrationAnswer,
  SchedulesOfRegistrationQuery,
  ScheduleTransactionAnswer,
  StreamEventsAnswer,
  StreamEventsQuery,
  StreamHeadsAnswer,
  StreamHeadsQuery,
  TransactionEntriesQuery,
  TransactionQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { ScheduleQueries } from './schedule-queries.js';
import { ScheduleTransactions } from './schedule-transactions.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(
    private readonly queries: ScheduleQueries,
    private readonly transactions: ScheduleTransactions,
    private readonly streams: StreamQueries,
  ) {}

  /** One schedule, from its own stream: always current. */
  @MessagePattern(queryPattern('scheduling.schedule'))
  schedule(@Payload() query: ScheduleQuery): Promise<ScheduleAnswer> {
    return this.queries.schedule(query);
  }

  /** Those of one registration; always current, too. */
  @MessagePattern(queryPattern('scheduling.schedulesOfRegistration'))
  schedulesOfRegistration(
    @Payload() query: SchedulesOfRegistrationQuery,
  ): Promise<SchedulesOfRegistrationAnswer> {
    return this.queries.ofRegistration(query);
  }

  /** One thing that was asked of a schedule; always current, too. */
  @MessagePattern(queryPattern('scheduling.transaction'))
  transaction(@Payload() query: TransactionQuery): Promise<ScheduleTransactionAnswer> {
    return this.transactions.transaction(query);
  }

  /** The same, on request with all else that was asked of it. */
  @MessagePattern(queryPattern('scheduling.transactionEntries'))
  transactionEntries(@Payload() query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    return this.transactions.transactionEntries(query);
  }

  /** What a reader of the topic has missed (R-ES-06). */
  @MessagePattern(queryPattern('scheduling.streamEvents'))
  streamEvents(@Payload() query: StreamEventsQuery): Promise<StreamEventsAnswer> {
    return this.streams.streamEvents(query);
  }

  /** Which streams have changed, for readers to compare with (D-21). */
  @MessagePattern(queryPattern('scheduling.streamHeads'))
  streamHeads(@Payload() query: StreamHeadsQuery): Promise<StreamHeadsAnswer> {
    return this.streams.streamHeads(query);
  }

  /** Sealed parameters in clear, for the answers of reporting (D-22). */
  @MessagePattern(queryPattern('scheduling.personalParameters'))
  personalParameters(@Payload() query: PersonalParametersQuery): Promise<PersonalParametersAnswer> {
    return this.streams.personalParameters(query);
  }
}
