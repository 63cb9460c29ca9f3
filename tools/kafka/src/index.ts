export { type BrokerSecurity, securityProperties } from './broker-settings.js';
export { KafkaMissing } from './distribution.js';
export {
  type LocalKafka,
  type LocalKafkaOptions,
  runningKafka,
  startLocalKafka,
  stopKafkaOf,
} from './local-kafka.js';
