export { KubernetesCluster, NAMESPACE } from './cluster.js';
export { DeployRefused } from './deploy-refused.js';
export { Deployment, type DeploymentParts } from './deployment.js';
export { Forwarding } from './forwarding.js';
export { LocalPrograms, ProgramFailed, ProgramMissing, type Programs } from './programs.js';
export { type ScriptedAnswer, ScriptedPrograms } from './scripted-programs.js';
export { isReached } from './trial-payment.js';
export { stateOf, type Workload } from './workload-state.js';
