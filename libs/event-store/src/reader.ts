import type { Database } from './database.js';
import { upcast, type UpcasterLadders } from './upcasting.js';

/** An event as it was recorded, its data in today's shape. */
export interface RecordedEvent {
  readonly streamId: string;
  readonly version: number;
  readonly id: string;
  readonly commandId: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** Parsed JSON. */
  readonly data: unknown;
  /** Parsed JSON. */
  readonly metadata: unknown;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly recordedAtMs: number;
}

/** The stream that a transaction belongs to. */
export interface StreamOfTransaction {
  readonly streamId: string;
  readonly events: readonly RecordedEvent[];
  /** The wrapped key of the stream's personal data; absent when there is none, or it was erased. */
  readonly personalKey?: Buffer;
}

/** How far a catch-up reader has come; both are decimal numbers, too large for a JSON number. */
export interface Checkpoint {
  readonly transactionId: string;
  readonly position: string;
}

/** An event for a catch-up reader, and the checkpoint once it is dealt with. */
export interface PositionedEvent extends RecordedEvent {
  readonly checkpoint: Checkpoint;
}

/** Before the first event. */
export const checkpointAtStart: Checkpoint = { transactionId: '0', position: '0' };

const COLUMNS = `e.stream_id, e.version, e.event_id, e.command_id, e.type, e.schema_version,
  e.data::text, e.metadata::text, extract(epoch FROM e.recorded_at)::float8 * 1000`;

type EventRow = [string, number, string, string, string, number, string, string, number];

/** Reads streams, each in one round trip. Every method throws DatabaseFailure. */
export class Reader {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly ladders: UpcasterLadders,
  ) {}

  async read(streamId: string): Promise<readonly RecordedEvent[]> {
    const rows = await this.database.execute<EventRow>({
      name: 'read stream',
      text: `SELECT ${COLUMNS} FROM ${this.schema}.events e
             WHERE e.stream_id = $1 ORDER BY e.version`,
      values: [streamId],
    });
    return rows.map((row) => this.#event(row));
  }

  async streamOf(transactionId: string): Promise<string | undefined> {
    const [row] = await this.database.execute<[string]>({
      name: 'stream of transaction',
      text: `SELECT stream_id FROM ${this.schema}.transactions WHERE transaction_id = $1`,
      values: [transactionId],
    });
    return row?.[0];
  }

  async readByTransaction(transactionId: string): Promise<StreamOfTransaction | undefined> {
    const rows = await this.database.execute<[...EventRow, Buffer | null]>({
      name: 'read by transaction',
      text: `SELECT ${COLUMNS},
               CASE WHEN e.version = 1 THEN (SELECT k.wrapped FROM ${this.schema}.personal_keys k
                                             WHERE k.stream_id = e.stream_id) END
             FROM ${this.schema}.events e
             WHERE e.stream_id = (SELECT t.stream_id FROM ${this.schema}.transactions t
                                  WHERE t.transaction_id = $1)
             ORDER BY e.version`,
      values: [transactionId],
    });
    const first = rows[0];
    if (first === undefined) return undefined;
    const personalKey = first[9];
    return {
      streamId: first[0],
      events: rows.map((row) => this.#event(row)),
      ...(personalKey === null ? {} : { personalKey }),
    };
  }

  async readAfter(
    { transactionId, position }: Checkpoint,
    limit: number,
  ): Promise<readonly PositionedEvent[]> {
    const rows = await this.database.execute<[...EventRow, string, string]>({
      name: 'read after',
      text: `SELECT ${COLUMNS}, e.transaction_id::text, e.position::text
             FROM ${this.schema}.events e
             WHERE (e.transaction_id, e.position) > ($1::xid8, $2::bigint)
               AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
             ORDER BY e.transaction_id, e.position LIMIT $3`,
      values: [transactionId, position, limit],
    });
    return rows.map((row) => ({
      ...this.#event(row),
      checkpoint: { transactionId: row[9], position: row[10] },
    }));
  }

  async personalKeyOf(streamId: string): Promise<Buffer | undefined> {
    const [row] = await this.database.execute<[Buffer]>({
      name: 'personal key',
      text: `SELECT wrapped FROM ${this.schema}.personal_keys WHERE stream_id = $1`,
      values: [streamId],
    });
    return row?.[0];
  }

  #event(row: readonly [...EventRow, ...unknown[]]): RecordedEvent {
    const [streamId, version, id, commandId, type, writtenVersion, data, metadata, ms] = row;
    return {
      streamId,
      version,
      id,
      commandId,
      type,
      ...upcast(this.ladders, type, writtenVersion, JSON.parse(data)),
      metadata: JSON.parse(metadata),
      recordedAtMs: Math.round(ms),
    };
  }
}
