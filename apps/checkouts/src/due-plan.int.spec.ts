import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStore } from '@sluice/event-store';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { CheckoutsWorld } from '../test/checkouts-fixture.js';
import { OVERDUE_MAX, overdueQuery } from './checkout-metrics.js';

/** Of these a hundred are due; the plan is the same for a million. */
const OPEN = 100_000;
const DUE = 100;
/** What a claim of 32 may touch: its rows, the index, and both again for the update. */
const PAGES_MAX = 600;

let world: CheckoutsWorld;
let pool: Pool;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
  await (await world.start()).close();
  pool = world.appPool();
  await world.pool.query(
    `INSERT INTO checkouts.streams (stream_id, version, due_at)
     SELECT upper(md5(n::text)) || '.test', 1,
       CASE WHEN n <= $2 THEN now() - n * interval '1 ms' END
     FROM generate_series(1, $1::int) n`,
    [OPEN, DUE],
  );
  await world.pool.query('ANALYZE checkouts.streams');
}, 120_000);
afterAll(async () => {
  await pool.end();
  await world.endProcesses();
  await world.close();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The statements that the store sends, as it sends them. */
async function sentBy(work: (store: EventStore) => Promise<unknown>): Promise<QueryConfig[]> {
  const sent: QueryConfig[] = [];
  const noting = Object.create(pool, { connect: { value: async () => noted(sent) } }) as Pool;
  await work(new EventStore(noting, { schema: 'checkouts' }));
  return sent;
}

/** A connection, of which it is noted what it sends. */
async function noted(sent: QueryConfig[]): Promise<PoolClient> {
  const client = await pool.connect();
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...words: readonly unknown[]): unknown => {
        const [query] = words;
        if (name === 'query' && typeof query === 'object') sent.push(query as QueryConfig);
        return Reflect.apply(value, target, words);
      };
    },
  });
}

/** What is done for a statement, which is performed; nothing of it is left. */
async function planOf({ text, values = [] }: QueryConfig): Promise<Plan> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const explained = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      ...([explained, values] as const),
    );
    await client.query('ROLLBACK');
    const [row] = rows;
    if (row === undefined) throw new Error('there is no plan');
    return row['QUERY PLAN'][0].Plan;
  } finally {
    client.release();
  }
}

async function isByIndexAlone(statement: QueryConfig): Promise<void> {
  const plan = await planOf(statement);
  const nodes = nodesOf(plan);
  const scans = nodes.filter((node) => node['Relation Name'] === 'streams');
  expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(nodes.map((node) => node['Index Name'])).toContain('streams_due');
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(PAGES_MAX);
}

describe('with a hundred thousand checkouts, of which a hundred are due', () => {
  it('the sweeper finds what is due without a look at the others', async () => {
    const [claim, ...more] = await sentBy((store) =>
      store.claimDueStreams({ limit: 32, leaseMs: 20_000 }),
    );
    if (claim === undefined) throw new Error('nothing was sent');
    expect(more).toEqual([]);
    await world.pool.query('UPDATE checkouts.streams SET due_at = now() WHERE due_at IS NOT NULL');
    await isByIndexAlone(claim);
  });

  it('and so it finds when the next one is', async () => {
    const [next] = await sentBy((store) => store.nextDueInMs());
    if (next === undefined) throw new Error('nothing was sent');
    await isByIndexAlone(next);
  });

  it('and so does whoever watches it', async () => {
    await isByIndexAlone({ text: overdueQuery, values: [OVERDUE_MAX] });
  });

  it('nothing is to be done for the others, which end by the clock', async () => {
    const { rows } = await world.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM checkouts.streams WHERE due_at IS NULL',
    );
    expect(rows[0]?.count).toBe(OPEN - DUE);
  });
});
