import { type RiskDecision, riskDecisions } from '@sluice/contracts';
import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import type { Pool } from 'pg';

const assessments = counter(
  'sluice_risk_assessments_total',
  'Payments that rules were applied to, by what they decided.',
  { decision: riskDecisions },
);
const reviews = gauge(
  'sluice_risk_reviews_open',
  'Payments that wait for somebody to look at them.',
);
const oldest = gauge(
  'sluice_risk_review_oldest_seconds',
  'How long the oldest of them has waited; 0 if none waits.',
);
const untold = gauge(
  'sluice_risk_reviews_untold',
  'Reviews that were decided and that payments has not recorded yet.',
);

/** What risk emits. */
export const riskMetrics: ServiceMetrics = {
  service: 'risk',
  declarations: [
    ...[assessments, reviews, oldest, untold],
    ...[...databaseMetrics, ...internalServerMetrics],
  ],
};

interface Backlog {
  readonly open: number;
  readonly oldest: number;
  readonly untold: number;
}

const BACKLOG = `SELECT count(*)::int AS open,
    coalesce(greatest(0, extract(epoch FROM now() - min(assessed_at))), 0)::float AS oldest,
    (SELECT count(*) FROM assessments WHERE decided_at IS NOT NULL AND told_at IS NULL)::int AS untold
  FROM assessments WHERE review = 'open'`;

/** Where risk counts. */
export class RiskMetrics {
  readonly #assessments;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#assessments = metrics.counter(assessments);
  }

  /** A payment was assessed. */
  assessed(decision: RiskDecision): void {
    this.#assessments.add({ decision });
  }

  /** Shows what waits. */
  watch(pool: Pick<Pool, 'query'>): void {
    this.metrics.look(async () => {
      const { rows } = await pool.query<Backlog>(BACKLOG);
      return rows[0] ?? { open: 0, oldest: 0, untold: 0 };
    }, [
      gaugeOf(reviews, (backlog) => backlog.open),
      gaugeOf(oldest, (backlog) => backlog.oldest),
      gaugeOf(untold, (backlog) => backlog.untold),
    ]);
  }
}
