import { isDeepStrictEqual } from 'node:util';
import { FIRST_CELL, SERVICE_OF_CELLS, workloadOfCell } from '@sluice/contracts';
import { cellOf } from '../cell-workloads.js';
import { at, isRecord, type KubernetesObject, listed, said } from '../json-schema.js';
import {
  componentOf,
  containersOf,
  environmentOf,
  type Manifests,
  ofKind,
  workloadsOf,
} from '../manifests.js';

/** One that is away leaves one that answers and one that has its commits. */
const INSTANCES_MIN = 3;
/** The first stands before whatever an operator puts behind ours. */
const REFUSES_PLAIN = 'hostnossl all all all reject';
const OVER_TLS = /^hostssl \S{1,100} \S{1,100} \S{1,100} scram-sha-256$/;

/** D-46: a statement that fails would otherwise show the row, with its card, in the log. */
const LOGS: Readonly<Record<string, string>> = {
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_min_error_statement: 'panic',
};
/** What would lose commits that are acknowledged; `payments` refuses to start with some of them. */
const DURABLE: Readonly<Record<string, string>> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
};
const ADDRESS = /^([A-Z]{1,40})_(?:(OWNER|READER)_)?DATABASE_URL(?:_FILE)?$/;
const ADMINISTRATOR = 'ADMIN';

function eachCluster(
  manifests: Manifests,
  check: (spec: unknown, cluster: KubernetesObject) => readonly string[],
): readonly string[] {
  return ofKind(manifests, 'Cluster').flatMap((cluster) =>
    check(cluster['spec'], cluster).map((text) => `Cluster ${cluster.metadata.name}: ${text}`),
  );
}

/** What PostgreSQL acknowledges survives an instance (D-58). */
export function postgresKeepsCommits(manifests: Manifests): readonly string[] {
  return eachCluster(manifests, (spec) => {
    const instances = Number(at(spec, 'instances') ?? 1);
    const number = Number(at(spec, 'postgresql', 'synchronous', 'number') ?? 0);
    const required = at(spec, 'postgresql', 'synchronous', 'dataDurability') === 'required';
    const parameters = parametersOf(spec);
    return [
      ...(instances >= INSTANCES_MIN
        ? []
        : [`has ${instances} instances and needs ${INSTANCES_MIN}, to go on without one`]),
      ...(number >= 1 && number < instances
        ? []
        : ['a commit waits for no other instance: synchronous.number must be 1']),
      ...(required
        ? []
        : ['may lose what it acknowledged: synchronous.dataDurability must be required']),
      ...Object.entries(DURABLE)
        .filter(([name, value]) => said(parameters[name], value) !== value)
        .map(([name, value]) => `${name} must be ${value}, or commits are lost`),
    ];
  });
}

/** Whoever comes to PostgreSQL comes over TLS and with a password, and its log has no rows (D-46). */
export function postgresIsClosed(manifests: Manifests): readonly string[] {
  return [...clustersAreClosed(manifests), ...filesHideRows(manifests)];
}

/** The server of the local overlay is told by a file. */
function filesHideRows(manifests: Manifests): readonly string[] {
  return ofKind(manifests, 'ConfigMap').flatMap(({ metadata, data }) => {
    const text = at(data, 'postgresql.conf');
    if (typeof text !== 'string') return [];
    return Object.entries(LOGS)
      .filter(([name, value]) => !text.split('\n').includes(`${name} = ${value}`))
      .map(([name, value]) => `ConfigMap ${metadata.name}: needs "${name} = ${value}" (D-46)`);
  });
}

function clustersAreClosed(manifests: Manifests): readonly string[] {
  return eachCluster(manifests, (spec) => {
    const [first, ...others] = listed(at(spec, 'postgresql', 'pg_hba')).map(String);
    const parameters = parametersOf(spec);
    return [
      ...(first === REFUSES_PLAIN
        ? []
        : [
            'takes connections without TLS by the line that CloudNativePG puts last: ' +
              `pg_hba must begin with ${REFUSES_PLAIN}`,
          ]),
      ...(first === REFUSES_PLAIN ? others : [first ?? '', ...others])
        .filter((line) => line !== '' && !OVER_TLS.test(line))
        .map((line) => `pg_hba has "${line}", which must be hostssl … scram-sha-256`),
      ...Object.entries(LOGS)
        .filter(([name, value]) => said(parameters[name]) !== value)
        .map(([name, value]) => `${name} must be '${value}', or its log shows rows (D-46)`),
      ...(at(spec, 'enableSuperuserAccess') === true
        ? ['lets its superuser in over the network: take enableSuperuserAccess out']
        : []),
      ...(at(spec, 'managed', 'services') === undefined
        ? []
        : ['is offered by Services beside its own: take managed.services out']),
    ];
  });
}

function parametersOf(spec: unknown): Readonly<Record<string, unknown>> {
  const parameters = at(spec, 'postgresql', 'parameters');
  return isRecord(parameters) ? parameters : {};
}

/** Each role that an address names is there, has its secret, and may nothing but log in (D-11). */
export function postgresRolesAreDrawn(manifests: Manifests): readonly string[] {
  const all = ofKind(manifests, 'Cluster');
  const cells = [...new Set(all.map(({ metadata }) => cellOf(metadata.name)))];
  return cells.flatMap((cell) => {
    const clusters = all.filter(({ metadata }) => cellOf(metadata.name) === cell);
    return roleProblems(clusters, rolesIn(cell, rolesOfAddresses(manifests)));
  });
}

/** A cell beside the first one has the roles of payments alone, with passwords of its own. */
function rolesIn(cell: number, roles: readonly Role[]): readonly Role[] {
  if (cell === FIRST_CELL) return roles;
  return roles
    .filter(({ name }) => name.startsWith(`sluice_${SERVICE_OF_CELLS}_`))
    .map((role) => {
      const secret = role.passwordSecret.name.replace(
        /^postgres/,
        workloadOfCell('postgres', cell),
      );
      return { ...role, passwordSecret: { name: secret } };
    });
}

function roleProblems(
  clusters: readonly KubernetesObject[],
  roles: readonly Role[],
): readonly string[] {
  const expected = new Map(roles.map((role) => [role.name, role]));
  const found = clusters.flatMap(({ spec }) => listed(at(spec, 'managed', 'roles')));
  const names = found.map((role) => String(at(role, 'name')));
  return [
    ...names
      .filter((name) => !expected.has(name))
      .map((name) => `role ${name}: no address of the operator names it, so nobody comes as it`),
    ...[...expected.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `role ${name}: is missing in managed.roles of the Cluster`),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `role ${name}: is in two Clusters, and its tables in one of them`,
    ),
    ...found.flatMap((role) => {
      const wanted = expected.get(String(at(role, 'name')));
      if (wanted === undefined || isDeepStrictEqual(role, wanted)) return [];
      const text = JSON.stringify(wanted);
      return [`role ${wanted.name}: must be just ${text}, and is ${JSON.stringify(role)}`];
    }),
  ];
}

/** As CloudNativePG is told of it. */
interface Role {
  readonly name: string;
  readonly ensure: string;
  readonly login: boolean;
  readonly passwordSecret: { readonly name: string };
}

/** `PAYMENTS_OWNER_DATABASE_URL` names `sluice_payments_owner`; the pod for people has all addresses. */
function rolesOfAddresses(manifests: Manifests): readonly Role[] {
  const variables = workloadsOf(manifests)
    .filter((workload) => componentOf(workload) === 'operator')
    .flatMap(containersOf)
    .flatMap((container) => [...environmentOf(manifests, container).keys()]);
  return [...new Set(variables)].flatMap((variable) => {
    const [, service, kind = 'app'] = ADDRESS.exec(variable) ?? [];
    if (service === undefined || service === ADMINISTRATOR) return [];
    const role = `${service}_${kind}`.toLowerCase();
    return [
      {
        name: `sluice_${role}`,
        ensure: 'present',
        login: true,
        passwordSecret: { name: `postgres-${role.replaceAll('_', '-')}` },
      },
    ];
  });
}

/** Whatever jobs are told, people at the command line are told too: pages say that they may do it. */
export function peopleCanDoWhatJobsDo(manifests: Manifests): readonly string[] {
  const variablesOf = (component: string) =>
    workloadsOf(manifests)
      .filter((workload) => componentOf(workload) === component)
      .flatMap(containersOf)
      .flatMap((container) => [...environmentOf(manifests, container).keys()]);
  const operator = variablesOf('operator');
  if (operator.length === 0) return [];
  return [...new Set(variablesOf('job'))]
    .filter((name) => !operator.includes(name))
    .map((name) => `Deployment operator: has no ${name}, which a job has: add it to its settings`);
}
