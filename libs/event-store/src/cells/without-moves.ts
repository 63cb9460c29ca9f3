import { SQL_IDENTIFIER } from '../schema.js';
import { MoveRefused } from './move-refused.js';
import { type Connect, MoveSession } from './move-session.js';
import { rangesOf, shardRangeText } from './shard-range.js';

/** Which of these streams' shards the store carries. @throws MoveRefused if a move of some is not finished */
export type Carries = (streamIds: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Does something during which no move of shards can work in this database, as the owner of its
 * tables. @throws MoveRefused while one does
 */
export async function withoutMoves<T>(
  { connect, schema }: { readonly connect: Connect; readonly schema: string },
  work: (carries: Carries) => Promise<T>,
): Promise<T> {
  if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  const session = await MoveSession.open(connect);
  try {
    await session.lock(schema, 'shared');
    return await work(async (streamIds) => {
      await assertFinished(session, schema, streamIds);
      const rows = await session.execute<{ id: string }>(
        `SELECT id FROM unnest($1::text[]) AS id, ${schema}.carried_shards
         WHERE ${schema}.shard_of(id) <@ carried`,
        [streamIds],
      );
      return new Set(rows.map(({ id }) => id));
    });
  } finally {
    await session.close();
  }
}

/** Nobody works on such a move, but what is done in one database would not be done in the other. */
async function assertFinished(
  session: MoveSession,
  schema: string,
  streamIds: readonly string[],
): Promise<void> {
  const [move] = await session.execute<{ shards: string }>(
    `SELECT m.shards::text AS shards
     FROM (SELECT shards FROM ${schema}.leaving_shards
           UNION SELECT shards FROM ${schema}.shard_moves) m
     WHERE EXISTS (SELECT FROM unnest($1::text[]) AS id WHERE ${schema}.shard_of(id) <@ m.shards)
     LIMIT 1`,
    [streamIds],
  );
  const [range] = rangesOf(move?.shards ?? '');
  if (range === undefined) return;
  throw new MoveRefused(
    `A move of shards ${shardRangeText(range)} is not finished, so two databases have rows of them; ` +
      'finish or undo it first.',
  );
}
