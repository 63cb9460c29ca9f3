import type {
  Message,
  PersonalParametersQuery,
  RecordedTransactions,
  ReferenceHeadsQuery,
  StreamEventsQuery,
  StreamHeadsQuery,
  TransactionsByReferenceQuery,
} from '@sluice/contracts';
import {
  type Checkpoint,
  checkpointAtStart,
  EventStore,
  type RecordedEvent,
} from '@sluice/event-store';
import {
  type EntityId,
  mintedAtMs,
  newMessageId,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import type { ServiceDatabase } from '@sluice/service';
import type pg from 'pg';

export const ENTITY_ID = 'aaaabbbbccccdddd0000111122223333' as EntityId;
export const OTHER_ENTITY_ID = 'ffffbbbbccccdddd0000111122223333' as EntityId;

/** An event of a payment as a test writes it. */
export interface WrittenEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What payments answers in the stead of rows that are behind. */
export const FROM_STREAMS = { transactions: [{ id: 'from its stream' }], total: 1 };

const APPROVED = { resultCode: '000.100.110', connectorTxId: 'c1' };

/** What a payment of these kinds recorded: begun, approved, and perhaps captured. */
export function paymentEvents(
  id: TransactionId,
  { parameters = {}, captured = false, personal, checked = false, unserved }: PaymentShape = {},
): readonly WrittenEvent[] {
  const amount = { minor: '9200', currency: 'EUR' };
  const instrument = {
    ...{ kind: 'card', vaultReference: 'v', bin: '420000', last4: '0000', brand: 'VISA' },
    ...{ expiryMonth: '05', expiryYear: '2034' },
    ...(checked && { brandDetected: true }),
  };
  const checks = { avsResponse: 'Z', cvvResponse: 'M' };
  const operation = captured ? 'authorization' : 'debit';
  if (unserved !== undefined) {
    const resultCode = '600.200.500';
    const data = { transactionId: id, operation, amount, parameters, resultCode, ...unserved };
    return [{ type: 'TransactionRejected', data }];
  }
  const begun: WrittenEvent[] = [
    {
      type: 'PaymentInitiated',
      data: {
        transactionId: id,
        operation,
        amount,
        instrument,
        parameters,
        ...(personal && { personal }),
      },
    },
    {
      type: 'TransactionApproved',
      data: { transactionId: id, ...APPROVED, ...(checked && checks) },
    },
  ];
  if (!captured) return begun;
  const captureId = newTransactionIdInChainOf(id, mintedAtMs(id) + 1);
  return [
    ...begun,
    {
      type: 'TransactionRequested',
      data: {
        ...{ transactionId: captureId, referencedId: id, operation: 'capture', amount },
        ...{ final: false, parameters: {} },
      },
    },
    {
      type: 'TransactionDeclined',
      data: { transactionId: captureId, resultCode: '800.100.152', resultDetails: { a: 'b' } },
    },
  ];
}

export interface PaymentShape {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly captured?: boolean;
  readonly personal?: string;
  /** The card's brand was found from its number, and the issuer looked at address and code. */
  readonly checked?: boolean;
  /** Refused, because it is not by card: what its event says besides. */
  readonly unserved?: { readonly instrument: object; readonly resultDescription: string };
}

/** Payments with its real event store, and a queries port that answers like the real service. */
export class Payments {
  readonly store: EventStore;
  /** Whether queries are answered. */
  isAway = false;
  /** Streams that were asked for. */
  readonly healed: string[] = [];
  /** What was answered with FROM_STREAMS. */
  readonly asked: TransactionsByReferenceQuery[] = [];
  /** How often rows were compared with the store. */
  comparisons = 0;
  /** How many streams had changed at each look of a query by time. */
  readonly headsLooked: number[] = [];
  /** Whether more payments have a merchant's own id than one answer has. */
  hasMore = false;
  #mintedMs = 0;

  constructor(
    readonly database: ServiceDatabase,
    private readonly pool: pg.Pool,
  ) {
    this.store = new EventStore(pool, { schema: 'payments' });
  }

  readonly queries: Queries = {
    ask: async <Answer>(_service: string, query: string, parameters: object): Promise<Answer> => {
      if (this.isAway) throw new QueryUnavailable(query, 'noService');
      const answer = await this.#answer(query, parameters);
      return JSON.parse(JSON.stringify(answer)) as Answer;
    },
  };

  /** Appends to a stream; returns the messages that the relay would publish. */
  async record(
    streamId: string,
    events: readonly WrittenEvent[],
    entityId = ENTITY_ID,
  ): Promise<readonly Message[]> {
    const before = (await this.store.read(streamId)).length;
    const metadata = JSON.stringify({
      ...{ recordedAtMs: 1_790_000_000_000, entityId, channelName: 'Demo channel' },
      ...{ ndc: `${entityId}_1`, mode: 'INTERNAL', actor: entityId },
      ...{ correlationId: 'c', causationId: 'c' },
    });
    const result = await this.store.append({
      streamId,
      expectedVersion: before,
      commandId: newMessageId(Date.now()),
      ...claimsOf(events, entityId),
      events: events.map(({ type, data }) => ({
        ...{ id: newMessageId(Date.now()), type, schemaVersion: 1 },
        ...{ data: JSON.stringify(data), metadata },
      })),
    });
    if (result.kind !== 'appended') throw new Error(result.kind);
    return this.#messages(await this.store.readStreamAfter(streamId, before, 1_000));
  }

  /** A payment and the messages of its events. */
  async pay(shape: PaymentShape = {}, entityId = ENTITY_ID) {
    // Two milliseconds apart, so that ids sort as they were made.
    this.#mintedMs = Math.max(this.#mintedMs + 2, Date.now());
    const id = newTransactionId(this.#mintedMs);
    return { id, messages: await this.record(id, paymentEvents(id, shape), entityId) };
  }

  /** Many payments with two events each, as fast as the database takes them. */
  async payMany(count: number): Promise<void> {
    await this.pool.query(
      `WITH ids AS (
         SELECT n, lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint + n), 12, '0')
                   || md5(n::text || random()::text) AS long FROM generate_series(1, $1) n),
       s AS (SELECT n, left(long, 32) AS id FROM ids)
       INSERT INTO payments.events
         (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
       SELECT id, v, gen_random_uuid(), gen_random_uuid(),
         CASE v WHEN 1 THEN 'PaymentInitiated' ELSE 'TransactionApproved' END, 1,
         CASE v WHEN 1 THEN json_build_object('transactionId', id, 'operation', 'debit',
           'amount', json_build_object('minor', n::text, 'currency', 'EUR'),
           'parameters', json_build_object('merchantTransactionId', 'order-' || n, 'memo', E'a\\tb"c\\\\'))
         ELSE json_build_object('transactionId', id, 'resultCode', '000.100.110',
           'connectorTxId', 'c' || n) END,
         json_build_object('recordedAtMs', 1790000000000, 'entityId', $2::text,
           'channelName', 'Demo channel', 'ndc', 'n', 'mode', 'INTERNAL')
       FROM s, generate_series(1, 2) v`,
      [count, ENTITY_ID],
    );
  }

  /** As a restore brings it about: the newest events of a stream are gone, and were never there. */
  async lose(streamId: string, afterVersion = 0): Promise<void> {
    const values = [streamId, afterVersion];
    await this.pool.query(
      'DELETE FROM payments.events WHERE stream_id = $1 AND version > $2',
      values,
    );
    await this.pool.query(
      `DELETE FROM payments.transactions t WHERE stream_id = $1 AND NOT EXISTS (
         SELECT FROM payments.events
         WHERE stream_id = $1 AND data->>'transactionId' = t.transaction_id)`,
      [streamId],
    );
    await this.pool.query(
      `WITH gone AS (DELETE FROM payments.streams WHERE stream_id = $1 AND $2 = 0)
       UPDATE payments.streams SET version = $2 WHERE stream_id = $1 AND $2 > 0`,
      values,
    );
  }

  async #messages(events: readonly RecordedEvent[]): Promise<readonly Message[]> {
    const incarnation = await this.store.incarnation();
    return events.map(({ streamId, version, recordedAtMs, data, metadata, id, type }) => ({
      ...{ id, type, schemaVersion: 1, key: streamId, correlationId: 'c', causationId: 'c' },
      data: { streamId, version, recordedAtMs, incarnation, event: data, metadata },
    }));
  }

  async #answer(query: string, parameters: object): Promise<object> {
    switch (query) {
      case 'payments.streamEvents': {
        const { streamId, afterVersion } = parameters as StreamEventsQuery;
        this.healed.push(streamId);
        const events = await this.store.readStreamAfter(streamId, afterVersion, 500);
        return { events: await this.#messages(events) };
      }
      case 'payments.streamHeads': {
        const { after, limit, olderThanMs, now } = parameters as StreamHeadsQuery;
        const checkpoint =
          after === undefined ? checkpointAtStart : (JSON.parse(after) as Checkpoint);
        const page = now
          ? await this.store.headsNow(checkpoint, limit)
          : await this.store.headsAfter(checkpoint, limit, olderThanMs);
        if (now) this.headsLooked.push(page.heads.length);
        else if (limit > 1) this.comparisons += 1;
        const incarnation = await this.store.incarnation();
        return { ...page, next: JSON.stringify(page.next), incarnation };
      }
      case 'payments.referenceHeads': {
        const { entityId, merchantTransactionId } = parameters as ReferenceHeadsQuery;
        const text = `${entityId} ${merchantTransactionId}`;
        const { found, incarnation } = await this.store.lookUp(text, 1_000);
        const heads = found.map(({ streamId, version }) => ({ streamId, version }));
        return { heads, more: this.hasMore, incarnation };
      }
      case 'payments.transactionsByReference':
        this.asked.push(parameters as TransactionsByReferenceQuery);
        return FROM_STREAMS;
      case 'payments.personalParameters': {
        const { items } = parameters as PersonalParametersQuery;
        const blocks = items.map(({ sealed }) => ({
          state: 'opened',
          personal: { 'card.holder': `opened ${sealed}` },
        }));
        return { blocks };
      }
      default:
        throw new QueryUnavailable(query, 'noHandler');
    }
  }
}

/** The millisecond in which a transaction was made. */
export function momentOf(id: TransactionId): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: mintedAtMs(id), toMs: mintedAtMs(id) + 1 };
}

/** Of what was found at the moment of a payment's first transaction, that payment's. */
export function ofPayment(
  id: TransactionId,
  found: RecordedTransactions['transactions'],
): RecordedTransactions['transactions'] {
  return found.filter((each) => each.id === id || each.referencedId === id);
}

/** What the service claims for the transactions that events begin. */
function claimsOf(events: readonly WrittenEvent[], entityId: EntityId) {
  const begun = events.filter(({ data }) => 'parameters' in data).map(({ data }) => data);
  const [first] = begun;
  const { merchantTransactionId } = (first?.['parameters'] ?? {}) as Record<string, string>;
  return {
    transactionIds: begun.map(({ transactionId }) => String(transactionId)),
    ...(merchantTransactionId !== undefined && {
      lookupText: `${entityId} ${merchantTransactionId}`,
    }),
  };
}
