import { type CarriedRanges, CarriedShards } from './cells/carried-shards.js';
import type { Database } from './database.js';
import { EVENT_COLUMNS, type EventRow, type RecordedEvent, storedEvent } from './recorded-event.js';
import { lookupKeyOf } from './lookup-key.js';

/** A stream, with what opens its personal data. */
export interface StreamWithKey {
  readonly events: readonly RecordedEvent[];
  /** The wrapped key of the stream's personal data; absent when there is none, or it was erased. */
  readonly personalKey?: Buffer;
}

/** The stream that a transaction belongs to. */
export interface StreamOfTransaction extends StreamWithKey {
  readonly streamId: string;
}

/** A transaction that was found by its lookup text. */
export interface FoundTransaction extends StreamHead {
  readonly transactionId: string;
}

/** What was found by a lookup text. */
export interface LookedUp {
  readonly found: readonly FoundTransaction[];
  /** Of the store that it was found in (D-23). */
  readonly incarnation: string;
  /** In which shards it was looked for, if the store can be one of several cells. */
  readonly carried?: CarriedRanges['carried'];
}

/** The position of a catch-up reader; both are decimal numbers, too large for a JSON number. */
export interface Checkpoint {
  /**
   * PostgreSQL's number of the database transaction that appended; it has nothing to do with a
   * payment's transaction.
   */
  readonly databaseTransaction: string;
  readonly position: string;
}

/** An event for a catch-up reader, and the checkpoint once it has been handled. */
export interface PositionedEvent extends RecordedEvent {
  readonly checkpoint: Checkpoint;
}

/** The version of a stream. */
export interface StreamHead {
  readonly streamId: string;
  readonly version: number;
}

/** Streams that have changed between two checkpoints. */
export interface HeadsPage {
  /** Each stream once, as it was at `next`. */
  readonly heads: readonly StreamHead[];
  /** Where the next page begins. */
  readonly next: Checkpoint;
  /** Whether there is already something on the next page. */
  readonly more: boolean;
}

/** The same of all that is visible. */
export interface HeadsNowPage extends HeadsPage {
  /** The last of it: on from `next` where something may still commit before that. */
  readonly reached: Checkpoint;
}

const NO_INCARNATION = 'The event store has no incarnation id (D-23).';
const MS_PER_S = 1_000;
/** The largest version that a row can hold. */
const VERSION_MAX = 2 ** 31 - 1;

/** Before the first event. */
export const checkpointAtStart: Checkpoint = { databaseTransaction: '0', position: '0' };

/** Reads streams, each in one round trip. Every method throws DatabaseFailure. */
export class Reader {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly shards?: CarriedShards,
  ) {}

  async read(streamId: string): Promise<readonly RecordedEvent[]> {
    const rows = await this.#certain(streamId, {
      name: 'read stream',
      text: `SELECT ${EVENT_COLUMNS} FROM ${this.schema}.events e
             WHERE e.stream_id = $1 ORDER BY e.version`,
      values: [streamId],
    });
    return rows.map(storedEvent);
  }

  /** The rows of one id; none only if there is nothing of it in any cell. */
  #certain<Row extends unknown[] = EventRow>(
    id: string,
    statement: Parameters<Database['execute']>[0],
  ): Promise<readonly Row[]> {
    const look = (): Promise<readonly Row[]> => this.database.execute<Row>(statement);
    return this.shards?.certain(look, ({ length }) => (length === 0 ? [id] : [])) ?? look();
  }

  /** The key is looked for once, however many events there are. */
  async readWithKey(streamId: string): Promise<StreamWithKey | undefined> {
    const { schema } = this;
    const shards = CarriedShards.isSharded(streamId) ? this.shards : undefined;
    const isHere = shards === undefined ? '' : `AND ${shards.isCarried('$1')}`;
    const rows = await this.#certain<[...EventRow, Buffer | null]>(streamId, {
      name: shards === undefined ? 'read with key' : 'read with key here',
      text: `SELECT ${EVENT_COLUMNS}, CASE WHEN e.version = 1 THEN
               (SELECT k.wrapped FROM ${schema}.personal_keys k WHERE k.stream_id = $1) END
             FROM ${schema}.events e WHERE e.stream_id = $1 ${isHere} ORDER BY e.version`,
      values: [streamId],
    });
    const [first] = rows;
    if (first === undefined) return undefined;
    const personalKey = first[9];
    return { events: rows.map(storedEvent), ...(personalKey !== null && { personalKey }) };
  }

  async streamOf(transactionId: string): Promise<string | undefined> {
    const [row] = await this.database.execute<[string]>({
      name: 'stream of transaction',
      text: `SELECT stream_id FROM ${this.schema}.transactions WHERE transaction_id = $1`,
      values: [transactionId],
    });
    return row?.[0];
  }

  readByTransaction(transactionId: string): Promise<StreamOfTransaction | undefined> {
    // A thousand events need its key once.
    const wrapped = 'CASE WHEN e.version = 1 THEN t.wrapped END';
    return this.#readStreamOf('read by transaction', { condition: 'true', wrapped }, [
      transactionId,
    ]);
  }

  /**
   * Searching for the text first leaves few events whose JSON has to be read, at half the cost. Only
   * CASE keeps that order.
   */
  readTransaction(
    transactionId: string,
    eventsMax = VERSION_MAX,
  ): Promise<StreamOfTransaction | undefined> {
    const isOfIt = `version >= t.begun AND version < t.begun + $2::bigint
      AND CASE WHEN strpos(data::text, $1) > 0 THEN data->>'transactionId' = $1 ELSE false END`;
    const columns = { condition: isOfIt, wrapped: 't.wrapped' };
    return this.#readStreamOf('read transaction', columns, [transactionId, eventsMax]);
  }

  async #readStreamOf(
    name: string,
    { condition, wrapped }: Readonly<Record<'condition' | 'wrapped', string>>,
    values: readonly unknown[],
  ): Promise<StreamOfTransaction | undefined> {
    const { schema } = this;
    const transactionId = String(values[0]);
    const shards = CarriedShards.isSharded(transactionId) ? this.shards : undefined;
    const isHere = shards === undefined ? '' : `AND ${shards.isCarried('$1')}`;
    const rows = await this.#certain<[...EventRow, Buffer | null]>(transactionId, {
      name: shards === undefined ? name : `${name} here`,
      text: `SELECT ${EVENT_COLUMNS}, ${wrapped}
             FROM (SELECT x.stream_id, coalesce(x.begun_version, 1) AS begun, k.wrapped
                   FROM ${schema}.transactions x
                   LEFT JOIN ${schema}.personal_keys k ON k.stream_id = x.stream_id
                   WHERE x.transaction_id = $1 ${isHere}) t
             CROSS JOIN LATERAL (SELECT * FROM ${schema}.events
                                 WHERE stream_id = t.stream_id AND ${condition} OFFSET 0) e`,
      values: [...values],
    });
    const first = rows[0];
    if (first === undefined) return undefined;
    const personalKey = rows.find((row) => row[9] !== null)?.[9] ?? null;
    return {
      streamId: first[0],
      // The index gives them in this order, but does not promise it; a sort there costs more.
      events: rows.map(storedEvent).sort((a, b) => a.version - b.version),
      ...(personalKey === null ? {} : { personalKey }),
    };
  }

  async readAfter(
    { databaseTransaction, position }: Checkpoint,
    limit: number,
  ): Promise<readonly PositionedEvent[]> {
    const rows = await this.database.execute<[...EventRow, string, string]>({
      name: 'read after',
      text: `SELECT ${EVENT_COLUMNS}, e.database_transaction::text, e.position::text
             FROM ${this.schema}.events e
             WHERE (e.database_transaction, e.position) > ($1::xid8, $2::bigint)
               AND e.database_transaction < pg_snapshot_xmin(pg_current_snapshot())
             ORDER BY e.database_transaction, e.position LIMIT $3`,
      values: [databaseTransaction, position, limit],
    });
    return rows.map((row) => ({
      ...storedEvent(row),
      checkpoint: { databaseTransaction: row[9], position: row[10] },
    }));
  }

  async readStreamAfter(
    streamId: string,
    version: number,
    limit: number,
  ): Promise<readonly RecordedEvent[]> {
    const shards = CarriedShards.isSharded(streamId) ? this.shards : undefined;
    const isHere = shards === undefined ? '' : `AND ${shards.isCarried('$1')}`;
    const rows = await this.#certain(streamId, {
      name: shards === undefined ? 'read stored after' : 'read stored after here',
      text: `SELECT ${EVENT_COLUMNS} FROM ${this.schema}.events e
             WHERE e.stream_id = $1 AND e.version > $2 ${isHere} ORDER BY e.version LIMIT $3`,
      values: [streamId, version, limit],
    });
    return rows.map(storedEvent);
  }

  /** The first events of each, by its id; one without events is not there. */
  async readStreams(
    streamIds: readonly string[],
    ofEachMax: number,
  ): Promise<ReadonlyMap<string, readonly RecordedEvent[]>> {
    const { shards } = this;
    const isHere = shards === undefined ? '' : `AND ${shards.isCarried('e.stream_id')}`;
    const statement = {
      name: 'read streams',
      text: `SELECT ${EVENT_COLUMNS} FROM unnest($1::text[]) AS asked (id)
             CROSS JOIN LATERAL (SELECT * FROM ${this.schema}.events e
                                 WHERE e.stream_id = asked.id ${isHere}
                                 ORDER BY e.version LIMIT $2) e`,
      values: [streamIds, ofEachMax],
    };
    const look = async (): Promise<ReadonlyMap<string, readonly RecordedEvent[]>> => {
      const streams = new Map<string, RecordedEvent[]>();
      for (const row of await this.database.execute<EventRow>(statement)) {
        const event = storedEvent(row);
        const events = streams.get(event.streamId);
        if (events === undefined) streams.set(event.streamId, [event]);
        else events.push(event);
      }
      return streams;
    };
    const missing = (found: ReadonlyMap<string, unknown>) =>
      streamIds.filter((id) => !found.has(id));
    return shards === undefined ? look() : shards.certain(look, missing);
  }

  /**
   * In commit order, up to the first event that is too young: later ones may be older, but the
   * checkpoint must not pass it.
   */
  async headsAfter(
    { databaseTransaction, position }: Checkpoint,
    limit: number,
    olderThanMs: number,
  ): Promise<HeadsPage> {
    const rows = await this.database.execute<[string, number, string, string]>({
      name: 'heads after',
      text: `SELECT e.stream_id, e.version, e.database_transaction::text, e.position::text FROM (
               SELECT w.*, bool_or(w.recorded_at > now() - make_interval(secs => $4))
                             OVER (ORDER BY w.database_transaction, w.position) AS young
               FROM (SELECT stream_id, version, database_transaction, position, recorded_at
                     FROM ${this.schema}.events
                     WHERE (database_transaction, position) > ($1::xid8, $2::bigint)
                       AND database_transaction < pg_snapshot_xmin(pg_current_snapshot())
                     ORDER BY database_transaction, position LIMIT $3) w) e
             WHERE NOT e.young ORDER BY e.database_transaction, e.position`,
      values: [databaseTransaction, position, limit, olderThanMs / MS_PER_S],
    });
    const last = rows.at(-1);
    const heads = new Map(rows.map(([streamId, version]) => [streamId, version]));
    return {
      heads: [...heads].map(([streamId, version]) => ({ streamId, version })),
      next:
        last === undefined
          ? { databaseTransaction, position }
          : { databaseTransaction: last[2], position: last[3] },
      more: rows.length === limit,
    };
  }

  /**
   * `next` stays before everything that may still be joined by earlier commits, so that nothing is
   * skipped.
   */
  async headsNow(
    { databaseTransaction, position }: Checkpoint,
    limit: number,
  ): Promise<HeadsNowPage> {
    const rows = await this.database.execute<[string, number, string, string, boolean]>({
      name: 'heads now',
      // By the columns themselves: without the table's name it would be by their texts, and 1000 before 999.
      text: `SELECT e.stream_id, e.version, e.database_transaction::text, e.position::text,
                    e.database_transaction < pg_snapshot_xmin(pg_current_snapshot())
             FROM ${this.schema}.events e
             WHERE (e.database_transaction, e.position) > ($1::xid8, $2::bigint)
             ORDER BY e.database_transaction, e.position LIMIT $3`,
      values: [databaseTransaction, position, limit],
    });
    const heads = new Map<string, number>();
    for (const [streamId, version] of rows) {
      // A transaction that waited for the lock of a head may be older and yet have the later
      // version.
      heads.set(streamId, Math.max(version, heads.get(streamId) ?? 0));
    }
    const placeOf = (row: (typeof rows)[number] | undefined): Checkpoint =>
      row === undefined
        ? { databaseTransaction, position }
        : { databaseTransaction: row[2], position: row[3] };
    return {
      heads: [...heads].map(([streamId, version]) => ({ streamId, version })),
      next: placeOf(rows.findLast(([, , , , isComplete]) => isComplete)),
      reached: placeOf(rows.at(-1)),
      more: rows.length === limit,
    };
  }

  /** The incarnation comes along, also where nothing is found: one round trip in place of two. */
  async lookUp(lookupText: string, limit: number): Promise<LookedUp> {
    const { schema } = this;
    type Row = [string, string | null, string, number, CarriedRanges['carried'] | null];
    const rows = await this.database.execute<Row>({
      name: 'look up',
      text: `SELECT i.id::text, f.transaction_id, f.stream_id, f.version,
                    ${this.shards === undefined ? 'NULL' : this.shards.carried}
             FROM ${schema}.incarnation i LEFT JOIN (
               SELECT t.transaction_id, t.stream_id, s.version
               FROM (SELECT * FROM ${schema}.transactions WHERE lookup_key = $1${
                 this.shards === undefined ? '' : ` AND ${this.shards.isCarried('stream_id')}`
               } LIMIT $2) t
               CROSS JOIN LATERAL (SELECT version FROM ${schema}.streams
                                   WHERE stream_id = t.stream_id OFFSET 0) s) f ON true`,
      values: [String(lookupKeyOf(lookupText)), limit],
    });
    const [first] = rows;
    if (first === undefined) throw new Error(NO_INCARNATION);
    const found = rows.flatMap(([, transactionId, streamId, version]) =>
      transactionId === null ? [] : [{ transactionId, streamId, version }],
    );
    const [incarnation, , , , carried] = first;
    return { found, incarnation, ...(carried !== null && { carried }) };
  }

  async incarnation(): Promise<string> {
    const [row] = await this.database.execute<[string]>({
      name: 'incarnation',
      text: `SELECT id::text FROM ${this.schema}.incarnation`,
    });
    if (row === undefined) throw new Error(NO_INCARNATION);
    return row[0];
  }
}
