import type { OutboxLag } from '@sluice/event-store';
import { gauge, gaugeOf, type Metrics } from '@sluice/service';

/**
 * Gauges of the outbox, where events wait for the relay. The relay has them too, but they vanish
 * when it stops, and an alert on a missing metric never fires.
 */
export const outboxGauges = {
  pending: gauge(
    'sluice_outbox_pending',
    'Events that wait to be published, over all relays; counted to a million.',
  ),
  oldest: gauge(
    'sluice_outbox_oldest_seconds',
    'How long ago the oldest event that waits was recorded; 0 when none waits.',
  ),
  parked: gauge(
    'sluice_outbox_parked',
    'Events that the broker refused permanently, and those behind them, which wait for an operator.',
  ),
};

/** Shows how far publishing is behind. */
export function watchOutbox(metrics: Metrics, lag: () => Promise<OutboxLag>): void {
  const { pending, oldest, parked } = outboxGauges;
  metrics.look(lag, [
    gaugeOf(pending, ({ waiting }) => waiting),
    gaugeOf(oldest, ({ oldestAgeMs }) => oldestAgeMs / 1_000),
    gaugeOf(parked, (found) => found.parked),
  ]);
}
