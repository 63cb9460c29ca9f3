export { reportingMetrics } from './reporting-metrics.js';
export { ReportingUpstreams } from './upstreams.js';
export { projections } from './projections.js';
export { transactions } from './projections/transactions.projection.js';
export {
  ReportingModule,
  type ReportingOptions,
  type ReportingTarget,
} from './reporting.module.js';
export { migrations } from './schema.js';
export { ReportingSettings } from './settings.js';
