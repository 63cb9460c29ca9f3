export { type BrokerSecurity } from './broker-settings.js';
export { type Distribution, KafkaMissing, kafkaDistribution } from './distribution.js';
export {
  type LocalKafka,
  freePort,
  type LocalKafkaOptions,
  runningKafka,
  startLocalKafka,
  stopKafkaOf,
} from './local-kafka.js';
