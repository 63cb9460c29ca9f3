import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { StreamQueries } from '@sluice/aggregates';
import {
  type CarriedShardsAnswer,
  type Elsewhere,
  ELSEWHERE,
  type EventsOfStreamsAnswer,
  type EventsOfStreamsQuery,
  type PaidInstrumentAnswer,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type RecordedTransactions,
  type ReferenceHeadsAnswer,
  type ReferenceHeadsQuery,
  type ShopperAnswer,
  type ShopperQuery,
  type StreamEventsAnswer,
  type StreamEventsQuery,
  type StreamHeadsAnswer,
  type StreamHeadsQuery,
  type TransactionAnswer,
  type TransactionEntriesQuery,
  type TransactionOutcomeAnswer,
  type TransactionQuery,
  type TransactionsByReferenceQuery,
} from '@sluice/contracts';
import { EventStore, ShardElsewhere } from '@sluice/event-store';
import { queryPattern } from '@sluice/messaging';
import { PaymentQueries } from './payment-queries.js';
import { ShopperReturns } from './shopper-returns.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(
    private readonly queries: PaymentQueries,
    private readonly streams: StreamQueries,
    private readonly store: EventStore,
    private readonly returns: ShopperReturns,
  ) {}

  /** Which shards this cell carries, for those who have to find the cell of a payment. */
  @MessagePattern(queryPattern('payments.carriedShards'))
  carriedShards(): Promise<CarriedShardsAnswer> {
    return this.store.carriedShards();
  }

  /** One transaction, from its own stream: always current (Interface 3, GET /v1/payments/{id}). */
  @MessagePattern(queryPattern('payments.transaction'))
  transaction(@Payload() query: TransactionQuery): Promise<TransactionAnswer | Elsewhere> {
    return unlessElsewhere(this.queries.transaction(query));
  }

  /** What became of one transaction, for those who need nothing else of it. */
  @MessagePattern(queryPattern('payments.transactionOutcome'))
  transactionOutcome(
    @Payload() query: TransactionQuery,
  ): Promise<TransactionOutcomeAnswer | Elsewhere> {
    return unlessElsewhere(this.queries.transactionOutcome(query));
  }

  /** What a payment was made with, for a merchant who stores it afterwards. */
  @MessagePattern(queryPattern('payments.paidInstrument'))
  paidInstrument(@Payload() query: TransactionQuery): Promise<PaidInstrumentAnswer | Elsewhere> {
    return unlessElsewhere(this.queries.paidInstrument(query));
  }

  /** Where the shopper of a payment has to go, for the shopper's browser. */
  @MessagePattern(queryPattern('payments.redirect'))
  redirect(@Payload() query: ShopperQuery): Promise<ShopperAnswer | Elsewhere> {
    return unlessElsewhere(this.returns.arrived(query));
  }

  /** The shopper is back from the acquirer: asks what became of the payment, and answers the same. */
  @MessagePattern(queryPattern('payments.shopperReturn'))
  shopperReturn(@Payload() query: ShopperQuery): Promise<ShopperAnswer | Elsewhere> {
    return unlessElsewhere(this.returns.returned(query));
  }

  /** One transaction, on request with all others of its payment; always current, too. */
  @MessagePattern(queryPattern('payments.transactionEntries'))
  transactionEntries(
    @Payload() query: TransactionEntriesQuery,
  ): Promise<RecordedTransactions | Elsewhere> {
    return unlessElsewhere(this.queries.transactionEntries(query));
  }

  /**
   * The stream versions of the payments with a merchant's own id, so that reporting can tell
   * whether its rows are current (D-65).
   */
  @MessagePattern(queryPattern('payments.referenceHeads'))
  referenceHeads(@Payload() query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.queries.referenceHeads(query);
  }

  /** The same payments themselves, for when reporting's rows are behind. */
  @MessagePattern(queryPattern('payments.transactionsByReference'))
  transactionsByReference(
    @Payload() query: TransactionsByReferenceQuery,
  ): Promise<RecordedTransactions | Elsewhere> {
    return unlessElsewhere(this.queries.transactionsByReference(query));
  }

  /** What a reader of the published events has missed. */
  @MessagePattern(queryPattern('payments.streamEvents'))
  streamEvents(@Payload() query: StreamEventsQuery): Promise<StreamEventsAnswer | Elsewhere> {
    return unlessElsewhere(this.streams.streamEvents(query));
  }

  /** The same of many streams, for whoever reads all that have changed. */
  @MessagePattern(queryPattern('payments.eventsOfStreams'))
  eventsOfStreams(
    @Payload() query: EventsOfStreamsQuery,
  ): Promise<EventsOfStreamsAnswer | Elsewhere> {
    return unlessElsewhere(this.streams.eventsOfStreams(query));
  }

  /** Which streams have changed, so that a reader finds out whether it missed anything. */
  @MessagePattern(queryPattern('payments.streamHeads'))
  streamHeads(@Payload() query: StreamHeadsQuery): Promise<StreamHeadsAnswer> {
    return this.streams.streamHeads(query);
  }

  /** Opens the personal parameters that events carry sealed; keys never leave this service. */
  @MessagePattern(queryPattern('payments.personalParameters'))
  personalParameters(
    @Payload() query: PersonalParametersQuery,
  ): Promise<PersonalParametersAnswer | Elsewhere> {
    return unlessElsewhere(this.streams.personalParameters(query));
  }
}

/** The answer, or that another cell has to be asked. */
async function unlessElsewhere<Answer>(answer: Promise<Answer>): Promise<Answer | Elsewhere> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ShardElsewhere) return ELSEWHERE;
    throw error;
  }
}
