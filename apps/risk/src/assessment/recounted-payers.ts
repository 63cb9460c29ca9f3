import { WINDOW_MINUTES_MAX } from '@sluice/domain-risk';
import { inTransaction } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';

/** Assessments that one statement counts. */
const PAGE = 5_000;
const COUNT = `SELECT count(*)::int AS count FROM assessments
  WHERE counted_keys IS NOT NULL OR history_keys IS NOT NULL`;
/** Whoever assesses waits, and reads what was counted before as long as it does. */
const LOCK = 'LOCK TABLE payer_counts, payer_histories IN EXCLUSIVE MODE';
const EMPTY = ['DELETE FROM payer_counts', 'DELETE FROM payer_histories'];
const RECOUNT = `WITH page AS (
    SELECT * FROM assessments WHERE (received_at, assessment_id) > ($1, $2)
      AND (counted_keys IS NOT NULL OR history_keys IS NOT NULL)
    ORDER BY received_at, assessment_id LIMIT $3),
  counted AS (
    INSERT INTO payer_counts (key, at, minor, currency, passed, assessment_id, outcome)
    SELECT key, received_at, amount_minor, currency,
      -- As the reader of outcomes has both.
      decision <> 'reject' AND NOT rejected, assessment_id::uuid, nullif(outcome, 'approved')
    FROM page, unnest(counted_keys) AS key
    WHERE received_at > now() - make_interval(mins => $4)),
  seen AS (
    INSERT INTO payer_histories AS past (key, first_at, payments, approved, declined, charged_back)
    SELECT key, min(received_at), count(*), count(*) FILTER (WHERE outcome = 'approved'),
      count(*) FILTER (WHERE outcome = 'declined'), count(*) FILTER (WHERE charged_back)
    FROM page, unnest(history_keys) AS key GROUP BY key
    ON CONFLICT (key) DO UPDATE SET first_at = least(past.first_at, excluded.first_at),
      payments = past.payments + excluded.payments, approved = past.approved + excluded.approved,
      declined = past.declined + excluded.declined,
      charged_back = past.charged_back + excluded.charged_back)
  SELECT received_at AS "at", assessment_id AS id, (SELECT count(*)::int FROM page) AS count
  FROM page ORDER BY received_at DESC, assessment_id DESC LIMIT 1`;

interface Page {
  readonly at: Date;
  readonly id: string;
  readonly count: number;
}

/**
 * What payers have done, counted again from what was judged: with each assessment the hashes are kept under which
 * it counts, and what became of its payment. For the command line: as the owner of the tables.
 */
export class RecountedPayers {
  constructor(private readonly pool: Pick<Pool, 'query' | 'connect'>) {}

  /** How many assessments there are to count. */
  async count(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(COUNT);
    return rows[0]?.count ?? 0;
  }

  /**
   * All or nothing, in one transaction, for which everybody who assesses waits.
   * @param onPage is told how many were counted so far; if it throws, nothing has changed
   */
  async recount(onPage: (done: number) => void): Promise<void> {
    await inTransaction(this.pool, (client) => recountIn(client, onPage));
  }
}

async function recountIn(client: PoolClient, onPage: (done: number) => void): Promise<void> {
  await client.query(LOCK);
  for (const text of EMPTY) await client.query(text);
  let after: Pick<Page, 'at' | 'id'> = { at: new Date(0), id: '' };
  for (let done = 0; ;) {
    const { rows } = await client.query<Page>({
      ...{ name: 'recount payers', text: RECOUNT },
      values: [after.at, after.id, PAGE, WINDOW_MINUTES_MAX],
    });
    const [page] = rows;
    if (page === undefined) return;
    after = page;
    done += page.count;
    onPage(done);
  }
}
