export { kafkaTopicsFile, kafkaUsersFile } from './kafka-resources.js';
export { networkPoliciesFile, simulatorPoliciesFile } from './network-policies.js';
