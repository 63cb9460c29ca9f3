import type {
  Message,
  PublishedEventData,
  RecordedTransactions,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  StreamEventsAnswer,
  StreamEventsQuery,
  StreamHeadsAnswer,
  StreamHeadsQuery,
  TransactionsByReferenceQuery,
} from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
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
  /** Which store payments has now (D-23). */
  incarnation(): Promise<string>;
  /** Streams that changed after the cursor and have not changed since `olderThanMs`. */
  headsAfter(cursor: string | undefined, olderThanMs: number): Promise<StreamHeadsAnswer>;
  /** All streams that have changed after the cursor by now. */
  headsNow(cursor: string | undefined): Promise<StreamHeadsAnswer>;
  /** How far the payments are that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer>;
  /** A search by a merchant's own id, answered from the payments themselves. */
  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions>;
}

/** Events that one answer looks at: a few milliseconds for payments. */
const HEADS_PER_ANSWER = 5_000;

/** The largest version that a row can hold. */
const VERSION_MAX = 2 ** 31 - 1;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Not what payments publishes, whoever wrote it; no stream waits behind it. */
export class NoPaymentEvent extends Error {
  override readonly name = 'NoPaymentEvent';

  constructor(field: string) {
    super(`Not an event of payments: ${field} is missing or has another form.`);
  }
}

/**
 * An event as it was published; the message itself is kept for the case that it is parked. Throws
 * NoPaymentEvent: the topic is open to whoever may write there.
 */
export function paymentEventOf(message: Message): PaymentEvent {
  const data: unknown = message.data;
  if (typeof data !== 'object' || data === null) throw new NoPaymentEvent('data');
  const { streamId, version, incarnation, event, metadata } = data as Partial<PublishedEventData>;
  if (typeof streamId !== 'string' || !isTransactionId(streamId)) {
    throw new NoPaymentEvent('streamId');
  }
  if (!Number.isInteger(version) || version === undefined || version < 1 || version > VERSION_MAX) {
    throw new NoPaymentEvent('version');
  }
  if (typeof incarnation !== 'string' || !UUID.test(incarnation)) {
    throw new NoPaymentEvent('incarnation');
  }
  if (!isObject(event)) throw new NoPaymentEvent('event');
  if (!isObject(metadata)) throw new NoPaymentEvent('metadata');
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

  async incarnation(): Promise<string> {
    const query: StreamHeadsQuery = { limit: 1, olderThanMs: 0 };
    const answer = await this.queries.ask<StreamHeadsAnswer>(
      'payments',
      'payments.streamHeads',
      query,
    );
    return answer.incarnation;
  }

  headsAfter(after: string | undefined, olderThanMs: number): Promise<StreamHeadsAnswer> {
    const query: StreamHeadsQuery = {
      ...(after !== undefined && { after }),
      limit: HEADS_PER_ANSWER,
      olderThanMs,
    };
    return this.queries.ask<StreamHeadsAnswer>('payments', 'payments.streamHeads', query);
  }

  headsNow(after: string | undefined): Promise<StreamHeadsAnswer> {
    const query: StreamHeadsQuery = {
      ...(after !== undefined && { after }),
      ...{ limit: HEADS_PER_ANSWER, olderThanMs: 0, now: true },
    };
    return this.queries.ask<StreamHeadsAnswer>('payments', 'payments.streamHeads', query);
  }

  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.queries.ask<ReferenceHeadsAnswer>('payments', 'payments.referenceHeads', query);
  }

  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    const name = 'payments.transactionsByReference';
    return this.queries.ask<RecordedTransactions>('payments', name, query);
  }
}
