export { ClusterCanary, type ClusterFindings } from './cluster-canary.js';
