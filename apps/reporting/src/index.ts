export { reporting } from './declaration.js';
export { projections } from './projections.js';
export { transactions } from './projections/transactions.projection.js';
export {
  ReportingModule,
  type ReportingOptions,
  type ReportingTarget,
} from './reporting.module.js';
