import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RiskWorld } from '../../test/risk-fixture.js';
import { beginningOf, endingOf, SESSION } from './assessment-statements.js';

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

/** Statements as they are in the two messages of an assessment. */
const begins = beginningOf({
  ...{ locks: [1n, 2n], ids: ['a'], pasts: [1n] },
  asked: [{ window, hash: '1' }],
}).split('; ');
const keep = `EXECUTE keep_assessments ('[]', '[]', '[]')`;

describe('the statements of an assessment, with tables that are still empty', () => {
  it.each([
    ['lock_payers', begins[1] ?? '', 'Function Scan'],
    ['look_at_payers', begins[2] ?? '', 'payer_counts_by_key'],
    ['keep_assessments', keep, 'Insert on assessments'],
  ])('%s by indexes, and are planned once', async (name, text, part) => {
    const client = await world.pool.connect();
    try {
      await client.query(SESSION);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(part);
      expect(plan).not.toContain('Seq Scan');
      await client.query('BEGIN');
      await client.query(text);
      const planned = await client.query(
        'SELECT generic_plans > 0 AS once, custom_plans FROM pg_prepared_statements WHERE name = $1',
        [name],
      );
      expect(planned.rows).toEqual([{ once: true, custom_plans: '0' }]);
    } finally {
      client.release(true);
    }
  });
});

describe('the messages of an assessment', () => {
  it('are two, and what a text has in it ends none of them', async () => {
    const amount = { minor: 9_200n, currency: 'EUR' } as never;
    const hostile = `'); DROP TABLE assessments; -- \\' $$ \u2028 "`;
    const id = 'a'.repeat(32);
    const kept = {
      ...{ id, entityId: hostile, amount, sealed: null, receivedAtMs: 1_000 },
      assessment: { decision: 'accept', score: 0, fired: [], resultCode: hostile },
      facts: { nodes: [hostile], mode: 'LIVE', payer: { card: hostile } },
      ...{ releaseMinutes: null, aheadMs: 0, countedKeys: [-1n, 2n ** 62n], historyKeys: [] },
    } as const;
    const client = await world.pool.connect();
    try {
      await client.query(SESSION);
      await client.query(beginningOf({ locks: [-1n], ids: [id], asked: [], pasts: [] }));
      await client.query(endingOf([kept], []));
    } finally {
      client.release(true);
    }
    expect(
      await world.rows(
        `SELECT entity_id, result_code, facts, received_at, amount_minor, counted_keys, history_keys,
           personal, afterwards, review, release_at FROM assessments`,
      ),
    ).toEqual([
      {
        ...{ entity_id: hostile, result_code: hostile, facts: kept.facts },
        ...{ received_at: new Date(1_000), amount_minor: '9200' },
        ...{ counted_keys: ['-1', '4611686018427387904'], history_keys: null },
        ...{ personal: null, afterwards: null, review: null, release_at: null },
      },
    ]);
  });
});
