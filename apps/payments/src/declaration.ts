import { RELAY_CONNECTIONS_MAX, relayMetrics } from '@sluice/aggregates';
import { acquirerSettings } from '@sluice/connectors';
import { migrations } from '@sluice/event-store';
import type { ServiceDeclaration } from '@sluice/service';
import { paymentsMetrics } from './payment-metrics.js';
import { RelaySettings } from './relay-settings.js';
import { PaymentsSettings } from './settings.js';
import { PaymentsUpstreams } from './upstreams.js';

/** What tools know of payments. */
export const payments: ServiceDeclaration = {
  settings: [PaymentsSettings, PaymentsUpstreams, ...Object.values(acquirerSettings)],
  metrics: paymentsMetrics,
  migrations,
};

/** What tools know of its relay. */
export const relay: ServiceDeclaration = {
  settings: [RelaySettings],
  metrics: relayMetrics,
  connectionsMax: RELAY_CONNECTIONS_MAX,
};
