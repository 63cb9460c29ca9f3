import { at, type KubernetesObject, listed, nameOf } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';

const ZONE = 'topology.kubernetes.io/zone';
const NODE = 'kubernetes.io/hostname';

/**
 * Databases and brokers survive a node and a zone (D-58): no two instances of a kind on a node, and zones
 * shared out as far as there are some.
 */
export function enginesAreSpread(manifests: Manifests): readonly string[] {
  const problems = (kind: string, check: (object: KubernetesObject) => readonly string[]) =>
    ofKind(manifests, kind).flatMap((object) =>
      check(object).map((text) => `${nameOf(object)}: ${text}`),
    );
  return [
    ...problems('Kafka', ({ spec }) =>
      at(spec, 'kafka', 'rack', 'topologyKey') === ZONE ? [] : ['replicas know no zones'],
    ),
    ...problems('KafkaNodePool', poolProblems),
    ...problems('Cluster', clusterProblems),
  ];
}

function poolProblems({ spec, metadata }: KubernetesObject): readonly string[] {
  const pod = at(spec, 'template', 'pod');
  const apart = at(
    pod,
    ...['affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'],
  );
  const ofPool = (term: unknown, key: string): boolean =>
    at(term, 'topologyKey') === key &&
    at(term, 'labelSelector', 'matchLabels', 'strimzi.io/pool-name') === metadata.name;
  const spread = listed(at(pod, 'topologySpreadConstraints'));
  return [
    ...(listed(apart).some((term) => ofPool(term, NODE)) ? [] : ['two may share a node']),
    ...(spread.some((term) => ofPool(term, ZONE)) ? [] : ['all may be in one zone']),
    // A template of the pool stands in the place of that of the cluster.
    ...(at(pod, 'metadata', 'labels', 'sluice/engine') === 'kafka' ? [] : ['policies miss it']),
  ];
}

function clusterProblems({ spec }: KubernetesObject): readonly string[] {
  const affinity = at(spec, 'affinity');
  const isApart =
    at(affinity, 'enablePodAntiAffinity') === true &&
    at(affinity, 'podAntiAffinityType') === 'required' &&
    at(affinity, 'topologyKey') === NODE;
  const zones = listed(
    at(affinity, 'additionalPodAntiAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'),
  ).some((term) => at(term, 'podAffinityTerm', 'topologyKey') === ZONE);
  return [
    ...(isApart ? [] : ['two may share a node']),
    ...(zones ? [] : ['all may be in one zone']),
  ];
}
