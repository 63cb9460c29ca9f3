import type { OutboxLag } from '@sluice/event-store';
import { kafkaProducerMetrics } from '@sluice/messaging';
import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  type Metrics,
  type ServiceMetrics,
} from '@sluice/service';

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
const pending = gauge(
  'sluice_outbox_pending',
  'Events that wait to be published, over all relays; counted to a million.',
);
const oldest = gauge(
  'sluice_outbox_oldest_seconds',
  'How long ago the oldest event that waits was recorded; 0 when none waits.',
);
const parked = gauge(
  'sluice_outbox_parked',
  'Events that the broker refused for ever, and those behind them, which wait for an operator.',
);

/** What the relay emits. */
export const relayMetrics: ServiceMetrics = {
  service: 'payments-relay',
  declarations: [
    ...[published, failures, slots, pending, oldest, parked],
    ...[...databaseMetrics, ...kafkaProducerMetrics],
  ],
};

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
  metrics.look(
    () => relay.lag(),
    [
      gaugeOf(pending, ({ waiting }) => waiting),
      gaugeOf(oldest, ({ oldestAgeMs }) => oldestAgeMs / 1_000),
      gaugeOf(parked, (lag) => lag.parked),
    ],
  );
}
