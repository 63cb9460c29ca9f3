import { isDeepStrictEqual } from 'node:util';
import { declaredTopics, networkPorts } from '@sluice/contracts';
import { cellsIn } from '../cell-workloads.js';
import { at, isRecord, type KubernetesObject, listed, nameOf, said } from '../json-schema.js';
import { KAFKA_MIN_IN_SYNC, KAFKA_REPLICAS, kafkaListenerPeers } from '../kafka-resources.js';
import { type Manifests, ofKind } from '../manifests.js';

/** People at the command line, as their certificate names them (D-47). */
const SUPER_USERS = ['CN=operator'];
/** KEDA asks how far a group is behind; it is in a namespace of its own. */
const KEDA = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'keda' } } };
/** The longest message that a topic takes, which brokers must take too (D-15). */
const MESSAGE_BYTES_MAX = Math.max(
  ...declaredTopics.map(({ config }) => Number(config['max.message.bytes'] ?? 0)),
);

/** What brokers are told, and what happens where they are told otherwise. */
const CONFIG: Readonly<Record<string, readonly [number | boolean, string]>> = {
  'auto.create.topics.enable': [false, 'a mistyped topic would be made by whoever asks for it'],
  'default.replication.factor': [KAFKA_REPLICAS, 'a broker that ends would take messages along'],
  'min.insync.replicas': [
    KAFKA_MIN_IN_SYNC,
    'what is acknowledged would be lost with one broker, or nothing acknowledged without one',
  ],
  'offsets.topic.replication.factor': [
    KAFKA_REPLICAS,
    'a broker that ends would take offsets along',
  ],
  'transaction.state.log.replication.factor': [KAFKA_REPLICAS, 'a broker would be missed'],
  'transaction.state.log.min.isr': [KAFKA_MIN_IN_SYNC, 'a broker would be missed'],
  'message.max.bytes': [MESSAGE_BYTES_MAX, 'messages that a topic takes would be refused'],
  'replica.fetch.max.bytes': [MESSAGE_BYTES_MAX, 'messages that a topic takes would not be copied'],
};

/** Whoever connects to Strimzi's brokers is named by a certificate, and drawn (D-47, D-58). */
export function kafkaIsClosed(manifests: Manifests): readonly string[] {
  const peers = [
    ...kafkaListenerPeers(cellsIn(manifests)),
    ...(ofKind(manifests, 'ScaledObject').length > 0 ? [KEDA] : []),
  ];
  return ofKind(manifests, 'Kafka').flatMap(({ spec, metadata }) => {
    const listeners = listed(at(spec, 'kafka', 'listeners'));
    const authorization = at(spec, 'kafka', 'authorization');
    const rules = at(authorization, 'type') === 'simple';
    const people = isDeepStrictEqual(at(authorization, 'superUsers'), SUPER_USERS);
    return [
      ...(listeners.length === 1 ? [] : [`must have one listener, and has ${listeners.length}`]),
      ...listeners.flatMap((listener) =>
        [...listenerProblems(listener), ...peerProblems(listener, peers)].map(
          (text) => `listener ${said(at(listener, 'name'))} ${text}`,
        ),
      ),
      ...(rules
        ? []
        : ['whoever connects may do anything: authorization must be of the type simple']),
      ...(people || !rules ? [] : [`superUsers must be ${SUPER_USERS.join(', ')} alone`]),
    ].map((text) => `Kafka ${metadata.name}: ${text}`);
  });
}

function listenerProblems(listener: unknown): readonly string[] {
  const mutual = at(listener, 'authentication', 'type') === 'tls';
  return [
    ...(at(listener, 'port') === networkPorts.kafka ? [] : [`must be at ${networkPorts.kafka}`]),
    ...(at(listener, 'type') === 'internal'
      ? []
      : ['can be reached from outside of the cluster: its type must be internal']),
    ...(at(listener, 'tls') === true ? [] : ['speaks in clear: tls must be true']),
    ...(mutual ? [] : ['asks nobody for a certificate: authentication must be of the type tls']),
  ];
}

function peerProblems(listener: unknown, drawn: readonly object[]): readonly string[] {
  const peers = listed(at(listener, 'networkPolicyPeers'));
  if (peers.length === 0) {
    return [
      'is open to every pod of every namespace, since Strimzi has a policy of its own: ' +
        'name networkPolicyPeers, as listener-peers.yaml does',
    ];
  }
  const has = (list: readonly unknown[], one: unknown) =>
    list.some((other) => isDeepStrictEqual(other, one));
  return [
    ...peers
      .filter((peer) => !has(drawn, peer))
      .map((peer) => `lets in ${JSON.stringify(peer)}, who has no way to Kafka in networkFlows`),
    ...drawn
      .filter((peer) => !has(peers, peer))
      .map((peer) => `shuts out ${JSON.stringify(peer)}, who has a way to Kafka`),
  ];
}

/** What brokers acknowledge survives one of them (D-58), and they can write it at all. */
export function kafkaKeepsMessages(manifests: Manifests): readonly string[] {
  const clusters = ofKind(manifests, 'Kafka');
  if (clusters.length === 0) return [];
  const pools = ofKind(manifests, 'KafkaNodePool');
  const has = (role: string) => pools.some(({ spec }) => listed(at(spec, 'roles')).includes(role));
  return [
    ...clusters.flatMap((kafka) =>
      configProblems(at(kafka['spec'], 'kafka', 'config')).map(
        (text) => `${nameOf(kafka)}: ${text}`,
      ),
    ),
    ...['controller', 'broker'].filter((role) => !has(role)).map((role) => `no pool has ${role}s`),
    ...pools.flatMap((pool) => poolProblems(pool).map((text) => `${nameOf(pool)}: ${text}`)),
  ];
}

function configProblems(config: unknown): readonly string[] {
  const told = isRecord(config) ? config : {};
  return Object.entries(CONFIG)
    .filter(([name, [value]]) => said(told[name]) !== String(value))
    .map(
      ([name, [value, otherwise]]) =>
        `${name} is ${said(told[name], 'not set')} and must be ${String(value)}, else ${otherwise}`,
    );
}

function poolProblems({ spec }: KubernetesObject): readonly string[] {
  const replicas = at(spec, 'replicas');
  const storage = at(spec, 'storage');
  const volumes = at(storage, 'type') === 'jbod' ? listed(at(storage, 'volumes')) : [storage];
  const stays = volumes.every(
    (volume) => at(volume, 'type') === 'persistent-claim' && at(volume, 'deleteClaim') !== true,
  );
  return [
    ...(typeof replicas === 'number' && replicas >= KAFKA_REPLICAS
      ? []
      : [`has ${said(replicas)} replicas and needs ${KAFKA_REPLICAS}, to go on without one`]),
    ...(volumes.length > 0 && stays
      ? []
      : ['its data go with its pods: its volumes must be persistent claims that stay']),
    ...(at(spec, 'template', 'pod', 'securityContext', 'fsGroup') === 0
      ? []
      : [
          'cannot write its volumes, which belong to root: Strimzi sets fsGroup where nobody sets a ' +
            'securityContext, so say fsGroup: 0 in it',
        ]),
  ];
}
