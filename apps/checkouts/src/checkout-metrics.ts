import { checkoutPurposes } from '@sluice/contracts';
import type { CheckoutEvent } from '@sluice/domain-checkouts';
import type { AppendResult } from '@sluice/event-store';
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

const created = counter('sluice_checkouts_total', 'Checkouts that were created, by purpose.', {
  purpose: checkoutPurposes,
});
const reversalOutcomes = ['reversed', 'failed', 'gaveUp'];
const reversals = counter(
  'sluice_checkout_reversals_total',
  'Reversals of payments that were approved after their shopper had gone on without them, by what became of them: after `failed` another one follows, after `gaveUp` none.',
  { outcome: reversalOutcomes },
);
const durations = histogram(
  'sluice_checkout_duration_seconds',
  'How long it takes to decide and record a command.',
);

const backlog = gauge(
  'sluice_checkouts_due',
  'Checkouts that the sweeper should have looked at by now: attempts, reversals and calls after 29 minutes; counted to 10000. The end of a checkout is none of these: nobody has to do anything for it.',
);
const oldestDue = gauge(
  'sluice_checkouts_due_oldest_seconds',
  'How long the oldest of these has been due. A call that is a minute late is never made.',
);

/** Nothing is counted beyond this; a larger number would say no more. */
export const OVERDUE_MAX = 10_000;

/** The metrics of checkouts. */
export const checkoutsMetrics: ServiceMetrics = {
  service: 'checkouts',
  declarations: [
    ...[created, reversals, durations, backlog, oldestDue],
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** Where checkouts counts. */
export class CheckoutMetrics {
  readonly #created;
  readonly #reversals;
  readonly #duration;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#created = metrics.counter(created);
    this.#reversals = metrics.counter(reversals);
    for (const outcome of reversalOutcomes) this.#reversals.of({ outcome });
    this.#duration = metrics.histogram(durations);
  }

  /** A command that began at a time of performance.now() is recorded. */
  accepted(startMs: number): void {
    this.#duration.observe({}, (performance.now() - startMs) / 1_000);
  }

  /** Shows what the sweeper is behind with, from one index. */
  watchRecovery(pool: Pick<Pool, 'query'>): void {
    this.metrics.look(
      () => overdue(pool),
      [gaugeOf(backlog, ({ due }) => due), gaugeOf(oldestDue, ({ oldest }) => oldest)],
    );
  }

  /** What an append came to. */
  appended({ kind }: AppendResult, events: readonly CheckoutEvent[]): void {
    if (kind !== 'appended') return;
    for (const event of events) {
      if (event.type === 'CheckoutCreated') this.#created.add({ purpose: event.data.purpose });
      if (event.type === 'ReversalEnded')
        this.#reversals.add({ outcome: outcomeOf(event, events) });
    }
  }
}

/** How many are due, and since when; see `OVERDUE_MAX`. */
export const overdueQuery = `
  SELECT count(*)::int AS due,
         coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
  FROM (SELECT due_at FROM streams WHERE due_at <= now() ORDER BY due_at LIMIT $1) due`;

interface Overdue {
  readonly due: number;
  readonly oldest: number;
}

async function overdue(pool: Pick<Pool, 'query'>): Promise<Overdue> {
  const { rows } = await pool.query<Overdue>(overdueQuery, [OVERDUE_MAX]);
  return rows[0] ?? { due: 0, oldest: 0 };
}

type ReversalEnded = Extract<CheckoutEvent, { readonly type: 'ReversalEnded' }>;

/** The next reversal is requested together with the end of the one before. */
function outcomeOf({ data }: ReversalEnded, events: readonly CheckoutEvent[]) {
  if (data.isReversed) return 'reversed';
  const isRequestedAgain = events.some(
    (event) => event.type === 'ReversalRequested' && event.data.referencedId === data.referencedId,
  );
  return isRequestedAgain ? 'failed' : 'gaveUp';
}
