import { kafkaHandlerMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  histogram,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import type { Pool } from 'pg';
import { type AttemptEnd, attemptEnds } from './attempt-records.js';
import { mailMetricDeclarations } from './mails/mail-metrics.js';

/** Of calls that were made, or could not be. */
const MADE_ENDS = attemptEnds.filter((end) => end !== 'lapsed' && end !== 'notWanted');

const attempts = counter(
  'sluice_webhook_attempts_total',
  'Calls of receivers of notifications, by how they ended; all but `acknowledged` ones are made again.',
  { outcome: [...MADE_ENDS] },
);
const lags = histogram(
  'sluice_webhook_lag_seconds',
  'From the event to the first call of a receiver that is told of it.',
);
const waiting = gauge(
  'sluice_webhook_backlog',
  'Notifications that no receiver has acknowledged yet and that are tried again; counted to 10000.',
);
const oldestDue = gauge(
  'sluice_webhook_due_oldest_seconds',
  'How long the notification has been due that should have been told first; it does not grow because of receivers that do not answer.',
);
const away = gauge(
  'sluice_webhook_receivers_away',
  'Receivers that did not answer this process the last times, and are tried once in a while.',
);

/** Nothing is counted beyond this; a larger number would say no more. */
const BACKLOG_MAX = 10_000;
const MS_PER_SECOND = 1_000;

/** The metrics of webhooks. */
export const webhooksMetrics: ServiceMetrics = {
  service: 'webhooks',
  declarations: [
    ...[attempts, lags, waiting, oldestDue, away],
    ...mailMetricDeclarations,
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

const BACKLOG = `SELECT
  (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE standing = 'waiting' LIMIT $1) AS counted)
    AS waiting,
  coalesce((SELECT extract(epoch FROM now() - due_at)::float8 FROM queues
    WHERE due_at <= now() ORDER BY due_at LIMIT 1), 0) AS oldest`;

interface Backlog {
  readonly waiting: number;
  readonly oldest: number;
}

/** Where webhooks counts. */
export class WebhookMetrics {
  readonly #attempts;
  readonly #lags;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#attempts = metrics.counter(attempts);
    for (const outcome of MADE_ENDS) this.#attempts.of({ outcome });
    this.#lags = metrics.histogram(lags).of({});
  }

  /** A call of a receiver has ended. */
  attempted(outcome: AttemptEnd): void {
    this.#attempts.add({ outcome });
  }

  /** A receiver is told for the first time, so long after it happened. */
  firstTold(afterMs: number): void {
    this.#lags.observe(Math.max(0, afterMs) / MS_PER_SECOND);
  }

  /** Shows what is left to do, and who does not answer. */
  watch(pool: Pick<Pool, 'query'>, receivers: { readonly away: number }): void {
    this.metrics.gauge(away, () => receivers.away);
    this.metrics.look(async () => {
      const { rows } = await pool.query<Backlog>(BACKLOG, [BACKLOG_MAX]);
      return rows[0] ?? { waiting: 0, oldest: 0 };
    }, [
      gaugeOf(waiting, (backlog) => backlog.waiting),
      gaugeOf(oldestDue, ({ oldest }) => Math.max(0, oldest)),
    ]);
  }
}
