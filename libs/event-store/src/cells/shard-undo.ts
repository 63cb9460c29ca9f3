import { MoveRefused } from './move-refused.js';
import {
  assertRemembered,
  type MovedShards,
  type MovePhase,
  type MoveSessions,
  readMoveState,
} from './move-state.js';
import { ForgottenCopy } from './shard-clear.js';
import { ShardFence } from './shard-fence.js';
import { openSessions, type ShardMoveOptions } from './shard-move.js';
import { shardRangeText, sqlRange } from './shard-range.js';

/** What an undone move left behind: nothing, in so many streams. */
export interface UndoneMove {
  /** Streams that the target has forgotten. */
  readonly forgottenStreams: number;
}

/**
 * Undoes a move that has not switched: first the source carries the range again, then the target
 * forgets it. Repeating it after a crash goes on. @throws MoveRefused once the target carries the
 * range, and where nothing is to be undone
 */
export async function undoShardMove(options: ShardMoveOptions): Promise<UndoneMove> {
  const sessions = await openSessions(options, 'move');
  try {
    return await undo(sessions, options);
  } finally {
    await Promise.all([sessions.source.close(), sessions.target.close()]);
  }
}

async function undo(
  sessions: MoveSessions,
  { onStep, signal, ...move }: ShardMoveOptions,
): Promise<UndoneMove> {
  const { phase } = await readMoveState(sessions, move);
  assertUndoable(phase, move);
  const values = [sqlRange(move.shards)];
  let forgottenStreams = 0;
  await new ShardFence(sessions.source, move).giveBack();
  onStep?.('begin', 0);
  await new ForgottenCopy(sessions.target, move).run((streams) => {
    forgottenStreams += streams;
    onStep?.('clear', streams);
    signal?.throwIfAborted();
  });
  await sessions.target.execute(`DELETE FROM ${move.schema}.shard_moves WHERE shards = $1`, values);
  onStep?.('end', 0);
  await sessions.source.execute(
    `DELETE FROM ${move.schema}.leaving_shards WHERE shards = $1`,
    values,
  );
  return { forgottenStreams };
}

/** @throws MoveRefused where there is nothing to undo, or no way back */
export function assertUndoable(phase: MovePhase, { shards, from, to }: MovedShards): void {
  const range = shardRangeText(shards);
  assertRemembered(phase, { from, to, range });
  if (phase === 'switched' || phase === 'cleared') {
    throw new MoveRefused(
      `Cell ${to} carries ${range} already. Finish the move (the same command without --undo), then ` +
        `move it from cell ${to} to cell ${from}.`,
    );
  }
  if (phase === 'new' || phase === 'done') {
    const owner = phase === 'new' ? from : to;
    throw new MoveRefused(
      `There is no move of ${range} from cell ${from} to cell ${to} to undo; cell ${owner} carries it.`,
    );
  }
}
