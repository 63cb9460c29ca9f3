export { kafkaListenerPeersFile, kafkaTopicsFile, kafkaUsersFile } from './kafka-resources.js';
export {
  networkPoliciesFile,
  simulatorPoliciesFile,
  topicsPoliciesFile,
} from './network-policies.js';
export { isRecord, type JsonSchema, type KubernetesObject } from './json-schema.js';
export {
  baseKustomizationFile,
  databaseFile,
  migrationsSettingsFile,
  operatorSettingsFile,
} from './service-files.js';
export { reducedSchema, type Resolve } from './reduced-schema.js';
