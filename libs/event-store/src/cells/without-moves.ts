import { SQL_IDENTIFIER } from '../schema.js';
import { type Connect, MoveSession } from './move-session.js';

/** Which of these streams' shards the store carries. */
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
