export { paymentsMetrics } from './payment-metrics.js';
export { PaymentsNeighbours } from './neighbours.js';
export { type PaymentsOptions, PaymentsModule, type RunningPayments } from './payments.module.js';
export { RelaySettings } from './relay-settings.js';
export { PaymentsSettings } from './settings.js';
