import { CELLS_MAX, FIRST_CELL, topicsOfCells } from '@sluice/contracts';
import { cellOf } from '../cell-workloads.js';
import { at, isRecord, listed, nameOf } from '../json-schema.js';
import {
  componentOf,
  containersOf,
  environmentOf,
  type Manifests,
  ofKind,
  type Workload,
  workloadName,
  workloadsOf,
} from '../manifests.js';
import { connectionsMaxOf } from '../service-variables.js';

/** D-11: for people, jobs, rebuilds, backups and the database's operator. */
const RESERVED = 20;
/** What PostgreSQL has where nobody says it. */
const POSTGRES_DEFAULT = 100;
const IN_FILE = /^max_connections = ([0-9]{1,6})$/m;
/** As its app role; the addresses of owners and readers are for jobs and rebuilds. */
const APP_ADDRESS = /^([A-Z]{1,40})_DATABASE_URL(?:_FILE)?$/;

/** A server of PostgreSQL with those who come to it; `services` absent: everybody does. */
interface Server {
  readonly name: string;
  readonly max: number;
  readonly services?: readonly string[];
  /** Whose of payments it is (page 0047); the first one's has all other services. */
  readonly cell: number;
}

/** All instances that there may be, with all their connections, are fewer than a server takes (D-11). */
export function connectionsFit(manifests: Manifests): readonly string[] {
  const clients = workloadsOf(manifests)
    .filter((workload) => componentOf(workload) === 'service')
    .flatMap((workload) => clientsOf(manifests, workload));
  return serversOf(manifests).flatMap(({ name, max, services, cell }) => {
    const own = clients
      .filter((client) => client.cell === cell)
      .filter(({ database }) => services?.includes(database) ?? true);
    const sum = own.reduce((total, { pods, pool }) => total + pods * pool, 0);
    if (sum <= max - RESERVED) return [];
    const parts = own.map((one) => `${one.name} ${one.pods} × ${one.pool}`).join(', ');
    return [
      `${name}: ${sum} connections may be asked for (${parts}), and max_connections ${max} leaves ` +
        `${max - RESERVED} of them: raise it, or have fewer instances or smaller pools`,
    ];
  });
}

function serversOf(manifests: Manifests): readonly Server[] {
  const clusters = ofKind(manifests, 'Cluster').map((cluster) => ({
    name: nameOf(cluster),
    cell: cellOf(cluster.metadata.name),
    max: Number(
      at(cluster['spec'], 'postgresql', 'parameters', 'max_connections') ?? POSTGRES_DEFAULT,
    ),
    services: listed(at(cluster['spec'], 'managed', 'roles')).flatMap(
      (role) => /^sluice_([a-z]{1,40})_app$/.exec(String(at(role, 'name')))?.[1] ?? [],
    ),
  }));
  const files = ofKind(manifests, 'ConfigMap').flatMap((map) => {
    const text = isRecord(map['data']) ? map['data']['postgresql.conf'] : undefined;
    if (typeof text !== 'string') return [];
    const max = Number(IN_FILE.exec(text)?.[1] ?? POSTGRES_DEFAULT);
    const cells = databaseCells(manifests);
    return cells.map((cell) => ({ name: `${nameOf(map)}${inCell(cell)}`, max, cell }));
  });
  return [...clusters, ...files];
}

/** The servers of the local overlay are told by one file; where there is none to be seen, it is of one. */
function databaseCells(manifests: Manifests): readonly number[] {
  const found = workloadsOf(manifests)
    .filter((workload) => componentOf(workload) === 'database')
    .map((workload) => cellOf(workloadName(workload)));
  return found.length === 0 ? [FIRST_CELL] : found;
}

function inCell(cell: number): string {
  return cell === FIRST_CELL ? '' : ` in cell ${cell}`;
}

/** Nothing for a workload without tables. */
function clientsOf(manifests: Manifests, workload: Workload) {
  const name = workloadName(workload);
  return containersOf(workload).flatMap((container) => {
    const environment = environmentOf(manifests, container);
    const address = [...environment.keys()].map((key) => APP_ADDRESS.exec(key)?.[1]).find(Boolean);
    const pool = connectionsMaxOf(name, environment);
    if (address === undefined || pool === undefined) return [];
    const pods = podsAtMost(manifests, workload);
    return [{ name, database: address.toLowerCase(), pods, pool, cell: cellOf(name) }];
  });
}

/** As many as whoever scales it may make, and the one of an update beside them. */
function podsAtMost(manifests: Manifests, { metadata, spec, kind }: Workload): number {
  const scaled = ['HorizontalPodAutoscaler', 'ScaledObject']
    .flatMap((scaler) => ofKind(manifests, scaler))
    .filter((one) => at(one['spec'], 'scaleTargetRef', 'name') === metadata.name)
    .flatMap((one) => [
      Number(at(one['spec'], 'maxReplicas') ?? at(one['spec'], 'maxReplicaCount')),
      ...listed(at(one['spec'], 'triggers')).map((trigger) =>
        partitionsOf(at(trigger, 'metadata', 'topic')),
      ),
    ]);
  const surge = kind === 'Deployment' ? (spec.strategy?.rollingUpdate?.maxSurge ?? 0) : 0;
  return Math.max(scaled.length > 0 ? 0 : (spec.replicas ?? 1), ...scaled) + surge;
}

/** Somebody who is called at night may let as many instances work as there are partitions. */
function partitionsOf(topic: unknown): number {
  return topicsOfCells(CELLS_MAX).find(({ name }) => name === topic)?.partitions ?? 0;
}
