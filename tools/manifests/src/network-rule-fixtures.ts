import { type Manifests } from './manifests.js';
import { type Examples, object } from './manifests-fixtures.js';
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
import { objectsIn } from './rendered-overlay.js';

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

const mailRelayPolicies = () => objectsIn(textOf('components/mail-relay/network-policy.yaml'));
const mailsBy = (host: string) =>
  object('ConfigMap', 'webhooks-settings', { data: { WEBHOOKS_MAIL_RELAY: `smtp://${host}` } });

/** For the rule of the network: what is opened or closed beside the drawing. */
export const networkExamples: Examples = {
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
      ...(
        [
          ['ingress', 'risk <- namespace ingress-nginx: 8444: is drawn, and not open'],
          ['network-policy', 'risk <- namespace ingress-nginx: 8444: is open, and not drawn'],
        ] as const
      ).map(([file, found]): readonly [string, Manifests] => [
        found,
        localNetwork((all) => [
          ...all,
          ...objectsIn(textOf(`components/directory-servers/${file}.yaml`)),
        ]),
      ]),
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
        'webhooks -> named addresses: 587: is open, and not drawn',
        localNetwork((all) => [...all, ...mailRelayPolicies()]),
      ],
      [
        'webhooks -> named addresses: 25: is drawn, and not open',
        localNetwork((all) => [...all, ...mailRelayPolicies(), mailsBy('smtp.example.com:25')]),
      ],
      [
        'webhooks -> namespace mail: 587: is drawn, and not open',
        localNetwork((all) => [...all, ...mailRelayPolicies(), mailsBy('smtp.mail.svc:587')]),
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
      [
        'payments -> the internet: 443: is open, and not drawn',
        localNetwork(changed('checkouts-to-wallets', ':"checkouts"', ':"payments"')),
      ],
      [
        'checkouts -> {"ipBlock":{"cidr":"0.0.0.0/0","except":["0.0.0.0/8","100.64.0.0/10",',
        localNetwork(changed('checkouts-to-wallets', '"10.0.0.0/8",', '')),
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
};
