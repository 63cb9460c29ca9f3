export { paymentsMetrics } from './payment-metrics.js';
export { PaymentsUpstreams } from './upstreams.js';
export { type PaymentsOptions, PaymentsModule, type RunningPayments } from './payments.module.js';
export { RelaySettings } from './relay-settings.js';
export { PaymentsSettings } from './settings.js';
