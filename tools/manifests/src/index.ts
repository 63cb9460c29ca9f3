export {
  kafkaListenerPeersFile,
  kafkaTopicsFile,
  kafkaUsersFile,
  secondCellPeersFile,
  secondCellTopicsFile,
  secondCellUsersFile,
} from './kafka-resources.js';
export {
  networkPoliciesFile,
  secondCellPoliciesFile,
  secondCellSimulatorPoliciesFile,
  simulatorPoliciesFile,
  topicsPoliciesFile,
} from './network-policies.js';
export { isRecord, type JsonSchema, type KubernetesObject } from './json-schema.js';
export {
  baseKustomizationFile,
  databaseFile,
  migrationsSettingsFile,
  operatorSettingsFile,
} from './services/database-files.js';
export { type ServiceFile, serviceFiles } from './services/service-files.js';
export { reducedSchema, type Resolve } from './reduced-schema.js';
