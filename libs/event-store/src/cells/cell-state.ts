import type { Pool, QueryResultRow } from 'pg';
import { SQL_IDENTIFIER } from '../schema.js';
import { type Connect, moveIsAtWork, MoveSession } from './move-session.js';
import {
  assertMovable,
  assertNothingThere,
  assertOneIncarnation,
  type MovedShards,
  type MovePhase,
  readMoveState,
} from './move-state.js';
import { openSessions } from './shard-move.js';
import { assertUndoable } from './shard-undo.js';
import { rangesOf, type ShardRange, shardsIn } from './shard-range.js';

/** A move as one of its two databases has recorded it. */
export interface RecordedMove {
  readonly shards: ShardRange;
  readonly from: number;
  readonly to: number;
  /** Of the database that says so; the other one may know more. */
  readonly state: 'copying' | 'closed' | 'fenced' | 'switched';
}

/** What the database of a cell says of itself. */
export interface CellState {
  readonly cell: number;
  readonly carried: readonly ShardRange[];
  /** Of those carried: no transaction begins there any more. */
  readonly closing: readonly ShardRange[];
  readonly incarnation: string;
  /** As the planner estimates it. */
  readonly aboutStreams: number;
  readonly aboutEvents: number;
  readonly moves: readonly RecordedMove[];
  /** Whether some process works on a move here, right now. */
  readonly isMoving: boolean;
}

interface CellRow extends QueryResultRow {
  cell: number;
  carried: string;
  closing: string;
  incarnation: string;
  aboutStreams: number;
  aboutEvents: number;
  isMoving: boolean;
  moves: { shards: string; cell: number; isComing: boolean; state: RecordedMove['state'] }[];
}

/** A table that was never analyzed has no estimate, and is counted so far. */
const COUNTED_MAX = 100_000;

/** Asks a cell's database, as its owner; changes nothing. */
export async function inspectCell(
  database: Pick<Pool, 'query'> | MoveSession,
  schema: string,
): Promise<CellState> {
  if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  const text = cellStatement(schema);
  const row =
    database instanceof MoveSession
      ? await database.row<CellRow>(text)
      : (await database.query<CellRow>(text)).rows[0];
  if (row === undefined) throw new Error('The event store does not say which shards it carries.');
  return {
    ...row,
    carried: rangesOf(row.carried),
    closing: rangesOf(row.closing),
    moves: row.moves.map(({ shards, cell, isComing, state }) => ({
      shards: rangesOf(shards)[0] ?? { first: 0, last: 0 },
      ...(isComing ? { from: cell, to: row.cell } : { from: row.cell, to: cell }),
      state,
    })),
  };
}

function cellStatement(schema: string): string {
  const about = (table: string): string =>
    `(SELECT CASE WHEN reltuples >= 0 THEN reltuples::float8
                  ELSE (SELECT count(*) FROM (SELECT FROM ${schema}.${table} LIMIT ${COUNTED_MAX}) c) END
      FROM pg_class WHERE oid = '${schema}.${table}'::regclass)`;
  return `SELECT cell, carried::text AS carried, closing::text AS closing,
            (SELECT id::text FROM ${schema}.incarnation) AS incarnation,
            ${moveIsAtWork(schema)} AS "isMoving",
            ${about('streams')} AS "aboutStreams", ${about('events')} AS "aboutEvents",
            (SELECT coalesce(json_agg(m ORDER BY m.shards), '[]') FROM (
               SELECT shards::text AS shards, to_cell AS cell, false AS "isComing",
                      CASE WHEN switched_at IS NOT NULL THEN 'switched'
                           WHEN fenced_at IS NOT NULL THEN 'fenced'
                           WHEN closed_at IS NOT NULL THEN 'closed' ELSE 'copying' END AS state
               FROM ${schema}.leaving_shards
               UNION ALL
               SELECT shards::text, from_cell, true,
                      CASE WHEN switched_at IS NULL THEN 'copying' ELSE 'switched' END
               FROM ${schema}.shard_moves) m) AS moves
     FROM ${schema}.carried_shards`;
}

/** What a move would find. */
export interface PlannedMove {
  readonly phase: MovePhase;
  /** As the planner estimates it, if all shards of the source have equally many. */
  readonly aboutStreams: number;
  readonly aboutEvents: number;
}

/**
 * Asks what a move, or its undoing, would do; changes nothing. @throws MoveRefused as the move itself
 * would
 */
export async function planShardMove(
  options: MovedShards & { readonly source: Connect; readonly target: Connect },
  intent: 'move' | 'undo',
): Promise<PlannedMove> {
  const sessions = await openSessions(options, 'none');
  try {
    const state = await readMoveState(sessions, options);
    const { phase } = state;
    if (intent === 'undo') assertUndoable(phase, options);
    else {
      assertMovable(phase, options);
      if (phase !== 'done') assertOneIncarnation(state);
      if (phase === 'new') await assertNothingThere(sessions, options);
    }
    const { carried, aboutStreams, aboutEvents } = await inspectCell(
      sessions.source,
      options.schema,
    );
    const moved = shardsIn([options.shards]);
    const share = moved / Math.max(moved, shardsIn(carried));
    return {
      phase,
      aboutStreams: Math.round(aboutStreams * share),
      aboutEvents: Math.round(aboutEvents * share),
    };
  } finally {
    await Promise.all([sessions.source.close(), sessions.target.close()]);
  }
}
