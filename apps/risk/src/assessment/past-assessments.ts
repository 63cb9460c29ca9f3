import type { RiskDecision } from '@sluice/contracts';
import { factsAsKept, type KeptFacts, type PastPayment } from '@sluice/domain-risk';
import type { TransactionId } from '@sluice/identifiers';
import { type AmountText, fromMessage } from '@sluice/money';
import type { Pool } from 'pg';

/** An assessment as it can be replayed, without what became of its payment, which payments alone knows. */
export interface PastAssessment extends Omit<PastPayment, 'outcome'> {
  readonly id: TransactionId;
}

/** A stretch of time. */
export interface Stretch {
  readonly fromMs: number;
  /** Excluded. */
  readonly toMs: number;
}

/** So many at once: few enough that most are forgotten before the collector has moved them twice. */
const PAGE = 1_000;
const WITHIN = 'received_at >= $1 AND received_at < $2';
const COUNT = `SELECT count(*)::int AS count FROM assessments WHERE ${WITHIN}`;
const READ = `SELECT assessment_id AS id, amount_minor::text AS minor, currency, decision, facts,
    (extract(epoch FROM received_at) * 1000)::float8 AS "atMs"
  FROM assessments WHERE ${WITHIN} AND (received_at, assessment_id) > ($3, $4)
  ORDER BY received_at, assessment_id LIMIT $5`;

interface Row {
  readonly id: TransactionId;
  readonly minor: string;
  readonly currency: AmountText['currency'];
  readonly decision: RiskDecision;
  readonly facts: KeptFacts;
  /** A text of the time would be taken apart for each. */
  readonly atMs: number;
}

/** What risk has judged, in the order in which it came. */
export class PastAssessments {
  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  async count(stretch: Stretch): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(COUNT, within(stretch));
    return rows[0]?.count ?? 0;
  }

  /** Page by page; the next one is asked for before somebody looks at this one. */
  async *read(stretch: Stretch): AsyncGenerator<readonly PastAssessment[], void> {
    let asked = this.#page(stretch, { atMs: 0, id: '' });
    for (;;) {
      const rows = await asked;
      const newest = rows.at(-1);
      if (newest === undefined) return;
      asked = rows.length < PAGE ? Promise.resolve([]) : this.#page(stretch, newest);
      // Whoever looks at this page may fail, and then nobody hears of the next one.
      asked.catch(() => undefined);
      yield rows.map(assessmentOf);
    }
  }

  async #page(stretch: Stretch, after: { atMs: number; id: string }): Promise<readonly Row[]> {
    const values = [...within(stretch), new Date(after.atMs), after.id, PAGE];
    return (await this.pool.query<Row>({ name: 'past assessments', text: READ, values })).rows;
  }
}

function within({ fromMs, toMs }: Stretch): unknown[] {
  return [new Date(fromMs), new Date(toMs)];
}

function assessmentOf({ id, minor, currency, decision, facts, atMs }: Row): PastAssessment {
  const amount = fromMessage({ minor, currency });
  return {
    ...{ id, nodes: facts.nodes, decided: decision },
    facts: factsAsKept(facts, { atMs, amount }),
  };
}
