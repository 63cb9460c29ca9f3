export { payments } from './declaration.js';
export { markHistory } from './mark-history.js';
export { type PaymentsOptions, PaymentsModule, type RunningPayments } from './payments.module.js';
