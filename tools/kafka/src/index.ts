export { KAFKA_VERSION, KafkaMissing } from './distribution.js';
export {
  type LocalKafka,
  type LocalKafkaOptions,
  runningKafka,
  startLocalKafka,
  stopKafkaOf,
} from './local-kafka.js';
