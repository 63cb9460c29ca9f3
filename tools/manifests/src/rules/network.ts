import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkFlows, networkPorts } from '@sluice/contracts';
import { isRecord, type KubernetesObject, nameOf } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';

/** Pods that operators make beside ours; how they reach each other is the operators' business. */
const ENGINE_LABELS = ['strimzi.io/cluster', 'cnpg.io/cluster'];
/** What is nobody's on the internet: private, shared, loopback and link-local ranges (D-58). */
const PRIVATE_RANGES = [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8'],
  ...['169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
];

const NAMES = 'namespace kube-system, pods kube-dns';
const MONITORING = 'namespace monitoring';

/** The ways beside those of `libs/contracts`. */
const WAYS = [`all pods -> ${NAMES}: 53`, `services <- ${MONITORING}: 9080`];
/** Where merchants come from, and who else looks in. */
const PUBLIC_WAYS: Readonly<Record<string, readonly string[]>> = {
  local: ['edge <- anywhere: 8080'],
  production: [
    // The first step of the card-data path, and its last one.
    'edge <- namespace ingress-nginx: 8080',
    'payments -> named addresses: 443',
    'kafka <- namespace keda: 9093',
  ],
};
/** Wider blocks than these are no list of somebody's addresses. */
const NAMED_PREFIX_MIN = { ipv4: 24, ipv6: 64 } as const;
/** Where clouds answer their machines with credentials, among others. */
const NODE_ONLY = new BlockList();
NODE_ONLY.addSubnet('127.0.0.0', 8);
NODE_ONLY.addSubnet('169.254.0.0', 16);
NODE_ONLY.addSubnet('fe80::', 10, 'ipv6');

/**
 * The ways that are open are just those that are drawn: `internalCallers` between services, so that
 * only edge and payments reach the vault (D-44), each service its stores, and nothing else.
 */
export function waysAreAsDrawn(manifests: Manifests): readonly string[] {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const open = new Set(policies.filter((policy) => !isOfEngine(policy)).flatMap(waysOf));
  const drawn = new Set(drawnWays(manifests));
  const closed = policies.some(
    ({ metadata, spec }) =>
      metadata.name === 'default-deny' &&
      JSON.stringify(spec) === '{"podSelector":{},"policyTypes":["Ingress","Egress"]}',
  );
  return [
    ...(closed ? [] : ['no policy refuses whatever is not allowed']),
    ...[...open].filter((way) => !drawn.has(way)).map((way) => `${way}: is open, and not drawn`),
    ...[...drawn].filter((way) => !open.has(way)).map((way) => `${way}: is drawn, and not open`),
  ];
}

function drawnWays({ overlay, objects }: Manifests): readonly string[] {
  const hasSimulator = objects.some(
    ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'simulator',
  );
  const flows = networkFlows
    .filter(({ to }) => to !== 'simulator' || hasSimulator)
    .flatMap(({ from, to, port }) => [
      `${from} -> ${to}: ${networkPorts[port]}`,
      `${to} <- ${from}: ${networkPorts[port]}`,
    ]);
  return [...WAYS, ...flows, ...(PUBLIC_WAYS[overlay] ?? []), ...waysOfTraces(objects)];
}

/** To the namespace and the port of the endpoint, where traces are sent at all. */
function waysOfTraces(objects: readonly KubernetesObject[]): readonly string[] {
  const endpoints = objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ data }) => (isRecord(data) ? data['OTEL_EXPORTER_OTLP_ENDPOINT'] : undefined))
    .filter((endpoint): endpoint is string => typeof endpoint === 'string')
    .map((endpoint) => new URL(endpoint));
  return endpoints.map(({ hostname, port, protocol }) => {
    const namespace = hostname.split('.')[1] ?? 'none, since the host names none';
    const standardPort = protocol === 'https:' ? '443' : '80';
    return `services -> namespace ${namespace}: ${port === '' ? standardPort : port}`;
  });
}

function isOfEngine({ spec }: KubernetesObject): boolean {
  const labels = isRecord(spec) ? labelsOf(spec['podSelector']) : {};
  return ENGINE_LABELS.some((label) => label in labels);
}

/** Every way that a policy opens, as `pods -> peer: port` or `pods <- peer: port`. */
function waysOf({ spec }: KubernetesObject): readonly string[] {
  if (!isRecord(spec)) return [];
  const pods = podsText(spec['podSelector']);
  const way = (key: string, arrow: string, peers: string) =>
    records(spec[key]).flatMap((rule) => {
      const ports = records(rule['ports']).map(({ port }) => String(port));
      const others = records(rule[peers]).map(peerText);
      return (others.length === 0 ? ['anywhere'] : others).flatMap((other) =>
        [...new Set(ports.length === 0 ? ['any port'] : ports)].map(
          (port) => `${pods} ${arrow} ${other}: ${port}`,
        ),
      );
    });
  return [...way('ingress', '<-', 'from'), ...way('egress', '->', 'to')];
}

function podsText(selector: unknown): string {
  const labels = labelsOf(selector);
  const workload = labels['app.kubernetes.io/name'] ?? labels['sluice/engine'];
  if (workload !== undefined) return workload;
  if (labels['app.kubernetes.io/component'] === 'service') return 'services';
  const text = JSON.stringify(selector ?? {});
  return text === '{}' ? 'all pods' : text;
}

function peerText(peer: Readonly<Record<string, unknown>>): string {
  const { namespaceSelector, podSelector, ...others } = peer;
  if (isNamed(others['ipBlock'])) return 'named addresses';
  if (Object.keys(others).length > 0) return JSON.stringify(others);
  if (namespaceSelector === undefined) return podsText(podSelector);
  const namespace = labelsOf(namespaceSelector)['kubernetes.io/metadata.name'];
  const name = `namespace ${namespace ?? JSON.stringify(namespaceSelector)}`;
  if (podSelector === undefined) return name;
  return `${name}, pods ${labelsOf(podSelector)['k8s-app'] ?? JSON.stringify(podSelector)}`;
}

/** Addresses that somebody has written down, and not a part of the internet. */
function isNamed(block: unknown): boolean {
  const [address = '', prefix = ''] = isRecord(block) ? String(block['cidr']).split('/') : [];
  const version = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (!isIP(address) || NODE_ONLY.check(address, version)) return false;
  return Number(prefix) >= NAMED_PREFIX_MIN[version];
}

/** Whoever may leave the cluster reaches nothing private by it. */
export function internetIsNotPrivate(manifests: Manifests): readonly string[] {
  return ofKind(manifests, 'NetworkPolicy').flatMap((policy) => {
    const blocks = isRecord(policy['spec'])
      ? records(policy['spec']['egress']).flatMap(({ to }) => records(to))
      : [];
    return blocks.flatMap(({ ipBlock }) => {
      if (!isRecord(ipBlock) || !String(ipBlock['cidr']).endsWith('/0')) return [];
      const except: unknown = ipBlock['except'];
      const excepted = Array.isArray(except) ? (except as unknown[]) : [];
      return PRIVATE_RANGES.filter((range) => !excepted.includes(range)).map(
        (range) => `${nameOf(policy)}: the internet includes ${range}`,
      );
    });
  });
}

function labelsOf(selector: unknown): Readonly<Record<string, string>> {
  const labels = isRecord(selector) ? selector['matchLabels'] : undefined;
  return isRecord(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}
