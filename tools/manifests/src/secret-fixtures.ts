import {
  type Changeable,
  type Examples,
  local,
  object,
  overlayWith,
  payments,
  serviceContainer,
  withContainer,
  withPod,
  workload,
} from './manifests-fixtures.js';
import { DUMMY_SECRET } from './rendered-overlay.js';

const mounting = (secret: string, items?: readonly object[]) =>
  withPod({
    volumes: [{ name: 'secrets', projected: { sources: [{ secret: { name: secret, items } }] } }],
  });
const configMap = (data: Changeable) => overlayWith([object('ConfigMap', 'mine', { data })]);
const secret = (data: Changeable) => local([object('Secret', 'mine', data)]);
const encoded = (text: string) => Buffer.from(text).toString('base64');
const scaledWith = (metadata: Changeable) =>
  object('ScaledObject', 'payments', { spec: { triggers: [{ type: 'kafka', metadata }] } });

/** For each rule of secrets: where one may stand, and whose pods may have it. */
export const secretExamples: Examples = {
  'nothing that is called a secret in plain text': {
    right: overlayWith([
      workload({
        container: serviceContainer({
          env: [{ name: 'POSTGRES_PASSWORD_FILE', value: '/etc/postgres/secrets/admin-password' }],
        }),
      }),
      object('ConfigMap', 'mine', {
        data: {
          'postgresql.conf': "ssl_key_file = '/etc/x'\npassword_encryption = 'scram-sha-256'\n",
          'server.properties': 'ssl.keystore.location=/etc/kafka/tls/keystore.pem\n',
          'sluice.json': '{\n  "key": "value"\n}',
        },
      }),
    ]),
    wrong: [
      [
        'POSTGRES_PASSWORD is a secret in plain text; name a file in POSTGRES_PASSWORD_FILE',
        withContainer({ env: [{ name: 'POSTGRES_PASSWORD', value: 'hunter2hunter2' }] }),
      ],
      [
        'SALT is a secret',
        withContainer({ env: [{ name: 'SALT', value: Buffer.alloc(32, 7).toString('base64') }] }),
      ],
      ['--admin-password is a secret', withContainer({ args: ['--admin-password=hunter2'] })],
      ['--admin-password is a secret', withContainer({ command: ['a', '--admin-password', 'b'] })],
      ['password is a secret', withContainer({ args: ['password=hunter2'] })],
      [
        'ScaledObject payments: password is a secret',
        overlayWith([scaledWith({ password: 'hunter2' })]),
      ],
      [
        'ScaledObject payments: API_TOKEN is a secret',
        overlayWith([scaledWith({ env: [{ name: 'API_TOKEN', value: 'x' }] })]),
      ],
      [
        'Deployment payments: api-token is a secret',
        overlayWith([
          { ...payments, metadata: { ...payments.metadata, annotations: { 'api-token': 'x' } } },
        ]),
      ],
      ['ConfigMap mine: password is a secret', configMap({ password: 'hunter2hunter2' })],
      ['vault-key is a secret', configMap({ 'vault-key': encoded('a'.repeat(32)) })],
      ['password in a.json is a secret', configMap({ 'a.json': '{\n  "password": "hunter2"\n}' })],
      ['apiToken is a secret', configMap({ apiToken: 'x' })],
      [
        'ssl.key.password in server.properties is a secret',
        configMap({ 'server.properties': 'a=b\nssl.key.password=hunter2\n' }),
      ],
    ],
  },
  'secrets that are not committed': {
    right: secret({ data: { 'tls.key': encoded(DUMMY_SECRET) } }),
    wrong: [
      [
        'Secret mine: another-password is in a file of the repository; take it from a file below',
        secret({ data: { 'another-password': encoded('hunter2hunter2') } }),
      ],
      ['password is in a file of the repository', secret({ stringData: { password: 'x' } })],
    ],
  },
  'secrets in the pods that they are for': {
    right: overlayWith([
      ...['payments-tls', 'kafka-payments', 'payments-secrets-2b7c9f5hgt'].map((name) =>
        workload({ pod: { volumes: [{ name: 'a', secret: { secretName: name } }] } }),
      ),
      ...mounting('sluice-cluster-ca-cert', [{ key: 'ca.crt', path: 'ca.crt' }]).objects,
    ]),
    wrong: [
      ['payments: mounts vault-secrets, which is not its own', mounting('vault-secrets')],
      ['mounts vault-secrets, which', mounting('vault-secrets-2b7c9f5hgt')],
      [
        'mounts vault-secrets, which',
        withPod({ volumes: [{ name: 'a', secret: { secretName: 'vault-secrets' } }] }),
      ],
      [
        'TriggerAuthentication kafka: names payments-secrets, which is for pods of its owner alone',
        overlayWith([
          payments,
          object('TriggerAuthentication', 'kafka', {
            spec: { secretTargetRef: [{ parameter: 'key', name: 'payments-secrets', key: 'a' }] },
          }),
        ]),
      ],
      ['mounts operator-secrets, which', mounting('operator-secrets')],
      ['mounts everything in it of postgres-ca; name ca.crt alone', mounting('postgres-ca')],
      [
        'mounts ca.key of postgres-ca; name ca.crt alone',
        mounting('postgres-ca', [{ key: 'ca.key', path: 'ca.key' }]),
      ],
    ],
  },
};
