import { describe, expect, it } from '@jest/globals';
import { availabilityExamples } from './availability-fixtures.js';
import { networkExamples } from './network-rule-fixtures.js';
import { restrictionExamples } from './restriction-fixtures.js';
import { secretExamples } from './secret-fixtures.js';
import { type KubernetesObject } from './json-schema.js';
import { kafkaTopics, kafkaUsers } from './kafka-resources.js';
import {
  type Examples,
  job,
  object,
  overlayWith,
  payments,
  paymentsSettings,
  serviceContainer,
  workload,
} from './manifests-fixtures.js';
import type { Manifests } from './manifests.js';
import { acquirersAt, apiServerAt, pods, productionNetwork } from './network-fixtures.js';
import { ownRules } from './own-rules.js';
import { productionRules } from './production-rules.js';

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
const twoCells = (told: string) => {
  const env = [{ name: 'PAYMENTS_CELLS', value: told }];
  const sepa = workload({ name: 'sepa', container: serviceContainer({ env }) });
  return overlayWith([payments, workload({ name: 'payments-2' }), sepa]);
};
const kafka = (spec: object) => object('Kafka', 'sluice', { spec });

const examples: Examples = {
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
    // A port and, in another setting, what stands before an @: no password.
    right: overlayWith([
      payments,
      object('ConfigMap', 'x', { data: { a: 'smtp://host:587', b: 'sluice@host' } }),
    ]),
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
      ...['RISK_SIMULATOR_URL', 'RISK_TEST_DIRECTORY_URL'].map((name): [string, Manifests] => [
        `${name} is set`,
        overlayWith([payments], { ...paymentsSettings, [name]: 'http://s:8081' }),
      ]),
      ['Deployment simulator: is a simulator', overlayWith([workload({ name: 'simulator' })])],
    ],
  },
  'cells that whoever asks payments is told of': {
    right: twoCells('https://payments:8443;https://payments-2.sluice.svc:8443'),
    wrong: ['https://payments:8443', 'https://payments-2:8443;https://payments:8443'].map(
      (told) => [
        'Deployment sepa: PAYMENTS_CELLS must lead to payments;payments-2',
        twoCells(told),
      ],
    ),
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
  ...networkExamples,
  ...availabilityExamples,
  ...secretExamples,
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
