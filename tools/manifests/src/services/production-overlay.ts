import {
  databaseRolesOf,
  type DatabaseRole,
  isCertified,
  NAMED_INSTANCES,
  type ServiceName,
  serviceNames,
  serviceRow,
  type ServiceWithTables,
  servicesWithTables,
} from '@sluice/contracts';
import { withGeneratedBlock } from '../generated-block.js';
import { everywhere, isStatefulSet, speaksToKafka } from './service-needs.js';
import { GENERATED, indented, linesOf } from './text.js';

const KAFKA_BROKERS = 'sluice-kafka-bootstrap.sluice.svc:9093';
const REPLICAS = 2;

/** The overlay's `kustomization.yaml`, with where whoever speaks to Kafka finds it. */
export function productionKustomization(text: string): string {
  const clients = ['operator', ...serviceNames.filter(speaksToKafka)];
  const block = clients.flatMap((name) => [
    `  - name: ${name}-settings`,
    '    behavior: merge',
    '    literals:',
    `      - KAFKA_BROKERS=${KAFKA_BROKERS}`,
  ]);
  return withGeneratedBlock(text, 'brokers', linesOf(block));
}

/** `replicas.yaml`: two of every Deployment, and no number where something scales. */
export function replicasFile(): string {
  const patches = everywhere.flatMap(replicasOf);
  return linesOf(
    GENERATED,
    '# What an autoscaler scales has no number, so that an apply does not set it back.',
    patches.map((patch, index) => linesOf(index === 0 ? [] : '---', patch).trimEnd()),
  );
}

function replicasOf(name: ServiceName): readonly (readonly string[])[] {
  const { autoscaled } = serviceRow(name);
  // In the base it has no number either, or the one that production keeps.
  if (autoscaled === 'everywhere' || (isStatefulSet(name) && autoscaled === undefined)) return [];
  return [
    [
      'apiVersion: apps/v1',
      `kind: ${isStatefulSet(name) ? 'StatefulSet' : 'Deployment'}`,
      'metadata:',
      `  name: ${name}`,
      'spec:',
      `  replicas: ${autoscaled === 'production' ? 'null' : REPLICAS}`,
    ],
  ];
}

/** `service-certificates.yaml`: one of the internal authority for whoever calls or is called. */
export function serviceCertificatesFile(): string {
  const certificates = everywhere.filter(isCertified).map(certificateOf);
  return linesOf(
    GENERATED,
    '# Taken over without a restart. Renewed before the alert of certificates that end asks why not.',
    certificates.map((lines, index) => linesOf(index === 0 ? [] : '---', lines).trimEnd()),
  );
}

function certificateOf(name: ServiceName): readonly string[] {
  return [
    'apiVersion: cert-manager.io/v1',
    'kind: Certificate',
    'metadata:',
    `  name: ${name}-internal`,
    'spec:',
    `  secretName: ${name}-tls`,
    `  commonName: ${name}`,
    '  uris:',
    `    - spiffe://sluice/${name}`,
    '  dnsNames:',
    ...hostsOf(name).flatMap((host) =>
      ['', '.sluice', '.sluice.svc', '.sluice.svc.cluster.local'].map(
        (domain) => `    - ${host}${domain}`,
      ),
    ),
    '  usages: [digital signature, server auth, client auth]',
    '  duration: 2160h',
    '  renewBefore: 720h',
    '  privateKey:',
    '    algorithm: ECDSA',
    '    size: 256',
    '    encoding: PKCS8',
    '    rotationPolicy: Always',
    '  issuerRef:',
    '    name: internal',
    '    kind: Issuer',
    '    group: cert-manager.io',
  ];
}

/** Callers ask a numbered one by its number, any other by its Service. */
function hostsOf(name: ServiceName): readonly string[] {
  const { instances, routes } = serviceRow(name);
  if (instances !== 'numbered' || routes === undefined) return [name];
  return Array.from({ length: NAMED_INSTANCES }, (_, index) => `${name}-${index}.${name}`);
}

interface Role {
  readonly service: ServiceWithTables;
  readonly role: DatabaseRole;
}

/** Every role of the databases, in the order that the component of the vault's server counts in. */
const roles: readonly Role[] = [...servicesWithTables]
  .sort()
  .flatMap((service) => databaseRolesOf(service).map((role) => ({ service, role })));

/** The `Cluster` of CloudNativePG, with a role for each purpose that a database has. */
export function postgresCluster(text: string): string {
  const block = roles.flatMap(({ service, role }) => [
    `- name: sluice_${service}_${role}`,
    '  ensure: present',
    '  login: true',
    '  passwordSecret:',
    `    name: postgres-${service}-${role}`,
  ]);
  return withGeneratedBlock(text, 'roles', linesOf(indented(6, block)));
}

/**
 * The component that gives the vault a PostgreSQL of its own: it takes its roles and its schema out of
 * the common server's by their places.
 */
export function vaultPostgresKustomization(text: string): string {
  const places = roles.flatMap(({ service, role }, index) =>
    service === 'vault' ? [{ index, name: `sluice_vault_${role}` }] : [],
  );
  const schema = [...servicesWithTables].sort().indexOf('vault');
  const block = [
    '- target:',
    '    kind: Cluster',
    '    name: ^postgres$',
    '  patch: |-',
    ...places.map(
      ({ index, name }) =>
        `    - { op: test, path: /spec/managed/roles/${index}/name, value: ${name} }`,
    ),
    // The last first: what is taken out moves those behind it.
    ...[...places]
      .reverse()
      .map(({ index }) => `    - { op: remove, path: /spec/managed/roles/${index} }`),
    '- target:',
    '    kind: Database',
    '    name: sluice',
    '  patch: |-',
    `    - { op: test, path: /spec/schemas/${schema}/name, value: vault }`,
    `    - { op: remove, path: /spec/schemas/${schema} }`,
  ];
  return withGeneratedBlock(text, 'places', linesOf(indented(2, block)));
}
