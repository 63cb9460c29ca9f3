import { describe, expect, it } from '@jest/globals';
import { objectsIn } from './rendered-overlay.js';
import { ownRules } from './own-rules.js';
import { object } from './manifests-fixtures.js';
import { type Edit, productionWith, textOf } from './production-fixtures.js';
import { productionRules } from './production-rules.js';

const CLIENTS = '      - name: clients\n        port: 9093\n        type: internal\n';
const BROKERS = '  replicas: 3\n  roles: [broker]\n';
const BROKERS_VOLUME = 'type: persistent-claim\n        size: 100Gi';
const VAULT_APP = '      - name: sluice_vault_app\n        ensure: present\n        login: true\n';
const roleOf = (name: string) =>
  `      - name: sluice_${name.replace('-', '_')}\n        ensure: present\n        login: true\n` +
  `        passwordSecret:\n          name: postgres-${name}\n`;
const AUTHORIZATION =
  "    authorization:\n      type: simple\n      # Topics are Strimzi's; this one is for people, see the workload `operator`.\n" +
  '      superUsers:\n        - CN=operator\n';
const certificateOf = (service: string) =>
  `  secretName: ${service}-tls\n  commonName: ${service}\n  uris:\n    - spiffe://sluice/${service}\n`;
const withUri = (service: string, uri: string): Edit => [
  certificateOf(service),
  certificateOf(service).replace(`spiffe://sluice/${service}`, uri),
];

/** Faults as somebody may type them, each with a part of the sentence that it is refused by. */
const faults: Readonly<Record<string, readonly (readonly [string, ...Edit[]])[]>> = {
  'brokers that let in whoever is drawn': [
    ['listener clients speaks in clear', ['        tls: true\n', '        tls: false\n']],
    [
      'listener clients asks nobody for a certificate',
      ['        authentication:\n          type: tls\n', ''],
    ],
    [
      'whoever connects may do anything: authorization must be of the type simple',
      [AUTHORIZATION, ''],
    ],
    ['superUsers must be CN=operator alone', ['- CN=operator', '- CN=edge']],
    [
      'listener plain can be reached from outside',
      [
        CLIENTS,
        `${CLIENTS.replace('clients', 'plain').replace('9093', '9092').replace('internal', 'loadbalancer')}        tls: false\n${CLIENTS}`,
      ],
    ],
    [
      'must have one listener, and has 2',
      [CLIENTS, `${CLIENTS.replace('clients', 'plain')}        tls: true\n${CLIENTS}`],
    ],
    [
      'listener clients is open to every pod of every namespace',
      ['- op: add\n  path: /spec/kafka/listeners/0/networkPolicyPeers\n', '- op: test\n'],
      ['- op: add\n  path: /spec/kafka/listeners/0/networkPolicyPeers/-\n', '- op: test\n'],
    ],
    [
      'lets in {"podSelector":{"matchLabels":{"app.kubernetes.io/name":"vault"}}}, who has no way',
      [
        '    - podSelector:\n        matchLabels:\n          app.kubernetes.io/name: edge\n',
        '    - podSelector:\n        matchLabels:\n          app.kubernetes.io/name: vault\n',
      ],
    ],
    [
      'shuts out {"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"keda"}}}',
      ['- op: add\n  path: /spec/kafka/listeners/0/networkPolicyPeers/-\n', '- op: test\n'],
    ],
  ],
  'brokers that keep what they acknowledge': [
    [
      'min.insync.replicas is 1 and must be 2',
      ['min.insync.replicas: 2', 'min.insync.replicas: 1'],
    ],
    [
      'auto.create.topics.enable is not set and must be false',
      ['      auto.create.topics.enable: false\n', ''],
    ],
    [
      'KafkaNodePool brokers: has 1 replicas and needs 3',
      [BROKERS, BROKERS.replace('replicas: 3', 'replicas: 1')],
    ],
    [
      'KafkaNodePool brokers: its data go with its pods',
      [BROKERS_VOLUME, BROKERS_VOLUME.replace('persistent-claim', 'ephemeral')],
    ],
    ['no pool has brokers', ['roles: [broker]', 'roles: [controller]']],
    ['KafkaNodePool controllers: cannot write its volumes', ['        fsGroup: 0\n', '']],
    [
      'KafkaNodePool brokers: cannot write its volumes',
      ['        fsGroup: 0\n', '        fsGroup:  0\n'],
      ['        fsGroup: 0\n', '        fsGroup: 1001\n'],
    ],
  ],
  'databases that let in whoever comes over TLS': [
    [
      'takes connections without TLS by the line that CloudNativePG puts last',
      ['      - hostnossl all all all reject\n', ''],
    ],
    [
      'pg_hba has "host all all all trust", which must be hostssl',
      ['- hostssl all all all scram-sha-256', '- host all all all trust'],
    ],
    [
      "log_parameter_max_length must be '0', or its log shows rows",
      ["      log_parameter_max_length: '0'\n", ''],
    ],
    [
      'lets its superuser in over the network',
      ['  instances: 3\n', '  instances: 3\n  enableSuperuserAccess: true\n'],
    ],
    [
      'is offered by Services beside its own',
      [
        '  managed:\n    roles:\n',
        '  managed:\n    services:\n      disabledDefaultServices: [ro]\n    roles:\n',
      ],
    ],
  ],
  'databases that keep what they acknowledge': [
    ['Cluster postgres: has 1 instances and needs 3', ['  instances: 3\n', '  instances: 1\n']],
    ['may lose what it acknowledged', ['dataDurability: required', 'dataDurability: preferred']],
    ['a commit waits for no other instance', ['      number: 1\n', '      number: 0\n']],
    ['fsync must be on', ["      max_connections: '400'\n", "      fsync: 'off'\n"]],
  ],
  'roles of the databases as addresses name them': [
    ['role sluice_vault_app: must be just', [VAULT_APP, `${VAULT_APP}        superuser: true\n`]],
    [
      'role sluice_payments_app: must be just',
      ['name: postgres-payments-app', 'name: postgres-payment-app'],
    ],
    [
      'role sluice_vaults_app: no address',
      ['- name: sluice_vault_app', '- name: sluice_vaults_app'],
    ],
    [
      'role sluice_vault_app: is missing',
      ['- name: sluice_vault_app', '- name: sluice_vaults_app'],
    ],
  ],
  'connections that the databases take': [
    [' connections may be asked for', ["max_connections: '400'", "max_connections: '200'"]],
    [
      'payments 41 × 8, payments-relay 2 × 3',
      ['  maxReplicaCount: 12\n', '  maxReplicaCount: 40\n'],
    ],
    [
      'payments 25 × 20',
      [
        'GATEWAY_ENVIRONMENT: live\n  PAYMENTS_DATABASE_URL_FILE',
        'GATEWAY_ENVIRONMENT: live\n  PAYMENTS_CONNECTIONS_MAX: "20"\n  PAYMENTS_DATABASE_URL_FILE',
      ],
    ],
  ],
  'people who can do what jobs do': [
    [
      'Deployment operator: has no VAULT_OWNER_DATABASE_URL_FILE',
      // The job has it first.
      ['VAULT_OWNER_DATABASE_URL_FILE:', 'VAULT_OWNER_DATABASE_URL_FILE :'],
      ['VAULT_OWNER_DATABASE_URL_FILE:', 'VAULT_OWNER_DATABASE_ADDRESS_FILE:'],
    ],
  ],
  'certificates that name their own service': [
    [
      'Certificate edge-internal: whoever has it is taken for spiffe://sluice/payments',
      withUri('edge', 'spiffe://sluice/payments'),
    ],
    [
      'is taken for spiffe://sluice/edge, spiffe://sluice/payments',
      withUri('edge', 'spiffe://sluice/edge\n    - spiffe://sluice/payments'),
    ],
    [
      'Certificate payments-internal: callers refuse it as payments, which must be in its dnsNames',
      [
        '  dnsNames:\n    - payments\n    - payments.sluice\n    - payments.sluice.svc\n    - payments.sluice.svc.cluster.local\n',
        '',
      ],
    ],
    [
      'Certificate vault-internal: callers refuse it as vault-2.vault, which must be in',
      ['    - vault-2.vault\n', ''],
    ],
    [
      'Certificate edge-internal: can pass for vault-0.vault',
      ['    - edge.sluice\n', '    - edge.sluice\n    - vault-0.vault\n'],
    ],
    [
      'payments: must have one Certificate for the secret payments-tls',
      ['  secretName: payments-tls\n', '  secretName: payment-tls\n'],
    ],
    [
      'Certificate payments-internal: no service of internalCallers has it',
      ['  secretName: payments-tls\n', '  secretName: payment-tls\n'],
    ],
    [
      'Certificate edge-internal: must be of the Issuer internal',
      [
        'rotationPolicy: Always\n  issuerRef:\n    name: internal\n',
        'rotationPolicy: Always\n  issuerRef:\n    name: self-signed\n',
      ],
    ],
    [
      'Certificate edge-internal: may sign others',
      ['  secretName: edge-tls\n', '  secretName: edge-tls\n  isCA: true\n'],
    ],
  ],
  'scalers that leave work for everybody': [
    [
      'HorizontalPodAutoscaler edge: may make 64 instances, and edge.replies.v1 has 32 partitions',
      ['  maxReplicas: 8\n', '  maxReplicas: 64\n'],
    ],
    [
      'ScaledObject payments: may make 48 instances',
      ['  maxReplicaCount: 12\n', '  maxReplicaCount: 48\n'],
    ],
    ['may not have 2 at least and 1 at most', ['  maxReplicas: 8\n', '  maxReplicas: 1\n']],
  ],
  'scalers that measure what they scale': [
    [
      'consumerGroup is payment.commands, where nobody reads: payments has payments.commands',
      ['consumerGroup: payments.commands', 'consumerGroup: payment.commands'],
    ],
    [
      'topic is payments.commands, where nobody reads',
      ['topic: payments.commands.v1\n', 'topic: payments.commands\n'],
    ],
    [
      'bootstrapServers is kafka:9093, where nobody reads',
      ['bootstrapServers: sluice-kafka-bootstrap.sluice.svc:9093', 'bootstrapServers: kafka:9093'],
    ],
    [
      'KafkaUser keda may not look at the group payments.commands: give it Describe',
      [
        '          type: group\n          name: payments.commands\n',
        '          type: group\n          name: payment.commands\n',
      ],
    ],
    ["tls must be 'enable'", ['        tls: enable\n', '        tls: disable\n']],
    ['a measure that fails takes instances away', ['    behavior: currentReplicasIfHigher\n', '']],
  ],
  'references of operators that lead somewhere': [
    [
      'TriggerAuthentication kafka: there is no Secret kafka-kedo',
      ['name: kafka-keda', 'name: kafka-kedo'],
    ],
    [
      'TriggerAuthentication kafka: there is no Secret kafka-keda with user.pem',
      ['key: user.crt\n', 'key: user.pem\n'],
    ],
    [
      'ScaledObject payments: there is no TriggerAuthentication kafkas',
      ['authenticationRef:\n        name: kafka\n', 'authenticationRef:\n        name: kafkas\n'],
    ],
    [
      'Certificate edge-internal: there is no Issuer internals',
      [
        'rotationPolicy: Always\n  issuerRef:\n    name: internal\n',
        'rotationPolicy: Always\n  issuerRef:\n    name: internals\n',
      ],
    ],
    [
      'Issuer internal: there is no Secret internal-authorities with tls.key',
      ['    secretName: internal-authority\n', '    secretName: internal-authorities\n'],
    ],
    [
      'Ingress edge: there is no Service egde with http',
      [
        '              service:\n                name: edge\n',
        '              service:\n                name: egde\n',
      ],
    ],
    [
      'Ingress edge: there is no Service edge with https',
      [
        '                name: edge\n                port:\n                  name: http\n',
        '                name: edge\n                port:\n                  name: https\n',
      ],
    ],
    [
      'Ingress edge: there is no Secret edge-pubic with tls.key',
      ['      secretName: edge-public\n', '      secretName: edge-pubic\n'],
    ],
    [
      'HorizontalPodAutoscaler edge: there is no Deployment edge',
      ['    kind: StatefulSet\n    name: edge\n', '    kind: Deployment\n    name: edge\n'],
    ],
    [
      'Cluster postgres: there is no ObjectStore postgres-backup',
      ['barmanObjectName: postgres-backups', 'barmanObjectName: postgres-backup'],
    ],
    [
      'ObjectStore postgres-backups: there is no Secret backups with access-key-id',
      [
        '        name: postgres-backups\n        key: access-key-id',
        '        name: backups\n        key: access-key-id',
      ],
    ],
    [
      'ScheduledBackup postgres-daily: there is no Cluster postgre',
      [
        '  backupOwnerReference: self\n  cluster:\n    name: postgres\n',
        '  backupOwnerReference: self\n  cluster:\n    name: postgre\n',
      ],
    ],
    [
      'KafkaNodePool controllers: there is no Kafka sluices',
      [
        '  name: controllers\n  labels:\n    strimzi.io/cluster: sluice\n',
        '  name: controllers\n  labels:\n    strimzi.io/cluster: sluices\n',
      ],
    ],
  ],
  'public hosts with TLS': [
    [
      'Ingress edge: any host is reached in clear',
      ['  ingressClassName: nginx\n', '  ingressClassName: nginx\n  defaultBackend: {}\n'],
    ],
    [
      'Ingress edge: takes cards over plain HTTP',
      ["ssl-redirect: 'true'", "ssl-redirect: 'false'"],
    ],
    [
      'Ingress edge: gateway.example.com is reached in clear',
      ['  tls:\n    - hosts: [gateway.example.com]\n      secretName: edge-public\n', ''],
    ],
    [
      'Ingress edge: gateway.example.com is reached in clear',
      ['  dnsNames: [gateway.example.com]', '  dnsNames: [gateway.example.org]'],
    ],
  ],
  'monitors of ports that there are': [
    [
      'PodMonitor sluice: Deployment accounts has no port managment',
      ['    - port: management\n', '    - port: managment\n'],
    ],
    [
      'PodMonitor sluice: its selector finds no pods',
      [
        '      app.kubernetes.io/part-of: sluice\n      app.kubernetes.io/component: service\n',
        '      app.kubernetes.io/part-of: slice\n',
      ],
    ],
  ],
};

describe('rules of production', () => {
  it("find a log that shows rows in the local overlay's file", () => {
    const right = textOf('overlays/local/postgres/postgresql.conf');
    const rule = productionRules['databases that let in whoever comes over TLS']!;
    const found = (text: string) =>
      rule({
        overlay: 'local',
        objects: [object('ConfigMap', 'postgres', { data: { 'postgresql.conf': text } })],
      });
    expect(found(right)).toEqual([]);
    expect(found(right.replace('log_parameter_max_length = 0', ''))).toEqual([
      'ConfigMap postgres: needs "log_parameter_max_length = 0" (D-46)',
    ]);
  });

  it('each have a fault that they find', () => {
    expect(Object.keys(faults)).toEqual(Object.keys(productionRules));
  });

  it.each(Object.keys(productionRules))('%s: nothing is found where it holds', (sentence) => {
    expect(productionRules[sentence]!(productionWith())).toEqual([]);
  });

  it("hold for a PostgreSQL of the vault's own", () => {
    const { overlay, objects } = productionWith(
      [roleOf('vault-app'), ''],
      [roleOf('vault-owner'), ''],
      ['    - name: vault\n      owner: sluice_vault_owner\n', ''],
    );
    const own = objectsIn(textOf('components/vault-postgres/cluster.yaml'));
    const both = { overlay, objects: [...objects, ...own] };
    for (const rule of Object.values(productionRules)) expect(rule(both)).toEqual([]);
    const spread = ownRules['databases and brokers on nodes and in zones of their own']!;
    expect(spread(both)).toEqual([]);
    const twice = { overlay, objects: [...productionWith().objects, ...own] };
    expect(productionRules['roles of the databases as addresses name them']!(twice)).toEqual([
      'role sluice_vault_app: is in two Clusters, and its tables in one of them',
      'role sluice_vault_owner: is in two Clusters, and its tables in one of them',
    ]);
  });

  it.each(
    Object.entries(faults).flatMap(([sentence, all]) =>
      all.map(([expected, ...edits]) => [sentence, expected, edits] as const),
    ),
  )('%s: finds "%s"', (sentence, expected, edits) => {
    expect(productionRules[sentence]!(productionWith(...edits)).join('\n')).toContain(expected);
  });
});
