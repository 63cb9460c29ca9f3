import type { Pool } from 'pg';
import { FIRST_CELL, SHARD_COUNT } from './cell-tables.js';
import { SQL_IDENTIFIER } from '../schema.js';

/** The tables of one cell, entered as their owner. */
export interface CellTables {
  readonly owner: Pick<Pool, 'query'>;
  readonly schema: string;
}

/**
 * Gives each cell of a new installation an equal part of all shards, and the first one's
 * incarnation. Changes nothing and returns false once any of them has a stream, or the shards are
 * no longer all in the first: then they are moved. The cells come in their order. Interrupted, it
 * is done again: the parts are handed out before the first cell lets go of them only where nothing
 * is recorded, and no cell takes payments before all are migrated.
 */
export async function divideShards(cells: readonly CellTables[]): Promise<boolean> {
  for (const { schema } of cells) {
    if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  }
  const states = await Promise.all(cells.map(stateOf));
  const isNew = states.every(
    ({ cell, isEmpty, carried }, index) =>
      cell === index + FIRST_CELL && isEmpty && (index > 0 || carried === EVERY_SHARD),
  );
  if (!isNew || cells.length < 2) return false;
  const [incarnation] = states.map((state) => state.incarnation);
  // The first comes last: it carries everything until the others have their parts.
  for (const [index, { owner, schema }] of [...cells.entries()].reverse()) {
    const text = `WITH same AS (UPDATE ${schema}.incarnation SET id = $2)
      UPDATE ${schema}.carried_shards SET carried = $1`;
    await owner.query(text, [partOf(index, cells.length), incarnation]);
  }
  return true;
}

const EVERY_SHARD = `{[0,${String(SHARD_COUNT)})}`;

interface State {
  readonly cell: number;
  readonly carried: string;
  readonly incarnation: string;
  readonly isEmpty: boolean;
}

async function stateOf({ owner, schema }: CellTables): Promise<State> {
  const text = `SELECT cell, carried::text,
      (SELECT id::text FROM ${schema}.incarnation) AS incarnation,
      NOT EXISTS (SELECT FROM ${schema}.streams) AS "isEmpty"
    FROM ${schema}.carried_shards`;
  const { rows } = await owner.query<State>(text);
  const [state] = rows;
  if (state === undefined) throw new Error('The store does not say which shards it carries.');
  return state;
}

function partOf(index: number, parts: number): string {
  const bound = (number: number): number => Math.round((number * SHARD_COUNT) / parts);
  return `{[${String(bound(index))},${String(bound(index + 1))})}`;
}
