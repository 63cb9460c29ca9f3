import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { StreamQueries } from '@sluice/aggregates';
import type {
  PersonalParametersAnswer,
  PersonalParametersQuery,
  RecordedTransactions,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  RegistrationAnswer,
  RegistrationQuery,
  RegistrationTransactionAnswer,
  StreamEventsAnswer,
  StreamEventsQuery,
  StreamHeadsAnswer,
  StreamHeadsQuery,
  TransactionEntriesQuery,
  TransactionQuery,
  TransactionsByReferenceQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { RegistrationQueries } from './registration-queries.js';
import { RegistrationTransactions } from './registration-transactions.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(
    private readonly queries: RegistrationQueries,
    private readonly transactions: RegistrationTransactions,
    private readonly streams: StreamQueries,
  ) {}

  /** One registration, from its own stream: always current. */
  @MessagePattern(queryPattern('registrations.registration'))
  registration(@Payload() query: RegistrationQuery): Promise<RegistrationAnswer> {
    return this.queries.registration(query);
  }

  /** One thing that was done to a registration; always current, too. */
  @MessagePattern(queryPattern('registrations.transaction'))
  transaction(@Payload() query: TransactionQuery): Promise<RegistrationTransactionAnswer> {
    return this.transactions.transaction(query);
  }

  /** The same, on request with all else that was done to it. */
  @MessagePattern(queryPattern('registrations.transactionEntries'))
  transactionEntries(@Payload() query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    return this.transactions.transactionEntries(query);
  }

  /** Which registrations have a merchant's own id, for reporting to know whether it has them (D-65). */
  @MessagePattern(queryPattern('registrations.referenceHeads'))
  referenceHeads(@Payload() query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.transactions.referenceHeads(query);
  }

  /** The same search as reporting's, for the moment in which its rows do not have them yet. */
  @MessagePattern(queryPattern('registrations.transactionsByReference'))
  transactionsByReference(
    @Payload() query: TransactionsByReferenceQuery,
  ): Promise<RecordedTransactions> {
    return this.transactions.transactionsByReference(query);
  }

  /** What a reader of the topic has missed (R-ES-06). */
  @MessagePattern(queryPattern('registrations.streamEvents'))
  streamEvents(@Payload() query: StreamEventsQuery): Promise<StreamEventsAnswer> {
    return this.streams.streamEvents(query);
  }

  /** Which streams have changed, for readers to compare with (D-21). */
  @MessagePattern(queryPattern('registrations.streamHeads'))
  streamHeads(@Payload() query: StreamHeadsQuery): Promise<StreamHeadsAnswer> {
    return this.streams.streamHeads(query);
  }

  /** Sealed parameters in clear, for the answers of reporting (D-22). */
  @MessagePattern(queryPattern('registrations.personalParameters'))
  personalParameters(@Payload() query: PersonalParametersQuery): Promise<PersonalParametersAnswer> {
    return this.streams.personalParameters(query);
  }
}
