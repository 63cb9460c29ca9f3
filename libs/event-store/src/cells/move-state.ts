import { MoveRefused } from './move-refused.js';
import type { MoveSession } from './move-session.js';
import { rangesOf, shardRangeText, sqlRange, type ShardRange } from './shard-range.js';

/** Which shards go from where to where, and the schema in both databases. */
export interface MovedShards {
  readonly schema: string;
  readonly shards: ShardRange;
  readonly from: number;
  readonly to: number;
}

/** The sessions of a move, both as the owner of the tables. */
export interface MoveSessions {
  readonly source: MoveSession;
  readonly target: MoveSession;
}

/** How far a move is; the databases say so, never a process. */
export type MovePhase =
  /** Nothing of it is recorded yet. */
  | 'new'
  /** The source carries the range, closed or not. */
  | 'copying'
  /** Nobody carries the range. */
  | 'fenced'
  /** The target carries the range, and the source has rows of it. */
  | 'switched'
  /** Only the source's own record of the move is left, as moves of earlier builds left it. */
  | 'cleared'
  /** Nothing is left to do. */
  | 'done'
  /** One of the two has no record of the move: it was restored from a backup. Only undone. */
  | 'unknownToSource'
  | 'unknownToTarget'
  /** The target carried the range, and was restored from a backup of before. Neither goes on nor back. */
  | 'forgottenByTarget';

/** What a database says of itself and the range. */
interface StoreSide {
  readonly cell: number;
  readonly incarnation: string;
  readonly carriesAll: boolean;
  readonly carriesSome: boolean;
  readonly isEmpty: boolean;
  /** Moves out of this store that concern the range, as `int4range`s. */
  readonly leaving: readonly {
    shards: string;
    toCell: number;
    isFenced: boolean;
    isSwitched: boolean;
  }[];
  /** Moves into this store that concern the range. */
  readonly coming: readonly { shards: string; fromCell: number; isSwitched: boolean }[];
}

/** Both sides, and what that means. */
export interface MoveState {
  readonly phase: MovePhase;
  readonly source: StoreSide;
  readonly target: StoreSide;
}

/**
 * Asks both databases how far the move is. @throws MoveRefused with the reason for which it can
 * neither begin nor go on
 */
export async function readMoveState(
  { source, target }: MoveSessions,
  move: MovedShards,
): Promise<MoveState> {
  const sides = { source: await sideOf(source, move), target: await sideOf(target, move) };
  return { ...sides, phase: phaseOf(sides, move) };
}

function sideOf(session: MoveSession, { schema, shards }: MovedShards): Promise<StoreSide> {
  return session.row<StoreSide & Record<string, unknown>>(
    `SELECT c.cell, (SELECT id::text FROM ${schema}.incarnation) AS incarnation,
            c.carried @> $1::int4range AS "carriesAll", c.carried && $1::int4range AS "carriesSome",
            NOT EXISTS (SELECT FROM ${schema}.events) AS "isEmpty",
            (SELECT coalesce(json_agg(json_build_object('shards', shards::text, 'toCell', to_cell,
                      'isFenced', fenced_at IS NOT NULL, 'isSwitched', switched_at IS NOT NULL)), '[]')
             FROM ${schema}.leaving_shards WHERE shards && $1::int4range) AS leaving,
            (SELECT coalesce(json_agg(json_build_object('shards', shards::text, 'fromCell', from_cell,
                      'isSwitched', switched_at IS NOT NULL)), '[]')
             FROM ${schema}.shard_moves WHERE shards && $1::int4range) AS coming
     FROM ${schema}.carried_shards c`,
    [sqlRange(shards)],
  );
}

type Sides = Omit<MoveState, 'phase'>;

/** @throws MoveRefused unless the sessions lead to the two cells that are named */
export async function assertTwoCells(
  sessions: MoveSessions,
  { schema, from, to }: MovedShards,
): Promise<void> {
  if (from === to) {
    throw new MoveRefused(`Cell ${from} cannot move shards to itself; name two cells.`);
  }
  // Tells databases apart, wherever their addresses lead.
  const text = `SELECT cell, current_database() || ' of ' ||
      (SELECT system_identifier FROM pg_control_system()) AS identity
    FROM ${schema}.carried_shards`;
  const source = await sessions.source.row<{ cell: number; identity: string }>(text);
  const target = await sessions.target.row<{ cell: number; identity: string }>(text);
  if (source.identity === target.identity) {
    throw new MoveRefused(`The addresses of cells ${from} and ${to} lead to the same database.`);
  }
  if (source.cell === target.cell) {
    throw new MoveRefused(
      `Both databases say that they are cell ${source.cell}. Each cell has a number of its own, which ` +
        'its schema gets when it is made.',
    );
  }
  for (const [side, cell] of [
    [source, from],
    [target, to],
  ] as const) {
    if (side.cell === cell) continue;
    throw new MoveRefused(
      `The database at the address of cell ${cell} says that it is cell ${side.cell}.`,
    );
  }
}

/** The source's record of a move is made first, and the target's goes last, once it carries the range. */
function phaseOf(sides: Sides, move: MovedShards): MovePhase {
  const { source, target } = sides;
  const range = shardRangeText(move.shards);
  const other = otherMove(sides, move);
  if (other !== undefined) throw new MoveRefused(other);
  const [leaving] = source.leaving;
  const [coming] = target.coming;
  if (coming?.isSwitched === true) return 'switched';
  if (leaving === undefined) {
    if (target.carriesAll) return 'done';
    if (coming !== undefined) return 'unknownToSource';
    if (source.carriesAll) return 'new';
    throw new MoveRefused(
      `Cell ${move.from} ${source.carriesSome ? 'carries only a part of' : 'does not carry'} ${range}.`,
    );
  }
  if (!leaving.isFenced) return 'copying';
  if (target.carriesAll) return 'cleared';
  if (leaving.isSwitched) return 'forgottenByTarget';
  return coming === undefined ? 'unknownToTarget' : 'fenced';
}

/** @throws MoveRefused when one of the two databases has forgotten the move */
export function assertMovable(phase: MovePhase, { shards, from, to }: MovedShards): void {
  const range = shardRangeText(shards);
  if (phase === 'unknownToSource') {
    throw new MoveRefused(
      `Cell ${to} has begun to take ${range}, and cell ${from} knows nothing of it. Was one of them ` +
        'restored from a backup? --undo makes the target forget it.',
    );
  }
  if (phase === 'unknownToTarget') {
    throw new MoveRefused(
      `Cell ${from} has let ${range} go, and cell ${to} has no record of taking it. Was cell ${to} ` +
        `restored from a backup? --undo gives the range back to cell ${from}.`,
    );
  }
  assertRemembered(phase, { from, to, range });
}

/** @throws MoveRefused for a range that the target carried once, and whose rows may be in no cell */
export function assertRemembered(
  phase: MovePhase,
  { from, to, range }: { from: number; to: number; range: string },
): void {
  if (phase !== 'forgottenByTarget') return;
  throw new MoveRefused(
    `Cell ${to} carried ${range}, cell ${from} deletes its own rows of it since then, and cell ${to} has no ` +
      `record of that: it was restored from a backup of before. Neither cell has all of ${range}, so ` +
      `nobody may carry it. Restore cell ${to} to a time after the switch, or both cells to one before it.`,
  );
}

/** Another move that concerns some of these shards, and what to do about it. */
function otherMove(
  { source, target }: Sides,
  { shards, from, to }: MovedShards,
): string | undefined {
  const found = [
    ...source.leaving.map((one) => ({ ...one, fromCell: from })),
    ...target.coming.map((one) => ({ ...one, toCell: to })),
    ...source.coming.map((one) => ({ ...one, toCell: from })),
    ...target.leaving.map((one) => ({ ...one, fromCell: to })),
  ].map((one) => ({ ...one, range: rangesOf(one.shards)[0] }));
  const other = found.find(
    ({ fromCell, toCell, range }) =>
      fromCell !== from ||
      toCell !== to ||
      range?.first !== shards.first ||
      range.last !== shards.last,
  );
  if (other?.range === undefined) return undefined;
  return (
    `A move of ${shardRangeText(other.range)} from cell ${other.fromCell} to cell ${other.toCell} is not ` +
    'finished; finish or undo it first.'
  );
}

/** @throws MoveRefused for stores of which one was restored without the other (D-23) */
export function assertOneIncarnation({ source, target }: MoveState): void {
  if (source.incarnation === target.incarnation || target.isEmpty) return;
  throw new MoveRefused(
    `The store of cell ${source.cell} is ${source.incarnation}, that of cell ${target.cell} is ` +
      `${target.incarnation}: one was restored without the other. "sluice restore finish --cells" gives ` +
      'all cells the same incarnation.',
  );
}

/** Tables in which rows of a stream can be. */
const TABLES = ['streams', 'events', 'transactions', 'personal_keys', 'outbox', 'outbox_parked'];

/**
 * Marks are not asked for: what an earlier move took along for its own subjects is replaced.
 * @throws MoveRefused when the target has rows of the range before anything is copied
 */
export async function assertNothingThere(
  { target }: MoveSessions,
  { schema, shards, to }: MovedShards,
): Promise<void> {
  const rows = [...TABLES, 'idempotency'].map(
    (table) =>
      `SELECT '${table}' AS name WHERE EXISTS (
         SELECT FROM ${schema}.${table} t WHERE ${schema}.shard_of(t.stream_id) <@ $1::int4range)`,
  );
  const found = await target.execute<{ name: string }>(rows.join(' UNION ALL '), [
    sqlRange(shards),
  ]);
  if (found.length === 0) return;
  throw new MoveRefused(
    `Cell ${to} has rows of ${shardRangeText(shards)} from elsewhere, in ` +
      `${found.map(({ name }) => name).join(', ')}; nothing may be copied beside them.`,
  );
}
