import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RiskWorld } from '../../test/risk-fixture.js';
import { keepingOf, LOCK, lookingAt, SESSION } from './assessment-statements.js';

let world: RiskWorld;
beforeAll(async () => {
  world = await RiskWorld.open();
  // Makes the tables, which stay empty.
  await world.start();
}, 120_000);
afterAll(() => world.close());

const window = {
  ...{ name: 'w', key: 'k', sinceMs: 1, currency: 'EUR' },
  counts: 'approved' as const,
};

describe('the statements of an assessment, with tables that are still empty', () => {
  it.each([
    ['lock', { text: LOCK, values: [['1', '2']] }, 'Function Scan'],
    ['look', lookingAt(['a'], [{ window, hash: '1' }], [1n]), 'payer_counts_by_key'],
    ['keep', keepingOf([], []), 'Insert on assessments'],
  ])('%s by indexes, and are planned once', async (_, { text, values }, part) => {
    const client = await world.pool.connect();
    try {
      await client.query(SESSION);
      const statement = { name: 'of the spec', text, values };
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(part);
      expect(plan).not.toContain('Seq Scan');
      await client.query('BEGIN');
      await client.query(statement);
      const planned = await client.query(
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'of the spec'",
      );
      expect(planned.rows).toEqual([{ generic_plans: '1', custom_plans: '0' }]);
    } finally {
      client.release(true);
    }
  });
});
