import { type KubernetesObject } from './json-schema.js';
import { type Manifests } from './manifests.js';
import {
  type Changeable,
  type Examples,
  job,
  local,
  object,
  overlayWith,
  payments,
  paymentsSettings,
  serviceContainer,
  withContainer,
  withPod,
  workload,
} from './manifests-fixtures.js';
import { pods, textOf } from './network-fixtures.js';
import { objectsIn } from './rendered-overlay.js';

const withSecurity = (changes: Changeable) =>
  withContainer({
    securityContext: {
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
      ...changes,
    },
  });
const withPodSecurity = (changes: Changeable) =>
  withPod({
    securityContext: {
      ...{ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      ...changes,
    },
  });
const withVolume = (volume: Changeable) =>
  withPod({
    volumes: [
      { name: 'mine', ...volume },
      { name: 'secrets', emptyDir: { sizeLimit: '1Mi' } },
    ],
  });

/** A database that asks itself how it is. */
const engine = (probe: unknown) => {
  const made = workload({
    name: 'postgres',
    container: serviceContainer({
      ...{ startupProbe: probe, livenessProbe: probe, readinessProbe: probe },
    }),
  });
  const labels = { ...made.metadata.labels, 'app.kubernetes.io/component': 'database' };
  return { ...made, metadata: { ...made.metadata, labels } };
};

/** A workload whose pods have other labels. */
function labelled(labels: Readonly<Record<string, string>>, made = payments): KubernetesObject {
  const text = JSON.stringify((made as { spec?: object }).spec);
  const spec = JSON.parse(text) as { template: { metadata: { labels: object } } };
  spec.template.metadata.labels = { ...spec.template.metadata.labels, ...labels };
  return { ...made, spec };
}

const service = (name: string, spec: Changeable) => object('Service', name, { spec });
const edgeSelector = pods('edge').matchLabels;

const ingress = (backend: Changeable, annotations: Readonly<Record<string, string>> = {}) => ({
  ...object('Ingress', 'edge', {
    spec: { rules: [{ http: { paths: [{ path: '/', backend }] } }] },
  }),
  metadata: { name: 'edge', annotations },
});
const toResults = { service: { name: 'risk', port: { name: 'results' } } };
const passing = { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' };
const toEdge = { service: { name: 'edge', port: { name: 'http' } } };

const stateful = (spec: Changeable, name = 'vault') =>
  ({ ...workload({ name, spec }), kind: 'StatefulSet' }) as KubernetesObject;
const scaledTo = (minReplicaCount: number) =>
  object('ScaledObject', 'payments', {
    spec: { scaleTargetRef: { name: 'payments' }, minReplicaCount },
  });
const scaledToNone = object('ScaledObject', 'payments', {
  spec: { scaleTargetRef: { name: 'payments' }, minReplicaCount: 2, idleReplicaCount: 0 },
});
const budget = (selector: Changeable): Manifests =>
  overlayWith([
    payments,
    object('PodDisruptionBudget', 'payments', { spec: { maxUnavailable: 1, selector } }),
  ]);

/** Production's resources of operators, with a change in their text. */
function engines(from: RegExp | string, to: string): Manifests {
  const files = ['kafka/cluster', 'kafka/node-pools', 'postgres/cluster'];
  return overlayWith(
    files.flatMap((name) =>
      objectsIn(textOf(`overlays/production/${name}.yaml`).replaceAll(from, to)),
    ),
  );
}

/** For each rule of what pods may be and what is reached from outside. */
export const restrictionExamples: Examples = {
  'probes on whatever goes on running': {
    right: overlayWith([
      payments,
      job('migrations-abc123', serviceContainer({ livenessProbe: undefined })),
      engine({ exec: { command: ['pg_isready'] }, periodSeconds: 3, failureThreshold: 2 }),
    ]),
    wrong: [
      ['no livenessProbe', withContainer({ livenessProbe: undefined })],
      [
        'readinessProbe asks {"httpGet":{"path":"/livez","port":9999}}; it must ask',
        withContainer({ readinessProbe: { httpGet: { path: '/livez', port: 9999 } } }),
      ],
      [
        'livenessProbe asks {"httpGet":{"path":"/readyz"',
        withContainer({ livenessProbe: { httpGet: { path: '/readyz', port: 'management' } } }),
      ],
      [
        'unready after 3600 s without an answer; it must be within 15 s',
        withContainer({ readinessProbe: { periodSeconds: 1800, failureThreshold: 2 } }),
      ],
      ['startupProbe asks {}', withContainer({ startupProbe: {} })],
      ['no port management at 9080', withContainer({ ports: [] })],
      [
        'no port management at 9080',
        overlayWith([payments], { ...paymentsSettings, MANAGEMENT_PORT: '9999' }),
      ],
      [
        'Deployment postgres, service: readinessProbe asks {"tcpSocket":{"port":"elsewhere"}}',
        overlayWith([engine({ tcpSocket: { port: 'elsewhere' } })]),
      ],
    ],
  },
  'pods under restricted security, with a read-only root': {
    right: overlayWith([payments]),
    wrong: [
      ['its root file system is open', withContainer({ securityContext: {} })],
      ['may run as root', withPod({ securityContext: {} })],
      ['a token', withPod({ automountServiceAccountToken: true })],
      ['Namespace sluice: not restricted', overlayWith([object('Namespace', 'sluice')])],
      ['payments, service: it runs as root', withSecurity({ runAsUser: 0 })],
      ['payments, service: it may run as root', withSecurity({ runAsNonRoot: false })],
      ['securityContext.procMount is none', withSecurity({ procMount: 'Unmasked' })],
      [
        'it keeps capabilities',
        withSecurity({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }),
      ],
      ['it is privileged', withSecurity({ privileged: true })],
      ['no seccomp profile', withSecurity({ seccompProfile: { type: 'Unconfined' } })],
      ['payments: it runs as root', withPodSecurity({ runAsUser: 0 })],
      ['its volumes are those of root', withPodSecurity({ fsGroup: 0 })],
      ['securityContext.sysctls is none', withPodSecurity({ sysctls: [] })],
      ...['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace'].map(
        (field): readonly [string, Manifests] => [
          `${field} is none of`,
          withPod({ [field]: true }),
        ],
      ),
      ['volume mine: hostPath is none of', withVolume({ hostPath: { path: '/' } })],
      [
        'volume mine: serviceAccountToken is none of',
        withVolume({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }),
      ],
      ['volume mine: emptyDir has no sizeLimit', withVolume({ emptyDir: {} })],
      [
        'hostPort is none of',
        withContainer({ ports: [{ name: 'internal', containerPort: 8443, hostPort: 8443 }] }),
      ],
      ['lifecycle is none of', withContainer({ lifecycle: {} })],
    ],
  },
  'pods that say who they are': {
    right: overlayWith([payments, workload({ name: 'edge' })]),
    wrong: [
      [
        'its pods are labelled as those of vault; give them its own name',
        overlayWith([labelled({ 'app.kubernetes.io/name': 'vault' })]),
      ],
      [
        'its pods carry sluice/engine, by which policies let others in; take it away',
        overlayWith([labelled({ 'sluice/engine': 'postgres' })]),
      ],
      [
        'its pods carry cnpg.io/cluster',
        overlayWith([labelled({ 'cnpg.io/cluster': 'postgres' })]),
      ],
      [
        'is labelled operator, and payments is service',
        overlayWith([labelled({ 'app.kubernetes.io/component': 'operator' })]),
      ],
      ['and stranger is unknown', overlayWith([workload({ name: 'stranger' })])],
      ['CronJob mine: no rule reads the pods', overlayWith([object('CronJob', 'mine')])],
    ],
  },
  'services that stay inside': {
    right: local([
      service('edge', { type: 'NodePort', selector: edgeSelector }),
      service('vault', { clusterIP: 'None' }),
    ]),
    wrong: [
      [
        'Service vault: its type LoadBalancer opens it to the outside; make it ClusterIP',
        overlayWith([service('vault', { type: 'LoadBalancer' })]),
      ],
      ['Service vault: its type NodePort', local([service('vault', { type: 'NodePort' })])],
      [
        'Service edge: its type NodePort',
        overlayWith([service('edge', { type: 'NodePort', selector: edgeSelector })]),
      ],
      [
        'externalIPs leads outside',
        overlayWith([service('vault', { externalIPs: ['192.0.2.1'] })]),
      ],
      [
        'outsiders would reach other pods than those of edge',
        local([service('edge', { type: 'NodePort', selector: pods('vault').matchLabels })]),
      ],
      [
        'Cluster postgres: managed.services makes',
        overlayWith([object('Cluster', 'postgres', { spec: { managed: { services: {} } } })]),
      ],
    ],
  },
  'an Ingress that leads to edge': {
    right: overlayWith([
      ...objectsIn(textOf('overlays/production/ingress.yaml')),
      ...objectsIn(textOf('components/directory-servers/ingress.yaml')),
    ]),
    wrong: [
      // Where TLS ends on the way, risk would not see who tells a result.
      ['Ingress edge: leads to risk;', overlayWith([ingress(toResults)])],
      [
        'Ingress edge: leads to risk;',
        overlayWith([ingress({ service: { name: 'risk', port: { name: 'internal' } } }, passing)]),
      ],
      [
        'nginx.ingress.kubernetes.io/ssl-passthrough is none of',
        overlayWith([ingress(toEdge, passing)]),
      ],
      [
        'Ingress edge: leads to vault; only edge and reference-page may be reached from outside',
        overlayWith([ingress({ service: { name: 'vault', port: { number: 8443 } } })]),
      ],
      [
        'leads to something that is no Service',
        overlayWith([ingress({ resource: { kind: 'Bucket', name: 'a' } })]),
      ],
      [
        'leads to accounts',
        overlayWith([
          object('Ingress', 'edge', {
            spec: { defaultBackend: { service: { name: 'accounts' } } },
          }),
        ]),
      ],
      [
        'nginx.ingress.kubernetes.io/mirror-target is none of',
        overlayWith([
          ingress(toEdge, { 'nginx.ingress.kubernetes.io/mirror-target': 'https://example.com' }),
        ]),
      ],
    ],
  },
  'selectors that fit pods': {
    right: overlayWith([payments]),
    wrong: [
      ['PodDisruptionBudget payments: must select the pods of payments', budget(pods('paymnets'))],
      [
        'must select the pods of payments',
        budget({ matchLabels: { ...pods('payments').matchLabels, tier: 'x' } }),
      ],
      ['must select the pods of payments', overlayWith([])],
      [
        'is spread among pods that are not its own',
        withPod({
          topologySpreadConstraints: [
            { whenUnsatisfiable: 'ScheduleAnyway', labelSelector: pods('edge') },
          ],
        }),
      ],
    ],
  },
  'instances to go on with when one ends': {
    right: overlayWith([
      stateful({ replicas: 2 }),
      stateful({ replicas: 1 }, 'simulator'),
      workload({ name: 'accounts', spec: { replicas: 2 } }),
      payments,
      scaledTo(2),
    ]),
    wrong: [
      [
        'StatefulSet vault: may be one instance alone; there must be 2 (D-57)',
        local([stateful({ replicas: 1 })]),
      ],
      ['Deployment payments: may be one instance alone', overlayWith([payments])],
      ['Deployment payments: may be one instance alone', overlayWith([payments, scaledTo(1)])],
      ['Deployment payments: may be one instance alone', overlayWith([payments, scaledToNone])],
    ],
  },
  'updates that reach the pods': {
    right: overlayWith([payments, stateful({ updateStrategy: { type: 'RollingUpdate' } })]),
    wrong: [
      [
        'StatefulSet vault: is updated by OnDelete; it must be RollingUpdate',
        overlayWith([stateful({ updateStrategy: { type: 'OnDelete' } })]),
      ],
      [
        'its pods below 1 are not updated',
        overlayWith([stateful({ updateStrategy: { rollingUpdate: { partition: 1 } } })]),
      ],
      [
        'an update takes 2 at once',
        overlayWith([stateful({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } })]),
      ],
      [
        'is updated by Recreate',
        overlayWith([workload({ spec: { strategy: { type: 'Recreate' } } })]),
      ],
      [
        'StatefulSet simulator: is updated by RollingUpdate; it must be OnDelete',
        overlayWith([stateful({ updateStrategy: { type: 'RollingUpdate' } }, 'simulator')]),
      ],
      ['while it is paused', overlayWith([workload({ spec: { paused: true } })])],
    ],
  },
  'limits and restrictions on what operators make': {
    right: engines('no such text', ''),
    wrong: [
      [
        'Cluster postgres: resources: no limits of memory',
        engines(/^ {2}resources:$/gm, '  others:'),
      ],
      ['KafkaNodePool brokers: resources: no', engines(/^ {2}resources:$/gm, '  others:')],
      [
        'Kafka sluice: entityOperator.userOperator.resources: no',
        engines('resources: *small', 'others: *small'),
      ],
      [
        'KafkaNodePool brokers: kafkaContainer: privileges may escalate',
        engines('allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'),
      ],
      ['KafkaNodePool brokers: it may run as root', engines('runAsNonRoot: true', 'runAsUser: 0')],
      [
        'Cluster postgres: podSecurityContext stands in the place',
        engines('  instances: 3', '  podSecurityContext: {}\n  instances: 3'),
      ],
    ],
  },
};
