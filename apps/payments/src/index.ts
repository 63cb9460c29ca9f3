export { paymentsMetrics } from './payment-metrics.js';
export { relayMetrics } from './relay-metrics.js';
export { PaymentsNeighbours } from './neighbours.js';
export { type PaymentsOptions, PaymentsModule, type RunningPayments } from './payments.module.js';
export { RelaySettings } from './relay-settings.js';
export {
  RELAY_CONNECTIONS_MAX,
  RelayModule,
  type RelayOptions,
  type RunningRelay,
} from './relay.module.js';
export { PaymentsSettings } from './settings.js';
