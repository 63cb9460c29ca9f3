import {
  declaredTopics,
  kafkaClients,
  kafkaUserAcls,
  networkFlows,
  networkPorts,
} from '@sluice/contracts';
import { podsOf } from './network-policies.js';
import { yamlText } from './yaml-text.js';

/** The name of Strimzi's cluster. */
const CLUSTER = 'sluice';
/** In production, where there are three brokers. */
export const KAFKA_REPLICAS = 3;
/** A message that is acknowledged is on two brokers. */
export const KAFKA_MIN_IN_SYNC = 2;
/** The one listener that there is; its port is that of `networkPorts`. */
const LISTENER = 'clients';

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
      replicas: KAFKA_REPLICAS,
      config: { ...config, 'min.insync.replicas': String(KAFKA_MIN_IN_SYNC) },
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

/**
 * Who may reach the listener. Strimzi makes a policy of its own from this, and one that lets everybody
 * in where nothing is said; policies add up, so that ours would close nothing.
 */
export function kafkaListenerPeers(): readonly object[] {
  return networkFlows
    .filter(({ to, port }) => to === 'kafka' && port === 'kafka')
    .map(({ from }) => ({ podSelector: podsOf(from) }));
}

/** `listener-peers.yaml` of the production overlay, a patch of its `Kafka`. */
export function kafkaListenerPeersFile(): string {
  const listener = '/spec/kafka/listeners/0';
  const patch = [
    { op: 'test', path: `${listener}/name`, value: LISTENER },
    { op: 'test', path: `${listener}/port`, value: networkPorts.kafka },
    { op: 'add', path: `${listener}/networkPolicyPeers`, value: kafkaListenerPeers() },
  ];
  return yamlText([GENERATED], [patch]);
}

/** `topics.yaml` of the production overlay. */
export function kafkaTopicsFile(): string {
  return yamlText([GENERATED], kafkaTopics());
}

/** `users.yaml` of the production overlay. */
export function kafkaUsersFile(): string {
  return yamlText([GENERATED], kafkaUsers());
}
