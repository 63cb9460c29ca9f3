import { StreamQueries } from '@sluice/aggregates';
import {
  eventTable,
  type Message,
  type StreamEventsQuery,
  type StreamHeadsQuery,
} from '@sluice/contracts';
import { EventStore, migrations } from '@sluice/event-store';
import { newMessageId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import type { EventToFold, Projection } from '@sluice/projections';
import { type KeyProvider, migrate, type ServiceDatabase } from '@sluice/service';
import pg from 'pg';

const bookedEvents = eventTable({
  Booked: {
    version: 1,
    description: 'An amount was added to an account.',
    data: { type: 'object' } as const,
  },
});

/** What a second service has: streams with names instead of transaction ids, on a topic of its own. */
export const balances: Projection<
  'account' | 'streamId' | 'minor',
  EventToFold<typeof bookedEvents>
> = {
  name: 'balances',
  version: 1,
  owner: 'ledger',
  topic: 'ledger.account.v1',
  columns: { account: { type: 'text' }, streamId: { type: 'text' }, minor: { type: 'bigint' } },
  key: 'account',
  indexes: [],
  events: bookedEvents,
  readsMetadataOf: [],
  keyOf: ({ streamId }) => streamId,
  fold(row, { streamId, data }) {
    const { minor } = data as { readonly minor?: unknown };
    if (typeof minor !== 'string') throw new TypeError('no amount');
    const sum = BigInt(row?.minor ?? 0) + BigInt(minor);
    return { account: streamId, streamId, minor: String(sum) };
  },
};

/** A service beside payments, with the event store and the stream queries that every owner has. */
export class Ledger {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #streams: StreamQueries;
  /** Whether queries are answered. */
  isAway = false;
  /** Starts or stops: answers that it is closed. */
  isClosed = false;
  /** How often it was asked while it was closed. */
  refusals = 0;

  constructor({ appUrl: connectionString }: ServiceDatabase) {
    this.#pool = new pg.Pool({ connectionString, max: 4 });
    this.#store = new EventStore(this.#pool, { schema: 'ledger' });
    // Nothing here is sealed.
    this.#streams = new StreamQueries(this.#store, {} as KeyProvider);
  }

  static async migrate({ ownerUrl: url, appRole }: ServiceDatabase): Promise<void> {
    const schema = 'ledger';
    await migrate({ url, schema, migrations: migrations({ schema, appRole }), appRole });
  }

  /** Appends to an account; returns the messages that the relay would publish. */
  async book(account: string, minor: string): Promise<readonly Message[]> {
    const expectedVersion = (await this.#store.read(account)).length;
    const metadata = JSON.stringify({ correlationId: 'c', causationId: 'c' });
    const id = newMessageId(Date.now());
    const type = 'Booked';
    const data = JSON.stringify({ minor });
    const result = await this.#store.append({
      ...{ streamId: account, expectedVersion, commandId: newMessageId(Date.now()) },
      events: [{ id, type, schemaVersion: 1, data, metadata }],
    });
    if (result.kind !== 'appended') throw new Error(result.kind);
    const query = { streamId: account, afterVersion: expectedVersion };
    return (await this.#streams.streamEvents(query)).events;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** What is asked of the ledger is answered here, everything else by the others. */
  queriesBeside(others: Queries): Queries {
    return {
      ask: async <Answer>(service: string, query: string, parameters: object): Promise<Answer> =>
        service === 'ledger'
          ? ((await this.#answer(query, parameters)) as Answer)
          : others.ask<Answer>(service, query, parameters),
    };
  }

  async #answer(query: string, parameters: object): Promise<object> {
    if (this.isAway) throw new QueryUnavailable(query, 'noService');
    if (this.isClosed) {
      this.refusals += 1;
      throw new QueryUnavailable(query, 'closed');
    }
    switch (query) {
      case 'ledger.streamEvents':
        return this.#streams.streamEvents(parameters as StreamEventsQuery);
      case 'ledger.streamHeads':
        return this.#streams.streamHeads(parameters as StreamHeadsQuery);
      default:
        throw new QueryUnavailable(query, 'noHandler');
    }
  }
}
