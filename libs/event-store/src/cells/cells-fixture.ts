import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach } from '@jest/globals';
import pg from 'pg';
import type { AppendMember } from '../append-member.js';
import type { EventStore } from '../event-store.js';
import { newClaim, newEvent, newMember, SCHEMA, StoreFixture } from '../store-fixture.js';
import type { Connect } from './move-session.js';
import {
  type FinishedMove,
  moveShards,
  type MoveStep,
  type ShardMoveOptions,
} from './shard-move.js';
import { type ShardRange, sqlRange } from './shard-range.js';

/** What moves in these specs. */
export const UPPER_HALF: ShardRange = { first: 0x8000, last: 0xffff };

const TABLES =
  'events, streams, transactions, personal_keys, outbox, outbox_parked, idempotency, marks, ' +
  'leaving_shards, shard_moves';

/** A new stream of this shard, four hex digits. */
export function streamIn(shard: string): string {
  const id = randomBytes(16).toString('hex');
  return `${id.slice(0, 12)}${shard}${id.slice(16)}`;
}

/** An attempt that ends without a word: nothing can be connected afterwards. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** Two cells, each a database of its own; emptied before each test. */
export class CellsFixture {
  readonly source = new StoreFixture(1);
  readonly target = new StoreFixture(2);
  readonly #clients: pg.Client[] = [];

  constructor() {
    beforeAll(() => this.#checkAppends());
    beforeEach(() => this.#empty());
    afterEach(async () => {
      await Promise.all(
        this.#clients.splice(0).map((client) => client.end().catch(() => undefined)),
      );
    });
  }

  /** A connection as the owner; ended with the test. */
  connector(store: StoreFixture): Connect {
    return async () => {
      const client = new pg.Client({ connectionString: store.ownerUrl });
      client.on('error', () => undefined);
      this.#clients.push(client);
      await client.connect();
      return client;
    };
  }

  /** What a move of the upper half needs; calls under way are hardly waited for. */
  options(fields: Partial<ShardMoveOptions> = {}): ShardMoveOptions {
    return {
      ...{ schema: SCHEMA, shards: UPPER_HALF, from: 1, to: 2, drainMs: 50 },
      source: this.connector(this.source),
      target: this.connector(this.target),
      ...fields,
    };
  }

  move(fields: Partial<ShardMoveOptions> = {}): Promise<FinishedMove> {
    return moveShards(this.options(fields));
  }

  /** Options of an attempt that dies when it has done this step for the first time. */
  killedAfter(step: MoveStep, fields: Partial<ShardMoveOptions> = {}): ShardMoveOptions {
    let isDead = false;
    const unlessDead =
      (connect: Connect): Connect =>
      () =>
        isDead ? Promise.reject(new Killed()) : connect();
    const { source, target, ...options } = this.options(fields);
    return {
      ...options,
      source: unlessDead(source),
      target: unlessDead(target),
      onStep: (done) => {
        if (done !== step) return;
        isDead = true;
        throw new Killed();
      },
    };
  }

  /** Everything of these shards in a store, but for the numbers that each database gives. */
  async picture(store: StoreFixture, range = UPPER_HALF): Promise<Record<string, unknown[]>> {
    const of = (table: string, columns: string): Promise<unknown[]> =>
      store.rows(
        `SELECT ${columns} FROM ${SCHEMA}.${table}
         WHERE ${SCHEMA}.shard_of(stream_id) <@ $1::int4range ORDER BY 1, 2`,
        [sqlRange(range)],
      );
    return {
      events: await of(
        'events',
        `stream_id, version, recorded_at::text, event_id, command_id, type, schema_version,
         data::text, metadata::text`,
      ),
      streams: await of('streams', 'stream_id, version, due_at::text'),
      transactions: await of(
        'transactions',
        'transaction_id, stream_id, command_id, begun_version, lookup_key::text',
      ),
      personalKeys: await of('personal_keys', 'stream_id, wrapped, erased_at::text'),
      outbox: await of('outbox', 'stream_id, version, slot'),
      marks: await of('marks', 'subject, transaction_id, stream_id, data::text, lasting, version'),
      parked: await of('outbox_parked', 'stream_id, version, reason, parked_at::text'),
    };
  }

  /** `carried` and `closing` of a store, as PostgreSQL prints them. */
  async carried(store: StoreFixture): Promise<[string, string]> {
    const rows = await store.rows<{ carried: string; closing: string }>(
      `SELECT carried::text, closing::text FROM ${SCHEMA}.carried_shards`,
    );
    return [rows[0]?.carried ?? '', rows[0]?.closing ?? ''];
  }

  /** Moves that are recorded in one of the two databases. */
  async recordedMoves(): Promise<number> {
    const leaving = await this.source.rows(`SELECT FROM ${SCHEMA}.leaving_shards`);
    const coming = await this.target.rows(`SELECT FROM ${SCHEMA}.shard_moves`);
    return leaving.length + coming.length;
  }

  /** Streams with everything that an append can write, in both halves. */
  async fill(streams: number): Promise<string[]> {
    const store = this.source.store({ publishes: true });
    const ids: string[] = [];
    for (let index = 0; index < streams; index += 1) {
      const streamId = streamIn(index % 2 === 0 ? 'c0de' : '0123');
      ids.push(streamId);
      await store.append(fullMember(streamId, index));
      await store.append(
        newMember({ streamId, expectedVersion: 2, ...(index % 3 === 0 && { dueInMs: null }) }),
      );
    }
    return ids;
  }

  /** Until appends look at the shards that a store carries, a trigger does. */
  async #checkAppends(): Promise<void> {
    const result = await this.target
      .store()
      .append(newMember())
      .catch(() => undefined);
    await this.target.closePools();
    if ((result?.kind as string | undefined) !== 'appended') return;
    for (const { owner } of [this.source, this.target]) {
      await owner.query(`CREATE FUNCTION ${SCHEMA}.check_carried() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE shards ${SCHEMA}.carried_shards;
        BEGIN
          SELECT * INTO shards FROM ${SCHEMA}.carried_shards;
          IF NOT shards.carried @> ${SCHEMA}.shard_of(NEW.stream_id)
             OR (TG_OP = 'INSERT' AND shards.closing @> ${SCHEMA}.shard_of(NEW.stream_id)) THEN
            RAISE 'elsewhere' USING ERRCODE = 'SL001';
          END IF;
          RETURN NEW;
        END $$`);
      // The mover is the owner, a superuser here, and writes what is not carried yet.
      await owner.query(`CREATE TRIGGER check_carried BEFORE INSERT OR UPDATE ON ${SCHEMA}.streams
        FOR EACH ROW WHEN (current_user LIKE 'test\\_%\\_app') EXECUTE FUNCTION ${SCHEMA}.check_carried()`);
    }
  }

  async #empty(): Promise<void> {
    for (const [store, carried] of [
      [this.source, '{[0,65536)}'],
      [this.target, '{}'],
    ] as const) {
      const tables = TABLES.split(', ').map((table) => `${SCHEMA}.${table}`);
      await store.owner.query(`TRUNCATE ${tables.join(', ')}`);
      const text = `UPDATE ${SCHEMA}.carried_shards SET carried = $1, closing = '{}'`;
      await store.owner.query(text, [carried]);
      await store.owner.query(`UPDATE ${SCHEMA}.incarnation SET id = gen_random_uuid()`);
    }
  }
}

/** Two events, one with digits and spaces that only the text keeps; a claim, a key, a due time. */
function fullMember(streamId: string, index: number): AppendMember {
  const data = `{"transactionId":  "${streamId}", "amount": 1.10, "text": "ü\\u0041 ${index}", "a": 1, "a": 2}`;
  return newMember({
    streamId,
    events: [newEvent({ data, metadata: '{ "ndc" : null }' }), newEvent({ schemaVersion: 3 })],
    transactionIds: [streamId],
    lookupText: `order ${index}`,
    idempotency: { ...newClaim(`key of ${streamId}`), transactionId: streamId },
    personalKey: { wrapped: randomBytes(40) },
    dueInMs: 3_600_000 + index,
    marks: {
      left: [{ subject: `of ${index}`, transactionId: streamId, data: '{"n": 1}', lasting: true }],
      withdrawn: [],
      cleared: [],
    },
  });
}

/** An event that a writer was told to be recorded. */
export interface Acknowledged {
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
}

/** Appends to its streams without a pause, in whichever cell takes it, until it is stopped. */
export class Writer {
  readonly acknowledged: Acknowledged[] = [];
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(
    private readonly stores: readonly EventStore[],
    shards: readonly string[],
  ) {
    this.#running = Promise.all(shards.map((shard) => this.#write(shard)));
  }

  /** Resolves once so many appends have been acknowledged. */
  async wrote(count: number): Promise<void> {
    while (this.acknowledged.length < count) await new Promise(setImmediate);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Streams of three events each; the next one begins where a cell takes it. */
  async #write(shard: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const streamId = streamIn(shard);
      for (let version = 1; version <= 3; version += 1) {
        const event = newEvent({ id: randomUUID(), data: `{"transactionId":"${streamId}"}` });
        await this.#append(
          newMember({
            ...{ streamId, expectedVersion: version - 1, events: [event] },
            ...(version === 1 && { transactionIds: [streamId] }),
          }),
        );
        this.acknowledged.push({ streamId, version, eventId: event.id });
      }
    }
  }

  async #append(member: AppendMember): Promise<void> {
    for (;;) {
      for (const store of this.stores) {
        const kind = await store.append(member).then(
          (result) => result.kind as string,
          (error: unknown) => {
            if ((error as { code?: string }).code === 'SL001') return 'elsewhere';
            throw error;
          },
        );
        if (kind === 'appended') return;
        // A target that does not carry the shard has only a part of the stream.
        if (kind !== 'elsewhere' && kind !== 'closing' && kind !== 'versionConflict') {
          throw new Error(kind);
        }
      }
    }
  }
}
