import { isDeepStrictEqual } from 'node:util';
import {
  FIRST_CELL,
  networkFlows,
  networkPorts,
  SERVICE_OF_CELLS,
  workloadOfCell,
} from '@sluice/contracts';
import { cellsIn } from '../cell-workloads.js';
import { isRecord, type KubernetesObject, records } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';
import { flowsOfCell, podsOf } from '../network-policies.js';
import { MANAGEMENT } from './probes.js';
import { leadsResultsToRisk } from './results-way.js';
import { isInternet, isNamed, isNamedInside } from './addresses.js';

const NAMES = 'namespace kube-system, pods kube-dns';
const MONITORING = 'namespace monitoring';
const INGRESS = 'namespace ingress-nginx';

/** What to do about a way that is drawn or open alone. */
const HINT =
  'put the policy right, or the drawing: libs/contracts/src/network-flows.ts and this rule';
/** Addresses that somebody has written down, each by itself. */
const NAMED = 'named addresses';
const NAMED_INSIDE = 'named addresses of the cluster';
/** All of it, without what is private. */
const INTERNET = 'the internet';
/** The ways beside those of `libs/contracts`. */
const WAYS = [
  `all pods -> ${NAMES}: 53`,
  `all pods -> ${NAMES}: 53 by UDP`,
  `services <- ${MONITORING}: ${MANAGEMENT.containerPort}`,
  // Apple's gateways, of a closed list: by TLS alone.
  `checkouts -> ${INTERNET}: 443`,
  // Whatever addresses merchants name, of receivers and shops: ports of HTTP (S-SSRF-02).
  ...[443, 8443, 80].map((port) => `webhooks -> ${INTERNET}: ${port}`),
  // External scorers that the operator names: by TLS alone.
  ...[443, 8443].map((port) => `risk -> ${INTERNET}: ${port}`),
];
/** Where merchants come from, and who else looks in. */
const PUBLIC_WAYS: Readonly<Record<string, readonly string[]>> = {
  local: ['edge <- anywhere: 8080', 'reference-page <- anywhere: 8080'],
  production: [
    // The first step of the card-data path, and its last one.
    `edge <- ${INGRESS}: 8080`,
    `reference-page <- ${INGRESS}: 8080`,
    `payments -> ${NAMED}: 443`,
    'kafka <- namespace keda: 9093',
  ],
};
/**
 * Pods that an operator makes of a resource beside ours (D-58): they reach each other and are reached by
 * their operator at its ports, they reach the API server, and some an object store with backups. An
 * API server may have private addresses or public ones, and so may a store.
 */
const OPERATED: Readonly<
  Record<string, { label: string; namespace: string; ports: readonly string[] }>
> = {
  Kafka: {
    ...{ label: 'strimzi.io/cluster', namespace: 'strimzi' },
    ports: ['8443', '9090-9093'],
  },
  Cluster: {
    ...{ label: 'cnpg.io/cluster', namespace: 'cnpg-system' },
    ports: ['5432', '8000'],
  },
};
const OF_OPERATOR = 'pods of ';
/** Of an API server: its service's, which an object store has too, and its own. */
const API_SERVER_PORTS = ['443', '6443'];

/**
 * The ways that are open are just those that are drawn: `internalCallers` between services, so that
 * only edge and payments reach the vault (D-44), each service its stores, and nothing else.
 */
export function waysAreAsDrawn(manifests: Manifests): readonly string[] {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const open = new Set(policies.flatMap(waysOf));
  const drawn = new Set(drawnWays(manifests));
  const closed = policies.some(
    ({ metadata, spec }) =>
      metadata.name === 'default-deny' &&
      JSON.stringify(spec) === '{"podSelector":{},"policyTypes":["Ingress","Egress"]}',
  );
  return [
    ...(closed ? [] : ['no policy refuses whatever is not allowed']),
    ...[...open]
      .filter((way) => !drawn.has(way))
      .map((way) => `${way}: is open, and not drawn; ${HINT}`),
    ...[...drawn]
      .filter((way) => !open.has(way))
      .map((way) => `${way}: is drawn, and not open; ${HINT}`),
  ];
}

function drawnWays(manifests: Manifests): readonly string[] {
  const { objects } = manifests;
  const cells = Array.from({ length: cellsIn(manifests) - FIRST_CELL }, (_, index) =>
    flowsOfCell(index + FIRST_CELL + 1),
  );
  const hasSimulator = objects.some(
    ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'simulator',
  );
  const hasTopicsJob = objects.some(
    ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('topics-'),
  );
  const flows = [...networkFlows, ...cells.flat()]
    .filter(({ from, to }) => hasSimulator || (to !== 'simulator' && from !== 'simulator'))
    .filter(({ from }) => from !== 'topics' || hasTopicsJob)
    .flatMap(({ from, to, port }) => [
      `${from} -> ${to}: ${networkPorts[port]}`,
      `${to} <- ${from}: ${networkPorts[port]}`,
    ]);
  return [
    ...WAYS,
    ...flows,
    ...publicWays(manifests),
    ...waysOfTraces(objects),
    ...waysOfMails(objects),
    ...waysOfOperated(objects),
  ];
}

/** Each cell of payments comes to acquirers as the first one does. */
function publicWays(manifests: Manifests): readonly string[] {
  const ways = PUBLIC_WAYS[manifests.overlay] ?? [];
  const ofPayments = ways.filter((way) => way.startsWith(`${SERVICE_OF_CELLS} `));
  const others = Array.from({ length: cellsIn(manifests) - FIRST_CELL }, (_, index) =>
    workloadOfCell(SERVICE_OF_CELLS, index + FIRST_CELL + 1),
  );
  const ofResults = ofKind(manifests, 'Ingress').some(leadsResultsToRisk);
  return [
    ...ways,
    // The way of directory servers, where they have one.
    ...(ofResults ? [`risk <- ${INGRESS}: ${networkPorts.results}`] : []),
    ...others.flatMap((cell) => ofPayments.map((way) => way.replace(SERVICE_OF_CELLS, cell))),
  ];
}

function waysOfOperated(objects: readonly KubernetesObject[]): readonly string[] {
  return objects.flatMap(({ kind, metadata }) => {
    const operated = OPERATED[kind];
    if (operated === undefined) return [];
    const { label, namespace, ports } = operated;
    const pods = `${OF_OPERATOR}${label} ${metadata.name}`;
    const inside = ports.flatMap((port) => [
      `${pods} <- ${pods}: ${port}`,
      `${pods} -> ${pods}: ${port}`,
      `${pods} <- namespace ${namespace}: ${port}`,
    ]);
    const outside = API_SERVER_PORTS.map((port) => `${pods} -> ${NAMED}: ${port}`);
    return [...inside, ...outside];
  });
}

/** To the namespace and the port of the endpoint, where traces are sent at all. */
function waysOfTraces(objects: readonly KubernetesObject[]): readonly string[] {
  return addressesIn(objects, 'OTEL_EXPORTER_OTLP_ENDPOINT').map(({ hostname, port, protocol }) => {
    const namespace = hostname.split('.')[1] ?? 'none, since the host names none';
    const standardPort = protocol === 'https:' ? '443' : '80';
    return `services -> namespace ${namespace}: ${port === '' ? standardPort : port}`;
  });
}

/** To the server for mails, where webhooks has one: at addresses that are written down, or in a namespace. */
function waysOfMails(objects: readonly KubernetesObject[]): readonly string[] {
  return addressesIn(objects, 'WEBHOOKS_MAIL_RELAY').map(({ hostname, port }) => {
    const [, namespace = '', service] = hostname.split('.');
    const peer = service === 'svc' ? `namespace ${namespace}` : NAMED;
    return `webhooks -> ${peer}: ${port}`;
  });
}

/** What a setting says that names an address, wherever it is set. */
function addressesIn(objects: readonly KubernetesObject[], setting: string): readonly URL[] {
  return objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ data }) => (isRecord(data) ? data[setting] : undefined))
    .filter((address): address is string => typeof address === 'string')
    .map((address) => new URL(address));
}

/** Every way that a policy opens, as `pods -> peer: port` or `pods <- peer: port`. */
function waysOf({ spec }: KubernetesObject): readonly string[] {
  if (!isRecord(spec)) return [];
  const pods = podsText(spec['podSelector']);
  const types = directionsOf(spec);
  const way = (type: string, arrow: string, peers: string) =>
    records(types.includes(type) ? spec[type.toLowerCase()] : []).flatMap((rule) => {
      const ports = records(rule['ports']).map(portText);
      const others = records(rule[peers]).map((peer) => peerText(peer, pods));
      return (others.length === 0 ? ['anywhere'] : others).flatMap((other) =>
        [...new Set(ports.length === 0 ? ['any port'] : ports)].map(
          (port) => `${pods} ${arrow} ${other}: ${port}`,
        ),
      );
    });
  return [...way('Ingress', '<-', 'from'), ...way('Egress', '->', 'to')];
}

/** A policy without types is for what comes in, and for what goes out where it says something of it. */
function directionsOf(spec: Readonly<Record<string, unknown>>): readonly unknown[] {
  const types = spec['policyTypes'];
  if (Array.isArray(types)) return types as unknown[];
  return ['Ingress', ...(spec['egress'] === undefined ? [] : ['Egress'])];
}

/** Just the number of a port by TCP; whatever else it says is in the text. */
function portText(entry: Readonly<Record<string, unknown>>): string {
  const { port = 'any port', endPort, protocol = 'TCP' } = entry;
  const range = [port, endPort]
    .flatMap((end) => (end === undefined ? [] : [String(end as number)]))
    .join('-');
  return protocol === 'TCP' ? range : `${range} by ${String(protocol)}`;
}

/** A short name for a selector that is just one of those that are drawn, else all that it says. */
function podsText(selector: unknown): string {
  const labels = labelsOf(selector);
  const says = (matchLabels: object) => isDeepStrictEqual(selector, { matchLabels });
  const workload = labels['app.kubernetes.io/name'] ?? labels['sluice/engine'];
  if (workload !== undefined && isDeepStrictEqual(selector, podsOf(workload))) return workload;
  if (says({ 'app.kubernetes.io/component': 'service' })) return 'services';
  const operated = Object.values(OPERATED).find(({ label }) =>
    says({ [label]: labels[label] ?? '' }),
  );
  if (operated !== undefined)
    return `${OF_OPERATOR}${operated.label} ${labels[operated.label] ?? ''}`;
  const text = JSON.stringify(selector ?? {});
  return text === '{}' ? 'all pods' : text;
}

function peerText(peer: Readonly<Record<string, unknown>>, pods: string): string {
  const { namespaceSelector, podSelector, ...others } = peer;
  if (isDeepStrictEqual(Object.keys(peer), ['ipBlock']))
    return addressesText(peer['ipBlock'], pods);
  if (Object.keys(others).length > 0) return JSON.stringify(peer);
  if (namespaceSelector === undefined) return podsText(podSelector);
  const namespace = only(namespaceSelector, 'kubernetes.io/metadata.name');
  const name = `namespace ${namespace}`;
  return podSelector === undefined ? name : `${name}, pods ${only(podSelector, 'k8s-app')}`;
}

function addressesText(ipBlock: unknown, pods: string): string {
  if (isNamed(ipBlock)) return NAMED;
  if (isInternet(ipBlock)) return INTERNET;
  if (!isNamedInside(ipBlock)) return JSON.stringify({ ipBlock });
  return pods.startsWith(OF_OPERATOR) ? NAMED : NAMED_INSIDE;
}

/** The one label that a selector asks for, else all that it says. */
function only(selector: unknown, label: string): string {
  const value = labelsOf(selector)[label];
  const isOnly =
    value !== undefined && isDeepStrictEqual(selector, { matchLabels: { [label]: value } });
  return isOnly ? value : JSON.stringify(selector);
}

function labelsOf(selector: unknown): Readonly<Record<string, string>> {
  const labels = isRecord(selector) ? selector['matchLabels'] : undefined;
  return isRecord(labels) ? (labels as Readonly<Record<string, string>>) : {};
}
