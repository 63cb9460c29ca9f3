import {
  cellName,
  CELLS_MAX,
  commandSender,
  commandTakers,
  commandTopicOf,
  REPLY_TOPIC,
  topicsOfCells,
} from '@sluice/contracts';
import { cellOf, serviceOf } from '../cell-workloads.js';
import { at, type KubernetesObject, listed, nameOf, said } from '../json-schema.js';
import {
  containersOf,
  environmentOf,
  type Manifests,
  ofKind,
  workloadName,
  workloadsOf,
} from '../manifests.js';

/** The topic whose partitions the instances of a workload share; one instance has one at least. */
function sharedTopicOf(workload: string): string | undefined {
  // One partition of replies for each instance (D-02).
  if (workload === commandSender) return REPLY_TOPIC;
  const name = commandsOf(workload);
  return name === undefined ? undefined : commandTopicOf(name);
}

/** What a workload that takes commands is called where they are sent (page 0047). */
function commandsOf(workload: string): string | undefined {
  const takers: readonly string[] = commandTakers;
  const service = serviceOf(workload);
  return takers.includes(service) ? cellName(service, cellOf(workload)) : undefined;
}

const topics = topicsOfCells(CELLS_MAX);

/** Nobody is scaled beyond what there is to do: each instance needs a partition (D-02, D-15). */
export function scalersLeaveWork(manifests: Manifests): readonly string[] {
  return ['HorizontalPodAutoscaler', 'ScaledObject']
    .flatMap((kind) => ofKind(manifests, kind))
    .flatMap((scaler) => {
      const { spec } = scaler;
      const least = Number(at(spec, 'minReplicas') ?? at(spec, 'minReplicaCount') ?? 1);
      const most = Number(at(spec, 'maxReplicas') ?? at(spec, 'maxReplicaCount'));
      const target = String(at(spec, 'scaleTargetRef', 'name'));
      const shared = sharedTopicOf(target);
      const topic = topics.find(({ name }) => name === shared);
      return [
        ...(least <= most ? [] : [`may not have ${least} at least and ${most} at most`]),
        ...(topic === undefined || most <= topic.partitions
          ? []
          : [
              `may make ${most} instances, and ${topic.name} has ${topic.partitions} partitions: ` +
                `no more than ${topic.partitions} have something to do`,
            ]),
      ].map((text) => `${nameOf(scaler)}: ${text}`);
    });
}

/** KEDA measures the group that the workload reads in, where it reads, and may look at it. */
export function scalersMeasureTheirTarget(manifests: Manifests): readonly string[] {
  return ofKind(manifests, 'ScaledObject').flatMap((scaler) => {
    const target = String(at(scaler['spec'], 'scaleTargetRef', 'name'));
    return [
      ...fallbackProblems(scaler),
      ...listed(at(scaler['spec'], 'triggers'))
        .filter((trigger) => at(trigger, 'type') === 'kafka')
        .flatMap((trigger) => triggerProblems(manifests, trigger, target)),
    ].map((text) => `${nameOf(scaler)}: ${text}`);
  });
}

/** Lag that cannot be read is no reason to have fewer than there are. */
function fallbackProblems({ spec }: KubernetesObject): readonly string[] {
  if (at(spec, 'fallback', 'behavior') === 'currentReplicasIfHigher') return [];
  return [
    'a measure that fails takes instances away in the middle of a load: fallback.behavior must ' +
      'be currentReplicasIfHigher',
  ];
}

function triggerProblems(
  manifests: Manifests,
  trigger: unknown,
  target: string,
): readonly string[] {
  const told = (field: string) => at(trigger, 'metadata', field);
  const commands = commandsOf(target);
  const topic = sharedTopicOf(target);
  const brokers = workloadsOf(manifests)
    .filter((workload) => workloadName(workload) === target)
    .flatMap(containersOf)
    .map((container) => environmentOf(manifests, container).get('KAFKA_BROKERS'))
    .find((text) => text !== undefined);
  // A service reads its commands in the group that is called like them, see libs/messaging.
  const expected = {
    topic,
    consumerGroup: `${commands ?? target}.commands`,
    bootstrapServers: brokers,
  };
  return [
    ...Object.entries(expected)
      .filter(([field, value]) => told(field) !== value)
      .map(
        ([field, value]) =>
          `${field} is ${String(told(field))}, where nobody reads: ${target} has ${String(value)}`,
      ),
    ...accessProblems(manifests, trigger, { topic, group: expected.consumerGroup }),
    ...(told('tls') === 'enable' ? [] : ["Kafka takes TLS alone: tls must be 'enable'"]),
  ];
}

/** Whose certificate KEDA shows may look at what it measures; without it every measure fails. */
function accessProblems(
  manifests: Manifests,
  trigger: unknown,
  measured: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const secrets = ofKind(manifests, 'TriggerAuthentication')
    .filter(({ metadata }) => metadata.name === at(trigger, 'authenticationRef', 'name'))
    .flatMap(({ spec }) => listed(at(spec, 'secretTargetRef')))
    .map((one) => at(one, 'name'));
  const users = ofKind(manifests, 'KafkaUser').filter(({ metadata }) =>
    secrets.includes(`kafka-${metadata.name}`),
  );
  return users.flatMap(({ spec, metadata }) =>
    Object.entries(measured)
      .filter(
        ([type, name]) =>
          !listed(at(spec, 'authorization', 'acls')).some(
            (rule) =>
              at(rule, 'resource', 'type') === type &&
              at(rule, 'resource', 'name') === name &&
              listed(at(rule, 'operations')).includes('Describe'),
          ),
      )
      .map(
        ([type, name]) =>
          `KafkaUser ${metadata.name} may not look at the ${type} ${said(name)}: give it Describe`,
      ),
  );
}
