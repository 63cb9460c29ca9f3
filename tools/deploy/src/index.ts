export { Deployment, type DeploymentParts } from './deployment.js';
export type { Programs } from './programs.js';
