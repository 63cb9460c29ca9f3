import type { Pool } from 'pg';
import { applyBatch, type ApplyOptions, type ArrivedEvent, type Plan } from './apply-batch.js';
import { type FedTableSet, parkedStreams, statementName, versionsOf } from './fed-table-set.js';
import {
  faultOf,
  type ProjectedEvent,
  type Projection,
  type Row,
  storableCheck,
  todays,
} from './projection.js';

/** The table set was dropped while it was being fed. */
export class TableSetGone extends Error {
  override readonly name = 'TableSetGone';

  constructor(tableSet: number) {
    super(`Table set ${tableSet} was dropped.`);
  }
}

/** A stream of which events are missing between the rows and what arrived. */
export interface Hole {
  readonly streamId: string;
  readonly afterVersion: number;
}

/** What became of a batch. Only `applied` has changed anything. */
export type Application =
  | {
      readonly kind: 'applied';
      readonly applied: number;
      /** Older than the rows: duplicates, or overlap with a fill. */
      readonly ignored: number;
      /** Behind a parked event; they are parked as well. */
      readonly parked: number;
    }
  | { readonly kind: 'holes'; readonly holes: readonly Hole[] }
  /** An event cannot be folded or stored; without a `streamId` it is unknown which. */
  | { readonly kind: 'refused'; readonly streamId?: string; readonly reason: string };

/**
 * Conflicts with another process on the same table set; after each of them that process is further
 * ahead.
 */
const CONFLICTS_MAX = 20;
/** SQLSTATE of a missing table, and of a checkpoint whose table set is missing. */
const GONE: ReadonlySet<unknown> = new Set(['42P01', '23503']);
const UNIQUE_VIOLATION = '23505';
/** SQLSTATE classes that say something about the data, and not about the server. */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);

/**
 * Applies events and notes the checkpoint in one transaction. A row moves only from a version to
 * the next: older events are ignored, holes are reported and nothing is applied. If another process
 * feeds the same table set, this begins again, and the result is still right. Throws if
 * infrastructure fails, NewerWriter, and RowsLost.
 *
 * The first try reads little: streams that begin in the batch are taken to be new, and what this
 * process has just written is remembered. The statement that writes checks all of it.
 */
export async function applyEvents(
  pool: Pool,
  set: FedTableSet,
  events: readonly ArrivedEvent[],
  { checkpoints = [], redriven }: ApplyOptions = {},
): Promise<Application> {
  const ids = new Set(events.map(({ streamId }) => streamId));
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    try {
      const guesses = conflicts === 0;
      if (!guesses) set.recent.forget(ids);
      const before = await beforeBatch(pool, set, events, { redriven, guesses });
      const plan = await planOf(pool, set, events, before);
      // It may be parked already, which a guess does not know.
      if (plan.kind === 'refused' && guesses) continue;
      if (plan.kind !== 'plan') return plan;
      if (await applyBatch(pool, set, plan, { checkpoints, redriven })) {
        set.recent.wrote(plan);
        const { applied, ignored, behind } = plan;
        return { kind: 'applied', applied, ignored, parked: behind.length };
      }
    } catch (error) {
      if (GONE.has((error as { code?: unknown }).code)) throw new TableSetGone(set.id);
      if (isNewStreamOfAnother(error, set)) continue;
      if (!isAboutData(error)) throw error;
      return { kind: 'refused', reason: faultOf(error) };
    }
  }
  throw new Error(`Table set ${set.id} has another writer that is always quicker.`);
}

/** What is known of a batch's streams before it is applied. */
interface Before {
  readonly versions: ReadonlyMap<string, number>;
  readonly parked: ReadonlySet<string>;
}

/** Reads what is neither remembered nor, if guesses are allowed, likely. */
async function beforeBatch(
  pool: Pool,
  set: FedTableSet,
  events: readonly ArrivedEvent[],
  { redriven, guesses }: { readonly redriven: string | undefined; readonly guesses: boolean },
): Promise<Before> {
  const versions = new Map<string, number>();
  const unknown = new Set<string>();
  for (const { streamId, version } of events) {
    if (versions.has(streamId) || unknown.has(streamId)) continue;
    const guess = set.recent.versionOf(streamId) ?? 0;
    // A guess that the next event is this one is checked by the statement. One that would ignore the
    // event is not: a server that crashed may have lost what was written (page 0046).
    if (guesses && version === guess + 1) versions.set(streamId, guess);
    else unknown.add(streamId);
  }
  if (unknown.size === 0) return { versions, parked: NONE };
  const ids = [...unknown];
  const asked = ids.filter((id) => id !== redriven);
  const [found, parked] = await Promise.all([
    versionsOf(pool, set, ids),
    parkedStreams(pool, set, asked),
  ]);
  for (const [id, version] of found) versions.set(id, version);
  return { versions, parked };
}

const NONE: ReadonlySet<string> = new Set();

async function planOf(
  pool: Pool,
  set: FedTableSet,
  events: readonly ArrivedEvent[],
  { versions, parked }: Before,
): Promise<Plan | Exclude<Application, { kind: 'applied' }>> {
  const behind = events.filter(({ streamId }) => parked.has(streamId));
  const next: ArrivedEvent[] = [];
  const holes = new Map<string, Hole>();
  const reached = new Map<string, number>();
  for (const event of events) {
    const { streamId, version } = event;
    const at = reached.get(streamId) ?? versions.get(streamId) ?? 0;
    if (parked.has(streamId) || version <= at) continue;
    if (version > at + 1) {
      if (!holes.has(streamId)) holes.set(streamId, { streamId, afterVersion: at });
      continue;
    }
    reached.set(streamId, version);
    next.push(event);
  }
  if (holes.size > 0) return { kind: 'holes', holes: [...holes.values()] };
  const known = next.map((event) => todays(set.projection, event));
  const folded = fold(set.projection, await rowsBefore(pool, set, known, versions), known);
  if (folded.kind === 'refused') return folded;
  const streams = new Map(
    [...reached].map(([id, to]) => [id, { from: versions.get(id) ?? 0, to }]),
  );
  const ignored = events.length - next.length - behind.length;
  return { kind: 'plan', streams, rows: folded.rows, behind, applied: next.length, ignored };
}

/**
 * The rows of these events before them. A row belongs to one stream, so a stream that begins has
 * none yet.
 */
async function rowsBefore(
  pool: Pool,
  set: FedTableSet,
  events: readonly ProjectedEvent[],
  versions: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Row>> {
  const { projection, statements, recent } = set;
  const before = new Map<string, Row>();
  const unread = new Set<string>();
  for (const event of events) {
    const { streamId } = event;
    if ((versions.get(streamId) ?? 0) === 0) continue;
    const isRemembered = recent.versionOf(streamId) === versions.get(streamId);
    const rows = isRemembered ? recent.rowsOf(streamId) : undefined;
    for (const key of keyOrNone(projection, event)) {
      if (rows === undefined) unread.add(key);
      const row = rows?.get(key);
      if (row !== undefined) before.set(key, row);
    }
  }
  if (unread.size === 0) return before;
  const { rows } = await pool.query<(string | null)[]>({
    name: statementName(set, 'rows'),
    text: statements.selectRows,
    values: [[...unread]],
    rowMode: 'array',
  });
  for (const values of rows) {
    const row = Object.fromEntries(
      statements.properties.map((property, index) => [property, values[index] ?? null]),
    );
    before.set(row[projection.key] ?? '', row);
  }
  return before;
}

/** If the key cannot be determined, the fold will report it, with the stream's name. */
function keyOrNone(projection: Projection, event: ProjectedEvent): readonly string[] {
  try {
    return [projection.keyOf(event)];
  } catch {
    return [];
  }
}

type Folded =
  | { readonly kind: 'folded'; readonly rows: ReadonlyMap<string, Row> }
  | { readonly kind: 'refused'; readonly streamId: string; readonly reason: string };

function fold(
  projection: Projection,
  before: ReadonlyMap<string, Row>,
  events: readonly ProjectedEvent[],
): Folded {
  const rows = new Map<string, Row>();
  const check = storableCheck(projection);
  for (const event of events) {
    try {
      const key = projection.keyOf(event);
      const row = projection.fold(rows.get(key) ?? before.get(key), event);
      const fault = check(row);
      if (fault !== undefined) throw new TypeError(`The row is wrong: ${fault}.`);
      rows.set(key, row);
    } catch (error) {
      return { kind: 'refused', streamId: event.streamId, reason: faultOf(error) };
    }
  }
  return { kind: 'folded', rows };
}

/** Another process has created one of the streams at the same moment. */
function isNewStreamOfAnother(error: unknown, { schema, statements }: FedTableSet): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === UNIQUE_VIOLATION && `${schema}.${String(table)}` === statements.streams;
}

function isAboutData(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && DATA_CLASSES.has(code.slice(0, 2));
}
