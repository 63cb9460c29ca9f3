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
} from './services/database-files.js';
export { type ServiceFile, serviceFiles } from './services/service-files.js';
export { reducedSchema, type Resolve } from './reduced-schema.js';
