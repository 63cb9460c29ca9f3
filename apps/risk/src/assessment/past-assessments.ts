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

/** So many at once: a page takes some 10 ms, and a few megabytes. */
const PAGE = 5_000;
const WITHIN = 'received_at >= $1 AND received_at < $2';
const COUNT = `SELECT count(*)::int AS count FROM assessments WHERE ${WITHIN}`;
const READ = `SELECT assessment_id AS id, amount_minor::text AS minor, currency, decision, facts,
    received_at AS "receivedAt"
  FROM assessments WHERE ${WITHIN} AND (received_at, assessment_id) > ($3, $4)
  ORDER BY received_at, assessment_id LIMIT $5`;

interface Row {
  readonly id: TransactionId;
  readonly minor: string;
  readonly currency: AmountText['currency'];
  readonly decision: RiskDecision;
  readonly facts: KeptFacts;
  readonly receivedAt: Date;
}

/** What risk has judged, in the order in which it came. */
export class PastAssessments {
  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  async count(stretch: Stretch): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(COUNT, within(stretch));
    return rows[0]?.count ?? 0;
  }

  /** Page by page. */
  async *read(stretch: Stretch): AsyncGenerator<readonly PastAssessment[], void> {
    let last = { receivedAt: new Date(0), id: '' };
    for (;;) {
      const values = [...within(stretch), last.receivedAt, last.id, PAGE];
      const { rows } = await this.pool.query<Row>(READ, values);
      if (rows.length > 0) yield rows.map(assessmentOf);
      const newest = rows.at(-1);
      if (newest === undefined || rows.length < PAGE) return;
      last = newest;
    }
  }
}

function within({ fromMs, toMs }: Stretch): unknown[] {
  return [new Date(fromMs), new Date(toMs)];
}

function assessmentOf({ id, minor, currency, decision, facts, receivedAt }: Row): PastAssessment {
  const amount = fromMessage({ minor, currency });
  return {
    ...{ id, nodes: facts.nodes, decided: decision },
    facts: factsAsKept(facts, { atMs: receivedAt.getTime(), amount }),
  };
}
