import { isDeepStrictEqual } from 'node:util';
import { cellsIn } from '../cell-workloads.js';
import { kafkaTopics, kafkaUsers } from '../kafka-resources.js';
import { isRecord, type KubernetesObject, nameOf } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';

/** What a Kafka has is what `libs/contracts` declares: as resources, or by the job (D-56). */
export function topicsAreDeclared(manifests: Manifests): readonly string[] {
  const topics = ofKind(manifests, 'KafkaTopic');
  const isJob = manifests.objects.some(({ metadata }) => metadata.name.startsWith('topics-'));
  if (topics.length === 0) return isJob ? [] : ['nobody makes topics'];
  return [
    ...(isJob ? ['two make topics'] : []),
    ...differences(topics, kafkaTopics(cellsIn(manifests)) as KubernetesObject[]),
  ];
}

/** Users of a Kafka may do what `libs/contracts` says; who is not in it changes nothing (D-47). */
export function usersAreDeclared(manifests: Manifests): readonly string[] {
  const declared = kafkaUsers(cellsIn(manifests)) as KubernetesObject[];
  const names = declared.map(({ metadata }) => metadata.name);
  const users = ofKind(manifests, 'KafkaUser');
  if (users.length === 0) return [];
  const others = users.filter(({ metadata }) => !names.includes(metadata.name));
  const powerful = others.filter((user) =>
    /"(?:All|Write|Alter|Delete)/.test(JSON.stringify(user)),
  );
  return [
    ...differences(
      users.filter((user) => !others.includes(user)),
      declared,
    ),
    ...powerful.map((user) => `${nameOf(user)}: may do more than look`),
  ];
}

function differences(
  found: readonly KubernetesObject[],
  declared: readonly KubernetesObject[],
): readonly string[] {
  const unknown = found.filter(
    ({ metadata }) => !declared.some((one) => one.metadata.name === metadata.name),
  );
  return [
    ...unknown.map((one) => `${nameOf(one)}: is not declared`),
    ...declared.flatMap((one) => {
      const same = found.find(({ metadata }) => metadata.name === one.metadata.name);
      if (same === undefined) return [`${nameOf(one)}: is missing`];
      return isDeepStrictEqual(same['spec'], one['spec']) ? [] : [`${nameOf(one)}: is otherwise`];
    }),
  ];
}

/** What KEDA's Kafka scaler refuses when it starts, and what has another default than ours. */
export function scalersAreWhole(manifests: Manifests): readonly string[] {
  return ofKind(manifests, 'ScaledObject').flatMap((scaler) => {
    const triggers = isRecord(scaler['spec']) ? scaler['spec']['triggers'] : [];
    return (Array.isArray(triggers) ? (triggers as unknown[]) : [])
      .filter(isRecord)
      .filter(({ type }) => type === 'kafka')
      .flatMap(({ metadata }) => (isRecord(metadata) ? scalerProblems(metadata) : ['no metadata']))
      .map((text) => `${nameOf(scaler)}: ${text}`);
  });
}

const SCALER_FIELDS = [
  ...['bootstrapServers', 'consumerGroup', 'topic', 'lagThreshold', 'activationLagThreshold'],
  ...['offsetResetPolicy', 'limitToPartitionsWithLag', 'ensureEvenDistributionOfPartitions'],
  ...['excludePersistentLag', 'fullMetadata', 'version'],
];

function scalerProblems(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const isOn = (field: string) => metadata[field] === 'true';
  const both = isOn('limitToPartitionsWithLag') && isOn('ensureEvenDistributionOfPartitions');
  return [
    ...SCALER_FIELDS.filter((field) => metadata[field] === undefined).map(
      (field) => `${field} is not set`,
    ),
    ...(both ? ['KEDA refuses limits to lagging partitions together with even shares'] : []),
    ...(metadata['offsetResetPolicy'] === 'earliest' ? [] : ['must read from the earliest']),
  ];
}
