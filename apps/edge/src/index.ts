export { edgeMetrics } from './edge-metrics.js';
export { EdgeModule, type EdgeStart, type RunningEdge } from './edge.module.js';
export { EdgeUpstreams } from './upstreams.js';
export type { OnRequestDone, RequestDone } from './request-log.js';
export { EdgeSettings } from './settings.js';
