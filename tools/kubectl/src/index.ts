export { KubernetesCluster, NAMESPACE } from './cluster.js';
export { ClusterUnusable } from './cluster-unusable.js';
export { Forwarding } from './forwarding.js';
export { isReached } from './gateway-reach.js';
export { patiently, PatientPrograms } from './patient-programs.js';
export { type Pod, podTroubles } from './pod-troubles.js';
export {
  isThere,
  LocalPrograms,
  ProgramFailed,
  ProgramMissing,
  type Programs,
  type RunOptions,
} from './programs.js';
export { type ScriptedAnswer, ScriptedPrograms } from './scripted-programs.js';
export { keepsOldPods, stateOf, type Workload } from './workload-state.js';
