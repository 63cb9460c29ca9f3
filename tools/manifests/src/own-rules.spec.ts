import { describe, expect, it } from '@jest/globals';
import { kafkaTopics, kafkaUsers } from './kafka-resources.js';
import type { KubernetesObject } from './json-schema.js';
import type { Manifests } from './manifests.js';
import {
  type Examples,
  job,
  object,
  overlayWith,
  paymentsSettings,
  serviceContainer,
  workload,
} from './manifests-fixtures.js';
import {
  acquirersAt,
  apiServerAt,
  changed,
  localNetwork,
  pods,
  policy,
  productionNetwork,
  textOf,
} from './network-fixtures.js';
import { ownRules } from './own-rules.js';
import { productionRules } from './production-rules.js';
import { objectsIn } from './rendered-overlay.js';
import { restrictionExamples } from './restriction-fixtures.js';

const payments = workload();
const engines = (change: (text: string) => string = (text) => text) =>
  overlayWith(
    ['kafka/cluster', 'kafka/node-pools', 'postgres/cluster'].flatMap((name) =>
      objectsIn(change(textOf(`overlays/production/${name}.yaml`))),
    ),
  );

const opened = (target: string, from: string, port: number) =>
  policy(`${from}-to-${target}`, {
    podSelector: pods(target),
    ingress: [{ from: [{ podSelector: pods(from) }], ports: [{ port }] }],
  });

/** Policies of what operators make, with one more for databases. */
const openEngine = (ways: string) =>
  [
    textOf('overlays/production/engine-policies.yaml'),
    '---\nkind: NetworkPolicy',
    'metadata: { name: mine }',
    `spec: { podSelector: { matchLabels: { cnpg.io/cluster: postgres } }, ${ways} }`,
  ].join('\n');

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
const topics = () => kafkaTopics() as KubernetesObject[];
const users = () => kafkaUsers() as KubernetesObject[];

const jobWithSettings = () =>
  job(
    'migrations-abc123',
    serviceContainer({ envFrom: [{ configMapRef: { name: 'payments-settings-2b7c9f5hgt' } }] }),
  );
const jobWithSecret = () => {
  const volumes = [{ name: 'kafka', secret: { secretName: 'kafka-operator-fgc692km85' } }];
  const { spec } = workload({ pod: { volumes } });
  return { ...job('topics-abc123'), spec };
};
const versioned = (version: unknown) => {
  const labels = { 'app.kubernetes.io/version': version };
  return { ...object('Service', 'payments'), metadata: { name: 'payments', labels } } as never;
};
const certificate = (spec: object) =>
  object('Certificate', 'vault-internal', { spec: { secretName: 'vault-tls', ...spec } });
const alertRule = (days: number) =>
  object('PrometheusRule', 'sluice', {
    spec: {
      groups: [
        {
          rules: [
            { record: 'a', expr: 'x < 90 * 86400' },
            { alert: 'SluiceCertificateExpiry', expr: `x < ${days} * 86400 and x >= 2 * 86400` },
            { alert: 'SluiceCertificateExpiry', expr: 'x < 2 * 86400' },
          ],
        },
      ],
    },
  });
const kafka = (spec: object) => object('Kafka', 'sluice', { spec });

const examples: Examples = {
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
  'images by a fixed tag': {
    right: overlayWith(
      ['sluice:1.4.2', 'registry:5000/sluice:1.4.2', `sluice@sha256:${'ab'.repeat(32)}`].map(
        (image, index) =>
          workload({ container: serviceContainer({ image }), name: `payments-${index}` }),
      ),
    ),
    wrong: ['sluice', 'sluice:latest', 'registry:5000/sluice'].map((image) => [
      'no fixed tag',
      overlayWith([workload({ container: serviceContainer({ image }) })]),
    ]),
  },
  'secrets in files alone': {
    right: overlayWith([payments]),
    wrong: [
      [
        'PAYMENTS_DATABASE_URL is plain',
        overlayWith([payments], { PAYMENTS_DATABASE_URL: '/nowhere' }),
      ],
      [
        'holds what looks like a secret',
        overlayWith([object('ConfigMap', 'x', { data: { a: 'postgres://user:word@host/db' } })]),
      ],
      [
        'a secret is a variable',
        overlayWith([
          workload({
            container: serviceContainer({
              env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 'a' } } }],
            }),
          }),
        ]),
      ],
      ['Secret x: is in a file', overlayWith([object('Secret', 'x')])],
    ],
  },
  'files where variables name them': {
    right: overlayWith([payments]),
    wrong: [
      [
        'nothing is mounted',
        overlayWith([payments], { PAYMENTS_DATABASE_URL_FILE: '/etc/elsewhere/database-url' }),
      ],
      [
        'never changes',
        overlayWith([
          workload({
            container: serviceContainer({
              volumeMounts: [{ name: 'secrets', mountPath: '/etc/x', subPath: 'x' }],
            }),
          }),
        ]),
      ],
    ],
  },
  'no variable that nobody reads': {
    right: overlayWith([payments]),
    wrong: [
      [
        'PAYMENTS_CALLS_MAXIMUM is unknown',
        overlayWith([payments], { PAYMENTS_CALLS_MAXIMUM: '1' }),
      ],
    ],
  },
  'every variable that must be set': {
    right: overlayWith([payments]),
    wrong: [['VAULT_URLS is not set', overlayWith([payments], { STOP_GRACE_MS: '5000' })]],
  },
  'simulators in test installations alone': {
    right: overlayWith([payments]),
    wrong: [
      [
        'PAYMENTS_SIMULATOR_URL is set',
        overlayWith([payments], { ...paymentsSettings, PAYMENTS_SIMULATOR_URL: 'http://s:8081' }),
      ],
      ['Deployment simulator: is a simulator', overlayWith([workload({ name: 'simulator' })])],
    ],
  },
  'the network as it is drawn, with the card-data path': {
    right: localNetwork((all) => all),
    wrong: [
      [
        'vault <- reporting: 8443: is open, and not drawn',
        localNetwork((all) => [...all, opened('vault', 'reporting', 8443)]),
      ],
      [
        'vault <- edge: 8443: is drawn, and not open',
        localNetwork((all) => all.filter(({ metadata }) => metadata.name !== 'vault')),
      ],
      [
        'no policy refuses',
        localNetwork((all) => all.filter(({ metadata }) => metadata.name !== 'default-deny')),
      ],
      [
        'all pods <- anywhere: any port: is open',
        localNetwork((all) => [...all, policy('open', { podSelector: {}, ingress: [{}] })]),
      ],
      [
        'services -> namespace tracing: 4317: is drawn, and not open',
        localNetwork((all) => [
          ...all,
          ...objectsIn(textOf('components/tracing/network-policy.yaml')),
          object('ConfigMap', 'tracing-settings', {
            data: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://tempo.tracing.svc:4317' },
          }),
        ]),
      ],
      [
        'services -> namespace monitoring: 4318: is open, and not drawn',
        localNetwork((all) => [
          ...all,
          ...objectsIn(textOf('components/tracing/network-policy.yaml')),
        ]),
      ],
      [
        'payments -> {"ipBlock":{"cidr":"0.0.0.0/0"}}: 443: is open',
        localNetwork((all) => [
          ...all,
          policy('out', {
            podSelector: pods('payments'),
            egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }],
          }),
        ]),
      ],
      [
        'all pods -> {"ipBlock":{"cidr":"0.0.0.0/0","except":["10.0.0.0/8"]}}: any port: is open',
        localNetwork((all) => [
          ...all,
          policy('out', {
            podSelector: {},
            egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }] }],
          }),
        ]),
      ],
      ['payments -> named addresses: 443: is drawn, and not open', productionNetwork('')],
      [
        'payments -> named addresses: 8443: is open, and not drawn',
        productionNetwork(acquirersAt('192.0.2.1/32').replace('port: 443', 'port: 8443')),
      ],
      [
        'payments -> named addresses: 443-65535: is open, and not drawn; put the policy right',
        productionNetwork(
          acquirersAt('192.0.2.1/32').replace('443', '443\n          endPort: 65535'),
        ),
      ],
      ...['10.96.0.1/32', '100.64.0.1/32', 'fd00::1/128'].map(
        (cidr): readonly [string, Manifests] => [
          'payments -> named addresses of the cluster: 443: is open, and not drawn',
          productionNetwork(acquirersAt(`'${cidr}'`)),
        ],
      ),
      [
        'vault <- edge: 8443-65535: is open, and not drawn',
        localNetwork(changed('vault', '"port":8443', '"port":8443,"endPort":65535')),
      ],
      [
        'vault <- edge: 8443 by UDP: is open, and not drawn',
        localNetwork(changed('vault', '"protocol":"TCP"', '"protocol":"UDP"')),
      ],
      [
        'vault <- edge: 8443: is drawn, and not open',
        localNetwork(changed('vault', ':"edge"', ':"edge","tier":"x"')),
      ],
      [
        'vault <- edge: 8443: is drawn, and not open',
        localNetwork(changed('vault', '["Ingress","Egress"]', '["Egress"]')),
      ],
      [
        'payments -> vault: 8443: is drawn, and not open',
        localNetwork(
          changed('payments', '"podSelector":{', '"podSelector":{"matchExpressions":[],'),
        ),
      ],
      [
        'pods of cnpg.io/cluster postgres <- anywhere: any port: is open, and not drawn',
        productionNetwork(undefined, openEngine('ingress: [{}]')),
      ],
      ...['10.0.0.0/8', '172.16.0.0/12', '0.0.0.0/0', '10.0.0.0/23', '::/0', '127.0.0.1/32'].map(
        (cidr): readonly [string, Manifests] => [
          `pods of cnpg.io/cluster postgres -> {"ipBlock":{"cidr":"${cidr}"}}: 443: is open`,
          productionNetwork(undefined, apiServerAt(`'${cidr}'`)),
        ],
      ),
      [
        'topics -> kafka: 9093: is open, and not drawn',
        localNetwork((all) => all.filter(({ kind }) => kind !== 'Job')),
      ],
      [
        'kafka <- topics: 9093: is drawn, and not open',
        localNetwork((all) => all.filter(({ metadata }) => metadata.name !== 'kafka-from-topics')),
      ],
      ...['0.0.0.0/1', '128.0.0.0/1'].map((cidr): readonly [string, Manifests] => [
        `pods of cnpg.io/cluster postgres -> {"ipBlock":{"cidr":"${cidr}"}}: any port: is open`,
        productionNetwork(
          undefined,
          openEngine(`egress: [{ to: [{ ipBlock: { cidr: ${cidr} } }] }]`),
        ),
      ]),
      [
        'pods of strimzi.io/cluster sluice <- namespace strimzi: 9090-9093: is drawn, and not open',
        productionNetwork(undefined, ''),
      ],
      ...[
        ...['0.0.0.0/0', '203.0.112.0/20', '::/0', '169.254.169.254/32', 'anything'],
        ...['127.0.0.1/32', '100.64.0.0/10', '224.0.0.1/32', 'fd00::/8', '::ffff:a60:1/128'],
      ].map((cidr): readonly [string, Manifests] => [
        `payments -> {"ipBlock":{"cidr":"${cidr}"}}: 443: is open, and not drawn`,
        productionNetwork(acquirersAt(`'${cidr}'`)),
      ]),
    ],
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
  'jobs named by the release': {
    right: overlayWith([job()]),
    wrong: [
      ["does not end in the release's name", overlayWith([job('migrations-1')])],
      [
        "does not end in the release's name",
        overlayWith([job(), object('ConfigMap', 'release', { data: {} })]),
      ],
      ['no job makes tables', overlayWith([])],
    ],
  },
  'jobs that a renewal leaves as they are': {
    right: overlayWith([job()]),
    wrong: [
      ['payments-settings-2b7c9f5hgt changes', overlayWith([jobWithSettings()])],
      ['kafka-operator-fgc692km85 changes', overlayWith([jobWithSecret()])],
    ],
  },
  'names and labels as Kubernetes takes them': {
    right: overlayWith([payments, job('migrations-release-1.4.2'), versioned('000000000000')]),
    wrong: [
      ['Job migrations-5000/sluice: is no name', overlayWith([job('migrations-5000/sluice')])],
      ['is no name', overlayWith([job(`migrations-${'a'.repeat(64)}`)])],
      ['cannot be "5000/sluice"', overlayWith([versioned('5000/sluice')])],
      ['cannot be "aaaa', overlayWith([versioned('a'.repeat(64))])],
      ['cannot be 0', overlayWith([versioned(0)])],
    ],
  },
  'certificates renewed before the alert warns': {
    right: overlayWith([certificate({ renewBefore: '720h' }), alertRule(14), kafka({})]),
    wrong: [
      [
        'renewed 10 days before its end, SluiceCertificateExpiry warns 14',
        overlayWith([certificate({ renewBefore: '240h' }), alertRule(14)]),
      ],
      ['renewed NaN days', overlayWith([certificate({}), alertRule(14)])],
      ['no bound in days', overlayWith([certificate({ renewBefore: '720h' })])],
      [
        'Kafka sluice, clientsCa: renewed 10 days',
        overlayWith([
          certificate({ renewBefore: '720h' }),
          alertRule(14),
          kafka({ clientsCa: { renewalDays: 10 } }),
        ]),
      ],
    ],
  },
  'topics as libs/contracts declares them': {
    right: overlayWith(topics()),
    wrong: [
      ['is missing', overlayWith(topics().slice(1))],
      ['is otherwise', overlayWith(topics().map((one) => ({ ...one, spec: {} })))],
      ['nobody makes topics', overlayWith([])],
      ['two make topics', overlayWith([...topics(), job('topics-abc123')])],
    ],
  },
  'users of Kafka as libs/contracts declares them': {
    right: overlayWith(users()),
    wrong: [
      ['is missing', overlayWith(users().slice(1))],
      [
        'may do more than look',
        overlayWith([...users(), object('KafkaUser', 'x', { spec: { operations: ['Write'] } })]),
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
  'names that are there': {
    right: overlayWith([payments]),
    wrong: [
      [
        'there is no secret elsewhere',
        overlayWith([
          workload({
            pod: { volumes: [{ name: 'secrets', secret: { secretName: 'elsewhere' } }] },
          }),
        ]),
      ],
      ['there is no volume secrets', overlayWith([workload({ pod: { volumes: [] } })])],
      ['there is no account accounts', overlayWith([workload({ name: 'accounts' })])],
    ],
  },
  'services that lead somewhere': {
    right: overlayWith([payments]),
    wrong: [
      [
        'no pod has a port http',
        overlayWith([
          payments,
          object('Service', 'payments', {
            spec: { selector: pods('payments').matchLabels, ports: [{ targetPort: 'http' }] },
          }),
        ]),
      ],
    ],
  },
  ...restrictionExamples,
};

describe("production's network", () => {
  it('is as it is drawn, with the way to acquirers that are named', () => {
    const rule = ownRules['the network as it is drawn, with the card-data path']!;
    expect(rule(productionNetwork())).toEqual([]);
    expect(rule(productionNetwork(acquirersAt("'2001:db8::7/128'")))).toEqual([]);
    for (const cidr of ['10.96.0.1/32', '172.20.0.1/32', '203.0.113.9/32', "'fd00::1/128'"]) {
      expect(rule(productionNetwork(undefined, apiServerAt(cidr)))).toEqual([]);
    }
  });
});

describe('our own rules', () => {
  it('each have an example', () => {
    // Those of production have theirs beside production-rules.ts.
    const others = Object.keys(ownRules).filter((sentence) => !(sentence in productionRules));
    expect(Object.keys(examples).sort()).toEqual(others.sort());
  });

  it.each(Object.keys(examples))('%s: nothing is found where it holds', (sentence) => {
    expect(ownRules[sentence]!(examples[sentence]!.right)).toEqual([]);
  });

  it.each(
    Object.entries(examples).flatMap(([sentence, { wrong }]) =>
      wrong.map(([expected, manifests]) => [sentence, expected, manifests] as const),
    ),
  )('%s: finds "%s"', (sentence, expected, manifests) => {
    expect(ownRules[sentence]!(manifests).join('\n')).toContain(expected);
  });
});
