import { at, isRecord, type KubernetesObject, listed, nameOf, said } from '../json-schema.js';
import { containersOf, type Manifests, ofKind, type Workload, workloadsOf } from '../manifests.js';
import { secretsFromOutside } from './references.js';
import { leadsResultsToRisk } from './results-way.js';

/** Something that an object names, and that has to be there. */
interface Reference {
  readonly kind: string;
  readonly name: unknown;
  /** What is looked for in it: a key of a secret, a port of a Service. */
  readonly part?: unknown;
}

const CERTIFICATE_KEYS = ['tls.crt', 'tls.key', 'ca.crt'];
/** Who makes secrets of what is declared here, how it calls them, and with which keys. */
const SECRET_MAKERS: Readonly<
  Record<string, { name: (made: KubernetesObject) => string; keys: readonly string[] }>
> = {
  Certificate: { name: ({ spec }) => String(at(spec, 'secretName')), keys: CERTIFICATE_KEYS },
  KafkaUser: {
    name: ({ metadata }) => `kafka-${metadata.name}`,
    keys: ['user.crt', 'user.key', 'ca.crt'],
  },
  Kafka: { name: ({ metadata }) => `${metadata.name}-cluster-ca-cert`, keys: ['ca.crt'] },
  Cluster: { name: ({ metadata }) => `${metadata.name}-ca`, keys: ['ca.crt'] },
};

/** What the object store is entered with; it comes from outside, see docs/how-to/deploy-to-kubernetes.md. */
const BACKUPS = 'postgres-backups';

/** Whoever forgets the s of https sends no card. */
const REDIRECT = 'nginx.ingress.kubernetes.io/ssl-redirect';

const ofKafka = ({ metadata }: KubernetesObject): readonly Reference[] => [
  { kind: 'Kafka', name: metadata.labels?.['strimzi.io/cluster'] },
];
const ofCluster = ({ spec }: KubernetesObject): readonly Reference[] => [
  { kind: 'Cluster', name: at(spec, 'cluster', 'name') },
];
const ofTarget = ({ spec }: KubernetesObject): readonly Reference[] => [
  {
    kind: said(at(spec, 'scaleTargetRef', 'kind'), 'Deployment'),
    name: at(spec, 'scaleTargetRef', 'name'),
  },
];

/** What each kind of object names, beside workloads, whose names another rule follows. */
const NAMED: Readonly<Record<string, (object: KubernetesObject) => readonly Reference[]>> = {
  Certificate: ({ spec }) => [
    { kind: said(at(spec, 'issuerRef', 'kind')), name: at(spec, 'issuerRef', 'name') },
  ],
  Issuer: ({ spec }) =>
    at(spec, 'ca') === undefined
      ? []
      : [{ kind: 'Secret', name: at(spec, 'ca', 'secretName'), part: 'tls.key' }],
  Ingress: ({ spec }) => [
    ...listed(at(spec, 'tls')).map((tls) => ({
      ...{ kind: 'Secret', name: at(tls, 'secretName'), part: 'tls.key' },
    })),
    ...[
      at(spec, 'defaultBackend'),
      ...listed(at(spec, 'rules'))
        .flatMap((rule) => listed(at(rule, 'http', 'paths')))
        .map((path) => at(path, 'backend')),
    ]
      .filter((backend) => backend !== undefined)
      .map((backend) => ({
        kind: 'Service',
        name: at(backend, 'service', 'name'),
        part: at(backend, 'service', 'port', 'name') ?? at(backend, 'service', 'port', 'number'),
      })),
  ],
  HorizontalPodAutoscaler: ofTarget,
  ScaledObject: (scaler) => [
    ...ofTarget(scaler),
    ...listed(at(scaler['spec'], 'triggers')).map((trigger) => ({
      ...{ kind: 'TriggerAuthentication', name: at(trigger, 'authenticationRef', 'name') },
    })),
  ],
  TriggerAuthentication: ({ spec }) =>
    listed(at(spec, 'secretTargetRef')).map((one) => ({
      ...{ kind: 'Secret', name: at(one, 'name'), part: at(one, 'key') },
    })),
  Cluster: ({ spec }) =>
    listed(at(spec, 'plugins')).map((plugin) => ({
      ...{ kind: 'ObjectStore', name: at(plugin, 'parameters', 'barmanObjectName') },
    })),
  ObjectStore: ({ spec }) => {
    const credentials = at(spec, 'configuration', 's3Credentials');
    return Object.values(isRecord(credentials) ? credentials : {}).map((one) => ({
      ...{ kind: 'Secret', name: at(one, 'name'), part: at(one, 'key') },
    }));
  },
  Database: ofCluster,
  ScheduledBackup: ofCluster,
  KafkaNodePool: ofKafka,
  KafkaTopic: ofKafka,
  KafkaUser: ofKafka,
};

/** Whatever operators and the Ingress controller are told to use is there. */
export function operatorsFindWhatTheyUse(manifests: Manifests): readonly string[] {
  return Object.entries(NAMED).flatMap(([kind, namedBy]) =>
    ofKind(manifests, kind).flatMap((object) =>
      namedBy(object)
        .filter((reference) => !isThere(manifests, reference))
        .map(
          ({ kind: wanted, name, part }) =>
            `${nameOf(object)}: there is no ${wanted} ${said(name)}` +
            (part === undefined ? '' : ` with ${said(part)}`),
        ),
    ),
  );
}

function isThere(manifests: Manifests, { kind, name, part }: Reference): boolean {
  // Brought by the platform; see docs/how-to/deploy-to-kubernetes.md.
  if (kind === 'ClusterIssuer') return true;
  if (kind === 'Secret') return hasSecret(manifests, name, part);
  return ofKind(manifests, kind)
    .filter(({ metadata }) => metadata.name === name)
    .some(
      ({ spec }) =>
        part === undefined ||
        listed(at(spec, 'ports')).some((port) =>
          [at(port, 'name'), at(port, 'port')].includes(part),
        ),
    );
}

function hasSecret(manifests: Manifests, name: unknown, key: unknown): boolean {
  if ([BACKUPS, ...secretsFromOutside(manifests)].some((secret) => secret === name)) return true;
  return Object.entries(SECRET_MAKERS).some(
    ([kind, maker]) =>
      ofKind(manifests, kind).some((made) => maker.name(made) === name) &&
      maker.keys.some((one) => one === key),
  );
}

/** Merchants reach edge over TLS, by a certificate that names the host and is made. */
export function publicHostsHaveTls(manifests: Manifests): readonly string[] {
  const hostsOfSecret = new Map(
    ofKind(manifests, 'Certificate').map(({ spec }) => [
      at(spec, 'secretName'),
      listed(at(spec, 'dnsNames')),
    ]),
  );
  // Where TLS is handed on, risk has the certificate.
  const ingresses = ofKind(manifests, 'Ingress').filter((one) => !leadsResultsToRisk(one));
  return ingresses.flatMap((ingress) => {
    const covered = listed(at(ingress['spec'], 'tls')).flatMap((tls) =>
      listed(at(tls, 'hosts')).filter((host) =>
        hostsOfSecret.get(at(tls, 'secretName'))?.includes(host),
      ),
    );
    const hosts = listed(at(ingress['spec'], 'rules')).map((rule) => at(rule, 'host'));
    const others = at(ingress['spec'], 'defaultBackend') === undefined ? [] : [undefined];
    const redirected = ingress.metadata.annotations?.[REDIRECT] === 'true';
    return [
      ...[...hosts, ...others]
        .filter((host) => !covered.includes(host))
        .map(
          (host) =>
            `${said(host, 'any host')} is reached in clear: name it in tls, with the secret of a ` +
            'Certificate that names it',
        ),
      ...(redirected ? [] : [`takes cards over plain HTTP: ${REDIRECT} must be 'true'`]),
    ].map((text) => `${nameOf(ingress)}: ${text}`);
  });
}

/** What Prometheus is told to fetch from is a port that every such pod has. */
export function monitorsFindTheirPorts(manifests: Manifests): readonly string[] {
  return ofKind(manifests, 'PodMonitor').flatMap((monitor) => {
    const labels = at(monitor['spec'], 'selector', 'matchLabels') ?? {};
    const watched = workloadsOf(manifests).filter((workload) => hasLabels(workload, labels));
    const ports = listed(at(monitor['spec'], 'podMetricsEndpoints')).map((one) => at(one, 'port'));
    const missing = watched.flatMap((workload) => {
      const own = containersOf(workload).flatMap(({ ports: all = [] }) => all);
      return ports
        .filter((port) => !own.some(({ name }) => name === port))
        .map((port) => `${nameOf(workload)} has no port ${said(port)}, so nobody watches it`);
    });
    const problems = watched.length === 0 ? ['its selector finds no pods'] : missing;
    return problems.map((text) => `${nameOf(monitor)}: ${text}`);
  });
}

function hasLabels({ spec }: Workload, labels: object): boolean {
  const own = spec.template.metadata.labels;
  return Object.entries(labels).every(([name, value]) => own[name] === value);
}
