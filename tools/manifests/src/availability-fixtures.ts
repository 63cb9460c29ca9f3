import {
  type Examples,
  object,
  overlayWith,
  payments,
  serviceContainer,
  workload,
} from './manifests-fixtures.js';
import { textOf } from './network-fixtures.js';
import { objectsIn } from './rendered-overlay.js';

const engines = (change: (text: string) => string = (text) => text) =>
  overlayWith(
    ['kafka/cluster', 'kafka/node-pools', 'postgres/cluster'].flatMap((name) =>
      objectsIn(change(textOf(`overlays/production/${name}.yaml`))),
    ),
  );
const scaledObject = (metadata: object) =>
  object('ScaledObject', 'payments', {
    spec: { scaleTargetRef: { name: 'payments' }, triggers: [{ type: 'kafka', metadata }] },
  });
const scalerSettings = {
  ...{ bootstrapServers: 'k:9093', consumerGroup: 'g', topic: 't', lagThreshold: '10' },
  ...{ activationLagThreshold: '1', offsetResetPolicy: 'earliest', fullMetadata: 'false' },
  ...{ limitToPartitionsWithLag: 'false', ensureEvenDistributionOfPartitions: 'true' },
  ...{ excludePersistentLag: 'true', version: '4.0.0' },
};

/** For each rule of what keeps services answering: resources, probes, updates, scaling, zones. */
export const availabilityExamples: Examples = {
  'requests and limits on every container': {
    right: overlayWith([payments]),
    wrong: [
      [
        'no limits of memory',
        overlayWith([workload({ container: serviceContainer({ resources: {} }) })]),
      ],
    ],
  },
  'liveness that spares slow processes': {
    right: overlayWith([payments]),
    wrong: (
      [
        ['liveness waits 5 s for an answer', { timeoutSeconds: 5 }],
        ['restarted after 30 s without an answer', { failureThreshold: 3 }],
      ] as const
    ).map(([found, change]) => {
      const livenessProbe = {
        httpGet: { path: '/livez' },
        ...{ periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6 },
        ...change,
      };
      return [found, overlayWith([workload({ container: serviceContainer({ livenessProbe }) })])];
    }),
  },
  'budgets that let nodes be drained': {
    right: overlayWith([payments]),
    wrong: [
      [
        'must be maxUnavailable 1',
        overlayWith([
          payments,
          object('PodDisruptionBudget', 'payments', { spec: { minAvailable: 1 } }),
        ]),
      ],
      ['accounts: no disruption budget', overlayWith([workload({ name: 'accounts' })])],
    ],
  },
  'no replicas where somebody scales': {
    right: overlayWith([payments, scaledObject({})]),
    wrong: [
      [
        'is scaled and has replicas',
        overlayWith([workload({ spec: { replicas: 1 } }), scaledObject({})]),
      ],
      ['there is nothing to scale', overlayWith([scaledObject({})])],
    ],
  },
  'updates that go on serving': {
    right: overlayWith([payments]),
    wrong: [
      ['maxSurge 1', overlayWith([workload({ spec: { strategy: {} } })])],
      ['ScheduleAnyway', overlayWith([workload({ pod: { topologySpreadConstraints: [] } })])],
      ['a priority class', overlayWith([workload({ name: 'edge' })])],
    ],
  },
  'databases and brokers on nodes and in zones of their own': {
    right: engines(),
    wrong: [
      [
        'Kafka sluice: replicas know no zones',
        engines((text) => text.replace(/rack:\n\s{6}topologyKey: .*\n/, '')),
      ],
      [
        'KafkaNodePool brokers: two may share a node',
        engines((text) => text.replaceAll('kubernetes.io/hostname', 'kubernetes.io/arch')),
      ],
      [
        'KafkaNodePool brokers: two may share a node',
        engines((text) => text.replaceAll('pool-name: brokers', 'pool-name: broker')),
      ],
      [
        'KafkaNodePool controllers: all may be in one zone',
        engines((text) => text.replaceAll('topology.kubernetes.io/zone', 'kubernetes.io/hostname')),
      ],
      [
        'KafkaNodePool controllers: policies miss it',
        engines((text) => text.replaceAll('sluice/engine: kafka', 'sluice/engine: other')),
      ],
      [
        'Cluster postgres: two may share a node',
        engines((text) =>
          text.replace('podAntiAffinityType: required', 'podAntiAffinityType: preferred'),
        ),
      ],
      [
        'Cluster postgres: all may be in one zone',
        engines((text) => text.replaceAll('topology.kubernetes.io/zone', 'kubernetes.io/hostname')),
      ],
    ],
  },
  'time to end what has begun': {
    right: overlayWith([payments]),
    wrong: [
      ['is killed', overlayWith([workload({ pod: { terminationGracePeriodSeconds: 30 } })])],
      ['must still serve', overlayWith([payments], { STOP_GRACE_MS: '0' })],
    ],
  },
  'resources that fit': {
    right: overlayWith([payments]),
    wrong: [
      [
        'its heap does not fit',
        overlayWith([
          workload({
            container: serviceContainer({
              env: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=300' }],
            }),
          }),
        ]),
      ],
    ],
  },
  'scalers as KEDA takes them': {
    right: overlayWith([scaledObject(scalerSettings)]),
    wrong: [
      [
        'version is not set',
        overlayWith([scaledObject({ ...scalerSettings, version: undefined })]),
      ],
      [
        'KEDA refuses',
        overlayWith([scaledObject({ ...scalerSettings, limitToPartitionsWithLag: 'true' })]),
      ],
    ],
  },
};
