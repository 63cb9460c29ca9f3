import { RELAY_CONNECTIONS_MAX, relayMetricsOf } from '@sluice/aggregates';
import type { EventPublisher } from '@sluice/contracts';
import type { ServiceDeclaration } from '@sluice/service';
import { RelayedService, tablesOf } from './settings.js';

/** What tools know of the relay of a service. */
export function relayOf(service: EventPublisher): ServiceDeclaration {
  return {
    settings: [RelayedService, tablesOf(service)],
    metrics: relayMetricsOf(service),
    connectionsMax: RELAY_CONNECTIONS_MAX,
  };
}
