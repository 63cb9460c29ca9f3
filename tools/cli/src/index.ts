export { commandLineReference } from './command-line-reference.js';
export { exitCodes } from './exit-codes.js';
export { CLUSTER_FILE, type ClusterFile } from './settings.js';
export { runSluice } from './run.js';
export type { Surroundings } from './session.js';
