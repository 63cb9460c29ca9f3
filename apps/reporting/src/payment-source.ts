import type {
  Message,
  PaymentEventData,
  StreamEventsAnswer,
  StreamEventsQuery,
  StreamHeadsAnswer,
  StreamHeadsQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import type { ArrivedEvent } from '@sluice/projections';

/** A published event, and the store that recorded it (D-23). */
export interface PaymentEvent extends ArrivedEvent {
  readonly incarnation: string;
}

/** What payments can be asked about its streams; its tables are nobody else's (D-21). */
export interface PaymentSource {
  /** The events of a stream after a version, in order; perhaps not all that there are. */
  eventsAfter(streamId: string, version: number): Promise<readonly PaymentEvent[]>;
  /** Streams that changed after the cursor and have not changed since `olderThanMs`. */
  headsAfter(cursor: string | undefined, olderThanMs: number): Promise<StreamHeadsAnswer>;
}

/** Events that one answer looks at: a few milliseconds for payments. */
const HEADS_PER_ANSWER = 5_000;

/** An event as it was published; the message itself is kept for the case that it is parked. */
export function paymentEventOf(message: Message): PaymentEvent {
  const { streamId, version, incarnation, event, metadata } = message.data as PaymentEventData;
  return {
    streamId,
    version,
    incarnation,
    type: message.type,
    schemaVersion: message.schemaVersion,
    data: event,
    metadata,
    // Hardly ever read: only an event that is parked needs it.
    get text() {
      return JSON.stringify(message);
    },
  };
}

/** Asks payments over the port for queries. */
export class QueriedPayments implements PaymentSource {
  constructor(private readonly queries: Queries) {}

  async eventsAfter(streamId: string, afterVersion: number): Promise<readonly PaymentEvent[]> {
    const query: StreamEventsQuery = { streamId, afterVersion };
    const { events } = await this.queries.ask<StreamEventsAnswer>(
      'payments',
      'payments.streamEvents',
      query,
    );
    return events.map(paymentEventOf);
  }

  headsAfter(after: string | undefined, olderThanMs: number): Promise<StreamHeadsAnswer> {
    const query: StreamHeadsQuery = {
      ...(after !== undefined && { after }),
      limit: HEADS_PER_ANSWER,
      olderThanMs,
    };
    return this.queries.ask<StreamHeadsAnswer>('payments', 'payments.streamHeads', query);
  }
}
