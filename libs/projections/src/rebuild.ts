import { once } from 'node:events';
import { Client, escapeLiteral } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { listTableSets, type ProjectionSchema } from './bookkeeping.js';
import { CopyLines } from './copy-text.js';
import type { Projection } from './projection.js';
import { type RebuildLock, rebuildLock } from './rebuild-lock.js';
import { type FoldedChunk, StreamFold } from './stream-fold.js';
import {
  assertIdentifier,
  TableSetRefused,
  type TableSetStatements,
  tableSetStatements,
} from './table-set.js';

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
  readonly tableSet: number;
  /** With those of an earlier try that this one took up. */
  readonly events: number;
  /** Of this try, since it last told. */
  readonly eventsSince: number;
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
  /** Aborted: the fill ends at the next chunk, and its tables are dropped unless it is resumable. */
  readonly signal?: AbortSignal;
  readonly chunkEvents?: number;
  /** Held already by whoever asks; otherwise it is taken here. */
  readonly lock?: RebuildLock;
  /** Takes up what an earlier fill has left, and leaves what it has when it ends early. */
  readonly resumable?: boolean;
  /** What the owner says its store is; a source that says otherwise is another one (D-23). */
  readonly incarnation?: string | undefined;
}

/** A table set that is filled and now to be fed. */
export interface Rebuilt {
  readonly tableSet: number;
  /** With those of an earlier try that this one took up; rows and parked streams are without. */
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
 *
 * One process at a time does it, so whatever is there half filled is of one that died. Each chunk is
 * committed together with how far it went, and the indexes together with the word that all is there:
 * so a resumable fill goes on where the other one ended. Throws TableSetRefused while another process
 * rebuilds the projection.
 */
export async function fillTableSet(options: RebuildOptions): Promise<Rebuilt> {
  const { source, target, projection } = options;
  assertIdentifier(source.schema);
  const lock = options.lock ?? (await rebuildLock(target, projection));
  if (lock === undefined) {
    throw new TableSetRefused(`Another process rebuilds the projection ${projection.name} now.`);
  }
  try {
    const from = await connected(source.url, 'SET default_transaction_read_only = on');
    try {
      await from.query(READING);
      return await filled(from, lock.session, options);
    } finally {
      await from.end();
    }
  } finally {
    if (options.lock === undefined) await lock.release();
  }
}

async function filled(from: Client, to: Client, options: RebuildOptions): Promise<Rebuilt> {
  const { source, target, projection } = options;
  const startedMs = performance.now();
  const incarnation = await incarnationOf(from, source);
  if (options.incarnation !== undefined && options.incarnation !== incarnation) {
    throw new Error(`The source is the store ${incarnation}, and its owner has another one.`);
  }
  const place =
    (await leftBehind(to, options, incarnation)) ??
    (await createTableSet(to, target, projection, incarnation));
  const { tableSet } = place;
  const statements = tableSetStatements(projection, target.schema, tableSet);
  try {
    const { rows } = await from.query<{ at: string }>('SELECT pg_current_snapshot()::text AS at');
    const fill = new Fill(from, to, statements, place, options, startedMs);
    await fill.run();
    await complete(to, target, statements, tableSet);
    const { events, rows: filledRows, setAside } = fill;
    const durationMs = performance.now() - startedMs;
    const watermark = rows[0]?.at ?? '';
    return { tableSet, events, rows: filledRows, setAside, durationMs, watermark };
  } catch (error) {
    if (options.resumable !== true) {
      await dropTables(to, target.schema, statements, tableSet).catch(() => undefined);
    }
    throw error;
  }
}

/** A table set that is being filled, and how far. */
interface FillPlace {
  readonly tableSet: number;
  /** The last stream that is in it. */
  readonly filledTo: string;
  readonly events: number;
}

/** Takes up the tables that a fill of the same kind has left, and drops all others that were left. */
async function leftBehind(
  to: Client,
  { target, projection, resumable }: RebuildOptions,
  incarnation: string,
): Promise<FillPlace | undefined> {
  const sets = await listTableSets(to, target.schema, projection.name);
  let place: FillPlace | undefined;
  for (const set of sets.filter(({ state }) => state === 'filling').reverse()) {
    const statements = tableSetStatements(projection, target.schema, set.id);
    const fits = set.version === projection.version && set.incarnation === incarnation;
    if (resumable === true && fits && place === undefined) {
      // Each stream's version is the number of its events.
      const text = `SELECT coalesce(sum(version), 0)::float8 AS events FROM ${statements.streams}`;
      const { rows } = await to.query<{ events: number }>(text);
      place = { tableSet: set.id, filledTo: set.filledTo ?? '', events: rows[0]?.events ?? 0 };
    } else {
      await dropTables(to, target.schema, statements, set.id);
    }
  }
  return place;
}

/** In the order of streams by the index: a sort of everything would not fit into memory. */
const READING = 'SET enable_sort = off; SET enable_seqscan = off; SET jit = off';

async function connected(url: string, setting: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'sluice-rebuild' });
  // A lost connection shows in the statement under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(setting);
  return client;
}

async function incarnationOf(client: Client, { schema }: RebuildSource): Promise<string> {
  const text = `SELECT id::text FROM ${schema}.incarnation`;
  const { rows } = await client.query<{ id: string }>(text);
  return rows[0]?.id ?? '';
}

/**
 * Offsets of the topic are the broker's and outlive the owner's store. A cursor among the store's own
 * positions does not: a restored store gives the same positions to other events, so a cursor of
 * another life would pass these by, and comparing begins at the first event instead (D-23).
 */
async function createTableSet(
  client: Client,
  { schema }: RebuildTarget,
  projection: Projection,
  incarnation: string,
): Promise<FillPlace> {
  assertIdentifier(schema);
  const insertion = `INSERT INTO ${schema}.table_sets (projection, version, state, incarnation, heads_cursor)
    SELECT $1, $2, 'filling', $3, (SELECT heads_cursor FROM ${schema}.table_sets
      WHERE projection = $1 AND state = 'live' AND incarnation = $3) RETURNING id`;
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
  return { tableSet: id, filledTo: '', events: 0 };
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
  // Together: indexes that were made by half could not be made again.
  await client.query('BEGIN');
  for (const text of createIndexes) await client.query(text);
  await client.query(analyze);
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
  // Together: who takes up what was left must find tables for each row here.
  await client.query('BEGIN');
  for (const text of drops) await client.query(text);
  await client.query(removal, [tableSet]);
  await client.query('COMMIT');
}

/** The copying of all events into one table set, chunk by chunk. */
class Fill {
  events: number;
  rows = 0;
  setAside = 0;
  #chunkEvents: number;
  #cursor: string;
  #eventsTold: number;
  readonly #fold: StreamFold;

  constructor(
    private readonly from: Client,
    private readonly to: Client,
    private readonly statements: TableSetStatements,
    private readonly place: FillPlace,
    private readonly options: RebuildOptions,
    private readonly startedMs: number,
  ) {
    this.events = place.events;
    this.#eventsTold = place.events;
    this.#cursor = place.filledTo;
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
    await to.query(this.#filledTo, [this.place.tableSet, this.#cursor]);
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
        CASE WHEN type = ANY (ARRAY[${types}]::text[]) THEN metadata END
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
    const { options, to } = this;
    const { tableSet } = this.place;
    const text = `INSERT INTO ${options.target.schema}.parked
      (table_set, stream_id, version, topic, event, reason) VALUES ($1, $2, $3, $4, '', $5)`;
    for (const { streamId, version, reason } of setAside) {
      await to.query(text, [tableSet, streamId, version, options.projection.topic, reason]);
    }
  }

  #report(eventsEstimated: number): void {
    const elapsedMs = performance.now() - this.startedMs;
    const eventsPerSecond = (this.events - this.place.events) / (elapsedMs / 1_000);
    const left = Math.max(0, eventsEstimated - this.events);
    const eventsSince = this.events - this.#eventsTold;
    this.#eventsTold = this.events;
    this.options.onProgress?.({
      tableSet: this.place.tableSet,
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
