import type { OutboxLag } from '@sluice/event-store';
import { kafkaProducerMetrics } from '@sluice/messaging';
import {
  counter,
  databaseMetrics,
  gauge,
  type Metrics,
  type ServiceMetrics,
} from '@sluice/service';
import { outboxGauges, watchOutbox } from './outbox-metrics.js';

const published = counter(
  'sluice_relay_published_total',
  'Events that this relay has published, those of them twice that were sent again.',
);
const failures = counter(
  'sluice_relay_failures_total',
  'Rounds that failed because the database or the broker was away.',
);
const slots = gauge(
  'sluice_relay_slots_held',
  'Slots of the outbox that are leased to this relay; all relays together should have all.',
);

/** The metrics of a service's relay. */
export function relayMetricsOf(service: string): ServiceMetrics {
  return {
    service: `${service}-relay`,
    declarations: [
      ...[published, failures, slots],
      ...Object.values(outboxGauges),
      ...[...databaseMetrics, ...kafkaProducerMetrics],
    ],
  };
}

/** Where one relay counts. */
export interface RelayMeter {
  published(count: number): void;
  failed(): void;
}

/** The counters of the relay. */
export function relayMeter(metrics: Metrics): RelayMeter {
  const [publishedCount, failureCount] = [
    metrics.counter(published).of({}),
    metrics.counter(failures).of({}),
  ];
  return {
    published: (count) => publishedCount.add(count),
    failed: () => failureCount.add(),
  };
}

/** Shows how far publishing is behind. */
export function watchRelay(
  metrics: Metrics,
  relay: { readonly slotsHeld: number; lag(): Promise<OutboxLag> },
): void {
  metrics.gauge(slots, () => relay.slotsHeld);
  watchOutbox(metrics, () => relay.lag());
}
