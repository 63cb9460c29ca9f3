export { payments } from './declaration.js';
export { type PaymentsOptions, PaymentsModule, type RunningPayments } from './payments.module.js';
