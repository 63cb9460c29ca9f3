import {
  FIRST_CELL,
  isPublic,
  networkPorts,
  programOf,
  SERVICE_OF_CELLS,
  type ServiceName,
  serviceRow,
  smallPod,
  workloadOfCell,
} from '@sluice/contracts';
import { comesToDatabases, isStatefulSet, mountsOf, NUMBERED_REPLICAS } from './service-needs.js';
import { GENERATED, indented, labelsOf, linesOf, metadataOf, when } from './text.js';

/** Where whoever comes from outside finds the pods. */
export const HTTP_PORT = 8080;

/** The Service that gives each instance a name: the one that is called, or one beside it. */
export function headlessName(name: ServiceName): string {
  const { routes, volume } = serviceRow(name);
  return routes === undefined && volume === undefined ? `${name}-instances` : name;
}

/** `workload.yaml`: a Deployment, or a StatefulSet where each instance is one of its own; each cell has one. */
export function workloadFile(name: ServiceName, cell = FIRST_CELL): string {
  const own = workloadOfCell(name, cell);
  return linesOf(
    GENERATED,
    reasonOf(name),
    'apiVersion: apps/v1',
    `kind: ${isStatefulSet(name) ? 'StatefulSet' : 'Deployment'}`,
    metadataOf(own),
    'spec:',
    indented(2, replicasOf(name)),
    indented(2, isStatefulSet(name) ? statefulSetOf(name) : rollingUpdate),
    '  selector:',
    '    matchLabels:',
    `      app.kubernetes.io/name: ${own}`,
    '  template:',
    '    metadata:',
    '      labels:',
    indented(8, labelsOf(own)),
    '    spec:',
    indented(6, podOf(name, cell)),
    indented(2, volumeClaimOf(name)),
  );
}

function reasonOf(name: ServiceName): readonly string[] {
  const { instances, standsFor } = serviceRow(name);
  return [
    ...when(
      instances === 'numbered',
      '# Each instance is known by its number, so this is a StatefulSet; there is no surge, and a rolling',
      '# update takes one at a time.',
    ),
    ...when(
      standsFor !== undefined,
      '# The other side in test installations, with a book of its own. Never beside live ones.',
    ),
  ];
}

/** None where an autoscaler of every installation says how many. */
function replicasOf(name: ServiceName): readonly string[] {
  const { autoscaled, instances } = serviceRow(name);
  if (autoscaled === 'everywhere') return [];
  return [`replicas: ${instances === 'numbered' ? NUMBERED_REPLICAS : 1}`];
}

const rollingUpdate = [
  'strategy:',
  '  type: RollingUpdate',
  '  rollingUpdate:',
  '    maxSurge: 1',
  '    maxUnavailable: 0',
];

function statefulSetOf(name: ServiceName): readonly string[] {
  const { instances, standsFor } = serviceRow(name);
  return [
    `serviceName: ${headlessName(name)}`,
    ...when(instances === 'numbered', 'podManagementPolicy: Parallel'),
    ...when(
      standsFor !== undefined,
      '# An outsider does not stop because its customers upgrade: it is new once its pod was deleted.',
    ),
    'updateStrategy:',
    `  type: ${standsFor === undefined ? 'RollingUpdate' : 'OnDelete'}`,
  ];
}

function podOf(name: ServiceName, cell: number): readonly string[] {
  const { hasPriority, standsFor } = serviceRow(name);
  const own = workloadOfCell(name, cell);
  return [
    `serviceAccountName: ${own}`,
    ...when(hasPriority === true, `priorityClassName: sluice-${name}`),
    ...(standsFor === undefined ? spreadOf(own) : []),
    'containers:',
    ...indented(2, containerOf(name, cell)),
    ...volumesOf(name, cell),
  ];
}

function spreadOf(workload: string): readonly string[] {
  return [
    'topologySpreadConstraints:',
    ...['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].flatMap((key) => [
      `  - topologyKey: ${key}`,
      '    maxSkew: 1',
      '    whenUnsatisfiable: ScheduleAnyway',
      '    labelSelector:',
      '      matchLabels:',
      `        app.kubernetes.io/name: ${workload}`,
    ]),
  ];
}

function containerOf(name: ServiceName, cell: number): readonly string[] {
  const row = serviceRow(name);
  const { cpu, heapMiB, memoryMiB } = row.pod ?? smallPod;
  return [
    '- name: service',
    '  image: sluice',
    `  args: [${programOf(row)}]`,
    '  envFrom:',
    '    - configMapRef:',
    `        name: ${name}-settings`,
    '  env:',
    '    - name: NODE_OPTIONS',
    `      value: --max-old-space-size=${heapMiB}`,
    ...indented(4, identityOf(name)),
    ...indented(4, cellVariable(name, cell)),
    ...indented(2, portsOf(name)),
    '  resources:',
    '    requests:',
    `      cpu: ${cpu}`,
    '      memory: 160Mi',
    '    limits:',
    "      cpu: '2'",
    `      memory: ${memoryMiB}Mi`,
    ...indented(2, volumeMountsOf(name)),
  ];
}

function identityOf(name: ServiceName): readonly string[] {
  const { identity } = serviceRow(name);
  if (identity === undefined) return [];
  const field =
    identity.as === 'number' ? "metadata.labels['apps.kubernetes.io/pod-index']" : 'metadata.name';
  return [
    `- name: ${identity.variable}`,
    '  valueFrom:',
    '    fieldRef:',
    `      fieldPath: ${field}`,
  ];
}

/** Its settings are those of all cells, so that it has its number beside them. */
function cellVariable(name: ServiceName, cell: number): readonly string[] {
  if (cell === FIRST_CELL || name !== SERVICE_OF_CELLS) return [];
  return ['- name: PAYMENTS_CELL', `  value: '${cell}'`];
}

function portsOf(name: ServiceName): readonly string[] {
  const { routes, standsFor, testPort } = serviceRow(name);
  const ports = [
    ...(isPublic(name) ? [['http', HTTP_PORT]] : []),
    ...(standsFor === undefined ? [] : [['http', networkPorts.simulator]]),
    ...(routes === undefined ? [] : [['internal', networkPorts.internal]]),
    ...(testPort === undefined ? [] : [[testPort.name, networkPorts[testPort.name]]]),
  ];
  if (ports.length === 0) return [];
  return [
    'ports:',
    ...ports.flatMap(([port, number]) => [`  - name: ${port}`, `    containerPort: ${number}`]),
  ];
}

function volumeMountsOf(name: ServiceName): readonly string[] {
  const { volume } = serviceRow(name);
  const mounts = [
    ...mountsOf(name).flatMap((mount) => [
      `  - name: ${mount}`,
      `    mountPath: /etc/sluice/${mount}`,
      '    readOnly: true',
    ]),
    ...(volume === undefined ? [] : [`  - name: ${volume.name}`, `    mountPath: ${volume.path}`]),
  ];
  return mounts.length === 0 ? [] : ['volumeMounts:', ...mounts];
}

/** Who it is to others is the same in every cell; its database, and so its secrets, are the cell's. */
function volumesOf(name: ServiceName, cell: number): readonly string[] {
  const sources = {
    tls: secretSource(`${name}-tls`),
    kafka: [
      ...secretSource(`kafka-${name}`, { 'user.crt': 'user.crt', 'user.key': 'user.key' }),
      "# Of those that sign the brokers; the user's own names who signs users.",
      ...secretSource('sluice-cluster-ca-cert', { 'ca.crt': 'ca.crt' }),
    ],
    secrets: [
      ...secretSource(`${workloadOfCell(name, cell)}-secrets`),
      ...(comesToDatabases(name)
        ? secretSource(`${workloadOfCell('postgres', cell)}-ca`, { 'ca.crt': 'database-ca.crt' })
        : []),
    ],
  };
  const mounts = mountsOf(name);
  if (mounts.length === 0) return [];
  return [
    'volumes:',
    ...mounts.flatMap((mount) => [
      `  - name: ${mount}`,
      '    projected:',
      '      defaultMode: 0440',
      '      sources:',
      ...indented(8, sources[mount]),
    ]),
  ];
}

/** A secret, all of it or the items that are named, with the paths that they get. */
function secretSource(
  secret: string,
  items: Readonly<Record<string, string>> = {},
): readonly string[] {
  const lines = Object.entries(items).flatMap(([key, path]) => [
    `      - key: ${key}`,
    `        path: ${path}`,
  ]);
  return [
    '- secret:',
    `    name: ${secret}`,
    ...(lines.length === 0 ? [] : ['    items:', ...lines]),
  ];
}

function volumeClaimOf(name: ServiceName): readonly string[] {
  const { volume } = serviceRow(name);
  if (volume === undefined) return [];
  return [
    'volumeClaimTemplates:',
    '  - metadata:',
    `      name: ${volume.name}`,
    '    spec:',
    '      accessModes: [ReadWriteOnce]',
    '      resources:',
    '        requests:',
    '          storage: 1Gi',
  ];
}
