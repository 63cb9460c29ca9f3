export { type PaymentsOptions, PaymentsModule, type RunningPayments } from './payments.module.js';
export { PaymentsSettings } from './settings.js';
