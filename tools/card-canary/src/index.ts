export { ClusterCanary, type ClusterFindings } from './cluster-canary.js';
export { paidOwnAccountKinds } from './own-account-requests.js';
