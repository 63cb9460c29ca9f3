import { once } from 'node:events';
import { Client, escapeLiteral } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { ProjectionSchema } from './bookkeeping.js';
import { CopyLines } from './copy-text.js';
import type { Projection } from './projection.js';
import { type FoldedChunk, StreamFold } from './stream-fold.js';
import { assertIdentifier, type TableSetStatements, tableSetStatements } from './table-set.js';

/** The owner's event store, read alone. */
export interface RebuildSource {
  /** A role that may read the events; it needs no more. */
  readonly url: string;
  readonly schema: string;
}

/** Where the new table set goes; `url` is the owner role's, because tables are made. */
export interface RebuildTarget extends ProjectionSchema {
  readonly url: string;
}

/** How far a fill has come. */
export interface RebuildProgress {
  readonly events: number;
  /** By the server's statistics, so it may be passed. */
  readonly eventsEstimated: number;
  readonly rows: number;
  readonly elapsedMs: number;
  readonly eventsPerSecond: number;
  /** By the estimate and the rate so far. */
  readonly remainingMs: number;
}

/** What a rebuild is told. */
export interface RebuildOptions {
  readonly source: RebuildSource;
  readonly target: RebuildTarget;
  readonly projection: Projection;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Aborted: the fill ends at the next chunk and its tables are dropped. */
  readonly signal?: AbortSignal;
  readonly chunkEvents?: number;
}

/** A table set that is filled and now to be fed. */
export interface Rebuilt {
  readonly tableSet: number;
  readonly events: number;
  readonly rows: number;
  /** Streams with an event that cannot be folded; they are parked. */
  readonly setAside: number;
  readonly durationMs: number;
  /** The owner's snapshot from which on everything is the follower's business. */
  readonly watermark: string;
}

/** Rows of one transaction: a crash loses a moment's work, and no lock lasts longer. */
const CHUNK_EVENTS = 50_000;
/** A sort that fits into memory; the build takes it once, alone. */
const INDEX_MEMORY = '256MB';

/**
 * Fills a new table set beside the live one (D-22). The live checkpoint is noted before the store is
 * read, so whoever feeds the new set from there on misses nothing, and rows move by version alone,
 * so that the overlap does no harm. Each chunk is read with a snapshot of its own: no long
 * transaction keeps vacuum from the owner's tables.
 */
export async function fillTableSet(options: RebuildOptions): Promise<Rebuilt> {
  const { source, target, projection } = options;
  assertIdentifier(source.schema);
  const startedMs = performance.now();
  const from = await connected(source.url, 'SET default_transaction_read_only = on');
  const to = await connected(target.url).catch(async (error: unknown) => {
    await from.end();
    throw error;
  });
  try {
    await from.query(READING);
    const tableSet = await createTableSet(
      to,
      target,
      projection,
      await incarnationOf(from, source),
    );
    const statements = tableSetStatements(projection, target.schema, tableSet);
    try {
      const { rows } = await from.query<{ at: string }>('SELECT pg_current_snapshot()::text AS at');
      const fill = new Fill(from, to, statements, tableSet, options, startedMs);
      await fill.run();
      await complete(to, target, statements, tableSet);
      const { events, rows: filled, setAside } = fill;
      const durationMs = performance.now() - startedMs;
      const watermark = rows[0]?.at ?? '';
      return { tableSet, events, rows: filled, setAside, durationMs, watermark };
    } catch (error) {
      await dropTables(to, target.schema, statements, tableSet).catch(() => undefined);
      throw error;
    }
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** In the order of streams by the index: a sort of everything would not fit into memory. */
const READING = 'SET enable_sort = off; SET enable_seqscan = off; SET jit = off';

async function connected(url: string, setting?: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'sluice-rebuild' });
  // A lost connection shows in the statement under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  if (setting !== undefined) await client.query(setting);
  return client;
}

async function incarnationOf(client: Client, { schema }: RebuildSource): Promise<string> {
  const text = `SELECT id::text FROM ${schema}.incarnation`;
  const { rows } = await client.query<{ id: string }>(text);
  return rows[0]?.id ?? '';
}

async function createTableSet(
  client: Client,
  { schema }: RebuildTarget,
  projection: Projection,
  incarnation: string,
): Promise<number> {
  assertIdentifier(schema);
  const insertion = `INSERT INTO ${schema}.table_sets (projection, version, state, incarnation, heads_cursor)
    SELECT $1, $2, 'filling', $3, (SELECT heads_cursor FROM ${schema}.table_sets
                               WHERE projection = $1 AND state = 'live') RETURNING id`;
  const checkpoints = `INSERT INTO ${schema}.checkpoints (table_set, topic, partition, "offset")
    SELECT $2, topic, partition, "offset" FROM ${schema}.checkpoints
    WHERE table_set = (SELECT id FROM ${schema}.table_sets WHERE projection = $1 AND state = 'live')`;
  await client.query('BEGIN');
  const { rows } = await client.query<{ id: number }>(insertion, [
    projection.name,
    projection.version,
    incarnation,
  ]);
  const id = rows[0]?.id ?? 0;
  await client.query(checkpoints, [projection.name, id]);
  for (const text of tableSetStatements(projection, schema, id).createTables) {
    await client.query(text);
  }
  await client.query('COMMIT');
  return id;
}

async function complete(
  client: Client,
  { schema, appRole }: RebuildTarget,
  { table, streams, createIndexes, analyze }: TableSetStatements,
  tableSet: number,
): Promise<void> {
  assertIdentifier(appRole);
  const grants = `GRANT SELECT, INSERT, UPDATE ON ${table}, ${streams} TO ${appRole}`;
  const following = `UPDATE ${schema}.table_sets SET state = 'following', filled_to = NULL WHERE id = $1`;
  const memory = `SET maintenance_work_mem = '${INDEX_MEMORY}'`;
  await client.query(memory);
  // A tenth of the usual sample is enough to choose between three indexes.
  await client.query('SET default_statistics_target = 10');
  for (const text of createIndexes) await client.query(text);
  await client.query(analyze);
  await client.query('BEGIN');
  await client.query(grants);
  await client.query(following, [tableSet]);
  await client.query('COMMIT');
}

async function dropTables(
  client: Client,
  schema: string,
  { dropTables: drops }: TableSetStatements,
  tableSet: number,
): Promise<void> {
  const removal = `DELETE FROM ${schema}.table_sets WHERE id = $1`;
  await client.query('ROLLBACK');
  for (const text of drops) await client.query(text);
  await client.query(removal, [tableSet]);
}

/** The copying of all events into one table set, chunk by chunk. */
class Fill {
  events = 0;
  rows = 0;
  setAside = 0;
  #chunkEvents: number;
  #cursor = '';
  readonly #fold: StreamFold;

  constructor(
    private readonly from: Client,
    private readonly to: Client,
    private readonly statements: TableSetStatements,
    private readonly tableSet: number,
    private readonly options: RebuildOptions,
    private readonly startedMs: number,
  ) {
    this.#chunkEvents = options.chunkEvents ?? CHUNK_EVENTS;
    this.#fold = new StreamFold(options.projection, statements.properties);
  }

  async run(): Promise<void> {
    const estimated = await this.#estimate();
    for (let more = true; more;) {
      this.options.signal?.throwIfAborted();
      more = await this.#chunk();
      this.#report(estimated);
    }
  }

  async #estimate(): Promise<number> {
    const { rows } = await this.from.query<{ estimate: number }>(
      'SELECT reltuples::float8 AS estimate FROM pg_class WHERE oid = $1::regclass',
      [`${this.options.source.schema}.events`],
    );
    return Math.max(0, rows[0]?.estimate ?? 0);
  }

  /** Copies the next streams that are whole; false when there are no more. */
  async #chunk(): Promise<boolean> {
    const { to, statements } = this;
    await to.query('BEGIN');
    const rowsIn = to.query(copyFrom(statements.copyRows));
    const failed = once(rowsIn, 'error').then(([error]) => Promise.reject(error as Error));
    failed.catch(() => undefined);
    const written = this.#copyEvents(async (buffers) => {
      for (const bytes of buffers) {
        if (!rowsIn.write(bytes)) await Promise.race([once(rowsIn, 'drain'), failed]);
      }
    });
    const count = await Promise.race([written, failed]);
    const finished = once(rowsIn, 'finish');
    rowsIn.end();
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
    await to.query(this.#filledTo, [this.tableSet, this.#cursor]);
    await to.query('COMMIT');
    this.events += events;
    this.rows += rowCount;
    this.setAside += setAside.length;
    return full;
  }

  get #filledTo(): string {
    return `UPDATE ${this.options.target.schema}.table_sets SET filled_to = $2 WHERE id = $1`;
  }

  /** Reads a chunk and gives out finished rows; returns how many events there were. */
  async #copyEvents(write: (buffers: readonly Buffer[]) => Promise<void>): Promise<number> {
    const lines = new CopyLines();
    let count = 0;
    for await (const chunk of this.from.query(copyTo(this.#selection()))) {
      lines.push(chunk as Buffer, (line) => {
        count += 1;
        this.#fold.add(line);
      });
      if (this.#fold.hasRows) await write(this.#fold.takeRows());
    }
    // Without the last stream, which may be cut: endChunk decides, and gives it to the next chunk.
    if (count < this.#chunkEvents) this.#fold.endStream();
    await write(this.#fold.takeRows(true));
    return count;
  }

  #selection(): string {
    const { projection, source } = this.options;
    const types = projection.readsMetadataOf.map(escapeLiteral).join(', ');
    return `COPY (SELECT stream_id, version, type, schema_version, data,
        CASE WHEN type IN (${types}) THEN metadata END
      FROM ${source.schema}.events WHERE stream_id > ${escapeLiteral(this.#cursor)}
      ORDER BY stream_id, version LIMIT ${this.#chunkEvents}) TO STDOUT`;
  }

  async #copyStreams(lines: readonly Buffer[]): Promise<void> {
    const streamsIn = this.to.query(copyFrom(this.statements.copyStreams));
    const finished = once(streamsIn, 'finish');
    for (const bytes of lines) streamsIn.write(bytes);
    streamsIn.end();
    await finished;
  }

  /** The running service fetches them again when somebody asks for it. */
  async #park(setAside: FoldedChunk['setAside']): Promise<void> {
    const { options, tableSet, to } = this;
    const text = `INSERT INTO ${options.target.schema}.parked
      (table_set, stream_id, version, topic, event, reason) VALUES ($1, $2, $3, $4, '', $5)`;
    for (const { streamId, version, reason } of setAside) {
      await to.query(text, [tableSet, streamId, version, options.projection.topic, reason]);
    }
  }

  #report(eventsEstimated: number): void {
    const elapsedMs = performance.now() - this.startedMs;
    const eventsPerSecond = this.events / (elapsedMs / 1_000);
    const left = Math.max(0, eventsEstimated - this.events);
    this.options.onProgress?.({
      events: this.events,
      eventsEstimated,
      rows: this.rows,
      elapsedMs,
      eventsPerSecond,
      remainingMs: eventsPerSecond === 0 ? 0 : (left / eventsPerSecond) * 1_000,
    });
  }
}
