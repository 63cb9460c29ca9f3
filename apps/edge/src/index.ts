export { edge } from './declaration.js';
export { EdgeModule, type EdgeStart, type RunningEdge } from './edge.module.js';
export type { OnRequestDone, RequestDone } from './request-log.js';
