import { Client } from 'pg';
import { listTableSets } from './bookkeeping.js';
import type { Projection } from './projection.js';
import type { RebuildTarget } from './rebuild-options.js';
import {
  assertIdentifier,
  TableSetRefused,
  type TableSetState,
  tableSetStatements,
} from './table-set.js';

/** The owner's connection and the projection whose table sets are meant. */
export interface SwitchOptions {
  readonly target: Pick<RebuildTarget, 'url' | 'schema'>;
  readonly projection: Pick<Projection, 'name'>;
}

/** Which table set is read now, and which one would be after a rollback. */
export interface Switched {
  readonly live: number;
  readonly previous: number;
}

/**
 * Makes another table set live, in one transaction. The previous one is still fed, so that a
 * rollback loses nothing. Throws TableSetRefused unless the new one is complete.
 */
export async function switchTableSet(options: SwitchOptions, to: number): Promise<Switched> {
  return withStates(options, async (_, states, setState) => {
    if (states.get(to) !== 'following') {
      throw new TableSetRefused(`Table set ${to} is ${states.get(to) ?? 'not there'}.`);
    }
    const live = inState(states, 'live');
    const before = inState(states, 'previous');
    if (before !== undefined) {
      throw new TableSetRefused(`Table set ${before} is still kept for a rollback; drop it first.`);
    }
    if (live === undefined) throw new TableSetRefused('No table set is live.');
    await setState(live, 'previous');
    await setState(to, 'live');
    return { live: to, previous: live };
  });
}

/** Makes the table set live again that was live before the last switch. */
export async function rollBackTableSet(options: SwitchOptions): Promise<Switched> {
  return withStates(options, async (_, states, setState) => {
    const live = inState(states, 'live');
    const previous = inState(states, 'previous');
    if (live === undefined || previous === undefined) {
      throw new TableSetRefused('There is no earlier table set to go back to.');
    }
    // Not in one statement: only one table set may have each state, which a unique index checks
    // after every statement.
    await setState(live, 'following');
    await setState(previous, 'live');
    await setState(live, 'previous');
    return { live: previous, previous: live };
  });
}

/** Drops a table set that is not read; from then on it is not fed either. */
export async function dropTableSet(
  options: SwitchOptions & { readonly projection: Projection },
  id: number,
): Promise<void> {
  const { schema } = options.target;
  const removal = `DELETE FROM ${schema}.table_sets WHERE id = $1`;
  await withStates(options, async (client, states) => {
    const state = states.get(id);
    if (state === undefined) throw new TableSetRefused(`There is no table set ${id}.`);
    if (state === 'live') throw new TableSetRefused(`Table set ${id} is live.`);
    // First, so that feeders find the row gone before its tables are.
    await client.query(removal, [id]);
    const { dropTables } = tableSetStatements(options.projection, schema, id);
    for (const text of dropTables) await client.query(text);
    return { live: 0, previous: 0 };
  });
}

/**
 * Makes the first table set of a projection, empty and live. Its rows come from the topic, and what
 * the topic no longer has from the comparison of heads. Does nothing if there is one.
 */
export async function ensureTableSet(
  { url, schema, appRole }: RebuildTarget,
  projection: Projection,
): Promise<void> {
  for (const name of [schema, appRole]) assertIdentifier(name);
  const insertion = `INSERT INTO ${schema}.table_sets (projection, version, state)
    VALUES ($1, $2, 'live') RETURNING id`;
  await withStates({ target: { url, schema }, projection }, async (client, states) => {
    if (states.size > 0) return { live: 0, previous: 0 };
    const { rows } = await client.query<{ id: number }>(insertion, [
      projection.name,
      projection.version,
    ]);
    const statements = tableSetStatements(projection, schema, rows[0]?.id ?? 0);
    const { table, streams, createTables, createIndexes } = statements;
    for (const text of [...createTables, ...createIndexes]) await client.query(text);
    const grants = `GRANT SELECT, INSERT, UPDATE ON ${table}, ${streams} TO ${appRole}`;
    await client.query(grants);
    return { live: rows[0]?.id ?? 0, previous: 0 };
  });
}

type SetState = (id: number, state: TableSetState) => Promise<void>;
type Work = (
  client: Client,
  states: ReadonlyMap<number, TableSetState>,
  setState: SetState,
) => Promise<Switched>;

/** Runs `work` in a transaction that excludes all other changes of states. */
async function withStates(
  { target: { url, schema }, projection }: SwitchOptions,
  work: Work,
): Promise<Switched> {
  assertIdentifier(schema);
  const lock = `LOCK TABLE ${schema}.table_sets IN SHARE ROW EXCLUSIVE MODE`;
  const change = `UPDATE ${schema}.table_sets SET state = $2 WHERE id = $1`;
  const client = new Client({ connectionString: url, application_name: 'sluice-projections' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(lock);
    const sets = await listTableSets(client, schema, projection.name);
    const states = new Map(sets.map(({ id, state }) => [id, state]));
    const result = await work(client, states, async (id, state) => {
      await client.query(change, [id, state]);
    });
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

function inState(
  states: ReadonlyMap<number, TableSetState>,
  wanted: TableSetState,
): number | undefined {
  return [...states].find(([, state]) => state === wanted)?.[0];
}
