import type { Pool } from 'pg';
import { FIRST_CELL, SHARD_COUNT } from './cell-tables.js';
import { SQL_IDENTIFIER } from '../schema.js';
import { rangesOf, shardsIn } from './shard-range.js';

/** The tables of one cell, entered as their owner. */
export interface CellTables {
  readonly owner: Pick<Pool, 'query'>;
  readonly schema: string;
}

/** How long the first cell's appends under way are waited for; one takes some milliseconds. */
const LOCK_MS = 5_000;

/**
 * Gives each cell of a new installation an equal part of all shards. The cells come in their order.
 * Changes nothing and returns false once any of them has a stream, or the shards are no longer all
 * in the first: then they are moved.
 *
 * The first cell lets go of the others' parts before they get them, so no shard is ever in two
 * cells. Interrupted in between, some are in none, and whoever asks for them is answered late; done
 * again, it goes on from there. A cell without events joins the first one's life: the answers of
 * cells from different lives are not put together (D-23). It does not if the shards were divided and it
 * has another life after all: then its database was lost, and nobody may begin anew without a word. The
 * first one's tables carry everything when they are made; if others have shards by then, it was lost, and
 * gets none.
 */
export async function divideShards(cells: readonly CellTables[]): Promise<boolean> {
  for (const { schema } of cells) {
    if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  }
  const [first, ...others] = cells;
  const before = await statesOf(cells);
  const isInOrder = before.every(({ cell }, index) => cell === index + FIRST_CELL);
  if (first === undefined || others.length === 0 || !isInOrder) return false;
  if (hasLostFirst(before)) {
    await letGo(first, NO_SHARD);
    return false;
  }
  if (isHalfDivided(before) && hasLostOne(before)) return false;
  // Of shards that nobody has, the cell that had them was lost: an empty one may be that.
  if (!isHalfDivided(before) && !isCarriedAsAWhole(before)) return false;
  await joinFirst(others, before[0]?.incarnation ?? '');
  if (isNew(before)) await letGo(first, partOf(0, cells.length));
  // Payments that came meanwhile are in the first, which then carries everything as before.
  const states = await statesOf(cells);
  if (!isHalfDivided(states)) return false;
  for (const [index, { owner, schema }] of others.entries()) {
    const text = `UPDATE ${schema}.carried_shards SET carried = $1
      WHERE carried = '{}' AND NOT EXISTS (SELECT FROM ${schema}.streams)`;
    await owner.query(text, [partOf(index + 1, cells.length)]);
  }
  return true;
}

const EVERY_SHARD = `{[0,${String(SHARD_COUNT)})}`;
const NO_SHARD = '{}';

interface State {
  readonly cell: number;
  readonly carried: string;
  readonly incarnation: string;
  readonly isEmpty: boolean;
  readonly isMoving: boolean;
}

function isNew([first, ...others]: readonly State[]): boolean {
  const isFirst = first?.carried === EVERY_SHARD && first.isEmpty && !first.isMoving;
  return isFirst && others.every(isUnused);
}

/** The first has its part, and at least one of the others does not have its own yet. */
function isHalfDivided(states: readonly State[]): boolean {
  const carriedAs = states.map((_, index) => partOf(index, states.length));
  const isPossible = states.every(
    (state, index) =>
      !state.isMoving && (state.carried === carriedAs[index] || (index > 0 && isUnused(state))),
  );
  return isPossible && states.some(({ carried }) => carried === NO_SHARD);
}

/** Shards are let go only when all cells have the first one's life. */
function hasLostOne([first, ...others]: readonly State[]): boolean {
  return others.some((state) => isUnused(state) && state.incarnation !== first?.incarnation);
}

function isCarriedAsAWhole(states: readonly State[]): boolean {
  return shardsIn(states.flatMap(({ carried }) => rangesOf(carried))) === SHARD_COUNT;
}

/** An empty store that carries all shards beside others that carry some was made anew. */
function hasLostFirst([first, ...others]: readonly State[]): boolean {
  const isAnew = first?.carried === EVERY_SHARD && first.isEmpty && !first.isMoving;
  return isAnew && others.some(({ carried }) => carried !== NO_SHARD);
}

function isUnused({ carried, isEmpty, isMoving }: State): boolean {
  return carried === NO_SHARD && isEmpty && !isMoving;
}

/** Takes all but its part from the first cell, unless something is recorded in it by then. */
async function letGo({ owner, schema }: CellTables, part: string): Promise<void> {
  // One statement is one transaction; appends that come later see that the shards have gone.
  const text = `DO $$ BEGIN
    PERFORM set_config('lock_timeout', '${LOCK_MS}', true);
    LOCK TABLE ${schema}.streams IN SHARE MODE;
    UPDATE ${schema}.carried_shards SET carried = '${part}'
    WHERE carried = '${EVERY_SHARD}'
      AND NOT EXISTS (SELECT FROM ${schema}.streams)
      AND NOT EXISTS (SELECT FROM ${schema}.leaving_shards);
  END $$`;
  await owner.query(text);
}

async function joinFirst(others: readonly CellTables[], incarnation: string): Promise<void> {
  for (const { owner, schema } of others) {
    const text = `UPDATE ${schema}.incarnation SET id = $1
      WHERE id <> $1 AND NOT EXISTS (SELECT FROM ${schema}.events)`;
    await owner.query(text, [incarnation]);
  }
}

function statesOf(cells: readonly CellTables[]): Promise<readonly State[]> {
  return Promise.all(cells.map(stateOf));
}

async function stateOf({ owner, schema }: CellTables): Promise<State> {
  const text = `SELECT cell, carried::text,
      (SELECT id::text FROM ${schema}.incarnation) AS incarnation,
      NOT EXISTS (SELECT FROM ${schema}.streams) AS "isEmpty",
      EXISTS (SELECT FROM ${schema}.leaving_shards)
        OR EXISTS (SELECT FROM ${schema}.shard_moves) AS "isMoving"
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
