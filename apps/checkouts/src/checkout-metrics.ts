import { checkoutPurposes } from '@sluice/contracts';
import type { CheckoutEvent } from '@sluice/domain-checkouts';
import type { AppendResult } from '@sluice/event-store';
import { kafkaHandlerMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import {
  counter,
  databaseMetrics,
  histogram,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';

const created = counter('sluice_checkouts_total', 'Checkouts that were created, by purpose.', {
  purpose: checkoutPurposes,
});
const durations = histogram(
  'sluice_checkout_duration_seconds',
  'How long it takes to decide and record a command.',
);

/** The metrics of checkouts. */
export const checkoutsMetrics: ServiceMetrics = {
  service: 'checkouts',
  declarations: [
    ...[created, durations],
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** Where checkouts counts. */
export class CheckoutMetrics {
  readonly #created;
  readonly #duration;

  constructor(metrics: Metrics = noMetrics) {
    this.#created = metrics.counter(created);
    this.#duration = metrics.histogram(durations);
  }

  /** A command that began at a time of performance.now() is recorded. */
  accepted(startMs: number): void {
    this.#duration.observe({}, (performance.now() - startMs) / 1_000);
  }

  /** What an append came to. */
  appended({ kind }: AppendResult, events: readonly CheckoutEvent[]): void {
    if (kind !== 'appended') return;
    for (const event of events) {
      if (event.type === 'CheckoutCreated') this.#created.add({ purpose: event.data.purpose });
    }
  }
}
