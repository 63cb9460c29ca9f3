import { once } from 'node:events';
import { type Client, escapeLiteral } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { CopiedRows, COPY_BEGIN, COPY_END } from './copy-binary.js';
import { type FoldedChunk, StreamFold } from './stream-fold.js';
import type { SourceCell } from './source-cells.js';
import type { TableSetStatements } from './table-set.js';
import type { RebuildOptions } from './rebuild-options.js';

/**
 * Events per transaction: a crash loses a moment's work, and locks are held no longer than that.
 */
const CHUNK_EVENTS = 50_000;

/** A table set that is being filled, and its position. */
export interface FillPlace {
  readonly tableSet: number;
  /** The last stream that is in it. */
  readonly filledTo: string;
  readonly events: number;
}

/** What a fill works with. */
export interface FillParts {
  /** The databases of the owner's store. */
  readonly from: readonly SourceCell[];
  /** A connection to the projection's database. */
  readonly to: Client;
  readonly statements: TableSetStatements;
  readonly place: FillPlace;
  readonly options: RebuildOptions;
  readonly startedMs: number;
}

/** The copying of all events into one table set, chunk by chunk. */
export class TableSetFill {
  events: number;
  rows = 0;
  setAside = 0;
  #chunkEvents: number;
  #cursor: string;
  #eventsTold: number;
  readonly #fold: StreamFold;

  constructor(private readonly parts: FillParts) {
    const { statements, place, options } = parts;
    this.events = place.events;
    this.#eventsTold = place.events;
    this.#cursor = place.filledTo;
    this.#chunkEvents = options.chunkEvents ?? CHUNK_EVENTS;
    this.#fold = new StreamFold(options.projection, statements.properties);
  }

  async run(): Promise<void> {
    const estimated = await this.#estimate();
    for (const [index, cell] of this.parts.from.entries()) {
      if (index > 0) this.#cursor = '';
      for (let more = true; more;) {
        this.parts.options.signal?.throwIfAborted();
        more = await this.#chunk(cell);
        this.#report(estimated);
      }
    }
  }

  async #estimate(): Promise<number> {
    let estimated = 0;
    for (const { client } of this.parts.from) {
      const { rows } = await client.query<{ estimate: number }>(
        'SELECT reltuples::float8 AS estimate FROM pg_class WHERE oid = $1::regclass',
        [`${this.parts.options.source.schema}.events`],
      );
      estimated += Math.max(0, rows[0]?.estimate ?? 0);
    }
    return estimated;
  }

  /** Copies the next complete streams; false when there are no more. */
  async #chunk(cell: SourceCell): Promise<boolean> {
    const { to, statements } = this.parts;
    await to.query('BEGIN');
    const rowsIn = to.query(copyFrom(statements.copyRows));
    const failed = once(rowsIn, 'error').then(([error]) => Promise.reject(error as Error));
    failed.catch(() => undefined);
    rowsIn.write(COPY_BEGIN);
    const written = this.#copyEvents(cell, async (buffers) => {
      for (const bytes of buffers) {
        if (!rowsIn.write(bytes)) await Promise.race([once(rowsIn, 'drain'), failed]);
      }
    });
    const count = await Promise.race([written, failed]);
    const finished = once(rowsIn, 'finish');
    rowsIn.end(COPY_END);
    await Promise.race([finished, failed]);
    const full = count === this.#chunkEvents;
    const { streams, lastStream, rowCount, setAside, events } = this.#fold.endChunk();
    if (full && lastStream === undefined) {
      // One stream alone has more events than a chunk.
      await to.query('ROLLBACK');
      this.#chunkEvents *= 2;
      return true;
    }
    await this.#copyStreams(streams);
    await this.#park(setAside);
    this.#cursor = lastStream ?? this.#cursor;
    await to.query(this.#filledTo, [this.parts.place.tableSet, this.#cursor]);
    await to.query('COMMIT');
    this.events += events;
    this.rows += rowCount;
    this.setAside += setAside.length;
    return full;
  }

  get #filledTo(): string {
    return `UPDATE ${this.parts.options.target.schema}.table_sets SET filled_to = $2 WHERE id = $1`;
  }

  /** Reads a chunk and writes finished rows; returns how many events there were. */
  async #copyEvents(
    cell: SourceCell,
    write: (buffers: readonly Buffer[]) => Promise<void>,
  ): Promise<number> {
    const events = new CopiedRows();
    let count = 0;
    for await (const chunk of cell.client.query(copyTo(this.#selection(cell)))) {
      events.push(chunk as Buffer, (event) => {
        count += 1;
        this.#fold.add(event);
      });
      if (this.#fold.hasRows) await write(this.#fold.takeRows());
    }
    // The last stream of a full chunk may be incomplete: endChunk then leaves it to the next chunk.
    if (count < this.#chunkEvents) this.#fold.endStream();
    await write(this.#fold.takeRows(true));
    return count;
  }

  #selection({ shards }: SourceCell): string {
    const { projection, source } = this.parts.options;
    const types = projection.readsMetadataOf.map(escapeLiteral).join(', ');
    const isRead =
      shards === undefined
        ? ''
        : `AND ${source.schema}.shard_of(stream_id) <@ ${escapeLiteral(shards)}::int4multirange`;
    return `COPY (SELECT stream_id, version, type, schema_version, data,
        CASE WHEN type = ANY (ARRAY[${types}]::text[]) THEN metadata END
      FROM ${source.schema}.events WHERE stream_id > ${escapeLiteral(this.#cursor)} ${isRead}
      ORDER BY stream_id, version LIMIT ${this.#chunkEvents}) TO STDOUT (FORMAT binary)`;
  }

  async #copyStreams(versions: readonly Buffer[]): Promise<void> {
    const streamsIn = this.parts.to.query(copyFrom(this.parts.statements.copyStreams));
    const finished = once(streamsIn, 'finish');
    for (const bytes of [COPY_BEGIN, ...versions]) streamsIn.write(bytes);
    streamsIn.end(COPY_END);
    await finished;
  }

  /** The running service fetches them again when somebody asks for it. */
  async #park(setAside: FoldedChunk['setAside']): Promise<void> {
    const { options, to, place } = this.parts;
    const text = `INSERT INTO ${options.target.schema}.parked
      (table_set, stream_id, version, topic, event, reason) VALUES ($1, $2, $3, $4, '', $5)`;
    for (const { streamId, version, reason } of setAside) {
      await to.query(text, [place.tableSet, streamId, version, options.projection.topic, reason]);
    }
  }

  #report(eventsEstimated: number): void {
    const elapsedMs = performance.now() - this.parts.startedMs;
    const eventsPerSecond = (this.events - this.parts.place.events) / (elapsedMs / 1_000);
    const left = Math.max(0, eventsEstimated - this.events);
    const eventsSince = this.events - this.#eventsTold;
    this.#eventsTold = this.events;
    this.parts.options.onProgress?.({
      tableSet: this.parts.place.tableSet,
      events: this.events,
      eventsSince,
      eventsEstimated,
      rows: this.rows,
      elapsedMs,
      eventsPerSecond,
      remainingMs: eventsPerSecond === 0 ? 0 : (left / eventsPerSecond) * 1_000,
    });
  }
}
