export { serviceMetrics } from './known-metrics.js';
export { dashboardFile } from './dashboards.js';
