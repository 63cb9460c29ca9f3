import { isDeepStrictEqual } from 'node:util';
import {
  declaredTopics,
  FIRST_CELL,
  kafkaClients,
  kafkaUserAcls,
  networkFlows,
  networkPorts,
  SECOND_CELL,
  topicsOfCells,
} from '@sluice/contracts';
import { flowsOfCell, podsOf } from './network-policies.js';
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

/** A KafkaTopic for each declared topic of so many cells. */
export function kafkaTopics(cells = FIRST_CELL): readonly object[] {
  return topicsOfCells(cells).map(({ name, partitions, config }) => ({
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
export function kafkaUsers(cells = FIRST_CELL): readonly object[] {
  return kafkaClients.map((client) => ({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaUser',
    metadata: { name: client, labels },
    spec: {
      authentication: { type: 'tls' },
      authorization: { type: 'simple', acls: kafkaUserAcls(client, cells) },
    },
  }));
}

/**
 * Who may reach the listener. Strimzi makes a policy of its own from this, and one that lets everybody
 * in where nothing is said; policies add up, so that ours would close nothing.
 */
export function kafkaListenerPeers(cells = FIRST_CELL): readonly object[] {
  const others = Array.from({ length: cells - FIRST_CELL }, (_, index) =>
    flowsOfCell(index + FIRST_CELL + 1),
  );
  return [...networkFlows, ...others.flat()]
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

/** What the second cell adds to Strimzi's resources: topics, rights of two users, peers of the listener. */
export function secondCellTopicsFile(): string {
  const added = kafkaTopics(SECOND_CELL).slice(declaredTopics.length);
  return yamlText([GENERATED], added);
}

/** Patches of the component: whole users as they are with two cells. */
export function secondCellUsersFile(): string {
  const before = kafkaUsers();
  const changed = kafkaUsers(SECOND_CELL).filter(
    (user, index) => !isDeepStrictEqual(user, before[index]),
  );
  return yamlText([GENERATED], changed);
}

/** A patch of the `Kafka`, behind that of the overlay. */
export function secondCellPeersFile(): string {
  const peers = kafkaListenerPeers(SECOND_CELL).slice(kafkaListenerPeers().length);
  const path = '/spec/kafka/listeners/0/networkPolicyPeers/-';
  return yamlText([GENERATED], [peers.map((value) => ({ op: 'add', path, value }))]);
}

/** `users.yaml` of the production overlay. */
export function kafkaUsersFile(): string {
  return yamlText([GENERATED], kafkaUsers());
}
