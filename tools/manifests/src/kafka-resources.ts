import { declaredTopics, kafkaClients, kafkaUserAcls } from '@sluice/contracts';
import { yamlText } from './yaml-text.js';

/** The name of Strimzi's cluster. */
const CLUSTER = 'sluice';
/** In production, where there are three brokers. */
const REPLICAS = 3;
/** A message that is acknowledged is on two brokers. */
const MIN_IN_SYNC = '2';

const GENERATED = 'Generated from libs/contracts by `npm run generate`; do not edit.';
const labels = { 'strimzi.io/cluster': CLUSTER };

/** A KafkaTopic for each declared topic. */
export function kafkaTopics(): readonly object[] {
  return declaredTopics.map(({ name, partitions, config }) => ({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaTopic',
    metadata: { name, labels },
    spec: {
      partitions,
      replicas: REPLICAS,
      config: { ...config, 'min.insync.replicas': MIN_IN_SYNC },
    },
  }));
}

/** A KafkaUser for each service that speaks to Kafka, with what it may do. */
export function kafkaUsers(): readonly object[] {
  return kafkaClients.map((client) => ({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaUser',
    metadata: { name: client, labels },
    spec: {
      authentication: { type: 'tls' },
      authorization: { type: 'simple', acls: kafkaUserAcls(client) },
    },
  }));
}

/** `topics.yaml` of the production overlay. */
export function kafkaTopicsFile(): string {
  return yamlText([GENERATED], kafkaTopics());
}

/** `users.yaml` of the production overlay. */
export function kafkaUsersFile(): string {
  return yamlText([GENERATED], kafkaUsers());
}
